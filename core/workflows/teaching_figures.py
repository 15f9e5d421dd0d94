"""What a training changed, in plain values: before and after, an interval, telling examples."""

from collections.abc import Callable, Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.evaluation import Difference, average_precision, compare, matching_threshold, spearman
from core.examples import Examples, LabelledPairs, ScoredPairs, Triplets
from core.progress import Steps
from core.training import Judged, Taught, telling_pairs
from core.workflows.gathering import SAME
from core.workflows.label_probing import probabilities_of_labels

Figure = Callable[[NDArray[Any], NDArray[Any]], float]

_TELLING = 20  # examples kept on each side
LABELS = "accuracy of labels"


def metric_of(examples: Examples) -> tuple[str, Figure | None]:
    """What tells good from bad: its name, and a function of gold and cosines.

    The function is nan where it says nothing, and None where no cosine tells: labels are probed.
    """
    if isinstance(examples, Triplets):
        return "triplet accuracy", triplet_share
    if isinstance(examples, ScoredPairs):
        is_decided = examples.is_labelled
        name, function = (
            ("average precision", average_precision) if is_decided else ("Spearman", spearman)
        )
        return name, _of_more_than_one(function)
    return LABELS, None


def figure_of(examples: Examples) -> Figure | None:
    """What is drawn on the way for these examples."""
    return metric_of(examples)[1]


def judged_by(examples: Examples) -> str:
    """What kind of example judges, in a word."""
    if isinstance(examples, Triplets):
        return "triplets"
    return "pairs" if isinstance(examples, ScoredPairs) else "labels"


def triplet_share(_gold: NDArray[Any], nearer: NDArray[Any]) -> float:
    """The share of triplets in the right order; a tie counts half."""
    if not len(nearer):
        return float("nan")
    return float(np.mean((nearer > 0) + 0.5 * (nearer == 0)))


def figures_of(
    taught: Taught, judged: Judged | None, *, base: Path, threshold: float | None, seed: int
) -> Steps[tuple[dict[str, Any], Mapping[str, Any]]]:
    """Return the figures of a training and the examples that changed most.

    `judged` is what was measured. Pairs with labels are probed with the encoder in `base` and
    the new one; costs the encoding of their texts twice.
    """
    told = _told(taught, threshold)
    if judged is None or not _is_measured(judged):
        return told, {"better": [], "worse": []}
    figure_name, figure = metric_of(judged.examples)
    gold = np.ones(len(judged))
    right = judged.before, judged.after
    if isinstance(judged.examples, LabelledPairs):
        judged, right = yield from _probed(taught, judged, base, seed)
        figure = _mean
    elif isinstance(judged.examples, ScoredPairs):
        gold = judged.examples.score.astype(np.float64)
    if figure is None:
        raise ValueError(f"nothing measures {judged.examples.kind}")
    difference = yield from compare(gold, *right, judged.groups, figure=figure)
    told |= {
        "how": "cross-validated" if taught.verdict == "cross-validated" else "held out",
        "metric": figure_name, **_plain(difference), "held_out": len(judged),
        "note": judged.note, "judged_by": judged_by(judged.examples),
    }  # fmt: skip  # one figure after the other
    apart = taught.aside.apart
    if apart is not None and taught.verdict != "cross-validated":
        told["apart"] = yield from _apart(gold, right, judged.groups, apart, figure)
    if isinstance(judged.examples, ScoredPairs) and threshold is not None:
        told |= _thresholds(judged, gold, threshold)
    return told, _examples(judged)


def _told(taught: Taught, threshold: float | None) -> dict[str, Any]:
    fitted, plan = taught.trained.fitted, taught.aside.plan
    drift = None
    if len(fitted.still_before):
        drift = float(np.abs(fitted.still_after - fitted.still_before).mean())
    return {
        "how": "too few to tell", "metric": "", "before": None, "after": None, "low": None,
        "high": None, "held_out": 0, "threshold_before": threshold, "threshold": None,
        "precision": None, "drift": drift, "stopped": fitted.stopped, "why": fitted.why,
        "seconds": taught.trained.seconds, "steps": fitted.steps, "step": fitted.step,
        "cut": fitted.cut, "was_chosen": taught.was_chosen, "note": "", "same": plan.same,
        "different": plan.different, "verdict": taught.verdict, "judged_by": "", "apart": None,
        "overlap": list(taught.aside.overlap), "notes": list(taught.notes), "labels": [],
    }  # fmt: skip  # one figure after the other


def _is_measured(judged: Judged) -> bool:
    """Whether all was measured, which a lesson ended before it began was not, and can tell."""
    if not len(judged.before) == len(judged.after) == len(judged):
        return False
    examples = judged.examples
    return not isinstance(examples, ScoredPairs) or len(np.unique(examples.score)) > 1


def _probed(
    taught: Taught, judged: Judged, base: Path, seed: int
) -> Steps[tuple[Judged, tuple[NDArray[Any], NDArray[Any]]]]:
    """Return how likely the right label is, before and after, and whether the likeliest is it."""
    judge = judged.examples
    learn = taught.aside.learn.labelled[0].examples
    if not isinstance(judge, LabelledPairs):
        raise ValueError("only labelled pairs are probed")
    found = []
    for folder in (base, taught.trained.folder):
        found.append(
            (
                yield from probabilities_of_labels(
                    folder, learn, judge, device=taught.trained.device, seed=seed
                )
            )
        )
    rows = np.arange(len(judge))
    sure = [table[rows, judge.label].astype(np.float32) for table in found]
    right = [(table.argmax(axis=1) == judge.label).astype(np.float64) for table in found]
    return replace(judged, before=sure[0], after=sure[1]), (right[0], right[1])


def _plain(difference: Difference) -> dict[str, Any]:
    return {
        "before": difference.before, "after": difference.after,
        "low": _finite(difference.low), "high": _finite(difference.high),
    }  # fmt: skip  # two and two


def _apart(
    gold: NDArray[Any], right: tuple[NDArray[Any], NDArray[Any]], groups: NDArray[Any],
    apart: NDArray[np.int64], figure: Figure,
) -> Steps[dict[str, Any] | None]:  # fmt: skip  # what all examples have, then the rows
    """The same figures on the examples that share no text with what was learnt from."""
    if not len(apart) or (len(np.unique(gold)) > 1 and len(np.unique(gold[apart])) < 2):
        return None
    difference = yield from compare(
        gold[apart], right[0][apart], right[1][apart], groups[apart], figure=figure
    )
    return {"examples": len(apart), **_plain(difference)}


def _thresholds(judged: Judged, gold: NDArray[Any], threshold: float) -> dict[str, Any]:
    reached = judged.before >= threshold
    return {
        "threshold": matching_threshold(gold, judged.before, judged.after, threshold),
        "precision": float((gold[reached] >= SAME).mean()) if reached.any() else None,
    }


def _examples(judged: Judged) -> Mapping[str, Any]:
    told = telling_pairs(judged, count=_TELLING)
    return {
        "better": [asdict(pair) for pair in told.better],
        "worse": [asdict(pair) for pair in told.worse],
    }


def _of_more_than_one(function: Callable[[NDArray[Any], NDArray[Any]], float]) -> Figure:
    def figure(gold: NDArray[Any], cosines: NDArray[Any]) -> float:
        return float("nan") if len(np.unique(gold)) < 2 else float(function(gold, cosines))

    return figure


def _mean(_gold: NDArray[Any], right: NDArray[Any]) -> float:
    return float(np.mean(right))


def _finite(number: float) -> float | None:
    return float(number) if np.isfinite(number) else None
