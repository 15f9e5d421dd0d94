"""The classification objective: what kind of pair it is must be told from its two vectors.

Sentence-BERT (arXiv 1908.10084, section 3, "Classification Objective Function"): with vectors u
and v of a pair, its label y and a matrix W

    o = W · (u, v, |u − v|)        loss = −log softmax(o)[y]

W is (k, 3d) for k labels; it exists in training only. The paper's ablation (table 6) tries seven
concatenations, all of which are here; `difference` in one matters most, and `product` adds nothing
to it. u and v are taken as they are, not normalised, as in the paper.

Shapes: u and v (n, d), labels (n,) from 0 to k − 1. Data: pairs with one of k labels, of each label
about as many. Prefer it where labels are no steps of one scale (entailment, neutral,
contradiction), and before a second stage over scores: the objective never looks at the cosine, so
cosines improve only by the way and mean no score. With scores take regression or CoSENT, with
yes/no decisions the contrastive objective.

The paper's formula has no bias, sentence-transformers' SoftmaxLoss has one; `bias` chooses.
This module loads torch.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import torch

from core.training.objectives.choices import ClassificationChoices
from core.training.objectives.objective import Batch, Objective


@dataclass(frozen=True, slots=True)
class Classification(Objective):
    """Cross-entropy of softmax(W · parts of u and v) with the label."""

    choices: ClassificationChoices = field(default_factory=ClassificationChoices)
    name: ClassVar[str] = "classification"

    def head(self, dimension: int, *, seed: int = 0) -> torch.nn.Linear:
        """Make W, (k, parts * dimension), drawn uniformly within ±1/√(parts * dimension)."""
        width = dimension * _count(self.choices.concatenation)
        layer = torch.nn.Linear(
            width, self.choices.labels, bias=self.choices.bias, device="meta"
        ).to_empty(device="cpu")
        random = torch.Generator().manual_seed(seed)
        bound = 1 / math.sqrt(width)
        for weights in layer.parameters():
            torch.nn.init.uniform_(weights, -bound, bound, generator=random)
        return layer

    def losses(
        self, vectors: Sequence[torch.Tensor], batch: Batch, head: torch.nn.Module | None
    ) -> torch.Tensor:
        if head is None:
            raise ValueError("classification needs the weights that `head` makes")
        left, right = vectors
        outcome = head(concatenated(left, right, self.choices.concatenation))
        return torch.nn.functional.cross_entropy(outcome, batch.judged.long(), reduction="none")


def concatenated(left: torch.Tensor, right: torch.Tensor, concatenation: str) -> torch.Tensor:
    """Return (n, parts * d): the parts of two (n, d) that a key of `CONCATENATIONS` names."""
    parts = {
        "sides": (left, right),
        "difference": ((left - right).abs(),),
        "product": (left * right,),
    }
    return torch.cat([part for name in concatenation.split("+") for part in parts[name]], 1)


def _count(concatenation: str) -> int:
    return sum(2 if name == "sides" else 1 for name in concatenation.split("+"))
