"""Tiles of dot products: a quick product names candidates, float64 scores them.

A quick product errs, so candidates are taken from `floor - margin` on. Let a' = a + e be a
vector as rounded for the product, with |e| <= delta and all norms at most r. Then

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
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

Found = tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.float32]]
NO_PAIRS: Found = (np.empty(0, np.int32), np.empty(0, np.int32), np.empty(0, np.float32))

_TILE = 2_048  # 16 MB of products: each takes a small part of a second, also on two slow cores
_DEVICE_TILE = 8_192
_CHUNK = 16_384  # pairs scored at once
_DENSE = 64  # from one candidate in so many on, a whole float64 product is cheaper
WORTH_IT = 1.3  # the gain from which on bfloat16 makes up for scoring more candidates
MANY = 8_192  # vectors from which on it pays to try bfloat16
_LEAST_FOR_BFLOAT16 = 0.1  # below, the margin would make nearly everything a candidate


class Products(Protocol):
    """A way to find the pairs of one tile."""

    tile: int

    def find(self, rows: slice, columns: slice) -> Iterator[Found]:
        """Yield (left, right, cosine) of the pairs left < right of a tile in chunks."""
        ...


def open_products(
    vectors: NDArray[np.float32],
    *,
    floor: float,
    device: str = "auto",
    tile: int | None = None,
    threads: int | None = None,
) -> Products:
    """Choose the device and the arithmetic for a pass over `vectors` (n, d)."""
    import torch

    if device == "auto":
        device = "cuda" if torch.cuda.is_available() else "cpu"
    if device != "cpu":
        brief = floor >= _LEAST_FOR_BFLOAT16 and device.startswith("cuda")
        return DeviceProducts(vectors, floor, device, tile=tile or _DEVICE_TILE, brief=brief)
    with using_threads(threads):
        brief = (
            len(vectors) >= MANY
            and floor >= _LEAST_FOR_BFLOAT16
            and bfloat16_gain(vectors.shape[1]) > WORTH_IT
        )
    return HostProducts(vectors, floor, tile=tile or _TILE, brief=brief, threads=threads)


def bfloat16_gain(d: int, *, size: int = 512) -> float:
    """Measure how many times quicker than float32 this machine multiplies bfloat16.

    Many processors only emulate it, up to ten times slower, so the trial is worth its 0.05 s.
    """
    import torch

    best = {}
    for kind in (torch.float32, torch.bfloat16):
        a = torch.full((size, d), 0.01, dtype=kind)
        times = []
        for _ in range(3):
            begun = time.perf_counter()
            torch.mm(a, a.T)
            times.append(time.perf_counter() - begun)
        best[kind] = min(times)
    return best[torch.float32] / best[torch.bfloat16]


class HostProducts:
    """Products on the processor, in float32 or in bfloat16 (`brief`)."""

    def __init__(
        self,
        vectors: NDArray[np.float32],
        floor: float,
        *,
        tile: int,
        brief: bool,
        threads: int | None = None,
    ) -> None:
        import torch

        self.tile = tile
        self._vectors = vectors
        self._floor = floor
        self._threads = threads
        self._brief = torch.empty(vectors.shape, dtype=torch.bfloat16) if brief else None
        self._bad = np.zeros(len(vectors), np.bool_)
        norm = delta = 0.0
        for start in range(0, len(vectors), tile):
            rows = slice(start, start + tile)
            block = np.array(vectors[rows], np.float32)
            self._bad[rows] = unusable(block)
            block[self._bad[rows]] = 0
            norm = max(norm, _longest(block))
            if self._brief is not None:
                exact = torch.from_numpy(block)
                self._brief[rows] = exact
                delta = max(delta, _longest((self._brief[rows].float() - exact).numpy()))
        limit = floor - margin(vectors.shape[1], norm=norm, delta=delta)
        if limit <= 0:  # only with vectors that are far from normalised
            self._brief = None
            limit = floor - margin(vectors.shape[1], norm=norm, delta=0)
        # The float32 nearest to the limit may lie above it.
        self._limit = np.nextafter(np.float32(limit), np.float32(-1))

    def find(self, rows: slice, columns: slice) -> Iterator[Found]:
        left_block, right_block = self._block(rows), self._block(columns)
        near = self._near(rows, columns, left_block, right_block)
        dense = len(near) * _DENSE > len(left_block) * len(right_block)
        exact = self._all_scores(left_block, right_block) if dense else None
        for start in range(0, len(near), _CHUNK):
            left, right = np.divmod(near[start : start + _CHUNK], len(right_block))
            upper = left + rows.start < right + columns.start
            left, right = left[upper], right[upper]
            if exact is None:
                cosine = np.einsum(
                    "ij,ij->i", left_block[left], right_block[right], dtype=np.float64
                )
            else:
                cosine = exact[left, right]
            yield _at_or_above(self._floor, left + rows.start, right + columns.start, cosine)

    def _block(self, rows: slice) -> NDArray[np.float32]:
        block = np.array(self._vectors[rows], np.float32)
        block[self._bad[rows]] = 0
        return block

    def _all_scores(
        self, left_block: NDArray[np.float32], right_block: NDArray[np.float32]
    ) -> NDArray[np.float64]:
        import torch

        with using_threads(self._threads):
            left, right = torch.from_numpy(left_block), torch.from_numpy(right_block)
            scores: NDArray[np.float64] = (left.double() @ right.double().T).numpy()
            return scores

    def _near(
        self,
        rows: slice,
        columns: slice,
        left_block: NDArray[np.float32],
        right_block: NDArray[np.float32],
    ) -> NDArray[np.intp]:
        """Flat indices of the tile's candidates, ascending."""
        import torch

        with using_threads(self._threads):
            if self._brief is None:
                product = torch.from_numpy(left_block) @ torch.from_numpy(right_block).T
                return np.flatnonzero(product.numpy() >= self._limit)
            brief = self._brief[rows] @ self._brief[columns].T
        # Positive bfloat16 numbers are ordered as their bits are, and numpy compares those
        # quickest; negative ones have negative bits and fall away.
        bits = torch.tensor([float(self._limit)], dtype=torch.bfloat16).view(torch.int16).item()
        return np.flatnonzero(brief.view(torch.int16).numpy() >= np.int16(bits))


