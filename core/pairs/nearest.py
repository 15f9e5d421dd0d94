"""The nearest neighbours of every vector, exactly: the graph that layouts and clusters share.

A quick float32 product of each tile of the upper triangle serves both of its sides. Each
vector keeps the best k met so far, and only what comes within the error of the product of
the worst of them is scored in float64, so that few numbers of a tile are looked at twice.
For the error see `core.pairs.products`; that of bfloat16 would let too many through to pay.
"""

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from core.pairs.blocks import pairs_to_compare
from core.pairs.products import margin, unusable, using_threads
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
from core.progress import Progress, Steps

if TYPE_CHECKING:
    import torch

_TILE = 2_048
_DEVICE_TILE = 4_096
_CHUNK = 512  # pairs scored at once: their float64 copies stay in the processor's cache
_DENSE = 24  # from one candidate in so many on, a whole float64 product is cheaper
_QUIET_S = 0.2  # between two words of progress
_ROUNDING = 2.0**-22  # of unit vectors rounded to float32, and of scores rounded to it


@dataclass(frozen=True, slots=True)
class Neighbours:
    """The nearest others of n vectors, best first; equal cosines by ascending row."""

    index: NDArray[np.int32]  # (n, k); NOBODY where there are fewer
    cosine: NDArray[np.float32]  # (n, k), -1 to 1; NO_COSINE where there are fewer


def nearest(
    vectors: NDArray[np.float32],
    *,
    k: int = 16,
    device: str = "auto",
    threads: int | None = None,
    tile: int | None = None,
    known: Neighbours | None = None,
) -> Steps[Neighbours]:
    """Find the `k` nearest others of each of `vectors` (n, d), which may be memory-mapped.

    Nobody is their own neighbour, but equal vectors are each other's. Rows of zeros and rows
    that are not finite have no neighbours and are nobody's. Cosines are computed in float64
    and compared as float32; the outcome depends neither on tiles, threads nor the device, but
    for a last bit where rounding hangs by a hair.

    `known` is the outcome for the first rows, which must not have changed since: only new rows
    are compared with all. It is of no use if it holds fewer than `k` per row.

    Costs n² d / 2 multiplications and 8 n k bytes beside two tiles; speaks every 0.5 s or
    sooner. Raise `ValueError` for a `k` below 1 or more known rows than vectors.
    """
    if k < 1:
        raise ValueError(f"k must be at least 1, not {k}")
    if known is not None and len(known.index) > len(vectors):
        raise ValueError(f"{len(known.index)} rows are known of only {len(vectors)} vectors")
    lengths = yield from _lengths(vectors)
    used = np.flatnonzero(lengths > 0)
    best = np.full((len(used), k), OPEN, np.int64)
    start = 0
    if known is not None and known.index.shape[1] >= k:
        start = int(np.searchsorted(used, len(known.index)))
        best[:start] = _recalled(known, used, start, k)
    tiles = _Tiles(vectors, used, lengths[used], device=device, tile=tile, threads=threads)
    yield from _compare(tiles, best, start)
    index = np.full((len(vectors), k), NOBODY, np.int32)
    cosine = np.full((len(vectors), k), NO_COSINE, np.float32)
    for first in range(0, len(used), _TILE):
        part = slice(first, first + _TILE)
        place, cosine[used[part]] = unpacked(best[part])
        index[used[part]] = np.where(place < 0, NOBODY, used[place])
    return Neighbours(index, cosine)


def _lengths(vectors: NDArray[np.float32]) -> Steps[NDArray[np.float64]]:
    """The Euclidean length of each vector, 0 for those that cannot be compared."""
    lengths = np.zeros(len(vectors), np.float64)
    spoke = time.monotonic()
    for first in range(0, len(vectors), _TILE):
        block = np.asarray(vectors[first : first + _TILE], np.float32)
        good = ~unusable(block)
        exact = block[good].astype(np.float64)
        lengths[first : first + _TILE][good] = np.sqrt(np.einsum("ij,ij->i", exact, exact))
        if time.monotonic() - spoke >= _QUIET_S:
            yield Progress("Looking at vectors", first, len(vectors), "texts")
            spoke = time.monotonic()
    return lengths


def _compare(tiles: "_Tiles", best: Keys, start: int) -> Steps[None]:
    """Bring `best` up to date with all pairs whose right end is `start` or beyond."""
    n = len(best)
    total = pairs_to_compare(n, start=start)
    spoke = 0.0
    for first in range(start, n, tiles.size):
        columns = slice(first, min(n, first + tiles.size))
        # The diagonal first: it tells a new vector early how near others must be to count.
        for top in (first, *range(0, first, tiles.size)):
            rows = slice(top, min(top + tiles.size, first if top < first else columns.stop))
            if time.monotonic() - spoke >= _QUIET_S:
                met = (columns.stop - first) * (0 if top == first else top)
                done = pairs_to_compare(first, start=start) + met
                yield Progress("Finding neighbours", done, total, "pairs")
                spoke = time.monotonic()
            tiles.meet(rows, columns, best)
    yield Progress("Finding neighbours", total, total, "pairs")


