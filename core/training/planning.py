"""How a lesson will be judged, and by which examples; told before anything is loaded."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.examples import (
    Examples,
    LabelledPairs,
    Rows,
    ScoredPairs,
    Triplets,
    components,
    split,
    topic_sides,
)
from core.options import (
    FEWEST_JUDGED,
    FEWEST_OF_A_KIND,
    FEWEST_TO_KEEP_ASIDE,
    TrainOptions,
)

NONE, TOO_FEW, CROSS_VALIDATED, ENOUGH = "none", "too-few", "cross-validated", "enough"
SAME = 0.5  # a score from here on means the same
FEWEST_TO_CHOOSE = 1_000  # examples; below, those held out are too few to choose and to judge by


@dataclass(frozen=True, slots=True)
class Plan:
    """How a lesson will be judged, and by which examples; all learn unless the verdict is ENOUGH.

    `same` and `different` are counted of pairs with a score or a decision only.
    """

    verdict: str  # one of NONE, TOO_FEW, CROSS_VALIDATED, ENOUGH
    same: int
    different: int
    learn: Rows
    choose: Rows  # looked at on the way to choose among the weights
    judge: Rows
    groups: Rows  # the components of the judging examples
    note: str = ""  # a sentence where the figures must be read with care

    @property
    def chooses(self) -> bool:
        return len(self.choose) > 0


def plan_lesson(
    data: Examples,
    options: TrainOptions,
    *,
    topics: Sequence[str] = (),
    one_kind: bool = False,
) -> Plan:
    """Tell what a lesson from these examples will be.

    Examples are only kept aside where those that judge can tell something: five pairs of each
    kind, twenty triplets, five examples of each of two labels. Labelled examples and pairs that
    are all the same (`one_kind`) are not judged out of fold: under 100, nothing is told of them.
    Labelled pairs never choose among weights either: no cosine tells their labels on the way.
    With `topics`, one an example, whole topics are held out; examples without one always teach.
    """
    everything, nothing = np.arange(len(data)), np.empty(0, np.int64)
    same, different = kinds_of(data)

    def whole(verdict: str) -> Plan:
        return Plan(verdict, same, different, everything, nothing, nothing, nothing)

    if not len(data):
        return whole(NONE)
    has_folds = isinstance(data, ScoredPairs | Triplets) and not one_kind
    few = CROSS_VALIDATED if has_folds else TOO_FEW
    if len(data) < FEWEST_JUDGED or not (one_kind or has_kinds(data)):
        return whole(TOO_FEW)
    if len(data) < FEWEST_TO_KEEP_ASIDE:
        return whole(few)

    def can_tell(rows: Rows) -> bool:
        if one_kind:
            return len(rows) >= FEWEST_JUDGED
        return can_judge(data.rows(rows))

    learn, held, note = _held_out(data, options, topics)
    judge, choose = held, nothing
    if len(data) >= FEWEST_TO_CHOOSE and not isinstance(data, LabelledPairs):
        halves = _halves(data, held, options)
        if can_tell(halves[1]):
            choose, judge = halves
    if not len(learn) or not can_tell(judge):
        return whole(few)
    groups = components(*data.columns)[judge]
    return Plan(ENOUGH, same, different, learn, choose, judge, groups, note)


def kinds_of(data: Examples) -> tuple[int, int]:
    """How many pairs mean the same and how many do not; (0, 0) where no score tells."""
    if not isinstance(data, ScoredPairs):
        return 0, 0
    same = int((data.score >= SAME).sum())
    return same, len(data) - same


def has_kinds(data: Examples) -> bool:
    """Whether there are five pairs of each kind, or five examples of each of two labels."""
    if isinstance(data, ScoredPairs):
        return min(kinds_of(data)) >= FEWEST_OF_A_KIND
    if isinstance(data, Triplets):
        return True
    return int((np.bincount(data.bands) >= FEWEST_OF_A_KIND).sum()) >= 2


def can_judge(data: Examples) -> bool:
    """Whether examples are enough, and of enough kinds, to tell anything of an encoder."""
    if isinstance(data, Triplets):
        return len(data) >= FEWEST_JUDGED
    return len(data) > 0 and has_kinds(data)


def _held_out(
    data: Examples, options: TrainOptions, topics: Sequence[str]
) -> tuple[Rows, Rows, str]:
    """Return what learns, what is held out, and a sentence where the sides are not apart."""
    if not any(topics):
        sides = split(data, share=options.held_out, seed=options.seed)
        return sides.train, sides.held, sides.note
    told = np.flatnonzero(np.array([bool(topic) for topic in topics]))
    named = [topics[at] for at in told.tolist()]
    count = len(set(named))
    if count < 2:
        return np.arange(len(data)), np.empty(0, np.int64), ""
    held_topics = min(count - 1, max(1, round(options.held_out * count)))
    (held, names), *_ = topic_sides(named, (held_topics,), seed=options.seed)
    held = told[held]
    learn = np.setdiff1d(np.arange(len(data)), held)
    topic = "topic" if len(names) == 1 else "topics"
    return learn, held, f"Judged on the {topic} {', '.join(names)}, which nothing was learnt of."


def _halves(data: Examples, held: Rows, options: TrainOptions) -> tuple[Rows, Rows]:
    """Return what chooses and what judges, apart by texts."""
    halves = split(data.rows(held), share=0.5, seed=options.seed)
    return held[halves.train], held[halves.held]
