"""What a training learns: stages one after another, in each one or more tasks side by side.

Two stages are the two-stage recipe of Sentence-BERT (arXiv 1908.10084, section 4.2: labels first,
then scores); two tasks in one stage are joint training of one encoder.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.errors import UserError
from core.examples import Examples, LabelledPairs, Rows, ScoredPairs, Triplets
from core.options import TrainOptions
from core.training.objectives.catalogue import OBJECTIVES, Declared

SAME = 0.5  # a score from here on means the same


@dataclass(frozen=True, slots=True)
class Task:
    """An objective and what it learns from.

    `choices` are the objective's own; the number of labels is told by the examples. Raises
    `UserError` where the objective cannot learn from such examples.
    """

    objective: str
    examples: Examples
    choices: Mapping[str, Any] = field(default_factory=dict)
    name: str = ""  # of the data, for records

    def __post_init__(self) -> None:
        matter_of(self)


@dataclass(frozen=True, slots=True)
class Stage:
    """Tasks whose batches are mixed, and how they are learnt."""

    tasks: tuple[Task, ...]
    options: TrainOptions


def by_scores(pairs: ScoredPairs, options: TrainOptions) -> Stage:
    """Return the usual stage: cosines are drawn to the scores of pairs."""
    return Stage((Task("regression", pairs),), options)


@dataclass(frozen=True, slots=True)
class Matter:
    """Examples as their objective takes them."""

    columns: tuple[tuple[str, ...], ...]
    target: NDArray[Any] | None  # (n,) float32 or, of labels, int64
    weight: NDArray[np.float32]  # (n,)

    def __len__(self) -> int:
        return len(self.weight)


def matter_of(task: Task) -> Matter:
    """Return a task's examples as its objective takes them; see `Task` for errors.

    Ranking learns from pairs that mean the same: other pairs are left out.
    """
    declared = OBJECTIVES.get(task.objective)
    if declared is None or not declared.alone:
        names = ", ".join(one.name for one in OBJECTIVES.values() if one.alone)
        raise UserError(f"`{task.objective}` is no objective to learn by.", f"Use one of {names}.")
    examples = task.examples
    if declared.target == "none":
        return _unjudged(declared, examples)
    if declared.target == "score":
        return _scored(declared, examples)
    if declared.target == "same":
        return _decided(declared, examples)
    if not isinstance(examples, LabelledPairs):
        raise _unfit(declared, examples)
    return Matter(examples.columns, examples.label.astype(np.int64), _ones(len(examples)))


def choices_of(task: Task) -> dict[str, Any]:
    """Return the objective's choices, completed by what the examples tell."""
    choices = dict(task.choices)
    if task.objective == "classification" and isinstance(task.examples, LabelledPairs):
        choices["labels"] = len(task.examples.names)
    if task.objective == "ranking":
        choices["negatives"] = isinstance(task.examples, Triplets)
    return choices


def _unjudged(declared: Declared, examples: Examples) -> Matter:
    if isinstance(examples, Triplets) and 3 in declared.columns:
        return Matter(examples.columns, None, _ones(len(examples)))
    if 2 not in declared.columns:
        raise _unfit(declared, examples)
    if isinstance(examples, ScoredPairs):
        some = examples.rows(np.flatnonzero(examples.score >= SAME))
        return Matter(some.columns, None, _weights(some))
    if isinstance(examples, LabelledPairs) and examples.are_decisions:
        some_pairs = examples.rows(np.flatnonzero(examples.label == 1))
        return Matter(some_pairs.columns, None, _ones(len(some_pairs)))
    raise _unfit(declared, examples)


def _scored(declared: Declared, examples: Examples) -> Matter:
    if isinstance(examples, ScoredPairs):
        return Matter(examples.columns, examples.score.astype(np.float32), _weights(examples))
    if isinstance(examples, LabelledPairs) and examples.are_decisions:
        score = examples.label.astype(np.float32)
        return Matter(examples.columns, score, _ones(len(examples)))
    raise _unfit(declared, examples)


def _decided(declared: Declared, examples: Examples) -> Matter:
    matter = _scored(declared, examples)
    if matter.target is None or not np.isin(matter.target, (0, 1)).all():
        raise UserError(
            "“Yes or no” learns from pairs judged the same or different, and some are scored.",
            "Teach by scores, or round the scores to 0 and 1 yourself.",
        )
    return matter


def _unfit(declared: Declared, examples: Examples) -> UserError:
    return UserError(
        f"“{declared.title}” needs {declared.data}; the examples are {examples.kind}.",
        "Choose a recipe that fits the examples, or other examples.",
    )


def _weights(examples: ScoredPairs) -> NDArray[np.float32]:
    if examples.weight is None:
        return _ones(len(examples))
    return examples.weight.astype(np.float32)


def _ones(count: int) -> NDArray[np.float32]:
    return np.ones(count, np.float32)


def gold_of(examples: Examples) -> NDArray[np.float32]:
    """Return what people said of each example as a score; triplets are all in the right order.

    Raises `UserError` for labels that do not say yes or no.
    """
    if isinstance(examples, ScoredPairs):
        return examples.score.astype(np.float32)
    if isinstance(examples, Triplets):
        return _ones(len(examples))
    if isinstance(examples, LabelledPairs) and examples.are_decisions:
        return examples.label.astype(np.float32)
    raise UserError(
        f"Examples that are {examples.kind} cannot be held against a score.",
        "Judge by pairs that are scored or decided, or by triplets.",
    )


def same_links(task: Task) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the pairs of a task's texts that mean the same, by column."""
    examples = task.examples
    if isinstance(examples, Triplets):
        return examples.anchor, examples.positive
    if isinstance(examples, ScoredPairs):
        rows: Rows = np.flatnonzero(examples.score >= SAME)
    elif isinstance(examples, LabelledPairs) and examples.are_decisions:
        rows = np.flatnonzero(examples.label == 1)
    else:
        return (), ()
    left, right = examples.rows(rows).columns
    return left, right
