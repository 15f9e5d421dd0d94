"""Cross-entropy: which of k labels a pair has must be told from the pair read as a whole.

Sentence-BERT (arXiv 1908.10084, section 4.2) trains its cross-encoder on NLI so before it learns
scores: with the logits z of a pair, one for each label, and its label y

    loss = −log softmax(z)[y]

Shapes: logits (n, k), labels (n,) from 0 to k − 1. Data: pairs with one of k labels, such as
entailment, neutral and contradiction. The same as sentence-transformers' CrossEntropyLoss. For
yes/no decisions take a head with one score and `cross_entropy_of_scores`: it is the same with one
logit, and its scores order pairs. This module loads torch.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import torch

from core.training.cross_objectives.logits import LogitObjective
from core.training.objectives.catalogue import Target
from core.training.objectives.objective import Batch


@dataclass(frozen=True, slots=True)
class CrossEntropyOfLabels(LogitObjective):
    """Cross-entropy of a softmax with a label."""

    name: ClassVar[str] = "cross-entropy of labels"

    @property
    def title(self) -> str:
        return "Kinds of pairs read together"

    @property
    def target(self) -> Target:
        return "label"

    def losses(
        self, vectors: Sequence[torch.Tensor], batch: Batch, head: torch.nn.Module | None
    ) -> torch.Tensor:
        return torch.nn.functional.cross_entropy(vectors[0], batch.judged.long(), reduction="none")
