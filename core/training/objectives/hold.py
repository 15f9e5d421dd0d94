"""Held to the old encoder: pairs that nobody judged keep the cosine they had.

With vectors u and v of a pair and the cosine c that the encoder gave it before training

    loss = (cos(u, v) − c)²

No paper: it is the regression objective with the old encoder as the judge, a distillation of the
encoder into itself. Judged pairs are alike by selection and alone would bend every cosine; random
pairs of the corpus, held so, keep thresholds and what nobody asked to change.

Shapes: u and v (n, d), cosines (n,) from −1 to 1. Data: random pairs of the corpus and their old
cosines. Prefer it beside any other objective where few pairs teach, or where a threshold found
before should go on to mean the same; leave it out where the old cosines are no good, as with
a backbone that was never an encoder. Give these pairs without dropout: its noise lowers cosines,
and drawing those to old ones that had none would move what is to stay. This module loads torch.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import torch

from core.training.objectives.choices import NoChoices
from core.training.objectives.geometry import cosines
from core.training.objectives.objective import Batch, Objective


@dataclass(frozen=True, slots=True)
class Hold(Objective):
    """Squared difference of the cosine and the old encoder's."""

    choices: NoChoices = field(default_factory=NoChoices)
    name: ClassVar[str] = "hold"

    def losses(
        self, vectors: Sequence[torch.Tensor], batch: Batch, head: torch.nn.Module | None
    ) -> torch.Tensor:
        left, right = vectors
        return (cosines(left, right) - batch.judged) ** 2


def joined(main: torch.Tensor, hold: torch.Tensor, share: float) -> torch.Tensor:
    """Return (1 − share) * main + share * hold, the loss of a batch of both.

    `main` is another objective's weighted mean over its examples, `hold` the weighted mean over
    the pairs held still, `share` from 0 to below 1. Where `main` is regression, all weights are 1
    and `share` of the batch's pairs are held, this is the mean over all of them. It is linear, so
    parts may be pushed one by one: (1 − share) times the loss of a part of the main examples given
    their total, share times that of a part of the held ones given theirs. Other objectives have
    other scales: a cross-entropy of 1 stands beside squared errors of 0.01, and wants a larger
    share for the same hold.
    """
    if not 0 <= share < 1:
        raise ValueError(f"a share is from 0 to below 1, not {share}")
    return (1 - share) * main + share * hold
