"""The triplet objective: a text is nearer to its example than to its counter-example.

Sentence-BERT (arXiv 1908.10084, section 3, "Triplet Objective Function"), after FaceNet (arXiv
1503.03832): with vectors a, p and n of a text, one that means the same and one that does not

    loss = max(|a − p| − |a − n| + margin, 0)

|·| is the Euclidean length and the margin 1 in the paper; `distance` and `margin` choose others.
A margin says something only beside the lengths of vectors: those of length 1 are at most 2 apart,
and cosine distances of most texts lie between 0 and 1.

Shapes: a, p and n (n, d). Data: triplets, no score. Prefer it where people can say which of two
texts is nearer and no more. Triplets that already keep the margin teach nothing; the ranking
objective with counter-examples learns from all of a batch and is usually the better one where
a batch holds many different texts. The same as sentence-transformers' TripletLoss, whose margin
is 5 where nothing is said. This module loads torch.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import torch

from core.training.objectives.choices import TripletChoices
from core.training.objectives.geometry import distances
from core.training.objectives.objective import Batch, Objective


@dataclass(frozen=True, slots=True)
class Triplet(Objective):
    """How much the counter-example is nearer than it should be."""

    choices: TripletChoices = field(default_factory=TripletChoices)
    name: ClassVar[str] = "triplet"

    def losses(
        self, vectors: Sequence[torch.Tensor], batch: Batch, head: torch.nn.Module | None
    ) -> torch.Tensor:
        anchor, positive, negative = vectors
        near = distances(anchor, positive, kind=self.choices.distance)
        far = distances(anchor, negative, kind=self.choices.distance)
        return (near - far + self.choices.margin).relu()
