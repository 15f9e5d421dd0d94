"""A cross-encoder as the loop teaches it: both texts of a pair in one sequence.

Sentence-BERT (arXiv 1908.10084, section 1) and Augmented SBERT (arXiv 2010.08240, section 3): the
state of the first token goes through the head, to a score or to labels. The loop, the batches and
the looks are those of encoders; a pair stands where a text stands there, and its logits where a
vector stands. This module loads torch.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
import torch

from core.errors import UserError
from core.examples import Examples, LabelledPairs, Rows, ScoredPairs
from core.options import TrainOptions
from core.progress import Steps
from core.training.cross_learner import CrossLearner, PairTable, ReadTexts
from core.training.cross_objectives import objective_of_head
from core.training.cross_objectives.squared_error import SquaredError
from core.training.fitted import Cosines
from core.training.gradients import Gradients
from core.training.matter import Lesson
from core.training.moving import MovingPupil
from core.training.objectives.catalogue import OBJECTIVES
from core.training.pupil import Columns
from core.training.tasks import Stage, Task, gold_of, matter_of


@dataclass(slots=True)
class CrossPupil(MovingPupil[CrossLearner]):
    """A cross-encoder and the texts it is taught and judged by.

    `both_orders` scores each pair both ways round and takes the mean, at twice the cost; what is
    learnt from is up to the examples (`both_ways`).
    """

    both_orders: bool = False
    texts: ReadTexts = field(default_factory=ReadTexts)
    table: PairTable = field(init=False)

    def __post_init__(self) -> None:
        self.table = self.learner.table(self.texts)

    @property
    def cut(self) -> int:
        """Pairs of the lessons of which the end of the longer text is not read."""
        return self.table.cut

    def read(self, texts: Iterable[str]) -> Steps[None]:
        self.texts = yield from self.learner.read(texts)

    def lessons(self, tasks: Sequence[Task], *, seed: int) -> list[Lesson]:
        """Return what tasks teach; the head is the cross-encoder's own, so `seed` draws nothing.

        Raises `UserError` where a task is not about what the head tells.
        """
        del seed
        self.table = self.learner.table(self.texts)
        return [self._lesson(task) for task in tasks]

    def held_still(self, columns: Columns, scores: Cosines) -> Lesson:
        rows = self.table.add(*self._rows(columns[0], columns[1]))
        objective = SquaredError(self.learner.parts.activation)
        weight = np.ones(len(rows), np.float32)
        return Lesson(objective, None, (rows,), torch.from_numpy(scores), weight)

    def add(
        self, lesson: Lesson, rows: Rows, *, total: float, seeds: Sequence[int], drops_out: bool
    ) -> Iterator[float]:
        return Gradients(self.learner, self.table).add(
            lesson, rows, total=total, seeds=seeds, drops_out=drops_out
        )

    def gold(self, examples: Examples) -> Cosines:
        """Return what people said as `scores` answers it: a score, or the number of a label."""
        if isinstance(examples, LabelledPairs) and len(self.learner.parts.labels) > 1:
            return self._places(examples).astype(np.float32)
        return gold_of(examples)

    def scores(self, columns: Columns) -> Steps[Cosines]:
        """Return (n,) scores of pairs, or (n, labels); of triplets how far apart the two are."""
        first, *others = columns
        found: list[Cosines] = []
        for other in others:
            one = yield from self._scores(first, other)
            if self.both_orders:
                turned = yield from self._scores(other, first)
                one = np.mean([one, turned], axis=0, dtype=np.float32)
            found.append(one)
        told: Cosines = found[0] if len(found) == 1 else found[0] - found[1]
        return told

    def _lesson(self, task: Task) -> Lesson:
        parts = self.learner.parts
        wanted = OBJECTIVES[task.objective].target
        tells_labels = len(parts.labels) > 1
        if wanted == "none" or (wanted == "label") != tells_labels:
            has = "labels" if tells_labels else "a score"
            raise UserError(
                f"This cross-encoder tells {has} of two texts; the examples are "
                f"{task.examples.kind}.",
                "Teach it by pairs that are labelled."
                if tells_labels
                else "Teach it by pairs that are scored, or decided to be the same or different.",
            )
        matter = matter_of(task)
        target = matter.target
        if isinstance(task.examples, LabelledPairs) and tells_labels:
            target = self._places(task.examples)
        return Lesson(
            objective=objective_of_head(len(parts.labels), parts.activation),
            head=None,
            columns=(self.table.add(*self._rows(*matter.columns)),),
            target=None if target is None else torch.from_numpy(target),
            weight=matter.weight,
        )

    def _places(self, examples: LabelledPairs) -> Rows:
        """The labels of examples as the head numbers them."""
        own = self.learner.parts.labels
        if set(own) != set(examples.names):
            raise UserError(
                f"The cross-encoder tells {', '.join(own)}; the examples tell "
                f"{', '.join(examples.names)}.",
                "Use examples with the labels it was made for, or teach another.",
            )
        return np.array([own.index(name) for name in examples.names], np.int64)[examples.label]

    def _scores(self, left: Sequence[str], right: Sequence[str]) -> Steps[Cosines]:
        table = self.learner.table(self.texts)
        table.add(*self._rows(left, right))
        return (yield from self.learner.scores(table))

    def _rows(self, left: Sequence[str], right: Sequence[str]) -> tuple[Rows, Rows]:
        prompt = self.learner.parts.described.prompt
        return self.texts.rows(prompt + text for text in left), self.texts.rows(right)


def cross_stage(examples: Examples, options: TrainOptions) -> Stage:
    """Return the stage that teaches a cross-encoder: labels where there are some, else scores.

    Decisions are scores of 0 and 1. Raises `UserError` for examples that are no judged pairs.
    """
    if isinstance(examples, LabelledPairs) and not examples.are_decisions:
        return Stage((Task("classification", examples),), options)
    if not isinstance(examples, ScoredPairs | LabelledPairs):
        raise UserError(
            f"A cross-encoder learns from judged pairs; the examples are {examples.kind}.",
            "Give it pairs that are scored, labelled, or decided to be the same or different.",
        )
    return Stage((Task("regression", examples),), options)


def both_ways(examples: ScoredPairs | LabelledPairs) -> ScoredPairs | LabelledPairs:
    """Return every pair both ways round, as the reference training of Augmented SBERT does.

    Only for judgements that do not depend on the order: an entailment turned round is none.
    """
    left, right = examples.left + examples.right, examples.right + examples.left
    if isinstance(examples, LabelledPairs):
        return LabelledPairs(left, right, np.tile(examples.label, 2), examples.names)
    weight = None if examples.weight is None else np.tile(examples.weight, 2)
    return ScoredPairs(left, right, np.tile(examples.score, 2), weight)
