"""What every objective is: a loss over the vectors of a batch, and what it needs to know.

This module loads torch.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import torch

from core.training.objectives.catalogue import OBJECTIVES, Target


@dataclass(frozen=True, slots=True)
class Batch:
    """What is known of n examples besides their vectors.

    `texts` has one (n,) tensor of int64 for each column: equal numbers are exactly the same text,
    in whatever column. `apart` bars negatives that a batch would make by itself: (n, n * (columns
    − 1)) of bool, where True at [i, (c − 1) * n + j] says that the first text of example i and the
    text of example j in column c (c ≥ 1) are known to mean the same, by a decision or a gold pair.
    What `texts` show by themselves need not stand there again.
    """

    target: torch.Tensor | None  # (n,); what it holds is said by the objective's `target`
    weight: torch.Tensor  # (n,), 0 or more; 0 is as if the example were not there
    texts: tuple[torch.Tensor, ...]
    apart: torch.Tensor | None = None

    @property
    def judged(self) -> torch.Tensor:
        """The target of an objective that cannot do without one."""
        if self.target is None:
            raise ValueError("this objective needs a target for each example")
        return self.target


class Objective(ABC):
    """A loss, the data it needs, and the weights it needs besides the encoder's.

    Vectors are (n, d), one tensor for each column of texts, as the encoder gives them: of length 1
    only where the encoder normalises. Objectives over cosines normalise by themselves.
    """

    __slots__ = ()
    name: ClassVar[str]

    @property
    def title(self) -> str:
        """Plain words for an analyst."""
        return OBJECTIVES[self.name].title

    @property
    def target(self) -> Target:
        """What `Batch.target` must hold."""
        return OBJECTIVES[self.name].target

    @property
    def columns(self) -> int:
        """How many texts make an example."""
        return OBJECTIVES[self.name].columns[0]

    @property
    def whole_batch(self) -> bool:
        """Whether an example's loss depends on the others, so that a batch may not be cut."""
        return False

    def head(self, dimension: int, *, seed: int = 0) -> torch.nn.Module | None:
        """Make the weights that exist in training only, over vectors of `dimension`; or none.

        The loop optimises and checkpoints them and hands them to `loss`. The same seed gives the
        same weights, and torch's own random state is left as it was.
        """
        del dimension, seed
        return None

    def loss(
        self,
        vectors: Sequence[torch.Tensor],
        batch: Batch,
        *,
        total: float | None = None,
        head: torch.nn.Module | None = None,
    ) -> torch.Tensor:
        """Return the weighted mean sum(w * l) / total over the examples, a scalar with a graph.

        `total` is the sum of the weights where nothing is said. Given the whole batch's total, the
        losses of its parts add up to the batch's, and so do their gradients, unless the objective
        is `whole_batch`. Weights that are all 0 give 0. Vectors in half precision are computed
        with in float32, under autocast too.
        """
        if len(vectors) != self.columns:
            raise ValueError(f"{self.name} takes {self.columns} columns, not {len(vectors)}")
        with torch.autocast(vectors[0].device.type, enabled=False):
            losses = self.losses([_full(some) for some in vectors], batch, head)
            return _weighted_mean(losses, batch.weight, total)

    @abstractmethod
    def losses(
        self, vectors: Sequence[torch.Tensor], batch: Batch, head: torch.nn.Module | None
    ) -> torch.Tensor:
        """Return (n,): the loss of each example, unweighted."""


def _full(vectors: torch.Tensor) -> torch.Tensor:
    return vectors.float() if vectors.dtype in (torch.float16, torch.bfloat16) else vectors


def _weighted_mean(losses: torch.Tensor, weight: torch.Tensor, total: float | None) -> torch.Tensor:
    weighted = (weight * losses).sum()
    if total is not None:
        return weighted / (total or 1.0)
    everything = weight.sum()
    return weighted / torch.where(everything == 0, torch.ones_like(everything), everything)
