"""From what the head of a cross-encoder computes to its scores."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]


def _softmax(logits: Floats) -> Floats:
    raised = np.exp(logits - logits.max(axis=-1, keepdims=True))
    shares: Floats = raised / raised.sum(axis=-1, keepdims=True)
    return shares


def _sigmoid(logits: Floats) -> Floats:
    shares: Floats = 0.5 * (1 + np.tanh(0.5 * logits))  # without overflow on either side
    return shares


# By torch's names; each takes (n, labels).
ACTIVATIONS: Mapping[str, Callable[[Floats], Floats]] = MappingProxyType(
    {
        "Identity": lambda logits: logits,
        "Sigmoid": _sigmoid,
        "Softmax": _softmax,
        "Tanh": np.tanh,
        "ReLU": lambda logits: np.maximum(logits, 0),
    }
)
