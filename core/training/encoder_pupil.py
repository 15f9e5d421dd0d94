"""An encoder as the loop teaches it. This module loads torch."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from core.examples import Examples, Rows
from core.progress import Steps
from core.training.fitted import Cosines
from core.training.gradients import Gradients
from core.training.learner import Learner
from core.training.matter import Lesson, held_still, lessons_of
from core.training.moving import MovingPupil
from core.training.pupil import Columns
from core.training.tasks import Task, gold_of
from core.training.token_table import TokenTable, no_tokens


@dataclass(slots=True)
class EncoderPupil(MovingPupil[Learner]):
    """An encoder and the tokens of the texts it is taught and judged by."""

    table: TokenTable = field(default_factory=no_tokens)

    @property
    def cut(self) -> int:
        return self.table.cut

    def read(self, texts: Iterable[str]) -> Steps[None]:
        self.table = yield from self.learner.tokenize(texts)

    def lessons(self, tasks: Sequence[Task], *, seed: int) -> list[Lesson]:
        dimension = self.learner.parts.pooler.dimension
        lessons = lessons_of(tasks, self.table, dimension=dimension, seed=seed)
        for lesson in lessons:
            if lesson.head is not None:
                lesson.head.to(self.learner.parts.place)
        return lessons

    def held_still(self, columns: Columns, scores: Cosines) -> Lesson:
        left, right = (self.table.rows(column) for column in columns)
        return held_still(left, right, scores)

    def add(
        self, lesson: Lesson, rows: Rows, *, total: float, seeds: Sequence[int], drops_out: bool
    ) -> Iterator[float]:
        return Gradients(self.learner, self.table).add(
            lesson, rows, total=total, seeds=seeds, drops_out=drops_out
        )

    def gold(self, examples: Examples) -> Cosines:
        return gold_of(examples)

    def scores(self, columns: Columns) -> Steps[Cosines]:
        numbers = [self.table.rows(column) for column in columns]
        texts, places = np.unique(np.concatenate(numbers), return_inverse=True)
        vectors = yield from self.learner.unit_vectors(self.table, texts)
        first, *others = (vectors[some] for some in np.split(places.reshape(-1), len(columns)))
        cosines = [np.einsum("ij,ij->i", first, other) for other in others]
        found: Cosines = cosines[0] if len(cosines) == 1 else cosines[0] - cosines[1]
        return found
