"""CoSENT: pairs with higher scores have higher cosines.

Su Jianlin, "CoSENT: a more effective sentence vector scheme than Sentence-BERT" (kexue.fm, archive
8847, 2022; no paper), told in English in AnglE (arXiv 2309.12871, section 3.2). With cosines c_i
and scores y_i of the pairs of a batch

    loss = log(1 + Σ_{i, j: y_i > y_j} exp(s · (c_j − c_i)))

one number for the batch, which here is the loss of each of its examples: their weighted mean is
that number. In the sum two pairs count the product of their weights, so a weight of 2 is the same
as the pair twice. s is `scale`. Sums are taken over logarithms and cannot overflow. Cost: n² terms.

Shapes: vectors (n, d), scores (n,). Data: pairs with a score, of which only the order is used.
Prefer it where a rank correlation judges, where several people gave scores on scales of their own,
or for grades; it usually beats regression there. Cosines lose the scale of the scores, so
thresholds must be found anew. A batch in which all scores are equal teaches nothing: mix them, and
take batches of 16 or more. The same as sentence-transformers' CoSENTLoss. This module loads torch.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import torch

from core.training.objectives.choices import CosentChoices
from core.training.objectives.geometry import cosines
from core.training.objectives.objective import Batch, Objective


@dataclass(frozen=True, slots=True)
class Cosent(Objective):
    """How far the order of the cosines is from that of the scores."""

    choices: CosentChoices = field(default_factory=CosentChoices)
    name: ClassVar[str] = "cosent"

    @property
    def whole_batch(self) -> bool:
        return True

    def losses(
        self, vectors: Sequence[torch.Tensor], batch: Batch, head: torch.nn.Module | None
    ) -> torch.Tensor:
        left, right = vectors
        scaled = self.choices.scale * cosines(left, right)
        share = batch.weight.to(scaled.dtype).log()
        terms = scaled[None, :] - scaled[:, None] + share[None, :] + share[:, None]
        ordered = batch.judged[:, None] > batch.judged[None, :]
        exponents = terms.masked_fill(~ordered, -torch.inf).flatten()
        whole = torch.cat((exponents.new_zeros(1), exponents)).logsumexp(0)
        return whole.expand(len(scaled))
