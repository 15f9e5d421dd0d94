"""The curve of true against false positives, and the areas below it.

A step takes all rows of one score. Where p positives and n negatives tie, no order among them
is known; taken in random order, the expected curve runs straight from one corner of the step to
the other, so points are joined by lines. The whole area then is the share of (positive,
negative) pairs in the right order, ties counting half.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from core.evaluation.columns import ranked_hits

FEW_FALSE = 0.05  # the rate up to which Augmented SBERT takes the area


def roc_curve(
    labels: ArrayLike, scores: ArrayLike
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return false and true positive rates, both rising from 0 to 1, one point per score.

    Raises `ValueError` unless both labels are there.
    """
    hits, taken, _ = ranked_hits(labels, scores)
    wrong = taken - hits
    if not wrong[-1]:
        raise ValueError("no label is negative")
    return np.append(0.0, wrong / wrong[-1]), np.append(0.0, hits / hits[-1])


def area_under_roc(labels: ArrayLike, scores: ArrayLike, *, most_false: float = 1.0) -> float:
    """Return the area under the curve up to the false positive rate `most_false`, divided by it.

    With 0.05 this is the AUC(0.05) of Augmented SBERT (arXiv 2010.08240, section 4): 1 is
    perfect, and chance gives `most_false` / 2. The curve is cut where it crosses the rate, on a
    step by its line. Raises `ValueError` unless both labels are there and 0 < `most_false` ≤ 1.
    """
    if not 0 < most_false <= 1:
        raise ValueError(f"a rate above 0 and up to 1 is needed, not {most_false}")
    false, true = roc_curve(labels, scores)
    within = int(np.searchsorted(false, most_false, side="right"))
    if within == len(false):
        return _area(false, true) / most_false
    share = (most_false - false[within - 1]) / (false[within] - false[within - 1])
    cut = true[within - 1] + share * (true[within] - true[within - 1])
    height = np.append(true[:within], cut)
    return _area(np.append(false[:within], most_false), height) / most_false


def _area(across: NDArray[np.float64], height: NDArray[np.float64]) -> float:
    return float((np.diff(across) * (height[1:] + height[:-1])).sum() / 2)
