"""Which figures tell how good scores are, by name; each is a function of gold and scores."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from core.evaluation.comparing import Figure
from core.evaluation.metrics import average_precision, best_f1, pearson, spearman
from core.evaluation.roc import FEW_FALSE, area_under_roc
from core.evaluation.scoring import Scored
from core.evaluation.thresholds import accuracy_at, apply_threshold, best_accuracy, majority

Numbers: TypeAlias = NDArray[np.float64]

METRICS = (
    "spearman",
    "pearson",
    "similarities",
    "average-precision",
    "f1",
    "accuracy",
    "auc",
    "auc05",
    "majority",
)
FOR_SCORES = ("spearman", "pearson", "similarities")  # the others want labels; these take both


@dataclass(frozen=True, slots=True)
class NamedFigure:
    """One number of an outcome."""

    name: str
    figure: Figure
    column: str = ""  # the similarity it is taken of, the first one where empty
    is_compared: bool = True  # False for thresholds and floors, whose difference says nothing


@dataclass(frozen=True, slots=True)
class Dev:
    """The pairs that thresholds are chosen on."""

    gold: Numbers
    scores: Numbers


def usual_metrics(kind: str) -> tuple[str, ...]:
    """Return what is told where nothing is asked for."""
    return ("average-precision", "f1") if kind == "label" else ("spearman", "pearson")


def named_figures(
    metrics: Iterable[str], scored: Scored, dev: Dev | None = None
) -> tuple[NamedFigure, ...]:
    """Return the figures of the metrics, in order; one metric may have several.

    With `dev`, the thresholds of `f1` and `accuracy` are chosen there and stay as they are;
    without, they are chosen on the very pairs that are judged, which flatters.
    """
    ways: Mapping[str, Callable[[], tuple[NamedFigure, ...]]] = {
        "spearman": lambda: (NamedFigure("spearman", spearman),),
        "pearson": lambda: (NamedFigure("pearson", pearson),),
        "similarities": lambda: _similarities(scored),
        "average-precision": lambda: (NamedFigure("average_precision", average_precision),),
        "f1": lambda: _f1(dev),
        "accuracy": lambda: _accuracy(dev),
        "auc": lambda: (NamedFigure("auc", area_under_roc),),
        "auc05": lambda: (NamedFigure("auc05", _few_false),),
        "majority": lambda: _majority(dev),
    }
    return tuple(figure for metric in metrics for figure in ways[metric]())


def _similarities(scored: Scored) -> tuple[NamedFigure, ...]:
    return tuple(
        NamedFigure(f"{name}_{column}", figure, column)
        for column in scored.columns
        for name, figure in (("spearman", spearman), ("pearson", pearson))
    )


def _f1(dev: Dev | None) -> tuple[NamedFigure, ...]:
    if dev is None:
        return (
            NamedFigure("f1", lambda gold, scores: best_f1(gold, scores).f1),
            _told("threshold", lambda gold, scores: best_f1(gold, scores).threshold),
            _told("precision", lambda gold, scores: best_f1(gold, scores).precision),
            _told("recall", lambda gold, scores: best_f1(gold, scores).recall),
        )
    at = best_f1(dev.gold, dev.scores).threshold
    return (
        NamedFigure("f1", lambda gold, scores: apply_threshold(gold, scores, at).f1),
        _told("threshold", lambda gold, scores: at),
        NamedFigure("precision", lambda gold, scores: apply_threshold(gold, scores, at).precision),
        NamedFigure("recall", lambda gold, scores: apply_threshold(gold, scores, at).recall),
    )


def _accuracy(dev: Dev | None) -> tuple[NamedFigure, ...]:
    if dev is None:
        return (
            NamedFigure("accuracy", lambda gold, scores: best_accuracy(gold, scores).accuracy),
            _told("accuracy_threshold", lambda gold, scores: best_accuracy(gold, scores).threshold),
        )
    at = best_accuracy(dev.gold, dev.scores).threshold
    return (
        NamedFigure("accuracy", lambda gold, scores: accuracy_at(gold, scores, at)),
        _told("accuracy_threshold", lambda gold, scores: at),
    )


def _majority(dev: Dev | None) -> tuple[NamedFigure, ...]:
    def accuracy(gold: Numbers, _: Numbers) -> float:
        learnt_from = None if dev is None else dev.gold.tolist()
        return majority(gold.tolist(), learnt_from=learnt_from).accuracy

    def f1_of_all(gold: Numbers, _: Numbers) -> float:
        return apply_threshold(gold, np.zeros(len(gold)), 0.0).f1

    return (_told("majority_accuracy", accuracy), _told("all_same_f1", f1_of_all))


def _few_false(gold: Numbers, scores: Numbers) -> float:
    return area_under_roc(gold, scores, most_false=FEW_FALSE)


def _told(name: str, figure: Figure) -> NamedFigure:
    return NamedFigure(name, figure, is_compared=False)
