"""Star groups: every removed text is linked directly to the text that is kept for it."""

from dataclasses import dataclass
from enum import IntEnum
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from core.groups.decided import same_components
from core.groups.links import (
    Floats,
    Ints,
    LinkTable,
    Positions,
    Truths,
    as_pairs,
    count_at_or_above,
    is_among,
)
from core.groups.separate import seat_apart

_FEW_LINKS = 2_000  # below this many a plain loop is as quick as another round
_WORTHWHILE = 0.7  # a round that leaves more than this share of the links is the last


class Reason(IntEnum):
    """Why a text is where it is."""

    KEPT = 0
    SIMILAR = 1  # removed for a link at or above the threshold
    DECIDED = 2  # removed because a person said it is the same


@dataclass(frozen=True, slots=True)
class Grouping:
    """Which text each text is removed to; a kept text points at itself. Arrays are (n,).

    `cosine` is that of the link used, nan where kept or decided without a measured link.
    `contradictions` (k, 2) are pairs decided the same that other decisions keep apart.
    """

    kept_of: Positions
    reason: NDArray[np.uint8]
    cosine: Floats
    contradictions: Positions

    @property
    def is_kept(self) -> Truths:
        kept: Truths = self.reason == Reason.KEPT
        return kept


@dataclass(frozen=True, slots=True)
class _Edges:
    """Automatic links as ranks: `better` < `worse`, in descending order of cosine."""

    better: Positions
    worse: Positions
    cosine: Floats


def group_texts(
    n: int,
    links: LinkTable,
    *,
    threshold: float,
    priority: Ints,
    same: Ints | None = None,
    different: Ints | None = None,
    unsure: Ints | None = None,
) -> Grouping:
    """Decide for each of `n` texts whether it is kept, or for which kept text it is removed.

    `priority` (n,) must be distinct, smaller is rather kept; decided pairs are (k, 2).

    A person's "same" pairs come first: the best text of each component is kept as its
    representative, the rest are removed to it and play no further part. The remaining texts
    are walked from best to worst over the automatic links (cosine at or above `threshold`,
    not held, not decided): a text is kept unless a kept one is linked to it. A removed text
    goes to its nearest kept one. Representatives are never removed.

    So every removed text has a kept text within the threshold, or in its own component; and
    neither the numbering of the texts nor the order of the links changes the outcome. Two
    texts decided different never share a group: the worse one moves to its next nearest
    kept text or is kept itself. A million links take less than 0.15 s.
    """
    same, different, unsure = as_pairs(same), as_pairs(different), as_pairs(unsure)
    order = np.argsort(np.asarray(priority), kind="stable")
    representative, contradictions = same_components(order, _inverse(order), same, different)
    absorbed = representative != np.arange(n)
    leads = np.zeros(n, np.bool_)
    leads[representative[absorbed]] = True
    apart = representative[different]

    order = np.concatenate([order[leads[order]], order[~leads[order]]])
    rank = _inverse(order)
    edges = _automatic(links, threshold, rank, absorbed, leads, (apart, unsure))
    gone = _walk(edges, n)
    gone |= absorbed[order]
    seats = seat_apart(
        edges.better, edges.worse, edges.cosine, gone=gone, absorbed=absorbed[order],
        apart=rank[apart],
    )  # fmt: skip
    kept, cosine = _nearest_kept(edges, gone)
    for text, (seat, value) in seats.items():
        kept[text], cosine[text] = seat, value

    kept_of = np.empty(n, np.intp)
    kept_of[order] = order[kept]
    reason = np.where(kept_of == np.arange(n), Reason.KEPT, Reason.SIMILAR).astype(np.uint8)
    cosine = cosine[rank]
    if absorbed.any():
        kept_of[absorbed] = representative[absorbed]
        reason[absorbed] = Reason.DECIDED
        cosine[absorbed] = _measured(links, representative, absorbed)[absorbed]
    return Grouping(kept_of, reason, cosine, contradictions)


def members(grouping: Grouping) -> tuple[Positions, Positions, Positions]:
    """List the groups: (kept, start, texts), group g being `texts[start[g] : start[g + 1]]`.

    `kept` is ascending and each group begins with its kept text; texts on their own are
    groups too.
    """
    texts = np.lexsort((~grouping.is_kept, grouping.kept_of))
    kept, first = np.unique(grouping.kept_of[texts], return_index=True)
    return kept, np.append(first, len(texts)).astype(np.intp), texts


