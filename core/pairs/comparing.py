"""One pass over the triangle of all pairs: what is at or above a cosine, and the nearest of each.

A pair matters if its cosine reaches the floor, or the k-th best that either of its vectors has
met. Both kinds are candidates of one product of a tile; those are scored in float64, and what
is kept depends on the scores alone.
"""

import time
from collections.abc import Generator, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.pairs.comparable import Comparable
from core.pairs.compiled import load_loops
from core.pairs.compiled_tiles import CompiledTiles
from core.pairs.ranking import (
    NO_COSINE,
    NOBODY,
    OPEN,
    Floats,
    Keys,
    Rows,
    keys_of,
    take_block,
    take_pairs,
    unpacked,
)
from core.pairs.rounding import WORTH_IT, bfloat16_gain, unusable, using_threads
from core.pairs.tiles import DeviceTiles, PlainTiles, Sifted, Tiles
from core.processor import has_bf16
from core.progress import Outcome

MANY = 16_384  # vectors from which on it pays to load compiled loops and to turn the vectors
_BLOCK_PAIRS = 200_000  # a block is handed on from here on, so that memory stays bounded
_BLOCK_S = 0.25  # or after this time, even if empty: progress and Cancel live on it
_CHUNK = 16_384  # pairs handed on at once
_READ = 2_048  # vectors
_NEW = 4_096  # vectors from which on it pays to look ahead before they are compared with all


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


@dataclass(frozen=True, slots=True)
class Neighbours:
    """The nearest others of n vectors, best first; equal cosines by ascending row."""

    index: NDArray[np.int32]  # (n, k); NOBODY where there are fewer
    cosine: NDArray[np.float32]  # (n, k), -1 to 1; NO_COSINE where there are fewer


def pairs_to_compare(n: int, *, start: int = 0) -> int:
    """Count the pairs that a pass over `n` vectors from `start` on compares."""
    return (n * (n - 1) - start * (start - 1)) // 2


def compare(
    vectors: NDArray[np.float32],
    *,
    floor: float | None = None,
    k: int = 0,
    start: int = 0,
    known: Neighbours | None = None,
    device: str = "auto",
    tile: int | None = None,
    threads: int | None = None,
) -> Generator[PairBlock, None, Neighbours]:
    """Hand on all pairs i < j with j >= `start` at or above `floor`; return the nearest `k`.

    `vectors` (n, d) may be memory-mapped and of any length; rows of zeros and rows that are not
    finite pair with nothing and are nobody's neighbours. Without a `floor` no pairs are handed
    on, without `k` nobody has neighbours. With a `start` above 0 the neighbours of the first
    `start` rows must be `known`, each with `k` or more. Columns are worked through in ascending
    order, so that new vectors at the end cost only themselves with all.

    Cosines are computed in float64 and compared as float32; the outcome depends neither on
    tiles, threads nor the device, but for a last bit where rounding hangs by a hair. The last
    block is always `done` = n. Close the generator to cancel.

    Costs n² d / 2 multiplications at most, and 4 n d + 8 n k bytes beside some tiles where n is
    16,384 or more. Raise `ValueError` for a floor of 0 or less.
    """
    if floor is not None and not floor > 0:
        raise ValueError(f"floor must be above 0, not {floor}")
    waiting = _Waiting(2.0 if floor is None else floor, min(start, len(vectors)))
    comparable = yield from _read(vectors, waiting)
    first = int(np.searchsorted(comparable.used, waiting.done))
    ends = np.append(comparable.used, len(vectors))
    tiles = yield from _spoken(
        _open(comparable, device=device, tile=tile, threads=threads), waiting
    )
    best = np.full((len(comparable), k), OPEN, np.int64)
    with tiles.running():
        lowest = np.full(len(comparable), NO_COSINE if k else waiting.floor, np.float32)
        if k and len(comparable) - first >= _NEW:
            lowest = yield from _spoken(tiles.foresee(k), waiting)
        if k and first == 0:
            order = _order(lowest, tiles.size)
            comparable.reorder(order)
            lowest = lowest[order]
        if k and known is not None:
            best[:first] = _recalled(known, comparable.used[:first], waiting.done, k)
        yield from _spoken(tiles.prepare(lowest, floor=float(waiting.floor), k=k), waiting)
        yield from _Pass(comparable, tiles, lowest, best, waiting).go(first, ends)
    waiting.done = len(vectors)
    yield waiting.hand_on(pairs_to_compare(len(vectors), start=min(start, len(vectors))))
    return _neighbours(len(vectors), comparable.used, best)


