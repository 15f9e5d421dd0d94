"""Which pairs make up each batch, and how the learning rate goes; numpy alone."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.options import TrainOptions
from core.training.data import Rows

_WARM_UP = 0.1  # of the steps


@dataclass(frozen=True, slots=True)
class Pairs:
    """Pairs as rows of a token table."""

    left: NDArray[np.int64]
    right: NDArray[np.int64]
    score: NDArray[np.float32]
    weight: NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.left)

    def rows(self, rows: NDArray[np.int64]) -> "Pairs":
        return Pairs(self.left[rows], self.right[rows], self.score[rows], self.weight[rows])

    def joined(self, other: "Pairs") -> "Pairs":
        return Pairs(
            np.concatenate((self.left, other.left)),
            np.concatenate((self.right, other.right)),
            np.concatenate((self.score, other.score)),
            np.concatenate((self.weight, other.weight)),
        )


def no_pairs() -> Pairs:
    """Return `Pairs` without rows."""
    rows, numbers = np.empty(0, np.int64), np.empty(0, np.float32)
    return Pairs(rows, rows, numbers, numbers)


def automatic_epochs(pairs: int) -> int:
    """How often each pair is seen where nobody said: few pairs more often."""
    return 4 if pairs < 2_000 else 2 if pairs < 20_000 else 1


def planned_steps(pairs: int, options: TrainOptions, *, has_background: bool) -> int:
    """How many steps a run over so many judged pairs takes."""
    epochs = options.epochs or automatic_epochs(pairs)
    return epochs * math.ceil(pairs / _judged_in_batch(options, has_background=has_background))


def batches(judged: int, background: int, options: TrainOptions) -> Iterator[tuple[Rows, Rows]]:
    """Yield the judged and the background rows of every batch of a run, from so many of each.

    Each judged pair comes once an epoch, in a seeded order; the background goes round in its own
    order for as long as it is needed. The last batch of an epoch may be smaller, its halves in
    proportion.
    """
    random = np.random.default_rng(options.seed)
    size = _judged_in_batch(options, has_background=background > 0)
    ratio = (options.batch - size) / size
    used = 0
    for _ in range(options.epochs or automatic_epochs(judged)):
        order = random.permutation(judged)
        for start in range(0, judged, size):
            some = order[start : start + size]
            count = min(round(len(some) * ratio), background)
            still = np.arange(used, used + count) % max(1, background)
            used += count
            yield some, still


def share_of_rate(step: int, planned: int) -> float:
    """Return the part of the learning rate at a step: linear warm-up, then linear decay to 0."""
    warm_up = max(1, round(_WARM_UP * planned))
    if step < warm_up:
        return (step + 1) / warm_up
    return max(0.0, (planned - step) / max(1, planned - warm_up))


def _judged_in_batch(options: TrainOptions, *, has_background: bool) -> int:
    held_still = round(options.batch * options.hold) if has_background else 0
    return max(1, options.batch - held_still)
