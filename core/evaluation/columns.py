"""Two columns of numbers side by side, and how many positives stand above each score."""

import numpy as np
from numpy.typing import ArrayLike, NDArray


def pair_of_columns(a: ArrayLike, b: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return both as float64; raise `ValueError` unless they are finite, equally long and some."""
    first, second = np.asarray(a, np.float64), np.asarray(b, np.float64)
    if first.ndim != 1 or first.shape != second.shape or not len(first):
        raise ValueError(f"two columns of one length are needed, not {first.shape}, {second.shape}")
    if not (np.isfinite(first).all() and np.isfinite(second).all()):
        raise ValueError("every number must be finite")
    return first, second


def ranked_hits(
    labels: ArrayLike, scores: ArrayLike
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
    """Return positives and rows at or above each distinct score, and these scores, falling.

    Labels above 0 are positive. Raises `ValueError` where none is.
    """
    truth, values = pair_of_columns(labels, scores)
    positive = truth > 0
    if not positive.any():
        raise ValueError("no label is positive")
    order = np.argsort(-values, kind="stable")
    values = values[order]
    lasts = np.flatnonzero(np.diff(values, append=-np.inf))
    hits = np.cumsum(positive[order], dtype=np.int64)[lasts]
    return hits, (lasts + 1).astype(np.int64), values[lasts]


def midway(accepted: float, refused: float) -> float:
    """Return the middle of two scores, or the upper one where rounding would give the lower."""
    middle = accepted + (refused - accepted) / 2
    return middle if middle > refused else accepted


def ranks(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return ranks from 1, rising, ties at their mean rank."""
    _, places, counts = np.unique(values, return_inverse=True, return_counts=True)
    found: NDArray[np.float64] = (np.cumsum(counts) - (counts - 1) / 2)[places]
    return found