def _read(
    vectors: NDArray[np.float32], waiting: "_Waiting"
) -> Generator[PairBlock, None, Comparable]:
    """Find the vectors that can be compared, and their lengths."""
    lengths = np.zeros(len(vectors), np.float64)
    for first in range(0, len(vectors), _READ):
        block = np.asarray(vectors[first : first + _READ], np.float32)
        good = ~unusable(block)
        exact = block[good].astype(np.float64)
        lengths[first : first + _READ][good] = np.sqrt(np.einsum("ij,ij->i", exact, exact))
        if waiting.is_due:
            yield waiting.hand_on()
    used = np.flatnonzero(lengths > 0)
    return Comparable(vectors, used, lengths[used])


def _open(
    comparable: Comparable, *, device: str, tile: int | None, threads: int | None
) -> Generator[None, None, Tiles]:
    """Choose the device and the arithmetic."""
    import torch

    if device == "auto":
        device = "cuda" if torch.cuda.is_available() else "cpu"
    if device != "cpu":
        return DeviceTiles(comparable, device, size=tile)
    if len(comparable) < MANY:
        return PlainTiles(comparable, size=tile, threads=threads)
    loops = yield from load_loops()
    with using_threads(threads):
        is_brief = has_bf16() and bfloat16_gain(comparable.numbers) > WORTH_IT
    return CompiledTiles(comparable, loops, size=tile, threads=threads, is_brief=is_brief)


def _spoken(
    steps: Generator[None, None, Outcome], waiting: "_Waiting"
) -> Generator[PairBlock, None, Outcome]:
    """Go through silent steps with a word in time."""
    while True:
        try:
            next(steps)
        except StopIteration as stop:
            outcome: Outcome = stop.value
            return outcome
        if waiting.is_due:
            yield waiting.hand_on()


def _order(lowest: Floats, size: int) -> Rows:
    """Within each tile by what is known of its vectors: likes beside each other are sifted best."""
    tile = np.arange(len(lowest)) // size
    return np.lexsort((lowest, tile))


@dataclass(frozen=True, slots=True)
class _Tile:
    """Vectors to compare with others, and the pairs of the same columns compared before."""

    rows: slice
    columns: slice
    met: int


