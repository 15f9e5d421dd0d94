"""Tiles of the triangle of all pairs: quick products rule out most, float64 scores the rest.

A tile answers one question: which of its pairs may reach the limit of either end? How it finds
out depends on the machine and on how many vectors there are; the scores of the answer do not.
"""

from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from typing import Protocol, TypeVar

import numpy as np

from core.pairs.comparable import Comparable
from core.pairs.ranking import NO_COSINE, Floats, Rows
from core.pairs.rounding import COARSE, margin, unit_margin, using_threads

DENSE = 24  # from one pair in so many on, a whole float64 product is cheaper
_TILE = 2_048  # 16 MB of products: each takes a small part of a second, also on two slow cores
_DEVICE_TILE = 4_096
_CHUNK = 512  # pairs scored at once: their float64 copies stay in the processor's cache
_LEAST_COARSE = 0.1  # limits below which the margin of bfloat16 would let nearly all through

Sifted = tuple[Rows, Rows, Floats]  # rows and columns within a tile, and their cosines
Item = TypeVar("Item")
Answer = TypeVar("Answer")


class Tiles(Protocol):
    """A way to find the pairs of a tile that may matter."""

    size: int
    margin: float  # the most by which a quick product may fall short of the cosine

    def running(self) -> AbstractContextManager[None]:
        """Hold the threads that the work needs; everything else is called within."""
        ...

    def foresee(self, k: int) -> Generator[None, None, Floats]:
        """Cosines (u,) that the k-th nearest of each vector reaches for certain."""
        ...

    def prepare(self, lowest: Floats, *, floor: float, k: int) -> Generator[None, None, None]:
        """Make ready for a pass that looks for cosines from `floor` on and the nearest `k`.

        `lowest` (u,) is what was foreseen, in the order in which the vectors are now.
        """
        ...

    def sift(self, rows: slice, columns: slice, limits: Floats) -> Sifted | None:
        """At least the pairs at or above the limit of either end; None where there are many.

        `limits` (u,) have the margin taken off; they may rise meanwhile. Of a tile on the
        diagonal only the pairs right of it are meant. Cosines are computed in float64.
        """
        ...

    def each(self, work: Callable[[Item], Answer], items: Iterable[Item]) -> Iterator[Answer]:
        """Do the work on each item, some at the same time; the answers come in order."""
        ...


class _OneByOne:
    """What ways have in common that look at one tile after another and see nothing ahead."""

    def __init__(self, vectors: Comparable, *, size: int) -> None:
        self.size = size
        self.margin = unit_margin(vectors.numbers)
        self._vectors = vectors

    def running(self) -> AbstractContextManager[None]:
        return nullcontext()

    def foresee(self, k: int) -> Generator[None, None, Floats]:
        yield
        return np.full(len(self._vectors), NO_COSINE, np.float32)

    def each(self, work: Callable[[Item], Answer], items: Iterable[Item]) -> Iterator[Answer]:
        return map(work, items)


class PlainTiles(_OneByOne):
    """Products in float32 by numpy: at hand at once, for corpora of some thousand texts."""

    def __init__(self, vectors: Comparable, *, size: int | None, threads: int | None) -> None:
        super().__init__(vectors, size=size or _TILE)
        self._threads = threads

    def prepare(self, lowest: Floats, *, floor: float, k: int) -> Generator[None, None, None]:
        yield

    def sift(self, rows: slice, columns: slice, limits: Floats) -> Sifted | None:
        left = self._vectors.unit(rows)
        right = left if rows == columns else self._vectors.unit(columns)
        with using_threads(self._threads):
            product = left @ right.T
        near = product >= np.minimum(limits[rows][:, None], limits[columns])
        if rows == columns:
            near = np.triu(near, 1)
        where = np.flatnonzero(near)
        if len(where) * DENSE > near.size:
            return None
        up, across = np.divmod(where, near.shape[1])
        return up, across, one_by_one(self._vectors, rows, columns, up, across)


def one_by_one(vectors: Comparable, rows: slice, columns: slice, up: Rows, across: Rows) -> Floats:
    """The cosines of some pairs of a tile."""
    left, right = vectors.exact(rows), vectors.exact(columns)
    cosine = np.empty(len(up), np.float32)
    for start in range(0, len(up), _CHUNK):
        part = slice(start, start + _CHUNK)
        # One dot product each, whose order of summing depends on nothing around it.
        one = left[up[part], None, :].astype(np.float64)
        other = right[across[part], :, None].astype(np.float64)
        lengths = vectors.lengths[rows][up[part]]
        lengths = lengths * vectors.lengths[columns][across[part]]
        cosine[part] = np.clip(np.matmul(one, other)[:, 0, 0] / lengths, -1, 1)
    return cosine


class DeviceTiles(_OneByOne):
    """Products on an accelerator that holds all vectors, in bfloat16 where the limits allow it."""

    def __init__(self, vectors: Comparable, device: str, *, size: int | None) -> None:
        super().__init__(vectors, size=size or _DEVICE_TILE)
        self._device = device

    def prepare(self, lowest: Floats, *, floor: float, k: int) -> Generator[None, None, None]:
        import torch

        shape = (len(self._vectors), self._vectors.numbers)
        self._unit = torch.empty(shape, dtype=torch.float32, device=self._device)
        for start in range(0, len(self._unit), _DEVICE_TILE):
            part = slice(start, start + _DEVICE_TILE)
            self._unit[part] = torch.from_numpy(self._vectors.unit(part))
            yield
        self._quick = self._unit
        if k == 0 and floor >= _LEAST_COARSE:
            self._quick = self._unit.bfloat16()
            delta = 0.0
            for start in range(0, shape[0], _DEVICE_TILE):
                part = slice(start, start + _DEVICE_TILE)
                lost = self._quick[part].float() - self._unit[part]
                delta = max(delta, float(lost.norm(dim=1).max()))
            self.margin = COARSE + margin(shape[1], norm=1 + 2.0**-20, delta=delta)

    def sift(self, rows: slice, columns: slice, limits: Floats) -> Sifted | None:
        import torch

        product = self._quick[rows] @ self._quick[columns].T
        told = torch.from_numpy(limits).to(self._device, product.dtype)
        near = product >= torch.minimum(told[rows][:, None], told[columns])
        if rows == columns:
            near = near.triu_(1)
        where = near.nonzero()
        if len(where) * DENSE > near.numel():
            return None
        up, across = where.T.cpu().numpy()
        return up, across, one_by_one(self._vectors, rows, columns, up, across)
