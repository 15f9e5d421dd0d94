"""Single pairs that tell what an encoder learnt, and what it forgot."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.examples import LabelledPairs
from core.training.data import Judged
from core.training.tasks import gold_of


@dataclass(frozen=True, slots=True)
class TellingPair:
    """One example that was not learnt from, before and after.

    Of a triplet `left` is the anchor, `right` the text that is the same and `third` the other
    one; `before` and `after` are by how much `right` is nearer. Of a pair with one of several
    labels they are how sure a probe is of the right one.
    """

    left: str
    right: str
    gold: float
    before: float
    after: float
    third: str = ""
    label: str = ""


@dataclass(frozen=True, slots=True)
class TellingPairs:
    """Pairs whose cosine moved most towards what people said of them, and most away from it."""

    better: tuple[TellingPair, ...]
    worse: tuple[TellingPair, ...]


def telling_pairs(judged: Judged, *, count: int = 5) -> TellingPairs:
    """Return up to `count` examples on each side, the largest move first; none that did not move.

    `before` and `after` of pairs with one of several labels are probabilities of the right one.
    """
    gold = _gold(judged)
    nearer = np.abs(gold - judged.before) - np.abs(gold - judged.after)
    order = np.argsort(-nearer, kind="stable")
    return TellingPairs(
        better=tuple(_pair(judged, gold, row) for row in order[:count] if nearer[row] > 0),
        worse=tuple(_pair(judged, gold, row) for row in order[::-1][:count] if nearer[row] < 0),
    )


def _gold(judged: Judged) -> NDArray[np.float32]:
    if isinstance(judged.examples, LabelledPairs) and not judged.examples.are_decisions:
        return np.ones(len(judged), np.float32)
    return gold_of(judged.examples)


def _pair(judged: Judged, gold: NDArray[np.float32], row: int) -> TellingPair:
    examples = judged.examples
    texts = [column[row] for column in examples.columns]
    label = examples.names[examples.label[row]] if isinstance(examples, LabelledPairs) else ""
    return TellingPair(
        left=texts[0],
        right=texts[1],
        gold=float(gold[row]),
        before=float(judged.before[row]),
        after=float(judged.after[row]),
        third=texts[2] if len(texts) > 2 else "",
        label=label,
    )
