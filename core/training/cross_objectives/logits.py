"""What objectives over logits share: one column, nothing to choose. This module loads torch."""

import torch

from core.training.objectives.objective import Objective


class LogitObjective(Objective):
    """A loss over the (n, labels) logits of a cross-encoder's head."""

    __slots__ = ()

    @property
    def columns(self) -> int:
        return 1


def activated(logits: torch.Tensor, activation: str) -> torch.Tensor:
    """Return what a head says, (n, labels): the `ACTIVATIONS` of core.cross with a graph."""
    if activation == "Softmax":
        return logits.softmax(-1)
    if activation == "Sigmoid":
        return logits.sigmoid()
    if activation == "Tanh":
        return logits.tanh()
    return logits.relu() if activation == "ReLU" else logits
