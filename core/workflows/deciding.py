"""Decide: verdicts one by one or for a whole band, each call one step of undo."""

from collections.abc import Sequence

from core.errors import UserError
from core.records import Verdict
from core.store import Project


def decide(
    project: Project, pairs: Sequence[tuple[int, int]], verdict: Verdict | None, *, title: str = ""
) -> int:
    """Give pairs of texts a verdict, or take it back with None; return how many changed."""
    named = title or _title(verdict, len(pairs))
    try:
        project.texts.bodies([text for pair in pairs for text in pair])
    except KeyError as fault:
        raise UserError(
            "One of these texts is no longer in the project; nothing was decided.",
            "Look at the groups again.",
        ) from fault
    return project.decisions.decide(pairs, verdict, title=named)


def accept_band(
    project: Project, low: float, high: float, *, flagged: bool, verdict: Verdict
) -> int:
    """Decide every waiting pair with low ≤ cosine < high in one step; return how many.

    Pairs held back (a number or a negation differs …) are left alone unless `flagged`.
    Pairs decided since the last grouping are never overruled.
    """
    waiting = project.groupings.band(low, high, flagged=flagged)
    open_pairs = [
        (row.text, row.candidate)
        for row in waiting
        if project.decisions.verdict(row.text, row.candidate) is None
    ]
    title = f"{_title(verdict, len(open_pairs))} from {low:.2f} to {min(high, 1.0):.2f}"
    return project.decisions.decide(open_pairs, verdict, title=title)


def keep_instead(project: Project, document: int) -> None:
    """Make a row the kept one of its group, in place of others chosen by hand there."""
    found = project.documents.get([document])
    if not found or found[0].text is None:
        raise UserError("This row holds no text or is gone.", "Look at the groups again.")
    member = project.groupings.of_document(document)
    others = (
        [document]
        if member is None
        else [row.document for row in project.groupings.members(member.kept_text)]
    )
    project.decisions.keep(document, others, title=f"Keep row {found[0].place}")


def _title(verdict: Verdict | None, count: int) -> str:
    pairs = "1 pair" if count == 1 else f"{count:,} pairs"
    return f"Take back {pairs}" if verdict is None else f"{verdict.value.capitalize()}: {pairs}"
