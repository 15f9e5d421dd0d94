"""Decide: verdicts one by one or for a whole band, each call one step of undo."""

from collections.abc import Sequence
from pathlib import Path

from core.corpus import read_rows
from core.errors import UserError
from core.records import Verdict
from core.store import Document, Project
from core.workflows.importing import inspect_file


def decide(
    project: Project,
    pairs: Sequence[tuple[int, int]],
    verdict: Verdict | None,
    *,
    title: str = "",
    keep: tuple[int, Sequence[int]] | None = None,
) -> int:
    """Give pairs of texts a verdict, or take it back with None; return how many changed.

    `keep` names a row to keep and rows that it stands in place of: these and all rows of
    their groups are no longer chosen by hand. It is part of the same step of undo.
    """
    named = title or _title(verdict, len(pairs))
    try:
        project.texts.bodies([text for pair in pairs for text in pair])
    except KeyError as fault:
        raise UserError(
            "One of these texts is no longer in the project; nothing was decided.",
            "Look at the groups again.",
        ) from fault
    if keep is not None:
        _row_with_text(project, keep[0])
        keep = (keep[0], _with_their_groups(project, [keep[0], *keep[1]]))
    return project.decisions.decide(pairs, verdict, title=named, keeper=keep)


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


def decide_from_file(project: Project, file: Path) -> dict[str, int]:
    """Take decisions from a table such as the export of pairs, as one step of undo each verdict.

    The rows are named in `samesense_left` and `samesense_right`; the verdict stands in
    `samesense_decision` (same, different, unsure), or else in `label` (1 or 0). Rows without
    a verdict are passed over. Nothing is decided when one row cannot be understood.
    """
    found = inspect_file(file)
    columns = found.reading.columns
    for name in ("samesense_left", "samesense_right"):
        if name not in columns:
            raise UserError(
                f"{file.name} has no column {name}; nothing was decided.",
                "Export the pairs, fill in samesense_decision, and give that file.",
            )
    pairs: dict[Verdict, list[tuple[int, int]]] = {verdict: [] for verdict in Verdict}
    for row in read_rows(file, found.reading):
        cells = dict(zip(columns, row.cells, strict=True))
        verdict = _verdict_in(cells, row.line, file)
        if verdict is not None:
            pairs[verdict].append(_texts_in(project, cells, row.line, file))
    return {
        str(verdict): decide(project, given, verdict) if given else 0
        for verdict, given in pairs.items()
    }


def keep_instead(project: Project, document: int, instead_of: Sequence[int] = ()) -> None:
    """Make a row the kept one of its group, in place of others chosen by hand there.

    `instead_of` names rows whose groups are meant as well, where the groups were not made
    again since a decision.
    """
    place = _row_with_text(project, document).place
    others = _with_their_groups(project, [document, *instead_of])
    project.decisions.keep(document, others, title=f"Keep row {place}")


def _row_with_text(project: Project, document: int) -> Document:
    found = project.documents.get([document])
    if not found or found[0].text is None:
        raise UserError("This row holds no text or is gone.", "Look at the groups again.")
    return found[0]


def _with_their_groups(project: Project, documents: Sequence[int]) -> list[int]:
    """These rows and every row of the groups they are in."""
    groups = {row.kept_text for row in project.groupings.members_of(documents).values()}
    rows = (row.document for group in groups for row in project.groupings.members(group))
    return sorted({*documents, *rows})


def _verdict_in(cells: dict[str, str | None], line: int, file: Path) -> Verdict | None:
    told = (cells.get("samesense_decision") or "").strip().lower()
    label = (cells.get("label") or "").strip()
    told = told or {"1": "same", "1.0": "same", "0": "different", "0.0": "different"}.get(
        label, label
    )
    if not told or told.startswith("same, through"):
        return None
    if told not in list(Verdict):
        raise UserError(
            f"“{told}” on line {line} of {file.name} is no decision; nothing was decided.",
            "Use same, different or unsure, or 1 and 0 in the column label.",
        )
    return Verdict(told)


def _texts_in(
    project: Project, cells: dict[str, str | None], line: int, file: Path
) -> tuple[int, int]:
    try:
        ids = [int(float(cells[side] or "")) for side in ("samesense_left", "samesense_right")]
    except ValueError:
        ids = []
    rows = project.documents.get(ids)
    texts = [row.text for row in rows if row.text is not None]
    if len(texts) != 2 or len(ids) != 2:
        raise UserError(
            f"Line {line} of {file.name} names a row that is not in the project; nothing was "
            "decided.",
            "Export the pairs of this project again and fill in that file.",
        )
    return texts[0], texts[1]


def _title(verdict: Verdict | None, count: int) -> str:
    pairs = "1 pair" if count == 1 else f"{count:,} pairs"
    return f"Take back {pairs}" if verdict is None else f"{verdict.value.capitalize()}: {pairs}"
