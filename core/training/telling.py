"""Single pairs that tell what an encoder learnt, and what it forgot."""

from dataclasses import dataclass

import numpy as np

from core.training.data import Judged


@dataclass(frozen=True, slots=True)
class TellingPair:
    """One pair that was not learnt from, before and after."""

    left: str
    right: str
    gold: float
    before: float
    after: float


@dataclass(frozen=True, slots=True)
class TellingPairs:
    """Pairs whose cosine moved most towards what people said of them, and most away from it."""

    better: tuple[TellingPair, ...]
    worse: tuple[TellingPair, ...]


def telling_pairs(judged: Judged, *, count: int = 5) -> TellingPairs:
    """Return up to `count` pairs on each side, the largest move first; none that did not move."""
    gold = judged.pairs.score
    nearer = np.abs(gold - judged.before) - np.abs(gold - judged.after)
    order = np.argsort(-nearer, kind="stable")
    return TellingPairs(
        better=tuple(_pair(judged, row) for row in order[:count] if nearer[row] > 0),
        worse=tuple(_pair(judged, row) for row in order[::-1][:count] if nearer[row] < 0),
    )


def _pair(judged: Judged, row: int) -> TellingPair:
    return TellingPair(
        left=judged.pairs.left[row],
        right=judged.pairs.right[row],
        gold=float(judged.pairs.score[row]),
        before=float(judged.before[row]),
        after=float(judged.after[row]),
    )
