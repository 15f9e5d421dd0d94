"""Which examples make up each batch, and how the learning rate goes; numpy alone."""

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from core.examples import Rows
from core.options import TrainOptions


class Turn(NamedTuple):
    """One batch: examples of one task, and pairs of the background that are held still."""

    task: int
    taught: Rows
    still: Rows


def automatic_epochs(examples: int) -> int:
    """How often each example is seen where nobody said: few examples more often."""
    return 4 if examples < 2_000 else 2 if examples < 20_000 else 1


def planned_steps(sizes: Sequence[int], options: TrainOptions, *, has_background: bool) -> int:
    """How many steps a run takes over tasks of so many examples."""
    size = _taught_in_batch(options, has_background=has_background)
    epochs = options.epochs or automatic_epochs(sum(sizes))
    return epochs * sum(math.ceil(examples / size) for examples in sizes)


def batches(sizes: Sequence[int], background: int, options: TrainOptions) -> Iterator[Turn]:
    """Yield every batch of a run over tasks of so many examples and so much background.

    Each example comes once an epoch, in a seeded order; batches of several tasks are shuffled, so
    that each task has its part from the first steps to the last. The background goes round in
    its own order for as long as it is needed. The last batch of a task in an epoch may be
    smaller, its halves in proportion.
    """
    random = np.random.default_rng(options.seed)
    size = _taught_in_batch(options, has_background=background > 0)
    ratio = (options.batch - size) / size
    used = 0
    for _ in range(options.epochs or automatic_epochs(sum(sizes))):
        orders = [random.permutation(examples) for examples in sizes]
        for task, start in _turns(sizes, size, random):
            some = orders[task][start : start + size]
            count = min(round(len(some) * ratio), background)
            still = np.arange(used, used + count) % max(1, background)
            used += count
            yield Turn(task, some, still)


def share_of_rate(
    step: int, planned: int, *, schedule: str = "linear", warm_up: float = 0.1
) -> float:
    """Return the part of the learning rate at a step.

    Linear warm-up over that share of the steps; then linear decay to 0 ("linear"), or none
    ("constant").
    """
    climb = max(1, round(warm_up * planned))
    if step < climb:
        return (step + 1) / climb
    if schedule == "constant":
        return 1.0
    return max(0.0, (planned - step) / max(1, planned - climb))


def _turns(
    sizes: Sequence[int], size: int, random: np.random.Generator
) -> Iterator[tuple[int, int]]:
    """Yield the task of each batch of an epoch and where in its order the batch starts."""
    turns = np.concatenate(
        [np.full(math.ceil(examples / size), task) for task, examples in enumerate(sizes)]
    )
    if len(sizes) > 1:
        random.shuffle(turns)
    begun = [0] * len(sizes)
    for task in turns.tolist():
        yield task, begun[task]
        begun[task] += size


def _taught_in_batch(options: TrainOptions, *, has_background: bool) -> int:
    held_still = round(options.batch * options.hold) if has_background else 0
    return max(1, options.batch - held_still)
