"""Triplets from judged pairs: an anchor with a text judged the same and one judged different."""

from dataclasses import dataclass

import numpy as np

from core.errors import UserError
from core.examples.drawing import draw, shares
from core.examples.joining import numbered
from core.examples.kinds import LabelledPairs, Rows, ScoredPairs, Triplets
from core.examples.making import MadeTriplets

SAME_FROM = 0.6  # scores from here on make positives; what lies between makes neither
DIFFERENT_TO = 0.4


@dataclass(frozen=True, slots=True)
class _Edges:
    """The texts beside each anchor: those of anchor a lie from starts[a] to starts[a + 1]."""

    others: Rows
    starts: Rows

    @property
    def sizes(self) -> Rows:
        return np.diff(self.starts)


def triplets_from_pairs(
    pairs: LabelledPairs | ScoredPairs,
    *,
    count: int,
    positive: str = "same",
    negative: str = "different",
    seed: int = 0,
) -> MadeTriplets:
    """Make so many triplets, in a random order, dealt evenly over the anchors.

    Decisions and scores serve in either order, so each text of a pair may be the anchor; scores
    of at least 0.6 are positive, of at most 0.4 negative. Other labels are named by `positive`
    and `negative` (entailment and contradiction, say) and depend on the order: the left text is
    the anchor. Pairs judged both ways, and texts with themselves, are left out. No two triplets
    agree in all three texts, whichever of the first two is the anchor. Raises `UserError` where
    no anchor has both.
    """
    random = np.random.default_rng(seed)
    numbers, (left, right) = numbered(pairs.left, pairs.right)
    yes, no = _kinds(pairs, positive, negative)
    either_way = isinstance(pairs, ScoredPairs) or pairs.are_decisions
    size = len(numbers)
    same = _directed(left[yes], right[yes], size, either_way)
    different = _directed(left[no], right[no], size, either_way)
    both = np.intersect1d(same, different)
    positives, negatives = (_edges(np.setdiff1d(keys, both), size) for keys in (same, different))
    rows = _drawn(positives, negatives, count, random)
    if not len(rows):
        raise UserError(
            "No text was judged the same as one text and different from another.",
            "Judge more pairs of the same texts, or make triplets from labelled texts.",
        )
    texts = tuple(numbers)
    triplets = Triplets(*(tuple(texts[at] for at in column) for column in rows.T.tolist()))
    notes = () if len(rows) >= count else (
        f"{count:,} triplets were asked for; the pairs make only {len(rows):,}.",
    )  # fmt: skip  # one sentence or none
    return MadeTriplets(triplets, notes)


def _kinds(pairs: LabelledPairs | ScoredPairs, positive: str, negative: str) -> tuple[Rows, Rows]:
    if isinstance(pairs, ScoredPairs):
        return (
            np.flatnonzero(pairs.score >= SAME_FROM),
            np.flatnonzero(pairs.score <= DIFFERENT_TO),
        )
    for name in (positive, negative):
        if name not in pairs.names:
            raise UserError(
                f"There is no label “{name}”.", f"Choose from {', '.join(pairs.names)}."
            )
    return (
        np.flatnonzero(pairs.label == pairs.names.index(positive)),
        np.flatnonzero(pairs.label == pairs.names.index(negative)),
    )


def _directed(left: Rows, right: Rows, size: int, either_way: bool) -> Rows:
    """Return anchor * size + other of every pair that is not of one text, each once, rising."""
    apart = left != right
    left, right = left[apart], right[apart]
    keys = left * size + right
    return np.unique(np.concatenate((keys, right * size + left)) if either_way else keys)


def _edges(keys: Rows, size: int) -> _Edges:
    starts = np.searchsorted(keys, np.arange(size + 1) * size)
    return _Edges(keys % max(size, 1), starts)


def _drawn(positives: _Edges, negatives: _Edges, count: int, random: np.random.Generator) -> Rows:
    """Draw twice as many as asked, since a triplet may come with either text as its anchor."""
    capacity = positives.sizes * negatives.sizes
    dealt = shares(capacity, 2 * count, random)
    parts = [np.empty((0, 3), np.int64)]
    for anchor in np.flatnonzero(dealt).tolist():
        codes = draw(int(capacity[anchor]), int(dealt[anchor]), random)
        width = int(negatives.sizes[anchor])
        one = positives.others[positives.starts[anchor] + codes // width]
        two = negatives.others[negatives.starts[anchor] + codes % width]
        parts.append(np.column_stack((np.full(len(codes), anchor), one, two)))
    rows = random.permutation(np.concatenate(parts))
    plain = np.column_stack((rows[:, :2].min(axis=1), rows[:, :2].max(axis=1), rows[:, 2]))
    _, first = np.unique(plain, axis=0, return_index=True)
    return rows[np.sort(first)][:count]
