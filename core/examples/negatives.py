"""Which texts may stand against a text as different: hard negatives, and masks inside a batch.

A near text that nobody judged is often the same after all, and teaching that it differs does harm.
So negatives are taken from the neighbour graph behind guards, the chief of which is that a
negative must be clearly farther than the positive (arXiv 2407.15831 takes at most 95 % of the
positive's cosine).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.errors import UserError
from core.examples.joining import joined
from core.examples.kinds import Rows, Triplets

Cosines = NDArray[np.floating]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Guards:
    """What keeps a neighbour from being taken for a negative; the first that applies counts."""

    first: int = 0  # nearest neighbours that are passed over
    last: int | None = None  # neighbours that are looked at; None: all of the graph
    ceiling: float = 0.95  # a neighbour with a larger cosine is probably the same
    margin: float = 0.0  # its cosine is at least so much below the positive's
    ratio: float = 0.95  # and at most this share of the positive's

    def __post_init__(self) -> None:
        if self.first < 0 or (self.last is not None and self.last <= self.first):
            raise UserError(
                f"Neighbours from {self.first} to {self.last} are none.",
                "Let the last neighbour come after the first.",
            )
        if not (0 < self.ratio <= 1 and self.margin >= 0 and -1 <= self.ceiling <= 1):
            raise UserError(
                "A guard of the hard negatives is out of range.",
                "The ratio lies between 0 and 1, the ceiling from -1 to 1, the margin from 0 on.",
            )


@dataclass(frozen=True, slots=True)
class HardNegatives:
    """Negatives in the order of the pairs they were found for, the nearest first."""

    pair: Rows  # (found,), places in the anchors that were asked for
    negative: Rows  # (found,), text numbers
    cosine: NDArray[np.float32]  # (found,), to the anchor
    removed: tuple[tuple[str, int], ...]  # each guard in words, and the neighbours it removed
    without: int  # pairs for which none was found

    def sentence(self) -> str:
        """Tell what was found and what each guard removed."""
        told = "; ".join(f"{words} {count:,}" for words, count in self.removed if count)
        left_out = f" Left out: {told}." if told else ""
        none = f" {self.without:,} pairs have none." if self.without else ""
        return f"{len(self.negative):,} hard negatives were found.{none}{left_out}"


def same_texts(count: int, *links: Rows, copies: Rows | None = None) -> Rows:
    """Return the group of each of `count` texts; texts of a group are never each other's negatives.

    `links` (m, 2) are pairs of text numbers: decided the same, gold positives. `copies` (count,)
    holds one number for each distinct content. Groups are joined through chains.
    """
    if copies is None:
        return joined(count, *links)
    _, first, place = np.unique(copies, return_index=True, return_inverse=True)
    own = np.column_stack((np.arange(count), first[place.reshape(-1)]))
    return joined(count, own, *links)


def apart_mask(texts: Rows, groups: Rows, others: Rows | None = None) -> Mask:
    """Return which texts of a batch must not be negatives of each other, (b, c).

    `texts` (b,) and `others` (c,), the same where not given, are text numbers; `groups` comes
    from `same_texts`. An entry is true for a text and itself, its copies and all it is bound to:
    with anchors as `texts` and their positives as `others` the diagonal is therefore true, and
    is the positive itself.
    """
    rows = groups[texts]
    columns = rows if others is None else groups[others]
    return np.asarray(rows[:, None] == columns[None, :], np.bool_)


def hard_negatives(
    index: NDArray[np.integer],
    cosine: Cosines,
    anchors: Rows,
    positives: Rows,
    groups: Rows,
    *,
    positive_cosine: Cosines | None = None,
    most: int = 1,
    guards: Guards | None = None,
) -> HardNegatives:
    """Find up to `most` near texts for each pair that are no positives of its anchor.

    `index` and `cosine` (n, k) are the neighbour graph, nearest first, -1 where there is none;
    `anchors` and `positives` (m,) are text numbers, `groups` (n,) comes from `same_texts` and
    should hold the positives. `positive_cosine` (m,) is that of each pair; where it is not given
    it is looked up in the graph, and a positive that is no neighbour is farther than all of them,
    so that no neighbour is far enough. Of negatives that are the same only the nearest is taken.
    Memory goes with m times k.
    """
    guards = Guards() if guards is None else guards
    near, close = index[anchors], cosine[anchors]
    if positive_cosine is None:
        positive_cosine = _looked_up(near, close, positives)
    reach = _limit(np.asarray(positive_cosine, np.float64), guards)[:, None]
    rank = np.arange(near.shape[1])[None, :]
    last = near.shape[1] if guards.last is None else guards.last
    left = (near >= 0) & (near != anchors[:, None])
    known = groups[np.maximum(near, 0)] == groups[anchors][:, None]
    known |= groups[np.maximum(near, 0)] == groups[positives][:, None]
    # Cosines are float32: a bound such as 0.95 would else remove a cosine that equals it.
    tests = (
        ("known to be the same", known),
        ("outside the ranks", np.broadcast_to((rank < guards.first) | (rank >= last), near.shape)),
        ("nearer than the ceiling", close > np.float32(guards.ceiling)),
        ("not far enough behind the positive", close > reach.astype(np.float32)),
    )
    removed: list[tuple[str, int]] = []
    for words, hit in tests:
        removed.append((words, int((left & hit).sum())))
        left &= ~hit
    repeated = left & ~_first_of_group(left, groups[np.maximum(near, 0)], len(groups))
    removed.append(("the same as a nearer negative", int(repeated.sum())))
    left &= ~repeated
    left &= np.cumsum(left, axis=1) <= most
    pair, place = np.nonzero(left)
    without = int((~left.any(axis=1)).sum()) if len(anchors) else 0
    return HardNegatives(
        pair.astype(np.int64), near[pair, place].astype(np.int64),
        close[pair, place].astype(np.float32), tuple(removed), without,
    )  # fmt: skip  # one negative's figures


def as_triplets(
    found: HardNegatives, texts: Sequence[str], anchors: Rows, positives: Rows
) -> Triplets:
    """Return each pair with each negative found for it; `texts` are all, by their numbers."""
    numbers = (anchors[found.pair], positives[found.pair], found.negative)
    return Triplets(*(tuple(texts[at] for at in column.tolist()) for column in numbers))


def _limit(positive: NDArray[np.float64], guards: Guards) -> NDArray[np.float64]:
    """The largest cosine of a negative; a share of a negative cosine would lie above it."""
    share = np.where(positive > 0, positive * guards.ratio, positive)
    return np.minimum(share, positive - guards.margin)


def _looked_up(near: NDArray[np.integer], close: Cosines, positives: Rows) -> Cosines:
    hit = near == positives[:, None]
    found = np.where(hit, close, -np.inf).max(axis=1, initial=-np.inf)
    return np.asarray(found, np.float64)


def _first_of_group(left: Mask, group: Rows, count: int) -> Mask:
    """Of the neighbours still there, the nearest of every group in each row."""
    first = np.zeros(left.shape, np.bool_)
    row, place = np.nonzero(left)
    _, at = np.unique(row * np.int64(max(count, 1)) + group[row, place], return_index=True)
    first[row[at], place[at]] = True
    return first
