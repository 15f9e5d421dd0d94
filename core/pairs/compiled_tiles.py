"""Tiles for many vectors on the processor: turned, multiplied in part, sifted by compiled loops."""

import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from itertools import pairwise
from typing import Any

import numpy as np

from core.compiling import cores
from core.pairs.comparable import Comparable
from core.pairs.compiled import RUN, TOO_MANY, Loops
from core.pairs.ranking import NO_COSINE, Floats, Rows
from core.pairs.rounding import ROUNDING, unit_margin, using_threads
from core.pairs.tiles import DENSE, Answer, Item, Sifted
from core.pairs.turning import Turned, best_first, looseness, principal_axes

_TILE = 2_048
_BLOCK = 2_048  # vectors turned at once
_SAMPLE = 8_192  # vectors that tell the axes
_TRIED = 512  # vectors that tell how many numbers are worth multiplying
_CELL = 1_024  # vectors that are likely near each other, compared before all others
_MOST_WHOLE = 4  # from one product in so many on that has to be made whole, a whole tile is cheaper


class CompiledTiles:
    """Products of the first numbers of turned vectors, or of all numbers in bfloat16.

    Each thread has a tile of its own: none waits for another, even where the machine is busy.
    """

    def __init__(
        self,
        vectors: Comparable,
        loops: Loops,
        *,
        size: int | None,
        threads: int | None,
        is_brief: bool,
    ) -> None:
        self.size = size or _TILE
        self.margin = unit_margin(vectors.numbers)
        self._loops = loops
        self._vectors = vectors
        self._threads = threads or cores()
        self._is_brief = is_brief
        nothing = np.empty((0, vectors.numbers), np.float32)
        self._turned = Turned(nothing, 0, np.empty(0, np.float32))
        self._brief: Any = None  # torch.Tensor, (u, d) in bfloat16
        self._own = threading.local()
        self._pool = ThreadPoolExecutor(self._threads, initializer=self._equip)

    @contextmanager
    def running(self) -> Iterator[None]:
        """Keep numpy from sharing out products: the threads share out tiles."""
        try:
            with using_threads(1):
                yield
        finally:
            self._pool.shutdown(cancel_futures=True)

    def each(self, work: Callable[[Item], Answer], items: Iterable[Item]) -> Iterator[Answer]:
        waiting: deque[Future[Answer]] = deque()
        try:
            for item in items:
                waiting.append(self._pool.submit(work, item))
                if len(waiting) > self._threads:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            for one in waiting:
                one.cancel()

    def foresee(self, k: int) -> Generator[None, None, Floats]:
        """Compare each vector with some that are likely near it."""
        lowest = np.full(len(self._vectors), NO_COSINE, np.float32)
        order = yield from self._cells()
        size = min(_CELL, self.size)
        cells = [order[start : start + size] for start in range(0, len(order), size)]

        def compare(cell: Rows) -> None:
            unit = self._vectors.unit(cell)
            product = self._multiply(unit, unit)
            np.fill_diagonal(product, NO_COSINE)
            best = np.full((len(cell), k), NO_COSINE, np.float32)
            self._loops.highest(product, 0, len(cell), best)
            lowest[cell] = best[:, 0] - np.float32(self.margin)

        for _ in self.each(compare, cells):
            yield
        return lowest

    def prepare(self, lowest: Floats, *, floor: float, k: int) -> Generator[None, None, None]:
        """Turn the vectors and settle how many of their numbers are multiplied."""
        count, d = len(self._vectors), self._vectors.numbers
        rows = np.empty((count, d), np.float32)
        random = np.random.default_rng(0)
        sample = np.sort(random.choice(count, min(count, _SAMPLE), replace=False))
        axes = principal_axes(self._vectors.unit(sample))

        def turn(part: slice) -> None:
            exact = self._vectors.exact(part) / self._vectors.lengths[part][:, None]
            rows[part] = exact @ axes

        for _ in self.each(turn, _blocks(count)):
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

    def sift(self, rows: slice, columns: slice, limits: Floats) -> Sifted | None:
        turned, first, is_brief = self._turned, self._turned.first, self._brief is not None
        up_to, to = limits[rows], limits[columns]
        if is_brief:
            up_to, to = _shortened(up_to), _shortened(to)
            product = (self._brief[rows] @ self._brief[columns].T).float().numpy()
        else:
            product = self._multiply(turned.rows[rows, :first], turned.rows[columns, :first])
        starts = np.arange(0, product.shape[1], RUN)
        # Side by side, so that what is looked at again stays in the processor's cache.
        left = np.ascontiguousarray(turned.rows[rows, first:])
        right = np.ascontiguousarray(turned.rows[columns, first:])
        found = self._loops.near(
            product, up_to, to, np.minimum.reduceat(to, starts),
            turned.loose[rows], turned.loose[columns],
            np.maximum.reduceat(turned.loose[columns], starts),
            left, right, is_brief, 0, len(product), rows == columns,
            self._own.up, self._own.across, product.size // _MOST_WHOLE,
        )  # fmt: skip
        if found == TOO_MANY:
            return None
        up, across = (some[:found].astype(np.int64) for some in (self._own.up, self._own.across))
        cosine = np.empty(found, np.float32)
        self._loops.cosines(
            self._vectors.exact(rows), self._vectors.exact(columns),
            self._vectors.lengths[rows], self._vectors.lengths[columns],
            up, across, 0, found, cosine,
        )  # fmt: skip
        return up, across, cosine

    def _equip(self) -> None:
        """Give a thread its room."""
        import torch

        torch.set_num_threads(1)  # which holds for this thread alone
        room = self.size * self.size // DENSE + 1
        self._own.up, self._own.across = np.empty(room, np.int32), np.empty(room, np.int32)
        self._own.product = np.empty(self.size * max(self.size, _TRIED), np.float32)

    def _cells(self) -> Generator[None, None, Rows]:
        """The vectors in an order in which likely neighbours stand together."""
        count = len(self._vectors)
        random = np.random.default_rng(0)
        centres = self._vectors.unit(
            np.sort(random.choice(count, -(-count // _CELL), replace=False))
        )
        cell = np.empty(count, np.int64)

        def assign(part: slice) -> None:
            cell[part] = (self._vectors.unit(part) @ centres.T).argmax(axis=1)

        for _ in self.each(assign, _blocks(count)):
            yield
        return np.argsort(cell, kind="stable")

    def _reached(self, rows: Floats, some: Rows, k: int) -> Generator[None, None, Floats]:
        """What the k-th nearest of some turned vectors reaches in the end, about."""
        best = np.full((len(some), k), NO_COSINE, np.float32)
        edges = np.linspace(0, len(some), self._threads + 1).astype(int).tolist()

        def compare(part: tuple[slice, slice]) -> None:
            mine, block = part
            own = some[mine]
            product = self._multiply(rows[own], rows[block])
            here = np.flatnonzero((own >= block.start) & (own < block.stop))
            product[here, own[here] - block.start] = NO_COSINE
            self._loops.highest(product, 0, len(product), best[mine])

        # Parts of one block at the same time, one block after another: no row is written twice.
        for block in _blocks(len(rows), self.size):
            list(self.each(compare, [(slice(a, b), block) for a, b in pairwise(edges) if a < b]))
            yield
        return best[:, 0]

    def _shorten(self, rows: Floats) -> Generator[None, None, None]:
        """Keep the vectors in bfloat16 and widen the margin by what they lost."""
        import torch

        brief = torch.empty(rows.shape, dtype=torch.bfloat16)
        delta = 0.0
        for part in _blocks(len(rows)):
            exact = torch.from_numpy(rows[part])
            brief[part] = exact
            delta = max(delta, float((brief[part].float() - exact).norm(dim=1).max()))
            yield
        self._brief = brief
        self.margin = unit_margin(rows.shape[1], delta=delta + ROUNDING)

    def _multiply(self, left: Floats, right: Floats) -> Floats:
        product: Floats = self._own.product[: len(left) * len(right)]
        product = product.reshape(len(left), len(right))
        return np.matmul(left, right.T, out=product)


def _blocks(count: int, size: int = _BLOCK) -> Iterator[slice]:
    for start in range(0, count, size):
        yield slice(start, min(count, start + size))


def _shortened(limits: Floats) -> Floats:
    """Limits in bfloat16: rounding keeps the order, so what reached one reaches it still."""
    import torch

    return torch.from_numpy(limits).bfloat16().float().numpy()