class DeviceProducts:
    """Products on an accelerator that holds all vectors, in float32 and bfloat16."""

    def __init__(
        self,
        vectors: NDArray[np.float32],
        floor: float,
        device: str,
        *,
        tile: int,
        brief: bool,
    ) -> None:
        import torch

        self.tile = tile
        self._floor = floor
        self._exact = torch.empty(vectors.shape, dtype=torch.float32, device=device)
        for start in range(0, len(vectors), _DEVICE_TILE):
            block = np.array(vectors[start : start + _DEVICE_TILE], np.float32)
            block[unusable(block)] = 0
            self._exact[start : start + _DEVICE_TILE] = torch.from_numpy(block)
        self._quick = self._exact.bfloat16() if brief else self._exact
        norm = delta = 0.0
        for start in range(0, len(vectors), _DEVICE_TILE):
            rows = slice(start, start + _DEVICE_TILE)
            error = self._quick[rows].float() - self._exact[rows]
            delta = max(delta, float(error.norm(dim=1).max()))
            norm = max(norm, float(self._exact[rows].norm(dim=1).max()))
        self._limit = floor - margin(vectors.shape[1], norm=norm, delta=delta)
        if brief:
            self._limit -= 4 * 2**-8 * norm**2

    def find(self, rows: slice, columns: slice) -> Iterator[Found]:
        import torch

        near = self._quick[rows] @ self._quick[columns].T >= self._limit
        shift = columns.start - rows.start
        where: torch.Tensor = near.triu_(1 - shift).nonzero()
        for start in range(0, len(where), _CHUNK):
            left, right = where[start : start + _CHUNK].T
            left, right = left + rows.start, right + columns.start
            cosine = (self._exact[left].double() * self._exact[right]).sum(dim=1)
            yield _at_or_above(
                self._floor, left.cpu().numpy(), right.cpu().numpy(), cosine.cpu().numpy()
            )


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


def _longest(block: NDArray[np.float32]) -> float:
    squares = np.einsum("ij,ij->i", block, block, dtype=np.float64)
    return float(np.sqrt(squares.max(initial=0)))


def _at_or_above(
    floor: float, left: NDArray[Any], right: NDArray[Any], cosine: NDArray[np.float64]
) -> Found:
    chosen = cosine >= floor
    return (
        left[chosen].astype(np.int32),
        right[chosen].astype(np.int32),
        np.minimum(cosine[chosen], 1).astype(np.float32),
    )


@contextmanager
def using_threads(threads: int | None) -> Iterator[None]:
    """Let torch use so many threads here only: its setting is the whole process's."""
    import torch

    before = torch.get_num_threads()
    try:
        if threads is not None:
            torch.set_num_threads(threads)
        yield
    finally:
        if threads is not None:
            torch.set_num_threads(before)
