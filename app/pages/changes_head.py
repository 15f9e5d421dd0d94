"""What the page of changes says above its list, and in place of it."""

from app.pages.changes_reads import Standing
from app.pages.changes_view import ChangesView
from app.pages.changes_words import (
    bounds_said,
    counts_said,
    empty_said,
    listed_said,
    nothing_said,
    stale_said,
)
from core.store import DifferenceRecord

_WHAT_CHANGES = ("gained", "lost", "groups_gained", "groups_lost", "groups_changed")


def show_standing(view: ChangesView, standing: Standing | None) -> None:
    """Say which encoders were compared and what came of it, or that none were."""
    record = None if standing is None else standing.record
    is_without_change = record is not None and not any(map(record.counts.get, _WHAT_CHANGES))
    view.fit_kinds()
    view.show_empty(record is None or is_without_change)
    if view.is_empty_shown:
        sentence, note, button = empty_said(standing)
        view.empty.show_state("duplicates", sentence, note=note, button=button)
    if standing is None or record is None:
        for label in (view.encoders, view.bounds, view.counts):
            label.setText("")
        view.banner.clear()
        return
    view.encoders.setText(f"{record.name_before} → {record.name_after}")
    view.bounds.setText(bounds_said(record))
    view.bounds.setToolTip(bounds_said(record))
    view.counts.setText(counts_said(record, view.wanted))
    stale = stale_said(standing, view.wanted)
    if stale:
        view.banner.show_message("warning", stale)
    else:
        view.banner.clear()
    tell_left(view, record)


def tell_left(view: ChangesView, record: DifferenceRecord | None) -> None:
    """Say how many of the lines listed wait for a decision, and whether these are all."""
    if record is not None:
        listed, undecided = view.model.counts()
        parts = [listed_said(listed, record, view.wanted), f"{undecided:,} to decide"]
        view.left.setText("  ·  ".join(part for part in parts if part))


def show_nothing(view: ChangesView) -> None:
    """Say that the filter leaves nothing, and offer to take it off."""
    wanted = view.wanted
    is_whole = wanted.kind == "all" and not wanted.undecided
    view.nothing.show_state(
        "check" if wanted.undecided else "filter",
        nothing_said(wanted),
        button="" if is_whole else "Show all",
    )
