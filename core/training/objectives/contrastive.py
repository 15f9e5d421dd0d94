"""The contrastive objective: pairs that are the same are drawn together, others apart.

Hadsell, Chopra and LeCun, "Dimensionality Reduction by Learning an Invariant Mapping" (CVPR 2006),
the form `plain`: with the distance d of a pair, y = 1 for the same and 0 for different, margin m

    loss = ½ · y · d² + ½ · (1 − y) · max(m − d, 0)²

The form `online` has no paper; it is sentence-transformers' OnlineContrastiveLoss. Only pairs in
each other's way count: the same ones farther than the nearest different one of the batch, and the
different ones nearer than the farthest same one. Where a batch holds one kind only, those beyond
its mean distance count (the same ones farther, the different ones nearer). Without the halves:

    loss = hard · (y · d² + (1 − y) · max(m − d, 0)²)

Which pairs are hard is decided without a gradient. sentence-transformers sums `online` over the
batch; here it is the weighted mean over all examples, hard or not, as everywhere.

Shapes: vectors (n, d), target (n,) of 0 and 1. Data: yes/no decisions, both kinds in a batch.
Prefer it where a threshold should part same from different and nothing is said of how alike they
are: different texts beyond the margin are left alone, while regression would draw every cosine to
0 or 1. `online` spends nothing on pairs already in order; `plain` is steadier where decisions are
noisy, since a wrong one is always hard. The margin 0.5 is meant for cosine distances, 1 − cosine.
This module loads torch.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import torch

from core.training.objectives.choices import ContrastiveChoices
from core.training.objectives.geometry import distances
from core.training.objectives.objective import Batch, Objective


@dataclass(frozen=True, slots=True)
class Contrastive(Objective):
    """Squared distance of what is the same, squared lack of distance of what is not."""

    choices: ContrastiveChoices = field(default_factory=ContrastiveChoices)
    name: ClassVar[str] = "contrastive"

    @property
    def whole_batch(self) -> bool:
        return self.choices.form == "online"

    def losses(
        self, vectors: Sequence[torch.Tensor], batch: Batch, head: torch.nn.Module | None
    ) -> torch.Tensor:
        left, right = vectors
        distance = distances(left, right, kind=self.choices.distance)
        same = batch.judged > 0.5
        losses = torch.where(same, distance, (self.choices.margin - distance).relu()) ** 2
        if self.choices.form == "plain":
            return losses / 2
        return losses * hard(distance.detach(), same, batch.weight)


def hard(distance: torch.Tensor, same: torch.Tensor, weight: torch.Tensor) -> torch.Tensor:
    """Return (n,) of bool: the pairs that stand in each other's way; weight 0 stands in none."""
    together, parted = same & (weight > 0), ~same & (weight > 0)
    mean = (weight * distance).sum() / weight.sum()
    nearest = distance.masked_fill(~parted, torch.inf).amin()
    farthest = distance.masked_fill(~together, -torch.inf).amax()
    floor = torch.where(parted.any(), nearest, mean)
    ceiling = torch.where(together.any(), farthest, mean)
    return (together & (distance > floor)) | (parted & (distance < ceiling))
