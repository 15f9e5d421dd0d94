"""Figures over arrays of scores; none depends on the order of the rows.

They are those of Sentence-BERT (arXiv 1908.10084, sections 4 and 5) and Augmented SBERT
(arXiv 2010.08240, section 4): correlation for scored pairs, average precision and the best F1
for labelled ones.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray


class BestF1(NamedTuple):
    """The best F1 over all thresholds and where it lies; pairs at or above count as the same."""

    f1: float
    threshold: float
    precision: float
    recall: float


def pair_scores(left: NDArray[np.float32], right: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the cosine of each pair of rows; the rows must have length 1."""
    cosines: NDArray[np.float32] = np.einsum("ij,ij->i", left, right)
    return cosines


def pearson(a: ArrayLike, b: ArrayLike) -> float:
    """Return the linear correlation, -1 to 1; nan where either side never varies."""
    first, second = _pair_of_columns(a, b)
    first, second = first - first.mean(), second - second.mean()
    scale = float(np.linalg.norm(first) * np.linalg.norm(second))
    return float(first @ second) / scale if scale else float("nan")


def spearman(a: ArrayLike, b: ArrayLike) -> float:
    """Return the correlation of ranks, ties at their mean rank; nan where a side never varies."""
    first, second = _pair_of_columns(a, b)
    return pearson(_ranks(first), _ranks(second))


def average_precision(labels: ArrayLike, scores: ArrayLike) -> float:
    """Return the mean precision over the positives, best score first.

    Equal scores are taken at one step, so the order of tied rows cannot matter. Raises
    `ValueError` where no label is positive.
    """
    hits, taken, _ = _steps(labels, scores)
    gained = np.diff(hits, prepend=0)
    return float((gained * hits / taken).sum() / hits[-1])


def best_f1(labels: ArrayLike, scores: ArrayLike) -> BestF1:
    """Return the best F1 over all thresholds, with the highest threshold that reaches it.

    The threshold lies midway between the lowest accepted and the highest refused score. It is
    chosen on these very pairs: choose on one set, apply to another. Raises `ValueError` where
    no label is positive.
    """
    hits, taken, values = _steps(labels, scores)
    f1 = 2 * hits / (taken + hits[-1])
    best = int(np.argmax(f1))
    below = values[best + 1] if best + 1 < len(values) else values[best]
    return BestF1(
        f1=float(f1[best]),
        threshold=float((values[best] + below) / 2),
        precision=float(hits[best] / taken[best]),
        recall=float(hits[best] / hits[-1]),
    )


def _steps(
    labels: ArrayLike, scores: ArrayLike
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
    """Return positives and rows at or above each distinct score, and these scores, falling."""
    truth, values = _pair_of_columns(labels, scores)
    positive = truth > 0
    if not positive.any():
        raise ValueError("no label is positive")
    order = np.argsort(-values, kind="stable")
    values = values[order]
    lasts = np.flatnonzero(np.diff(values, append=-np.inf))
    hits = np.cumsum(positive[order], dtype=np.int64)[lasts]
    return hits, (lasts + 1).astype(np.int64), values[lasts]


def _ranks(values: NDArray[np.float64]) -> NDArray[np.float64]:
    _, places, counts = np.unique(values, return_inverse=True, return_counts=True)
    ranks: NDArray[np.float64] = (np.cumsum(counts) - (counts - 1) / 2)[places]
    return ranks


def _pair_of_columns(a: ArrayLike, b: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    first, second = np.asarray(a, np.float64), np.asarray(b, np.float64)
    if first.ndim != 1 or first.shape != second.shape or not len(first):
        raise ValueError(f"two columns of one length are needed, not {first.shape}, {second.shape}")
    if not (np.isfinite(first).all() and np.isfinite(second).all()):
        raise ValueError("every number must be finite")
    return first, second
