"""How alike two vectors are: the four similarities of Sentence-BERT (arXiv 1908.10084, section 4).

Larger always means more alike, so distances are negated. Vectors are taken as they are: on
vectors of length 1 the first three rank pairs alike, on raw ones each ranks in its own way.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Vectors: TypeAlias = NDArray[np.float32]
Places: TypeAlias = NDArray[np.int64]
Similarity: TypeAlias = Callable[[Vectors, Vectors], NDArray[np.float64]]
_Rows: TypeAlias = NDArray[np.float64]

_NUMBERS_AT_ONCE = 1 << 20  # of either side, held in float64 while they are compared


def cosine(left: Vectors, right: Vectors) -> NDArray[np.float64]:
    """Return ⟨u, v⟩ / (‖u‖ ‖v‖) of each pair of rows of (n, d); 0 where a row is all zeros."""
    return _of_rows(left, right, _cosine)


def dot(left: Vectors, right: Vectors) -> NDArray[np.float64]:
    """Return ⟨u, v⟩ of each pair of rows of (n, d)."""
    return _of_rows(left, right, _dot)


def negative_euclidean(left: Vectors, right: Vectors) -> NDArray[np.float64]:
    """Return -‖u - v‖₂ of each pair of rows of (n, d)."""
    return _of_rows(left, right, _euclidean)


def negative_manhattan(left: Vectors, right: Vectors) -> NDArray[np.float64]:
    """Return -‖u - v‖₁ of each pair of rows of (n, d)."""
    return _of_rows(left, right, _manhattan)


SIMILARITIES: Mapping[str, Similarity] = {
    "cosine": cosine,
    "dot": dot,
    "euclidean": negative_euclidean,
    "manhattan": negative_manhattan,
}


def similarities_of_pairs(
    vectors: Vectors, left: Places, right: Places, names: Iterable[str] = tuple(SIMILARITIES)
) -> dict[str, NDArray[np.float64]]:
    """Return each named similarity of the pairs (`left[i]`, `right[i]`) of rows of `vectors`.

    Rows are fetched a part at a time, so that the pairs may far outnumber the vectors.
    """
    if len(left) != len(right):
        raise ValueError(f"{len(left)} rows cannot be paired with {len(right)}")
    found = {name: np.empty(len(left)) for name in names}
    for part in _parts(len(left), vectors.shape[1]):
        first, second = vectors[left[part]], vectors[right[part]]
        for name, column in found.items():
            column[part] = SIMILARITIES[name](first, second)
    return found


def _of_rows(
    left: Vectors, right: Vectors, measure: Callable[[_Rows, _Rows], _Rows]
) -> NDArray[np.float64]:
    if left.ndim != 2 or left.shape != right.shape:
        raise ValueError(f"two matrices of one shape are needed, not {left.shape}, {right.shape}")
    found = np.empty(len(left))
    for part in _parts(*left.shape):
        found[part] = measure(left[part].astype(np.float64), right[part].astype(np.float64))
    if not np.isfinite(found).all():
        raise ValueError("every number must be finite")
    return found


def _parts(rows: int, width: int) -> Iterable[slice]:
    at_once = max(1, _NUMBERS_AT_ONCE // max(width, 1))
    return (slice(first, first + at_once) for first in range(0, rows, at_once))


def _dot(left: _Rows, right: _Rows) -> _Rows:
    found: _Rows = np.einsum("ij,ij->i", left, right)
    return found


def _cosine(left: _Rows, right: _Rows) -> _Rows:
    lengths = np.linalg.norm(left, axis=1) * np.linalg.norm(right, axis=1)
    return _dot(left, right) / np.where(lengths == 0, 1, lengths)


def _euclidean(left: _Rows, right: _Rows) -> _Rows:
    found: _Rows = -np.linalg.norm(left - right, axis=1)
    return found


def _manhattan(left: _Rows, right: _Rows) -> _Rows:
    found: _Rows = -np.abs(left - right).sum(axis=1)
    return found
