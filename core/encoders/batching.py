"""How much goes through a model at once, and what happens where that is too much."""

from collections.abc import Callable
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

Answer = TypeVar("Answer")


def fitting(lengths: NDArray[np.int64], *, budget: int, counts_padding: bool) -> int:
    """Return how many of the next texts fill a batch of `budget` tokens, one at least."""
    if not counts_padding:
        return max(1, int(np.searchsorted(np.cumsum(lengths), budget, side="right")))
    padded = np.maximum.accumulate(lengths) * np.arange(1, len(lengths) + 1)
    return max(1, int(np.searchsorted(padded, budget, side="right")))


def within_memory(call: Callable[[], Answer], *, device: str) -> Answer | None:
    """Return what `call` returns, None where the device has no memory left for it."""
    import torch

    try:
        return call()
    except torch.OutOfMemoryError:
        pass
    if device.startswith("cuda"):
        torch.cuda.empty_cache()  # outside the handler, whose traceback holds the tensors
    return None
