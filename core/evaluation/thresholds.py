"""Labels from scores: a threshold chosen on some pairs and applied to others.

Pairs at or above a threshold count as the same; labels above 0 mean the same.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from core.evaluation.columns import midway, pair_of_columns


@dataclass(frozen=True, slots=True)
class AtThreshold:
    """What a given threshold does to some pairs; precision is 0 where it takes none."""

    threshold: float
    f1: float
    precision: float
    recall: float


@dataclass(frozen=True, slots=True)
class BestAccuracy:
    """The best accuracy over all thresholds, and the highest threshold that reaches it."""

    accuracy: float
    threshold: float


@dataclass(frozen=True, slots=True)
class Majority:
    """The most frequent label, and how often always saying it is right."""

    label: Hashable
    accuracy: float


def apply_threshold(labels: ArrayLike, scores: ArrayLike, threshold: float) -> AtThreshold:
    """Return F1, precision and recall at a threshold that was chosen elsewhere.

    F1 is 2 hits / (taken + positives). Choose with `best_f1` on dev, as Augmented SBERT does
    (arXiv 2010.08240, section 4). Raises `ValueError` where no label is positive.
    """
    truth, values = pair_of_columns(labels, scores)
    positive, taken = truth > 0, values >= threshold
    if not positive.any():
        raise ValueError("no label is positive")
    hits, chosen, all_same = (int(rows.sum()) for rows in (positive & taken, taken, positive))
    return AtThreshold(
        threshold=float(threshold),
        f1=2 * hits / (chosen + all_same),
        precision=hits / chosen if chosen else 0.0,
        recall=hits / all_same,
    )


def accuracy_at(labels: ArrayLike, scores: ArrayLike, threshold: float) -> float:
    """Return the share of pairs that a threshold labels rightly."""
    truth, values = pair_of_columns(labels, scores)
    return float(((truth > 0) == (values >= threshold)).mean())


def best_accuracy(labels: ArrayLike, scores: ArrayLike) -> BestAccuracy:
    """Return the best accuracy over all thresholds, those that take nothing or all included.

    The threshold lies midway between the lowest accepted and the highest refused score; one
    that takes nothing lies just above the highest.
    """
    truth, values = pair_of_columns(labels, scores)
    order = np.argsort(-values, kind="stable")
    values, positive = values[order], truth[order] > 0
    lasts = np.flatnonzero(np.diff(values, append=-np.inf))
    gains = np.cumsum(np.where(positive, 1, -1))[lasts]
    right = np.append(0, gains) + int((~positive).sum())
    best = int(np.argmax(right))
    steps = values[lasts]
    if best == 0:
        threshold = float(np.nextafter(steps[0], np.inf))
    elif best == len(steps):
        threshold = float(steps[-1])
    else:
        threshold = midway(steps[best - 1], steps[best])
    return BestAccuracy(float(right[best] / len(truth)), float(threshold))


def majority(
    labels: Sequence[Hashable], *, learnt_from: Sequence[Hashable] | None = None
) -> Majority:
    """Return what always saying the most frequent label gives, the floor of every accuracy.

    The label is the most frequent of `learnt_from`, where given, else of `labels` themselves;
    of equally frequent ones the one seen first. Raises `ValueError` without labels.
    """
    seen = labels if learnt_from is None else learnt_from
    if not len(labels) or not len(seen):
        raise ValueError("at least one label is needed")
    counts: dict[Hashable, int] = {}
    for label in seen:
        counts[label] = counts.get(label, 0) + 1
    most = max(counts, key=lambda label: counts[label])
    return Majority(most, sum(label == most for label in labels) / len(labels))
