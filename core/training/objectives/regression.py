"""The regression objective: the cosine of a pair is drawn to its score.

Sentence-BERT (arXiv 1908.10084, section 3, "Regression Objective Function"): with vectors u and v
of a pair and its score y

    loss = (cos(u, v) − y)²

Shapes: u and v (n, d), scores (n,). Data: pairs with a score from 0 to 1; other scales are brought
to it first (0–5 by dividing by 5). Prefer it where the cosine itself should mean the score, as it
must where one threshold decides; yes/no decisions may be given as 1 and 0. Where only the order of
scores can be trusted take CoSENT. The same as sentence-transformers' CosineSimilarityLoss.
This module loads torch.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import torch

from core.training.objectives.choices import NoChoices
from core.training.objectives.geometry import cosines
from core.training.objectives.objective import Batch, Objective


@dataclass(frozen=True, slots=True)
class Regression(Objective):
    """Squared difference of cosine and score."""

    choices: NoChoices = field(default_factory=NoChoices)
    name: ClassVar[str] = "regression"

    def losses(
        self, vectors: Sequence[torch.Tensor], batch: Batch, head: torch.nn.Module | None
    ) -> torch.Tensor:
        left, right = vectors
        return (cosines(left, right) - batch.judged) ** 2
