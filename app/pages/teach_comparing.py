"""Two trainings, or a training and the encoder it began with, figure by figure."""

from math import isnan, nan

from app.look.words import count
from app.pages.teach_words import (
    change_said,
    drift_said,
    metric_of,
    result_tag,
    score_said,
    signed,
)
from app.sheets.compare_training import Comparison
from core.store import TrainingRecord

_NONE = "–"


def with_base(record: TrainingRecord) -> Comparison:
    """A training beside the encoder it began with."""
    figures = record.figures
    if not score_said(figures):
        return Comparison((), "Nothing was tested, so there are no figures to compare.")
    rows = [
        (metric_of(figures), f"{figures['after']:.2f}", f"{figures['before']:.2f}"),
        ("Difference", change_said(figures), _NONE),
        ("What that means", result_tag(figures).words, _NONE),
    ]
    apart = figures.get("apart")
    if apart:
        rows.append(("No text in common", f"{apart['after']:.2f}", f"{apart['before']:.2f}"))
    rows.append(("Judged by", _held(record), _held(record)))
    if drift_said(figures):
        rows.append(("Random pairs moved by", f"{figures['drift']:.3f}", "0"))
    threshold, before = figures.get("threshold"), figures.get("threshold_before")
    if threshold is not None:
        was = _NONE if before is None else f"{before:.2f}"
        rows.append(("Threshold of equal precision", f"{threshold:.2f}", was))
    return Comparison(
        tuple(rows),
        f"Both were judged by the same {_held(record)}; the interval is of the difference.",
    )


def with_other(record: TrainingRecord, other: TrainingRecord) -> Comparison:
    """Two trainings side by side, each against the encoder it began with."""
    pair = (record, other)
    rows = [
        (title, tell(record), tell(other))
        for title, tell in (
            ("Recipe", lambda one: str(one.how.get("title") or _NONE)),
            ("Began with", lambda one: one.base_name),
            ("Score", lambda one: score_said(one.figures) or _NONE),
            ("Change", lambda one: change_said(one.figures) or _NONE),
            ("What that means", lambda one: result_tag(one.figures).words),
            ("No text in common", _apart),
            ("Judged by", _held),
            ("Practised on", lambda one: count(int(one.data.get("trained_on") or 0))),
            ("Random pairs moved by", _drift),
        )
    ]
    return Comparison(tuple(rows), _comparable(*pair))


def _comparable(one: TrainingRecord, other: TrainingRecord) -> str:
    if not (score_said(one.figures) and score_said(other.figures)):
        return "At least one of them was not tested, so they cannot be compared."
    if one.figures.get("metric") != other.figures.get("metric"):
        return "They were judged by different measures, so their scores cannot be compared."
    if _judges(one) == _judges(other):
        return _difference(one, other)
    return (
        "They were judged by different examples, so only a large difference means something; each "
        "interval is against the encoder it began with."
    )


def _difference(one: TrainingRecord, other: TrainingRecord) -> str:
    """Which is better, as far as the intervals of both against one base can tell."""
    change = one.figures["after"] - other.figures["after"]
    told = f"Judged by the same examples, {one.name} stands {signed(change)} against {other.name}"
    (low, high), (other_low, other_high) = map(_interval, (one, other))
    if one.base_folder != other.base_folder or isnan(low + high + other_low + other_high):
        return f"{told}."
    if max(low, other_low) <= min(high, other_high):
        return f"{told}; their intervals overlap, so it may be chance."
    return f"{told}; their intervals do not overlap."


def _interval(record: TrainingRecord) -> tuple[float, float]:
    low, high = record.figures.get("low"), record.figures.get("high")
    return (nan, nan) if low is None or high is None else (float(low), float(high))


def _judges(record: TrainingRecord) -> tuple[object, ...]:
    """What tells whether two trainings were judged by the same examples."""
    asked = record.how.get("asked") or {}
    brought = record.data.get("files") or ()
    files = tuple((file.get("sha256"), file.get("examples")) for file in brought)
    return (
        files, record.data.get("decisions"), record.options.get("seed"),
        record.options.get("held_out"), record.figures.get("held_out"), asked.get("test"),
        asked.get("dev"), asked.get("split"), record.how.get("recipe"),
    )  # fmt: skip  # one value after the other


def _apart(record: TrainingRecord) -> str:
    apart = record.figures.get("apart")
    return f"{apart['before']:.2f} → {apart['after']:.2f}" if apart else _NONE


def _held(record: TrainingRecord) -> str:
    held = int(record.figures.get("held_out") or 0)
    how = " by turns" if record.figures.get("how") == "cross-validated" else ""
    return f"{count(held)} examples{how}" if held else _NONE


def _drift(record: TrainingRecord) -> str:
    drift = record.figures.get("drift")
    return _NONE if drift is None else f"{drift:.3f}"
