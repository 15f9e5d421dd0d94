"""Which examples are learnt from and which judge: texts never stand on both sides.

An example is bound to every example that shares a text with it, and so on; such a component goes
to one side whole. Argument pairs by topic (Sentence-BERT, arXiv 1908.10084, section 4.3) show why:
across topics an encoder scores far lower than a split by pairs makes believe.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.examples.joining import joined, numbered
from core.examples.kinds import Columned, Rows

_HUGE = 0.5  # a component with more than this share of the examples can judge nothing
_MOST_BANDS = 256  # more labels share bands, so that many labels of many texts fit the memory
_THINGS = {1: "texts", 2: "pairs", 3: "triplets"}  # by their columns


@dataclass(frozen=True, slots=True)
class Split:
    """Places of the examples on each side, both rising, and the component of every example."""

    train: Rows
    held: Rows
    groups: Rows  # (examples,)
    shares_texts: bool  # the sides could not be kept apart
    note: str  # a sentence where something must be known of it, else empty


def split(data: Columned, *, share: float = 0.2, seed: int = 0) -> Split:
    """Hold out about `share` of the examples, whole components, each label or band alike.

    Where the components are too large for that, examples of the largest are held out at random,
    and the split says that its sides share texts. Fewer than two examples hold out nothing.
    """
    groups = components(*data.columns)
    bands = data.bands % _MOST_BANDS
    counts = _counts(groups, bands)
    wanted = share * counts.sum(0)
    random = np.random.default_rng(seed)
    have = np.zeros(counts.shape[1])
    taken = np.zeros(len(counts), np.bool_)
    for group in random.permutation(len(counts)):
        if np.abs(wanted - have - counts[group]).sum() < np.abs(wanted - have).sum():
            have += counts[group]
            taken[group] = True
    held = taken[groups] if len(groups) else np.zeros(0, np.bool_)
    note = ""
    shares_texts = len(data) > 1 and bool(have.sum() < wanted.sum() / 2)
    if shares_texts:
        held = _top_up(held, bands, wanted, random)
        largest = int(counts.sum(1).max())
        things = _THINGS[len(data.columns)]
        note = (
            f"{largest:,} of {len(data):,} {things} hang together through the texts they share, "
            f"so {things} held out share texts with {things} learnt from and the figures flatter."
        )
    return Split(np.flatnonzero(~held), np.flatnonzero(held), groups, shares_texts, note)


def folds(data: Columned, *, count: int = 5, seed: int = 0) -> tuple[Rows, bool]:
    """Return the fold of every example, whole components, labels or bands spread evenly.

    Largest components are placed first. The flag says that one component holds more than half
    of the examples and was cut, so that folds share texts.
    """
    groups = components(*data.columns)
    sizes = np.bincount(groups) if len(groups) else np.zeros(0, np.int64)
    cut = bool(len(sizes)) and int(sizes.max()) > _HUGE * len(data) and len(data) > 1
    if cut:
        groups = np.arange(len(data))
    counts = _counts(groups, data.bands % _MOST_BANDS)
    totals = np.maximum(counts.sum(0), 1)
    random = np.random.default_rng(seed)
    order = random.permutation(len(counts))
    order = order[np.argsort(-counts[order].sum(1), kind="stable")]
    load = np.zeros((count, counts.shape[1]))
    fold = np.zeros(len(counts), np.int64)
    for group in order:
        crowding = (load * (counts[group] / totals)).sum(1)
        fold[group] = np.lexsort((load.sum(1), crowding))[0]
        load[fold[group]] += counts[group]
    return fold[groups] if len(groups) else groups, cut


def components(*columns: Sequence[str]) -> Rows:
    """Return the number of each example's component, counted in order of first appearance."""
    numbers, told = numbered(*columns)
    links = [np.column_stack((told[0], other)) for other in told[1:]]
    group = joined(len(numbers), *links)[told[0]]
    _, first, place = np.unique(group, return_index=True, return_inverse=True)
    rank = np.empty(len(first), np.int64)
    rank[np.argsort(first)] = np.arange(len(first))
    return rank[place.reshape(-1)]


def _counts(groups: Rows, bands: Rows) -> NDArray[np.float64]:
    """Return how many examples of each band every component holds, (components, bands)."""
    shape = (int(groups.max()) + 1, int(bands.max()) + 1) if len(groups) else (0, 1)
    counts = np.zeros(shape)
    np.add.at(counts, (groups, bands), 1)
    return counts


def _top_up(
    held: NDArray[np.bool_], bands: Rows, wanted: NDArray[np.float64], random: np.random.Generator
) -> NDArray[np.bool_]:
    held = held.copy()
    for band, count in enumerate(wanted):
        free = np.flatnonzero((bands == band) & ~held)
        lacking = round(count) - int((held & (bands == band)).sum())
        if lacking > 0:
            held[random.permutation(free)[:lacking]] = True
    return held
