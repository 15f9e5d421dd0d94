"""Squared error: what a head says is drawn to a score.

With the logits z of a pair, the head's activation a (the identity, say) and the score y

    loss = (a(z) − y)²

the mean over the labels where there are several. Shapes: logits (n, k), targets (n,) or (n, k).
Data: scored pairs, scores from 0 to 1. It is taken where a folder's head has no sigmoid, so that
its scores come out on the scale of the judgements, and to hold pairs to the scores they have. The
same as sentence-transformers' MSELoss with that activation. Where the head ends in a sigmoid
`cross_entropy_of_scores` learns faster. This module loads torch.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import torch

from core.training.cross_objectives.logits import LogitObjective, activated
from core.training.objectives.catalogue import Target
from core.training.objectives.objective import Batch


@dataclass(frozen=True, slots=True)
class SquaredError(LogitObjective):
    """Squared difference of what the head says and the score."""

    activation: str = "Identity"  # one of core.cross's ACTIVATIONS
    name: ClassVar[str] = "squared error"

    @property
    def title(self) -> str:
        return "Scores of pairs read together, as they are"

    @property
    def target(self) -> Target:
        return "score"

    def losses(
        self, vectors: Sequence[torch.Tensor], batch: Batch, head: torch.nn.Module | None
    ) -> torch.Tensor:
        said = activated(vectors[0], self.activation)
        return ((said - batch.judged.to(said.dtype).reshape(len(said), -1)) ** 2).mean(1)
