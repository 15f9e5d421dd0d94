"""The texts nearest to a question: two bits of each number name them, exact cosines rank them."""

import struct
import zlib
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

_MAGIC = b"SSIX2\x00\x00\x00"
_HEAD = struct.Struct("<8sqqI")  # magic, rows, numbers per vector, sum over all that follows
_BLOCK = 8_192  # rows read at once
_TRAINING_ROWS = 20_000  # the range of each number is taken from so many
_PRIOR_ROWS = 50  # and from so many that may lie anywhere, for vectors that come later
_LEVELS = np.array([-1.5104, -0.4528, 0.4528, 1.5104])  # of two bits, best for a normal spread
_NUMBERS = 4  # to a byte
_LEAST, _PER_FOUND = 600, 18  # candidates ranked exactly: so many, and more for each row wanted
_USUAL = 384  # numbers of a vector; of fewer, two bits each say less, so more are candidates
_DIRECT = 20_000  # rows to choose among, up to which the index is no quicker
_SPARE, _WIDER = 1.5, 8  # how many candidates more where some fall to a filter

Rows = NDArray[np.int64]
Floats = NDArray[np.float32]
Bytes = NDArray[np.uint8]


class SearchIndex:
    """A copy of n vectors in two bits a number, a sixteenth of their size, for what is near.

    It names more candidates than are asked for and ranks them by cosines computed from the
    vectors themselves. The two bits are summed from tables by shuffles of bytes within registers
    (André, Kermarrec and Le Scouarnec 2015). Vectors of zeros and such that are not finite are
    never found.
    """

    def __init__(self, index: Any, usable: NDArray[np.bool_], d: int) -> None:
        self._index = index  # of faiss, which has no types; of the usable rows only
        self._usable = usable
        self._row_of: Rows = np.flatnonzero(usable)
        self._d = d

    @property
    def rows(self) -> int:
        """How many vectors were given, in the order of their rows."""
        return len(self._usable)

    @staticmethod
    def build(vectors: Floats) -> "SearchIndex":
        """Index all of `vectors` (n, d), which may be memory-mapped; 6 s for a million of 384."""
        d = vectors.shape[1]
        levels = _levels(vectors[:: max(1, len(vectors) // _TRAINING_ROWS)])
        made = SearchIndex(_scanned(_coded(levels)), np.empty(0, np.bool_), d)
        made.add(vectors)
        return made

    def add(self, vectors: Floats) -> None:
        """Index `vectors` (m, d) as the rows that follow."""
        levels = _levels_of(self._index)
        coded = _coded(levels)
        usable = [self._usable]
        for start in range(0, len(vectors), _BLOCK):
            block, is_usable = _unit(vectors[start : start + _BLOCK])
            coded.add_sa_codes(_codes(_wide(block[is_usable]), levels))
            usable.append(is_usable)
        if self._index.ntotal:
            self._index.merge_from(_scanned(coded))
        else:
            self._index = _scanned(coded)
        self._usable = np.concatenate(usable)
        self._row_of = np.flatnonzero(self._usable)

    def to_bytes(self) -> bytes:
        """The index as bytes, to be kept in a file of any name."""
        import faiss

        told = np.packbits(self._usable).tobytes() + bytes(faiss.serialize_index(self._index))
        return _HEAD.pack(_MAGIC, self.rows, self._d, zlib.crc32(told)) + told

    @staticmethod
    def from_bytes(told: bytes) -> "SearchIndex":
        """The index that `to_bytes` told of; raise `ValueError` if it was something else."""
        import faiss

        if len(told) < _HEAD.size or _HEAD.unpack_from(told)[0] != _MAGIC:
            raise ValueError("these bytes are no search index")
        _, rows, d, crc = _HEAD.unpack_from(told)
        rest = memoryview(told)[_HEAD.size :]
        if zlib.crc32(rest) != crc:
            raise ValueError("these bytes are a damaged search index")
        size = (rows + 7) // 8
        usable = np.unpackbits(np.frombuffer(rest[:size], np.uint8), count=rows).astype(np.bool_)
        return SearchIndex(faiss.deserialize_index(np.frombuffer(rest[size:], np.uint8)), usable, d)

    def search(
        self, query: Floats, vectors: Floats, *, k: int, among: Rows | None = None
    ) -> tuple[Rows, Floats]:
        """Find the up to `k` rows nearest to `query` (d,): rows and cosines (m,), best first.

        `vectors` are those indexed. With `among` only these rows are looked at: all of them
        exactly if they are few. Equal cosines come by ascending row. Without a usable query
        there is no answer. Takes some 14 ms on one thread for a million vectors of 384 numbers,
        and reads 600 + 18 k of the vectors.
        """
        units, usable = _unit(query[None, :])
        if not usable[0] or k < 1:
            return np.empty(0, np.int64), np.empty(0, np.float32)
        wanted = int((_LEAST + _PER_FOUND * k) * max(1, _USUAL / self._d))
        if among is None:
            near = self._near(units, wanted)
        else:
            among = np.unique(among)
            among = among[(among >= 0) & (among < self.rows)]
            if len(among) <= _DIRECT:
                near = _near(units[0], vectors, among, wanted)
            else:
                near = self._near_among(units, wanted, among)
        return _ranked(query, vectors, near, k)

    def _near(self, units: Floats, wanted: int) -> Rows:
        """The `wanted` rows that look nearest."""
        most = min(wanted, self._index.ntotal)
        if not most:
            return np.empty(0, np.int64)
        found: Rows = self._index.search(_wide(units), most)[1][0]
        return self._row_of[found[found >= 0]]

    def _near_among(self, units: Floats, wanted: int, among: Rows) -> Rows:
        """The `wanted` of these rows that look nearest: from ever more of all, until they are."""
        allowed = np.zeros(self.rows, np.bool_)
        allowed[among] = True
        most = int(wanted * _SPARE * self.rows / max(1, len(among)))
        while True:
            found = self._near(units, most)
            kept = found[allowed[found]]
            if len(kept) >= wanted or most >= self._index.ntotal:
                return kept[:wanted]
            most *= _WIDER


def _levels(sample: Floats) -> Floats:
    """The four values (d, 4) that each number of a vector is told by, from a sample of them."""
    units, usable = _unit(sample)
    n, d = int(usable.sum()), units.shape[1]
    total = n + _PRIOR_ROWS
    mean = units.sum(axis=0, dtype=np.float64) / total
    squares = (np.einsum("ij,ij->j", units, units, dtype=np.float64) + _PRIOR_ROWS / d) / total
    spread = np.sqrt(squares - mean**2)
    levels = mean[:, None] + spread[:, None] * _LEVELS
    return _wide(levels.astype(np.float32).T).T


def _levels_of(index: Any) -> Floats:
    """The levels that an index was made with."""
    import faiss

    pairs = faiss.vector_to_array(index.pq.centroids).reshape(-1, 16, 2)
    levels: Floats = np.stack([pairs[:, :4, 0], pairs[:, ::4, 1]], 1).reshape(-1, 4)
    return levels


def _coded(levels: Floats) -> Any:
    """An index of faiss that takes codes: two numbers, of four levels each, to a code of 16."""
    import faiss

    pairs = np.empty((len(levels) // 2, 16, 2), np.float32)
    code = np.arange(16)
    pairs[:, :, 0], pairs[:, :, 1] = levels[0::2, code % 4], levels[1::2, code // 4]
    coded: Any = faiss.IndexPQ(len(levels), len(pairs), 4, faiss.METRIC_INNER_PRODUCT)
    faiss.copy_array_to_vector(pairs.ravel(), coded.pq.centroids)
    coded.is_trained = True
    return coded


def _scanned(coded: Any) -> Any:
    """The same codes, laid out for registers."""
    import faiss

    return faiss.IndexPQFastScan(coded)


def _codes(block: Floats, levels: Floats) -> Bytes:
    """The nearest levels of each number, four numbers to a byte."""
    nearest = np.zeros(block.shape, np.uint8)
    for lower, upper in zip(levels.T, levels.T[1:], strict=False):
        nearest += block > (lower + upper) / 2
    codes = nearest[:, 0::4] | nearest[:, 1::4] << 2
    codes |= nearest[:, 2::4] << 4 | nearest[:, 3::4] << 6
    return np.ascontiguousarray(codes)


def _wide(block: Floats) -> Floats:
    """The rows with zeros behind them, so that they fill whole bytes."""
    missing = -block.shape[1] % _NUMBERS
    return np.pad(block, ((0, 0), (0, missing))) if missing else block


def _near(unit: Floats, vectors: Floats, among: Rows, wanted: int) -> Rows:
    """The `wanted` rows with the highest quick products, in any order."""
    products = np.empty(len(among), np.float32)
    for part, block, usable in _blocks(vectors, among):
        products[part] = np.where(usable, block @ unit, -np.inf)
    if len(among) <= wanted:
        return among
    return among[np.argpartition(-products, wanted - 1)[:wanted]]


def _blocks(vectors: Floats, rows: Rows) -> Iterator[tuple[slice, Floats, NDArray[np.bool_]]]:
    for start in range(0, len(rows), _BLOCK):
        part = slice(start, start + _BLOCK)
        yield part, *_unit(vectors[rows[part]])


def _ranked(query: Floats, vectors: Floats, rows: Rows, k: int) -> tuple[Rows, Floats]:
    """The best `k` of `rows` by their exact cosines."""
    rows = np.sort(rows)
    exact, wanted = np.asarray(vectors[rows], np.float64), query.astype(np.float64)
    with np.errstate(all="ignore"):
        lengths = np.sqrt(np.einsum("ij,ij->i", exact, exact) * (wanted @ wanted))
        cosine = np.clip((exact @ wanted) / lengths, -1, 1).astype(np.float32)
    usable = np.isfinite(cosine)
    rows, cosine = rows[usable], cosine[usable]
    best = np.argsort(-cosine, kind="stable")[:k]
    return rows[best], cosine[best]


def _unit(vectors: Floats) -> tuple[Floats, NDArray[np.bool_]]:
    """The vectors at length 1, and which of them can be: the others become zeros."""
    block = np.array(vectors, np.float32)
    with np.errstate(over="ignore", invalid="ignore"):
        squares = np.einsum("ij,ij->i", block, block)
    usable: NDArray[np.bool_] = np.isfinite(squares) & (squares > 0)
    block[~usable] = 0
    block[usable] /= np.sqrt(squares[usable])[:, None]
    return block, usable