class _Pass:
    """The tiles of the triangle from `first` on, one after another."""

    def __init__(
        self, vectors: Comparable, tiles: Tiles, lowest: Floats, best: Keys, waiting: "_Waiting"
    ) -> None:
        self._vectors = vectors
        self._tiles = tiles
        self._lowest = lowest  # (u,) what the k-th nearest reaches for certain
        self._best = best  # (u, k)
        self._waiting = waiting
        self._limits = np.minimum(lowest, waiting.floor) - np.float32(tiles.margin)

    def go(self, first: int, ends: Rows) -> Iterator[PairBlock]:
        """Compare everything with what stands at `first` or beyond.

        `ends` (u + 1,) are the rows of the matrix up to which all is compared when so many
        vectors are.
        """
        waiting, begun = self._waiting, self._waiting.done
        for tile, sifted in self._tiles.each(self._sift, self._plan(first)):
            if tile.rows == tile.columns:  # all columns before are through
                waiting.done = max(begun, int(ends[tile.columns.start]))
            for _ in self._take(tile, sifted):
                if waiting.is_due:
                    yield waiting.hand_on(pairs_to_compare(waiting.done, start=begun) + tile.met)

    def _plan(self, first: int) -> Iterator["_Tile"]:
        """The tiles in order, each with the limits of now when it is asked for."""
        size, count = self._tiles.size, len(self._vectors)
        for start in range(first, count, size):
            columns = slice(start, min(count, start + size))
            self._limit(columns)
            # The diagonal first: it tells new vectors early how near others must be to count.
            yield _Tile(columns, columns, 0)
            for top in range(0, start, size):
                rows = slice(top, min(top + size, start))
                self._limit(rows)
                self._limit(columns)
                yield _Tile(rows, columns, (columns.stop - start) * top)

    def _sift(self, tile: "_Tile") -> "tuple[_Tile, Sifted | None]":
        return tile, self._tiles.sift(tile.rows, tile.columns, self._limits)

    def _take(self, tile: "_Tile", sifted: Sifted | None) -> Iterator[None]:
        """Take what a tile has brought; stops now and then, and at its end."""
        rows, columns = tile.rows, tile.columns
        if sifted is None:
            yield from self._take_all(rows, columns)
            return
        up, across, cosine = sifted
        left, right = self._vectors.used[rows][up], self._vectors.used[columns][across]
        self._waiting.take(left, right, cosine)
        if self._best.shape[1]:
            take_pairs(self._best[rows], up, keys_of(cosine, right))
            take_pairs(self._best[columns], across, keys_of(cosine, left))
        yield

    def _take_all(self, rows: slice, columns: slice) -> Iterator[None]:
        """Score a whole tile: so much of it is near that choosing would take longer."""
        cosine = self._vectors.cosines(rows, columns)
        left, right = self._vectors.used[rows], self._vectors.used[columns]
        is_diagonal = rows == columns
        near = cosine >= self._waiting.floor
        where = np.flatnonzero(np.triu(near, 1) if is_diagonal else near)
        for start in range(0, len(where), _CHUNK):
            up, across = np.divmod(where[start : start + _CHUNK], cosine.shape[1])
            self._waiting.take(left[up], right[across], cosine[up, across])
            yield
        if self._best.shape[1]:
            keys = keys_of(cosine, right)
            if is_diagonal:
                np.fill_diagonal(keys, OPEN)
            else:
                take_block(self._best[columns], keys_of(cosine.T, left))
            take_block(self._best[rows], keys)
        yield

    def _limit(self, part: slice) -> None:
        """Bring the limits of some vectors up to what they have met."""
        if not self._best.shape[1]:
            return
        worst = unpacked(self._best[part, -1])[1]
        least = np.minimum(np.maximum(worst, self._lowest[part]), self._waiting.floor)
        self._limits[part] = least - np.float32(self._tiles.margin)


class _Waiting:
    """Pairs found since the last block."""

    def __init__(self, floor: float, done: int) -> None:
        self.floor = np.float32(floor)
        self.done = done
        self._parts: list[tuple[NDArray[np.int32], NDArray[np.int32], Floats]] = []
        self._pairs = 0
        self._compared = 0
        self._since = time.monotonic()

    @property
    def is_due(self) -> bool:
        return self._pairs >= _BLOCK_PAIRS or time.monotonic() - self._since >= _BLOCK_S

    def take(self, left: Rows, right: Rows, cosine: Floats) -> None:
        """Keep those at or above the floor."""
        near = cosine >= self.floor
        if near.any():
            left, right = left[near].astype(np.int32), right[near].astype(np.int32)
            lower, higher = np.minimum(left, right), np.maximum(left, right)
            self._parts.append((lower, higher, cosine[near]))
            self._pairs += len(left)

    def hand_on(self, compared: int | None = None) -> PairBlock:
        """The pairs since the last block; without a number no more was compared."""
        self._compared = self._compared if compared is None else compared
        parts = self._parts or [_NO_PAIRS]
        left, right, cosine = (np.concatenate(arrays) for arrays in zip(*parts, strict=True))
        self._parts, self._pairs, self._since = [], 0, time.monotonic()
        return PairBlock(left, right, cosine, self.done, self._compared)


_NO_PAIRS = (np.empty(0, np.int32), np.empty(0, np.int32), np.empty(0, np.float32))


def _recalled(known: Neighbours, used: Rows, start: int, k: int) -> Keys:
    """The keys of some rows, out of what is known of them and the rows before `start`.

    Those beyond are met again; who had to make room for them comes after them anyway.
    """
    index, cosine = known.index[used, :k], known.cosine[used, :k]
    is_kept = (index != NOBODY) & (index < start)
    return np.sort(np.where(is_kept, keys_of(cosine, index.astype(np.int64)), OPEN), axis=1)


def _neighbours(n: int, used: Rows, best: Keys) -> Neighbours:
    index = np.full((n, best.shape[1]), NOBODY, np.int32)
    cosine = np.full((n, best.shape[1]), NO_COSINE, np.float32)
    for first in range(0, len(used), _READ):
        part = slice(first, first + _READ)
        index[used[part]], cosine[used[part]] = unpacked(best[part])
    return Neighbours(index, cosine)
