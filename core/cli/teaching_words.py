"""What the command says of a training, in plain words."""

from typing import Any

from core.cli.words import counted
from core.workflows.examples_desk import CheckOutcome
from core.workflows.teaching import TeachOutcome

_MARKS = {"stops": "✗", "warns": "!", "tells": "·"}


def taught_words(told: TeachOutcome) -> str:
    """What came of it: before and after, and what to know of the figures."""
    figures = told.figures
    examples = counted(told.pairs, "example")
    lines = [
        f"Taught by {examples} in {figures['seconds']:.0f} s, {figures['title']}: {told.folder}"
    ]
    lines += [_stage_words(place, stage) for place, stage in enumerate(figures["stages"], 1)]
    lines += _figure_words(figures)
    apart = figures["apart"]
    if apart is not None:
        lines.append(
            f"On the {apart['examples']:,} that share no text with those learnt from: "
            f"{_change_words(apart)}."
        )
    notes = (figures["note"], *figures["overlap"], *figures["notes"])
    lines += [line for line in notes if line]
    if figures["stopped"] != "done":
        lines.append(figures["why"])
    return "\n".join(lines)


def check_words(report: CheckOutcome) -> str:
    """The report before a training, the gravest first."""
    lines = [report.sentence]
    if report.costs:
        lines.append(report.costs)
    if report.counts:
        lines.append(", ".join(f"{name}: {count:,}" for name, count in report.counts))
    for found in report.findings:
        lines.append(f"{_MARKS[found['severity']]} {found['sentence']} {found['remedy']}".rstrip())
    return "\n".join(lines)


def recipes_words(listed: dict[str, Any]) -> str:
    """All recipes and when to take which."""
    lines = []
    for recipe in listed["recipes"]:
        objectives = ", ".join(one["name"] for one in recipe["objectives"])
        lines += [
            f"{recipe['name']}: {recipe['title']}",
            f"  {recipe['sentence']}",
            f"  Learns from {recipe['data']}. Objectives: {objectives}.",
        ]
    return "\n".join(lines)


def _figure_words(figures: dict[str, Any]) -> list[str]:
    if figures["before"] is None:
        lines = ["Too few examples to tell whether it got better."]
        if figures["same"] or figures["different"]:
            if not figures["same"]:
                lines.append("None of them says the same; add some that do.")
            elif not figures["different"]:
                lines.append("None of them says different; add some that do.")
        return lines
    kind = figures["judged_by"] if figures["judged_by"] != "labels" else "pairs"
    lines = [
        f"{figures['metric']} on {figures['held_out']:,} {kind} {figures['how']}: "
        f"{_change_words(figures)}."
    ]
    if figures["high"] is not None and figures["high"] < 0:
        lines.append("It got worse; keep the encoder you have.")
    elif figures["low"] is not None and figures["low"] <= 0:
        lines.append("That may be chance.")
    return lines


def _change_words(figures: dict[str, Any]) -> str:
    change = figures["after"] - figures["before"]
    told = f"{figures['before']:.4f} before, {figures['after']:.4f} after ({change:+.4f}"
    if figures["low"] is not None:
        told += f", between {figures['low']:+.4f} and {figures['high']:+.4f}"
    return told + ")"


def _stage_words(place: int, stage: dict[str, Any]) -> str:
    what = " beside ".join(
        f"{title.lower()} ({count:,} examples)"
        for title, count in zip(stage["titles"], stage["examples"], strict=True)
    )
    return f"Stage {place}: {what}, {counted(stage['steps'], 'step')}"
