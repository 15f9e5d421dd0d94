"""Examples as rows of a token table, ready for their objective. This module loads torch."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from core.examples import Rows, apart_mask, same_texts
from core.training.objectives import make_objective
from core.training.objectives.hold import Hold
from core.training.objectives.objective import Batch, Objective
from core.training.tasks import Task, choices_of, matter_of, same_links
from core.training.token_table import TokenTable


@dataclass(frozen=True, slots=True)
class Lesson:
    """A task's examples by the rows of their texts in a token table."""

    objective: Objective
    head: torch.nn.Module | None
    columns: tuple[Rows, ...]
    target: torch.Tensor | None  # (n,), on the processor
    weight: NDArray[np.float32]  # (n,)
    groups: Rows | None = None  # of every text of the table; those of a group mean the same

    def __len__(self) -> int:
        return len(self.weight)

    def batch(self, rows: Rows, place: torch.device) -> Batch:
        """What the objective is told of some examples, on a device."""
        texts = tuple(column[rows] for column in self.columns)
        apart = None
        if self.groups is not None:
            masks = [apart_mask(texts[0], self.groups, others) for others in texts[1:]]
            apart = torch.from_numpy(np.concatenate(masks, axis=1)).to(place)
        target = None if self.target is None else self.target[torch.from_numpy(rows)].to(place)
        return Batch(
            target=target,
            weight=torch.from_numpy(self.weight[rows]).to(place),
            texts=tuple(torch.from_numpy(column).to(place) for column in texts),
            apart=apart,
        )


def lessons_of(
    tasks: Sequence[Task], table: TokenTable, *, dimension: int, seed: int
) -> list[Lesson]:
    """Make the lessons of tasks over one table; heads are new, drawn by the seed.

    Negatives out of the batch never mean the same by any example of any task.
    """
    groups = _groups(tasks, table)
    lessons = []
    for place, task in enumerate(tasks):
        matter = matter_of(task)
        objective = make_objective(task.objective, **choices_of(task))
        lessons.append(
            Lesson(
                objective=objective,
                head=objective.head(dimension, seed=seed + place),
                columns=tuple(table.rows(column) for column in matter.columns),
                target=None if matter.target is None else torch.from_numpy(matter.target),
                weight=matter.weight,
                groups=groups if objective.name == "ranking" else None,
            )
        )
    return lessons


def held_still(left: Rows, right: Rows, cosine: NDArray[np.float32]) -> Lesson:
    """Make the lesson of pairs that are to keep these cosines."""
    weight = np.ones(len(left), np.float32)
    return Lesson(Hold(), None, (left, right), torch.from_numpy(cosine), weight)


def _groups(tasks: Sequence[Task], table: TokenTable) -> Rows | None:
    if all(task.objective != "ranking" for task in tasks):
        return None
    links = [np.column_stack([table.rows(column) for column in same_links(task)]) for task in tasks]
    return same_texts(len(table.lengths), *links)
