"""Tiles for many vectors on the processor: turned, multiplied in part, sifted by compiled loops."""

from collections.abc import Callable, Generator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from core.compiling import cores
from core.pairs.comparable import Comparable
from core.pairs.compiled import RUN, TOO_MANY, Loops
from core.pairs.ranking import NO_COSINE, Floats, Rows
from core.pairs.rounding import ROUNDING, unit_margin, using_threads
from core.pairs.tiles import DENSE, Places
from core.pairs.turning import Turned, best_first, looseness, principal_axes

_TILE = 2_048
_BLOCK = 2_048  # vectors turned at once
_SAMPLE = 8_192  # vectors that tell the axes
_TRIED = 512  # vectors that tell how many numbers are worth multiplying
_CELL = 1_024  # vectors that are likely near each other, compared before all others
_MOST_WHOLE = 4  # from one product in so many on that has to be made whole, a whole tile is cheaper


class CompiledTiles:
    """Products of the first numbers of turned vectors, or of all numbers in bfloat16."""

    def __init__(
        self,
        vectors: Comparable,
        loops: Loops,
        *,
        size: int | None,
        threads: int | None,
        is_brief: bool,
    ) -> None:
        self._loops = loops
        self.size = size or _TILE
        self.margin = unit_margin(vectors.numbers)
        self._vectors = vectors
        self._given = threads
        self._threads = threads or cores()
        self._is_brief = is_brief
        self._turned = Turned(
            np.empty((0, vectors.numbers), np.float32), 0, np.empty(0, np.float32)
        )
        self._brief: Any = None  # torch.Tensor, (u, d) in bfloat16
        room = self.size * self.size // DENSE // self._threads + 1
        self._up = np.empty((self._threads, room), np.int32)
        self._across = np.empty((self._threads, room), np.int32)
        self._product = np.empty(self.size * max(self.size, _TRIED), np.float32)
        self._pool = ThreadPoolExecutor(self._threads)

    def foresee(self, k: int) -> Generator[None, None, Floats]:
        """Compare each vector with some that are likely near it."""
        lowest = np.full(len(self._vectors), NO_COSINE, np.float32)
        order = self._cells()
        yield
        size = min(_CELL, self.size)
        for start in range(0, len(order), size):
            cell = order[start : start + size]
            unit = self._vectors.unit(cell)
            product = self._multiply(unit, unit)
            np.fill_diagonal(product, NO_COSINE)
            best = np.full((len(cell), k), NO_COSINE, np.float32)
            self._gather(product, best)
            lowest[cell] = best[:, 0] - np.float32(self.margin)
            yield
        return lowest

    def prepare(self, lowest: Floats, *, floor: float, k: int) -> Generator[None, None, None]:
        """Turn the vectors and settle how many of their numbers are multiplied."""
        count, d = len(self._vectors), self._vectors.numbers
        rows = np.empty((count, d), np.float32)
        random = np.random.default_rng(0)
        sample = np.sort(random.choice(count, min(count, _SAMPLE), replace=False))
        axes = principal_axes(self._vectors.unit(sample))
        for start in range(0, count, _BLOCK):
            part = slice(start, start + _BLOCK)
            exact = self._vectors.exact(part) / self._vectors.lengths[part][:, None]
            with using_threads(self._given):
                rows[part] = exact @ axes
            yield
        if self._is_brief:
            self._turned = Turned(rows, 0, looseness(rows, d))
            yield from self._shorten(rows)
            return
        some = np.sort(random.choice(count, min(count, _TRIED), replace=False))
        begin = lowest[some]
        end = begin if k == 0 else np.maximum(begin, (yield from self._reached(rows, some, k)))
        first = best_first(rows[some], [np.minimum(begin, floor), np.minimum(end, floor)])
        self._turned = Turned(rows, first, looseness(rows, first))

    def near(self, rows: slice, columns: slice, limits: Floats) -> Places | None:
        turned, first = self._turned, self._turned.first
        if self._brief is None:
            product = self._multiply(turned.rows[rows, :first], turned.rows[columns, :first])
        else:
            limits = _shortened(limits)
            product = self._multiply_brief(rows, columns)
        starts = np.arange(0, product.shape[1], RUN)
        least = np.minimum.reduceat(limits[columns], starts)
        loosest = np.maximum.reduceat(turned.loose[columns], starts)
        # Side by side, so that what is looked at again stays in the processor's cache.
        left = np.ascontiguousarray(turned.rows[rows, first:])
        right = np.ascontiguousarray(turned.rows[columns, first:])
        most = product.size // _MOST_WHOLE // self._threads

        def search(worker: int, begin: int, stop: int) -> int:
            return self._loops.near(
                product, limits[rows], limits[columns], least,
                turned.loose[rows], turned.loose[columns], loosest,
                left, right, self._brief is not None,
                begin, stop, rows == columns, self._up[worker], self._across[worker], most,
            )  # fmt: skip

        found = self._share(product.shape[0], search)
        if TOO_MANY in found:
            return None
        up = np.concatenate([self._up[at, :count] for at, count in enumerate(found)])
        across = np.concatenate([self._across[at, :count] for at, count in enumerate(found)])
        return up.astype(np.int64), across.astype(np.int64)

    def cosines(self, rows: slice, columns: slice, places: Places) -> Floats:
        left, right = self._vectors.exact(rows), self._vectors.exact(columns)
        lengths = self._vectors.lengths[rows], self._vectors.lengths[columns]
        cosine = np.empty(len(places[0]), np.float32)

        def score(_worker: int, begin: int, stop: int) -> None:
            self._loops.cosines(left, right, *lengths, *places, begin, stop, cosine)

        self._share(len(cosine), score)
        return cosine

    def _reached(self, rows: Floats, some: Rows, k: int) -> Generator[None, None, Floats]:
        """What the k-th nearest of some turned vectors reaches in the end, about."""
        best = np.full((len(some), k), NO_COSINE, np.float32)
        for start in range(0, len(rows), self.size):
            block = slice(start, min(len(rows), start + self.size))
            product = self._multiply(rows[some], rows[block])
            own = np.flatnonzero((some >= block.start) & (some < block.stop))
            product[own, some[own] - start] = NO_COSINE
            self._gather(product, best)
            yield
        return best[:, 0]

    def _gather(self, product: Floats, best: Floats) -> None:
        def gather(_worker: int, begin: int, stop: int) -> None:
            self._loops.highest(product, begin, stop, best)

        self._share(len(product), gather)

    def _cells(self) -> Rows:
        """The vectors in an order in which likely neighbours stand together."""
        count = len(self._vectors)
        random = np.random.default_rng(0)
        centres = self._vectors.unit(
            np.sort(random.choice(count, -(-count // _CELL), replace=False))
        )
        cell = np.empty(count, np.int64)
        for start in range(0, count, _BLOCK):
            part = slice(start, start + _BLOCK)
            with using_threads(self._given):
                cell[part] = (self._vectors.unit(part) @ centres.T).argmax(axis=1)
        return np.argsort(cell, kind="stable")

    def _shorten(self, rows: Floats) -> Generator[None, None, None]:
        """Keep the vectors in bfloat16 and widen the margin by what they lost."""
        import torch

        brief = torch.empty(rows.shape, dtype=torch.bfloat16)
        delta = 0.0
        for start in range(0, len(rows), _BLOCK):
            exact = torch.from_numpy(rows[start : start + _BLOCK])
            brief[start : start + _BLOCK] = exact
            lost = brief[start : start + _BLOCK].float() - exact
            delta = max(delta, float(lost.norm(dim=1).max()))
            yield
        self._brief = brief
        self.margin = unit_margin(rows.shape[1], delta=delta + ROUNDING)

    def _multiply(self, left: Floats, right: Floats) -> Floats:
        product = self._product[: len(left) * len(right)].reshape(len(left), len(right))
        with using_threads(self._given):
            np.matmul(left, right.T, out=product)
        return product

    def _multiply_brief(self, rows: slice, columns: slice) -> Floats:
        with using_threads(self._given):
            product: Floats = (self._brief[rows] @ self._brief[columns].T).float().numpy()
        return product

    def _share(self, count: int, work: Callable[[int, int, int], Any]) -> list[Any]:
        """Let each thread do its part of `count`; the answers in the order of the parts."""
        edges = np.linspace(0, count, self._threads + 1).astype(int).tolist()
        return list(self._pool.map(work, range(self._threads), edges[:-1], edges[1:]))


def _shortened(limits: Floats) -> Floats:
    """Limits in bfloat16: rounding keeps the order, so what reached one reaches it still."""
    import torch

    return torch.from_numpy(limits).bfloat16().float().numpy()