class _Tiles:
    """The vectors that can be compared, a block at a time."""

    def __init__(
        self,
        vectors: NDArray[np.float32],
        used: Rows,
        lengths: NDArray[np.float64],
        *,
        device: str,
        tile: int | None,
        threads: int | None,
    ) -> None:
        import torch

        if device == "auto":
            device = "cuda" if torch.cuda.is_available() else "cpu"
        self.size = tile or (_TILE if device == "cpu" else _DEVICE_TILE)
        self._device = device
        self._threads = threads
        self._vectors = vectors
        self._used = used
        self._lengths = lengths
        self._margin = margin(vectors.shape[1], norm=1 + _ROUNDING, delta=_ROUNDING) + _ROUNDING
        self._columns = (slice(0, 0), _Block.of(vectors[:0], lengths[:0], device))

    def meet(self, rows: slice, columns: slice, best: Keys) -> None:
        """Offer the vectors of `columns` to those of `rows` and the other way round.

        A tile of the diagonal is a whole square, so that one side is enough.
        """
        with using_threads(self._threads):
            if self._columns[0] != columns:
                self._columns = (columns, self._block(columns))
            right = self._columns[1]
            if rows == columns:
                self._offer(right, right, rows, columns, best)
            else:
                self._offer(self._block(rows), right, rows, columns, best)

    def _block(self, part: slice) -> "_Block":
        rows = self._vectors[self._used[part]]
        return _Block.of(rows, self._lengths[part], self._device)

    def _offer(
        self, left: "_Block", right: "_Block", rows: slice, columns: slice, best: Keys
    ) -> None:
        product = left.quick @ right.quick.T
        one_sided = rows == columns
        if one_sided:
            product.fill_diagonal_(-float("inf"))
        floors = self._limits(product, best[rows])
        walls = None if one_sided else self._limits(product.T, best[columns])
        where = _places(product, floors, walls)
        if len(where) * _DENSE > product.numel():
            scores = _all_scores(left, right)
            keys = keys_of(scores, np.arange(columns.start, columns.stop))
            if one_sided:
                np.fill_diagonal(keys, OPEN)
            else:
                take_block(best[columns], keys_of(scores.T, np.arange(rows.start, rows.stop)))
            take_block(best[rows], keys)
            return
        up, across = np.divmod(where, product.shape[1])
        cosine = _scores(left, right, up, across)
        take_pairs(best[rows], up, keys_of(cosine, across + columns.start))
        if not one_sided:
            take_pairs(best[columns], across, keys_of(cosine, up + rows.start))

    def _limits(self, product: "torch.Tensor", best: Keys) -> "torch.Tensor":
        """For each row the least product that may belong to a neighbour, (rows,)."""
        import torch

        k = best.shape[1]
        worst = unpacked(best[:, -1])[1]
        limits = torch.from_numpy(worst - np.float32(self._margin)).to(product.device)
        free = torch.from_numpy(best[:, -1] == OPEN).to(product.device)
        limits[free] = NO_COSINE  # everybody but oneself
        if bool(free.any()) and product.shape[1] > k:
            # The tile's own best k will do; quick products err on either side.
            own = product[free].topk(k, dim=1).values[:, -1]
            limits[free] = own - 2 * self._margin
        return limits


@dataclass(frozen=True, slots=True)
class _Block:
    """Some vectors as they are, their lengths, and roughly normalised on the device."""

    exact: Floats
    lengths: NDArray[np.float64]
    quick: "torch.Tensor"

    @staticmethod
    def of(vectors: NDArray[np.float32], lengths: NDArray[np.float64], device: str) -> "_Block":
        import torch

        exact = np.asarray(vectors, np.float32)
        # No usable vector is so short or long that its inverse length leaves float32.
        quick = exact * (1 / lengths).astype(np.float32)[:, None]
        return _Block(exact, lengths, torch.from_numpy(quick).to(device))


def _places(product: "torch.Tensor", floors: "torch.Tensor", walls: "torch.Tensor | None") -> Rows:
    """The flat places, ascending, of products at or above the limit of their row or column."""
    if product.device.type != "cpu":
        return _places_on_device(product, floors, walls)
    # numpy compares with a limit per column and finds few among many far quicker than torch.
    values = product.numpy()
    near = values >= floors.numpy()[:, None]
    if walls is not None:
        near |= values >= walls.numpy()
    return np.flatnonzero(near)


def _places_on_device(
    product: "torch.Tensor", floors: "torch.Tensor", walls: "torch.Tensor | None"
) -> Rows:
    near = product >= floors[:, None]
    if walls is not None:
        near |= product >= walls
    places: Rows = near.flatten().nonzero().flatten().cpu().numpy()
    return places


def _scores(left: _Block, right: _Block, up: Rows, across: Rows) -> Floats:
    """The exact cosines of the pairs (up[i], across[i]) of a tile."""
    cosine = np.empty(len(up), np.float32)
    for start in range(0, len(up), _CHUNK):
        part = slice(start, start + _CHUNK)
        # One dot product each, whose order of summing depends on nothing around it.
        one = left.exact[up[part], None, :].astype(np.float64)
        other = right.exact[across[part], :, None].astype(np.float64)
        dots = np.matmul(one, other)
        lengths = left.lengths[up[part]] * right.lengths[across[part]]
        cosine[part] = np.clip(dots[:, 0, 0] / lengths, -1, 1)
    return cosine


def _all_scores(left: _Block, right: _Block) -> Floats:
    """The exact cosines of a whole tile."""
    import torch

    device = left.quick.device
    one, other = (torch.from_numpy(block.exact).to(device).double() for block in (left, right))
    dots: NDArray[np.float64] = (one @ other.T).cpu().numpy()
    dots /= left.lengths[:, None]
    dots /= right.lengths[None, :]
    return np.clip(dots, -1, 1).astype(np.float32)


def _recalled(known: Neighbours, used: Rows, count: int, k: int) -> Keys:
    """The keys of the first `count` of the vectors in use, out of what is known of all."""
    index, cosine = known.index[used[:count], :k], known.cosine[used[:count], :k]
    keys = keys_of(cosine, np.searchsorted(used, index).astype(np.int64))
    return np.where(index == NOBODY, OPEN, keys)
