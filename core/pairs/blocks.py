"""Every pair of vectors at or above a cosine, found exactly and handed on in small blocks."""

import time
from collections.abc import Generator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from core.pairs.products import NO_PAIRS, Found, open_products

_BLOCK_PAIRS = 200_000  # a block is handed on from here on, so that memory stays bounded
_BLOCK_S = 0.25  # or after this time, even if empty: progress and Cancel live on it


@dataclass(frozen=True, slots=True)
class PairBlock:
    """Some pairs, and how far the pass has come. Arrays are (m,), `left` < `right`.

    All pairs among the first `done` vectors have been handed on, in this block or before.
    Pairs whose right end is `done` or beyond may be incomplete: a pass that resumes with
    `start=done` finds them again, so drop them first or ignore the repetition.
    """

    left: NDArray[np.int32]
    right: NDArray[np.int32]
    cosine: NDArray[np.float32]
    done: int
    compared: int  # pairs compared in this pass; see `pairs_to_compare`


def pairs_to_compare(n: int, *, start: int = 0) -> int:
    """Count the pairs that a pass over `n` vectors from `start` on compares."""
    return (n * (n - 1) - start * (start - 1)) // 2


def pair_blocks(
    vectors: NDArray[np.float32],
    *,
    floor: float,
    start: int = 0,
    device: str = "auto",
    tile: int | None = None,
    threads: int | None = None,
) -> Generator[PairBlock, None, None]:
    """Find all pairs i < j with j >= `start` whose cosine is at or above `floor` (above 0).

    `vectors` (n, d) are normalised and may be memory-mapped; rows of zeros and rows that are
    not finite pair with nothing. Columns are worked through in ascending order, so that
    new vectors at the end need only `start=<the old n>`. The cosines are computed in
    float64 and the outcome depends neither on tiles, threads nor the device, but for
    the last bit. The last block is always `done` = n. Close the generator to cancel.

    Costs n² d / 2 multiplications. Raise `ValueError` for a floor of 0 or less.
    """
    if not floor > 0:
        raise ValueError(f"floor must be above 0, not {floor}")
    n = len(vectors)
    products = open_products(vectors, floor=floor, device=device, tile=tile, threads=threads)
    waiting = _Waiting()
    done, compared = min(start, n), 0
    for first in range(done, n, products.tile):
        columns = slice(first, min(n, first + products.tile))
        for top in range(0, columns.stop, products.tile):
            rows = slice(top, min(columns.stop, top + products.tile))
            for found in products.find(rows, columns):
                waiting.add(found)
                if waiting.is_due:
                    yield waiting.hand_on(done, compared)
            compared += _area(rows, columns)
            if waiting.is_due:
                yield waiting.hand_on(done, compared)
        done = columns.stop
    yield waiting.hand_on(done, compared)


@dataclass(slots=True)
class _Waiting:
    """Pairs found since the last block."""

    parts: list[Found] = field(default_factory=list)
    pairs: int = 0
    since: float = field(default_factory=time.monotonic)

    @property
    def is_due(self) -> bool:
        return self.pairs >= _BLOCK_PAIRS or time.monotonic() - self.since >= _BLOCK_S

    def add(self, found: Found) -> None:
        self.parts.append(found)
        self.pairs += len(found[0])

    def hand_on(self, done: int, compared: int) -> PairBlock:
        parts = self.parts or [NO_PAIRS]
        left, right, cosine = (np.concatenate(arrays) for arrays in zip(*parts, strict=True))
        self.parts, self.pairs, self.since = [], 0, time.monotonic()
        return PairBlock(left, right, cosine, done, compared)


def _area(rows: slice, columns: slice) -> int:
    """Count the pairs i < j of a tile; rows end at the latest where the columns end."""
    first = min(max(rows.start, columns.start), rows.stop)
    rectangle: int = (first - rows.start) * (columns.stop - columns.start)
    triangle: int = sum(columns.stop - left - 1 for left in range(first, rows.stop))
    return rectangle + triangle