def _automatic(
    links: LinkTable,
    threshold: float,
    rank: Positions,
    absorbed: Truths,
    leads: Truths,
    decided: tuple[Positions, Positions],
) -> _Edges:
    cut = count_at_or_above(links.cosine, threshold)
    left, right, cosine = links.left[:cut], links.right[:cut], links.cosine[:cut]
    usable = ~links.held[:cut]
    if absorbed.any():
        usable &= ~(absorbed[left] | absorbed[right] | (leads[left] & leads[right]))
    for pairs in decided:
        if len(pairs):
            usable &= ~is_among(left, right, pairs, len(rank))
    if not usable.all():
        left, right, cosine = left[usable], right[usable], cosine[usable]
    a, b = rank[left], rank[right]
    return _Edges(np.minimum(a, b), np.maximum(a, b), cosine)


def _walk(edges: _Edges, n: int) -> Truths:
    """Say of each rank whether the walk from best to worst removes it.

    Rounds settle at once all texts that wait for no better one (as in the parallel greedy
    of Blelloch, Fineman and Shun, 2012, with the same outcome as the walk itself); long
    chains, where rounds settle little, are walked.
    """
    gone = np.zeros(n, np.bool_)
    waits = np.empty(n, np.bool_)
    better, worse = edges.better, edges.worse
    while len(better) > _FEW_LINKS:
        waits[:] = False
        waits[worse] = True
        gone[worse[~waits[better]]] = True
        # A link still matters only while its better end is open and its worse end not gone.
        open_ = waits[better] & ~gone[better] & ~gone[worse]
        before = len(better)
        better, worse = better[open_], worse[open_]
        if len(better) > _WORTHWHILE * before:
            break
    removed = bytearray(gone.tobytes())
    # Sorting one packed number is several times quicker than sorting by two keys.
    packed = np.sort((better.astype(np.int64) << 32) | worse)
    better, worse = packed >> 32, packed & 0xFFFFFFFF
    first = np.flatnonzero(np.diff(better, prepend=-1))
    spans = zip(better[first].tolist(), pairwise([*first.tolist(), len(better)]), strict=True)
    for text, (start, stop) in spans:
        if not removed[text]:
            for other in worse[start:stop].tolist():
                removed[other] = 1
    return np.frombuffer(removed, np.bool_).copy()


def _nearest_kept(edges: _Edges, gone: Truths) -> tuple[Positions, Floats]:
    """Find for each gone rank its kept neighbour of highest cosine, the better one of equals."""
    n = len(gone)
    b_gone, w_gone = gone[edges.better], gone[edges.worse]
    down, up = np.flatnonzero(~b_gone & w_gone), np.flatnonzero(b_gone & ~w_gone)
    best = np.full(n, np.nan, np.float32)
    nearest = np.arange(n)
    ends = [
        (edges.worse[down], edges.better[down], edges.cosine[down]),
        (edges.better[up], edges.worse[up], edges.cosine[up]),
    ]
    for text, _, cosine in ends:
        # Written from the smallest cosine on, so that the largest one stays.
        best[text[::-1]] = np.fmax(cosine[::-1], best[text[::-1]])
    nearest[gone] = n
    for text, kept, cosine in ends:
        is_best = cosine == best[text]
        np.minimum.at(nearest, text[is_best], kept[is_best])
    # Absorbed texts have no link here; they are given their representative afterwards.
    alone = nearest == n
    nearest[alone] = np.flatnonzero(alone)
    return nearest, best


def _measured(links: LinkTable, representative: Positions, absorbed: Truths) -> Floats:
    """The cosine of each absorbed text to its representative, nan where never measured."""
    cosine = np.full(len(absorbed), np.nan, np.float32)
    for text, other in ((links.left, links.right), (links.right, links.left)):
        own = np.flatnonzero(absorbed[text])
        own = own[representative[text[own]] == other[own]]
        cosine[text[own]] = links.cosine[own]
    return cosine


def _inverse(order: Positions) -> Positions:
    rank = np.empty(len(order), np.intp)
    rank[order] = np.arange(len(order))
    return rank
