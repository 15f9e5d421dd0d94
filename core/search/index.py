"""The texts nearest to a question: a small quantised index names them, exact cosines rank them."""

import struct
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

_MAGIC = b"SSIX1\x00\x00\x00"
_HEAD = struct.Struct("<8sqq")  # magic, rows, numbers per vector
_BLOCK = 8_192  # rows read at once
_TRAINING_ROWS = 100_000  # the range of each number is taken from so many
_ROOM = 0.1  # beyond that range, for vectors that come later
_DIRECT = 50_000  # rows to choose among, up to which the index is no quicker

Rows = NDArray[np.int64]
Floats = NDArray[np.float32]


class SearchIndex:
    """An 8-bit copy of n vectors, a quarter of their size, that finds what is near a query.

    It names more candidates than are asked for and ranks them by cosines computed from the
    vectors themselves. Vectors of zeros and such that are not finite are never found.
    """

    def __init__(self, index: Any, rows: int) -> None:  # a faiss index, which has no types
        self._index = index
        self.rows = rows  # how many vectors were given, in the order of their rows

    @staticmethod
    def build(vectors: Floats) -> "SearchIndex":
        """Index all of `vectors` (n, d), which may be memory-mapped."""
        import faiss

        d = vectors.shape[1]
        flat = faiss.IndexScalarQuantizer(
            d, faiss.ScalarQuantizer.QT_8bit, faiss.METRIC_INNER_PRODUCT
        )
        flat.sq.rangestat_arg = _ROOM
        step = max(1, len(vectors) // _TRAINING_ROWS)
        sample, usable = _unit(vectors[::step])
        # Without anything to learn from, any vector may come.
        anything = np.array([[-1] * d, [1] * d], np.float32)
        flat.train(sample[usable] if usable.any() else anything)
        made = SearchIndex(faiss.IndexIDMap(flat), 0)
        made.add(vectors)
        return made

    def add(self, vectors: Floats) -> None:
        """Index `vectors` (m, d) as the rows that follow."""
        for start in range(0, len(vectors), _BLOCK):
            block, usable = _unit(vectors[start : start + _BLOCK])
            rows = np.flatnonzero(usable) + self.rows
            self._index.add_with_ids(block[usable], rows.astype(np.int64))
            self.rows += len(block)

    def to_bytes(self) -> bytes:
        """The index as bytes, to be kept in a file of any name."""
        import faiss

        head = _HEAD.pack(_MAGIC, self.rows, self._index.d)
        return head + bytes(faiss.serialize_index(self._index))

    @staticmethod
    def from_bytes(told: bytes) -> "SearchIndex":
        """The index that `to_bytes` told of; raise `ValueError` if it was something else."""
        import faiss

        if len(told) < _HEAD.size or _HEAD.unpack_from(told)[0] != _MAGIC:
            raise ValueError("these bytes are no search index")
        _, rows, d = _HEAD.unpack_from(told)
        try:
            index = faiss.deserialize_index(np.frombuffer(told, np.uint8, offset=_HEAD.size))
        except RuntimeError as fault:
            raise ValueError("these bytes are a damaged search index") from fault
        if index.d != d or index.ntotal > rows:
            raise ValueError("these bytes are a damaged search index")
        return SearchIndex(index, rows)

    def search(
        self, query: Floats, vectors: Floats, *, k: int, among: Rows | None = None
    ) -> tuple[Rows, Floats]:
        """Find the up to `k` rows nearest to `query` (d,): rows and cosines (m,), best first.

        `vectors` are those indexed. With `among` only these rows are looked at: all of them
        exactly if they are few. Equal cosines come by ascending row. Without a usable query
        there is no answer.
        """
        units, usable = _unit(query[None, :])
        if not usable[0] or k < 1:
            return np.empty(0, np.int64), np.empty(0, np.float32)
        if among is not None:
            among = np.unique(among)
            among = among[(among >= 0) & (among < self.rows)]
        wanted = 4 * k + 64
        if among is not None and len(among) <= _DIRECT:
            near = _near(units[0], vectors, among, wanted)
        else:
            near = self._near(units, wanted, among)
        return _ranked(query, vectors, near, k)

    def _near(self, units: Floats, wanted: int, among: Rows | None) -> Rows:
        import faiss

        given = None
        if among is not None:
            allowed = np.zeros(self.rows, np.bool_)
            allowed[among] = True
            bits = np.packbits(allowed, bitorder="little")
            # The selector must outlive the search, which holds no reference to it.
            selector = faiss.IDSelectorBitmap(len(bits), faiss.swig_ptr(bits))
            given = faiss.SearchParameters()
            given.sel = selector
        most = min(wanted, self._index.ntotal)
        if not most:
            return np.empty(0, np.int64)
        found: Rows = self._index.search(units, most, params=given)[1][0]
        return found[found >= 0]


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
