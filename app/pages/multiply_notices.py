"""What the multiply page says on its banner when a step has ended."""

from collections.abc import Mapping
from typing import Any

from app.jobs import JobEnd
from app.look.words import counted
from app.pages.multiply_result import change_said, paid_said
from app.pages.multiply_words import verdict_said
from app.pages.teach_notices import Notice
from app.widgets.banner import BannerKind

_SAFE = "Your decisions and the encoder in use are untouched."
_CANCELLED = {
    "augment-measure": "Cancelled. Nothing was kept of the comparison.",
    "augment-label": "Cancelled. The labels made so far are kept: with the same choices labelling "
    "goes on where it was.",
    "augment-learn": "Cancelled. What was learnt so far is kept: asked again, teaching goes on "
    "where it was.",
}
_LOST = {
    "augment-measure": "Nothing was kept of the comparison; start it again.",
    "augment-label": "The labels made so far are kept: with the same choices labelling goes on "
    "where it was.",
    "augment-learn": "What was learnt so far is kept: asked again, teaching goes on where it was.",
}
_KINDS: dict[str, BannerKind] = {
    "same": "done", "different": "warning", "unsure": "info", "plain": "info"
}  # fmt: skip  # one line


def ended_notice(wish: str, end: JobEnd) -> Notice:
    """How a step ended."""
    if end.kind == "cancelled":
        return Notice("info", f"{_CANCELLED[wish]} {_SAFE}")
    if end.kind == "failed":
        remedy = _LOST[wish] if end.worker_lost else end.remedy
        return Notice("error", f"{end.what} {remedy} {_SAFE}".replace("  ", " "))
    tell = {
        "augment-measure": _measured, "augment-label": _labelled, "augment-learn": _learnt
    }[wish]  # fmt: skip  # one line
    return tell(end.outcome)


def fault_notice(what: str, remedy: str) -> Notice:
    """What went wrong and what to do."""
    return Notice("error", f"{what} {remedy}".strip())


def rebalanced_notice(sheet: Mapping[str, Any]) -> Notice:
    """What rebalancing left."""
    kept, dropped = int(sheet["pairs"]), int(sheet["dropped"])
    if not kept:
        return Notice(
            "warning",
            "Rebalancing left no pair: the labels are all of one kind, so none can be spread as "
            "the gold. “Take all in again” goes back.",
        )
    return Notice(
        "done",
        f"Rebalanced: {counted(kept, 'pair')} to learn from, spread as the gold; "
        f"{dropped:,} left out. “Take all in again” goes back.",
    )


def dropped_notice() -> Notice:
    """That the silver pairs are gone."""
    return Notice(
        "info", "The silver pairs were dropped, and what it took to make them. What you corrected "
        "stays, as gold.",
    )  # fmt: skip  # kind and words


def _measured(outcome: Mapping[str, Any]) -> Notice:
    said = verdict_said(outcome["verdict"])
    title = said.title[:1].lower() + said.title[1:]
    return Notice(_KINDS[said.tone], f"Teachers were compared: {title}.")


def _labelled(outcome: Mapping[str, Any]) -> Notice:
    warnings = outcome["sheet"].get("warnings") or ()
    words = f"{counted(int(outcome['silver']), 'pair')} labelled by the {outcome['teacher']}."
    if warnings:
        return Notice("warning", f"{words} {warnings[0]['sentence']} {warnings[0]['remedy']}")
    return Notice("done", f"{words} Look through some of them before you go on.")


def _learnt(outcome: Mapping[str, Any]) -> Notice:
    said, training = paid_said(outcome["figures"]), int(outcome["training"])
    kind = _KINDS[said.tone]
    words = f"{said.title}: {change_said(outcome['figures'])}."
    return Notice(kind, words, () if said.tone == "different" else (("use", "Use it…"),), training)
