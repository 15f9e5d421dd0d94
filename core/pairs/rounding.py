"""How far a quick product of two vectors can be from the exact one, and what cannot be compared.

Let a' = a + e be a vector as rounded for the product, with |e| <= delta and all norms at most
r. Then

    |a'·b' - a·b| <= |e_a| |b'| + |a| |e_b| <= delta (2 r + delta)

by Cauchy and Schwarz; `delta` is measured over all rows, not assumed (bfloat16 keeps 8
significant bits, so it is at most 2^-8 r and in practice half of that). Summing d
products in float32 adds at most d 2^-24 (r + delta)² (Higham, Accuracy and Stability of
Numerical Algorithms, 2002, section 3.1, taking a factor of two for the higher orders).
Rounding the sum to bfloat16 is monotonic: what was at or above the limit is at or above
the rounded limit, so it costs more candidates but no margin. On accelerators partial sums
may themselves be rounded to bfloat16, which 4 · 2^-8 r² covers.
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
from numpy.typing import NDArray

from core.processor import numpy_threads

COARSE = 4 * 2.0**-8  # what an accelerator may lose of unit vectors in its partial sums
ROUNDING = 2.0**-22  # of unit vectors rounded to float32, and of scores rounded to it
WORTH_IT = 1.3  # the gain from which on bfloat16 makes up for scoring more candidates


def unusable(block: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Say of each vector whether it is not finite or all zeros."""
    # One reduction serves both: a sum of squares is 0, or not finite if any term is not.
    with np.errstate(over="ignore", invalid="ignore"):
        squares = np.einsum("ij,ij->i", block, block)
    usable: NDArray[np.bool_] = np.isfinite(squares) & (squares > 0)
    return ~usable


def margin(d: int, *, norm: float, delta: float) -> float:
    """Bound the error of a quick product of vectors with `d` numbers; see the module."""
    rounding = delta * (2 * norm + delta)
    summing = 2 * d * 2.0**-24 * (norm + delta) ** 2
    return rounding + summing


def unit_margin(d: int, *, delta: float = ROUNDING) -> float:
    """Bound how far a quick product of unit vectors is from the cosine, both in float32."""
    return margin(d, norm=1 + ROUNDING, delta=delta) + ROUNDING


def bfloat16_gain(d: int, *, size: int = 512) -> float:
    """Measure how many times quicker than float32 this machine multiplies bfloat16."""
    import torch

    sides = {
        kind: torch.full((size, d), 0.01, dtype=kind) for kind in (torch.float32, torch.bfloat16)
    }
    best = dict.fromkeys(sides, float("inf"))
    for _ in range(5):  # in turn, so that a busy moment does not decide
        for kind, side in sides.items():
            begun = time.perf_counter()
            torch.mm(side, side.T)
            best[kind] = min(best[kind], time.perf_counter() - begun)
    return best[torch.float32] / best[torch.bfloat16]


@contextmanager
def using_threads(threads: int | None) -> Iterator[None]:
    """Let numpy and torch use so many threads here only: the settings are the whole process's."""
    if threads is None:
        yield
        return
    import torch

    before = torch.get_num_threads()
    try:
        torch.set_num_threads(threads)
        with numpy_threads(threads):
            yield
    finally:
        torch.set_num_threads(before)
