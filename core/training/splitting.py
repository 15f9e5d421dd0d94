"""Which pairs are learnt from and which judge: texts never stand on both sides.

A pair is bound to every pair that shares a text with it, and so on; such a component goes to one
side whole. Argument pairs by topic (Sentence-BERT, arXiv 1908.10084, section 4.3) show why: across
topics an encoder scores far lower than a split by pairs makes believe.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.training.data import Rows, TrainData

_STRATA = 5  # bands of the score; labels fall into the first and the last
_HUGE = 0.5  # a component with more than this share of the pairs can judge nothing


@dataclass(frozen=True, slots=True)
class Split:
    """Places of the pairs on each side, both rising, and the component of every pair."""

    train: Rows
    held: Rows
    groups: Rows  # (pairs,)
    shares_texts: bool  # the sides could not be kept apart
    note: str  # a sentence where something must be known of it, else empty


def split(data: TrainData, *, share: float = 0.2, seed: int = 0) -> Split:
    """Hold out about `share` of the pairs, whole components, each band of scores alike.

    Where the components are too large for that, pairs of the largest are held out at random,
    and the split says that its sides share texts. Fewer than two pairs hold out nothing.
    """
    groups = components(data.left, data.right)
    counts = _counts(groups, data.score)
    wanted = share * counts.sum(0)
    random = np.random.default_rng(seed)
    have = np.zeros(_STRATA)
    taken = np.zeros(len(counts), np.bool_)
    for group in random.permutation(len(counts)):
        if np.abs(wanted - have - counts[group]).sum() < np.abs(wanted - have).sum():
            have += counts[group]
            taken[group] = True
    held = taken[groups] if len(groups) else np.zeros(0, np.bool_)
    note = ""
    shares_texts = len(data) > 1 and have.sum() < wanted.sum() / 2
    if shares_texts:
        held = _top_up(held, data.score, wanted, random)
        largest = int(counts.sum(1).max())
        note = (
            f"{largest:,} of {len(data):,} pairs hang together through the texts they share, so "
            "pairs held out share texts with pairs learnt from and the figures flatter."
        )
    return Split(np.flatnonzero(~held), np.flatnonzero(held), groups, shares_texts, note)


def folds(data: TrainData, *, count: int = 5, seed: int = 0) -> tuple[NDArray[np.int64], bool]:
    """Return the fold of every pair, whole components, bands of scores spread evenly.

    Largest components are placed first. The flag says that one component holds more than half
    of the pairs and was cut, so that folds share texts.
    """
    groups = components(data.left, data.right)
    sizes = np.bincount(groups) if len(groups) else np.zeros(0, np.int64)
    cut = bool(len(sizes)) and int(sizes.max()) > _HUGE * len(data) and len(data) > 1
    if cut:
        groups = np.arange(len(data))
    counts = _counts(groups, data.score)
    totals = np.maximum(counts.sum(0), 1)
    random = np.random.default_rng(seed)
    order = random.permutation(len(counts))
    order = order[np.argsort(-counts[order].sum(1), kind="stable")]
    load = np.zeros((count, _STRATA))
    fold = np.zeros(len(counts), np.int64)
    for group in order:
        crowding = (load * (counts[group] / totals)).sum(1)
        fold[group] = np.lexsort((load.sum(1), crowding))[0]
        load[fold[group]] += counts[group]
    return fold[groups] if len(groups) else groups, cut


def components(left: Sequence[str], right: Sequence[str]) -> Rows:
    """Return the number of each pair's component, counted in order of first appearance."""
    above: dict[str, str] = {}

    def root(text: str) -> str:
        top = text
        while (upper := above.setdefault(top, top)) != top:
            top = upper
        while above[text] != top:
            above[text], text = top, above[text]
        return top

    for a, b in zip(left, right, strict=True):
        above[root(a)] = root(b)
    numbers: dict[str, int] = {}
    return np.array(
        [numbers.setdefault(root(text), len(numbers)) for text in left], np.int64
    ).reshape(len(left))


def _counts(groups: Rows, score: NDArray[np.float32]) -> NDArray[np.float64]:
    """Return how many pairs of each band every component holds, (components, bands)."""
    counts = np.zeros((int(groups.max()) + 1 if len(groups) else 0, _STRATA))
    np.add.at(counts, (groups, _bands(score)), 1)
    return counts


def _bands(score: NDArray[np.float32]) -> NDArray[np.int64]:
    return np.clip(np.floor(score * _STRATA), 0, _STRATA - 1).astype(np.int64)


def _top_up(
    held: NDArray[np.bool_],
    score: NDArray[np.float32],
    wanted: NDArray[np.float64],
    random: np.random.Generator,
) -> NDArray[np.bool_]:
    held, bands = held.copy(), _bands(score)
    for band in range(_STRATA):
        free = np.flatnonzero((bands == band) & ~held)
        lacking = round(wanted[band]) - int((held & (bands == band)).sum())
        if lacking > 0:
            held[random.permutation(free)[:lacking]] = True
    return held
