"""Binary cross-entropy: the sigmoid of a logit is drawn to a score from 0 to 1.

Sentence-BERT (arXiv 1908.10084, section 4.2) and Augmented SBERT (arXiv 2010.08240) train their
cross-encoders so: with the logit z of a pair and its score y, which may be anything from 0 to 1,

    loss = −(y · log σ(z) + (1 − y) · log(1 − σ(z)))

It is smallest, though not 0, where σ(z) = y. Shapes: logits (n, 1), scores (n,). Data: scored
pairs, or yes/no decisions as 1 and 0. The same as sentence-transformers' BinaryCrossEntropyLoss.
Prefer it to `squared_error` wherever the head ends in a sigmoid: its gradient σ(z) − y does not
fade where the head is wrong and sure of it. This module loads torch.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import torch

from core.training.cross_objectives.logits import LogitObjective
from core.training.objectives.catalogue import Target
from core.training.objectives.objective import Batch


@dataclass(frozen=True, slots=True)
class CrossEntropyOfScores(LogitObjective):
    """Cross-entropy of a sigmoid with a score."""

    name: ClassVar[str] = "cross-entropy of scores"

    @property
    def title(self) -> str:
        return "Scores of pairs read together"

    @property
    def target(self) -> Target:
        return "score"

    def losses(
        self, vectors: Sequence[torch.Tensor], batch: Batch, head: torch.nn.Module | None
    ) -> torch.Tensor:
        logits = vectors[0][:, 0]
        return torch.nn.functional.binary_cross_entropy_with_logits(
            logits, batch.judged.to(logits.dtype), reduction="none"
        )
