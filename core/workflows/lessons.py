"""What an encoder learns from in a project: decisions and imported pairs, each pair once."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from core.examples import ScoredPairs
from core.store import Project

SAME = 0.5  # a score from here on means the same


@dataclass(frozen=True, slots=True)
class Lesson:
    """Pairs to learn from, and how many judgements on them do not count."""

    data: ScoredPairs
    contradicted: int  # left out, since a newer one says the contrary
    repeated: int  # left out, since a newer one says the same


def lesson_of(project: Project) -> Lesson:
    """Everything judged: decisions are 1 and 0; the newest word on a pair of texts counts."""
    pairs: dict[tuple[str, str], float] = {}
    contradicted = repeated = 0
    for left, right, score in _judgements(project):
        pair = ordered(left, right)
        before = pairs.get(pair)
        if before is not None and (before >= SAME) != (score >= SAME):
            contradicted += 1
        elif before is not None:
            repeated += 1
        pairs[pair] = score
    scores = np.array(list(pairs.values()), np.float32)
    data = ScoredPairs(tuple(one for one, _ in pairs), tuple(two for _, two in pairs), scores)
    return Lesson(data, contradicted, repeated)


def ordered(left: str, right: str) -> tuple[str, str]:
    """The two texts of a pair, whichever way round they were told."""
    return (left, right) if left <= right else (right, left)


def _judgements(project: Project) -> Iterator[tuple[str, str, float]]:
    """Every judgement with its score; a decision counts as newer than all imported pairs."""
    yield from project.judged.all()
    table = project.decisions.table()
    for rows, score in ((table.same, 1.0), (table.different, 0.0)):
        lefts = project.texts.bodies(rows[:, 0])
        rights = project.texts.bodies(rows[:, 1])
        for left, right in zip(lefts, rights, strict=True):
            yield left, right, score
