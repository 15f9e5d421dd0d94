"""Figures over arrays of scores; none depends on the order of the rows.

They are those of Sentence-BERT (arXiv 1908.10084, sections 4 and 5) and Augmented SBERT
(arXiv 2010.08240, section 4): correlation for scored pairs, average precision and the best F1
for labelled ones. Thresholds that come from other pairs are in `thresholds`, the curve of false
positives in `roc`.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from core.evaluation.columns import midway, pair_of_columns, ranked_hits, ranks


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
    first, second = pair_of_columns(a, b)
    if first.min() == first.max() or second.min() == second.max():
        return float("nan")  # the mean of equal numbers may differ from them by rounding
    first, second = first - first.mean(), second - second.mean()
    scale = float(np.linalg.norm(first) * np.linalg.norm(second))
    return float(first @ second) / scale if scale else float("nan")


def spearman(a: ArrayLike, b: ArrayLike) -> float:
    """Return the correlation of ranks, ties at their mean rank; nan where a side never varies."""
    first, second = pair_of_columns(a, b)
    return pearson(ranks(first), ranks(second))


def average_precision(labels: ArrayLike, scores: ArrayLike) -> float:
    """Return the mean precision over the positives, best score first.

    Equal scores are taken at one step, so the order of tied rows cannot matter. Raises
    `ValueError` where no label is positive.
    """
    hits, taken, _ = ranked_hits(labels, scores)
    gained = np.diff(hits, prepend=0)
    return float((gained * hits / taken).sum() / hits[-1])


def best_f1(labels: ArrayLike, scores: ArrayLike) -> BestF1:
    """Return the best F1 over all thresholds, with the highest threshold that reaches it.

    The threshold lies midway between the lowest accepted and the highest refused score. It is
    chosen on these very pairs: choose on one set, apply to another. Raises `ValueError` where
    no label is positive.
    """
    hits, taken, values = ranked_hits(labels, scores)
    f1 = 2 * hits / (taken + hits[-1])
    best = int(np.argmax(f1))
    is_last = best + 1 == len(values)
    return BestF1(
        f1=float(f1[best]),
        threshold=float(values[best] if is_last else midway(values[best], values[best + 1])),
        precision=float(hits[best] / taken[best]),
        recall=float(hits[best] / hits[-1]),
    )
