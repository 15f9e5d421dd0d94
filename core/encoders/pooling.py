"""From token states to one vector of length 1 per text. This module loads torch."""

from collections.abc import Iterable, Sequence

import torch
from safetensors.torch import load_file

from core.encoders.folder import DenseLayer, Normalizing
from core.errors import UserError


class Pooler:
    """Pools runs of token states and puts the result through the folder's later steps.

    Everything here is computed in float32, whatever the precision of the states.
    """

    def __init__(
        self,
        poolings: Sequence[str],
        steps: Sequence[Normalizing | DenseLayer],
        *,
        hidden: int,
        device: torch.device,
    ) -> None:
        self._poolings = tuple(poolings)
        self._steps: list[torch.nn.Module | None] = []  # None: bring to length 1
        width = hidden * len(self._poolings)
        for step in steps:
            if isinstance(step, Normalizing):
                self._steps.append(None)
            else:
                layer, width = _dense(step, width)
                self._steps.append(layer.to(device).eval())
        self.dimension = width

    def __call__(self, runs: Iterable[torch.Tensor]) -> torch.Tensor:
        """Return (texts, dimension) in the order of the runs, each of length 1."""
        return _unit(self.raw(runs))

    def raw(self, runs: Iterable[torch.Tensor]) -> torch.Tensor:
        """Return (texts, dimension) as the folder's own steps leave them, of any length."""
        vectors = torch.cat([self._pool(states.float()) for states in runs])
        for step in self._steps:
            vectors = _unit(vectors) if step is None else step(vectors)
        return vectors

    @property
    def layers(self) -> list[torch.nn.Module | None]:
        """The folder's steps after pooling, in order; None brings to length 1."""
        return list(self._steps)

    def _pool(self, states: torch.Tensor) -> torch.Tensor:
        parts = []
        for pooling in self._poolings:
            if pooling == "mean":
                parts.append(states.mean(1))
            elif pooling == "max":
                parts.append(states.amax(1))
            else:
                parts.append(states[:, 0 if pooling == "cls" else -1])
        return torch.cat(parts, dim=1)


def _unit(vectors: torch.Tensor) -> torch.Tensor:
    return torch.nn.functional.normalize(vectors, dim=1)


def _dense(step: DenseLayer, width: int) -> tuple[torch.nn.Module, int]:
    weights = load_file(step.weights)
    matrix = weights.get("linear.weight")
    if matrix is None or matrix.shape[1] != width:
        raise UserError(
            f"The dense layer {step.weights} does not fit the vectors before it ({width} numbers).",
            "Fetch the encoder's folder again.",
        )
    layer = torch.nn.Linear(width, matrix.shape[0], bias="linear.bias" in weights)
    layer.weight.data = matrix.float()
    if "linear.bias" in weights:
        layer.bias.data = weights["linear.bias"].float()
    activation = getattr(torch.nn, step.activation)()
    return torch.nn.Sequential(layer, activation), matrix.shape[0]
