"""Export: rows kept, removed, grouped, paired or all, with every original column."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from core.errors import UserError
from core.progress import Steps
from core.records import FLAG_WORDS, Flag, kind_of
from core.store import CheckerRecord, Document, MemberRow, PairTable, Project
from core.store.tables import Column
from core.workflows.export_table import ID, PAGE, ExportOutcome, Table, cells_of, write_export
from core.workflows.exporting_charts import clusters_table, map_table, rows_table
from core.workflows.recorded import recorded

EXPORTS = ("kept", "removed", "groups", "pairs", "documents", "clusters", "map")


def export_table(
    project: Project, what: str, to: Path, *, raw: bool = False
) -> Steps[ExportOutcome]:
    """Write one table to a file whose suffix says the format.

    `what` is one of `EXPORTS`. The file appears whole or not at all. Unless `raw`, cells that
    a spreadsheet could run are guarded; importing the file again undoes that.
    """
    if what not in EXPORTS:
        raise UserError(f"There is no export “{what}”.", f"Use one of {', '.join(EXPORTS)}.")
    if what in ("kept", "removed", "groups") and project.groupings.current() is None:
        raise UserError("The rows have not been grouped yet.", "Run: samesense groups PROJECT.")
    if what == "pairs" and project.pairs.current() is None:
        raise UserError("The pairs have not been found yet.", "Run: samesense pairs PROJECT.")
    if what == "clusters" and project.clusters.current() is None:
        raise UserError("The clusters have not been found yet.", "Run: samesense clusters PROJECT.")
    if what == "map" and project.maps.current() is None:
        raise UserError("The map has not been drawn yet.", "Run: samesense map PROJECT.")
    return (yield from _export(project, _TABLES[what](project), what, to, raw))


def export_rows(
    project: Project,
    documents: Sequence[int],
    to: Path,
    *,
    scores: Sequence[float] | None = None,
    raw: bool = False,
) -> Steps[ExportOutcome]:
    """Write these rows, in this order, with a score for each where there is one."""
    table = rows_table(project, documents, scores)
    return (yield from _export(project, table, "rows", to, raw))


def _export(project: Project, table: Table, what: str, to: Path, raw: bool) -> Steps[ExportOutcome]:
    if project.read_only:
        return (yield from write_export(table, to, raw))
    options = {"what": what, "to": str(to), "raw": raw}
    return (
        yield from recorded(project, "export", options, lambda _run: write_export(table, to, raw))
    )


def _kept(project: Project) -> Table:
    names = project.documents.columns()
    columns = [ID, *map(Column, names), Column("samesense_source")]
    total = project.state().grouping

    def pages() -> Iterator[list[list[object]]]:
        for rows, members in _with_members(project):
            yield [
                [row.id, *cells_of(row, names), row.source_name]
                for row in rows
                if row.id not in members or members[row.id].reason == "kept"
            ]

    return Table("kept rows", columns, pages(), total.counts["kept"] if total else 0)


def _removed(project: Project) -> Table:
    names = project.documents.columns()
    columns = [
        ID, *map(Column, names), Column("samesense_source"), Column("samesense_line", "integer"),
        Column("samesense_kept_id", "integer"), Column("samesense_reason"),
        Column("samesense_decision"), Column("samesense_copy_of", "integer"),
        Column("samesense_cosine", "real"), Column("samesense_words", "real"),
        Column("samesense_threshold", "real"), Column("samesense_encoder"),
    ]  # fmt: skip
    grouping = project.groupings.current()
    encoder = _encoder_of(project)
    threshold = grouping.threshold if grouping else None

    def pages() -> Iterator[list[list[object]]]:
        first: dict[int, int] = {}
        for rows, members in _with_members(project):
            page: list[list[object]] = []
            for row in rows:
                if row.text is not None:
                    first.setdefault(row.text, row.id)
                member = members.get(row.id)
                if member is None or member.reason == "kept":
                    continue
                copy_of = _copy_of(row, member, first)
                decision = _decision(project, member)
                page.append([
                    row.id, *cells_of(row, names), row.source_name, row.line, member.keeper,
                    member.reason, decision, copy_of, member.cosine, member.words, threshold,
                    encoder,
                ])  # fmt: skip
            yield page

    return Table("removed rows", columns, pages(), grouping.counts["removed"] if grouping else 0)


def _groups(project: Project) -> Table:
    columns = [
        Column("samesense_group", "integer"), ID, Column("samesense_role"),
        Column("samesense_reason"), Column("samesense_kept_id", "integer"),
        Column("samesense_cosine", "real"), Column("samesense_words", "real"),
        Column("samesense_copies", "integer"), Column("samesense_source"),
        Column("samesense_line", "integer"), Column("samesense_text"),
    ]  # fmt: skip

    def pages() -> Iterator[list[list[object]]]:
        for group in project.groupings.listed():
            members = project.groupings.members(group.text)
            rows = {row.id: row for row in project.documents.get([m.document for m in members])}
            yield [
                [
                    group.keeper, m.document, "kept" if m.reason == "kept" else "removed", m.reason,
                    m.keeper, m.cosine, m.words, rows[m.document].copies,
                    rows[m.document].source_name, rows[m.document].line, rows[m.document].body,
                ]
                for m in members
                if m.document in rows
            ]  # fmt: skip

    total = sum(group.rows for group in project.groupings.listed() if group.rows > 1)
    # The id comes second here: the first column says which rows belong together.
    return Table("groups", columns, pages(), total)


def _pairs(project: Project) -> Table:
    columns = [
        Column("samesense_left", "integer"), Column("samesense_right", "integer"),
        Column("sentence1"), Column("sentence2"), Column("samesense_cosine", "real"),
        Column("samesense_words", "real"), Column("samesense_kind"), Column("samesense_flags"),
        Column("samesense_decision"), Column("label", "integer"),
    ]  # fmt: skip
    checker = project.checked.current()
    if checker is not None:
        columns.append(Column("samesense_checked", "real"))
    pairing = project.pairs.current()
    number = pairing.id if pairing else 0

    def pages() -> Iterator[list[list[object]]]:
        for table in project.pairs.stream(number, page=PAGE):
            rows = _first_rows(project, {*table.left.tolist(), *table.right.tolist()})
            page: list[list[object]] = []
            for left, right, cosine, words, flags, checked in zip(
                table.left.tolist(), table.right.tolist(), table.cosine.tolist(),
                table.words.tolist(), table.flags.tolist(), _checked(project, checker, table),
                strict=True,
            ):  # fmt: skip
                if left not in rows or right not in rows:
                    continue
                verdict = project.decisions.verdict(left, right)
                label = {"same": 1, "different": 0}.get(verdict or "")
                page.append([
                    rows[left].id, rows[right].id, rows[left].body, rows[right].body,
                    round(cosine, 6), round(words, 4), str(kind_of(words)), flag_words(flags),
                    str(verdict or ""), label, *checked,
                ])  # fmt: skip
            yield page

    return Table("pairs", columns, pages(), project.pairs.count(number))


def _checked(
    project: Project, checker: CheckerRecord | None, table: PairTable
) -> list[tuple[float | None, ...]]:
    """What the cross-encoder said of each pair, empty cells where it was not asked."""
    if checker is None:
        return [()] * len(table.left)
    scores = project.checked.scores(checker.id, table.left, table.right)
    return [(None if np.isnan(score) else round(float(score), 6),) for score in scores]


def _documents(project: Project) -> Table:
    names = project.documents.columns()
    columns = [
        ID, *map(Column, names), Column("samesense_source"), Column("samesense_line", "integer"),
        Column("samesense_text"), Column("samesense_copies", "integer"),
        Column("samesense_marks"), Column("samesense_status"),
        Column("samesense_kept_id", "integer"),
    ]  # fmt: skip
    grouped = project.groupings.current() is not None
    encoder = project.active_encoder()
    marked = {} if encoder is None else project.vectors.marks(encoder.id)

    def pages() -> Iterator[list[list[object]]]:
        for rows, members in _with_members(project):
            page: list[list[object]] = []
            for row in rows:
                member = members.get(row.id)
                status = "kept" if grouped else ""
                if member is not None and member.reason != "kept":
                    status = "removed"
                marks = [*(["blank"] if row.text is None else []),
                         *(["very short"] if row.very_short else []),
                         *marked.get(row.text or 0, ())]  # fmt: skip
                page.append([
                    row.id, *cells_of(row, names), row.source_name, row.line, row.body,
                    row.copies, ", ".join(marks), status, member.keeper if member else None,
                ])  # fmt: skip
            yield page

    return Table("documents", columns, pages(), project.documents.count())


_TABLES = {
    "kept": _kept,
    "removed": _removed,
    "groups": _groups,
    "pairs": _pairs,
    "documents": _documents,
    "clusters": clusters_table,
    "map": map_table,
}


def flag_words(flags: int) -> str:
    """The flags of a pair in words, separated by commas."""
    return ", ".join(words for flag, words in FLAG_WORDS.items() if Flag(flags) & flag)


def _with_members(
    project: Project,
) -> Iterator[tuple[list[Document], dict[int, MemberRow]]]:
    for rows in project.documents.stream(page=PAGE):
        yield rows, project.groupings.members_of([row.id for row in rows])


def _copy_of(row: Document, member: MemberRow, first: dict[int, int]) -> int | None:
    """The row this one repeats word for word: the kept one, or the first with its text."""
    if member.reason == "copy":
        return member.keeper
    if row.copies > 1 and row.text is not None and first[row.text] != row.id:
        return first[row.text]
    return None


def _decision(project: Project, member: MemberRow) -> str:
    if member.text == member.kept_text:
        return ""
    verdict = project.decisions.verdict(member.text, member.kept_text)
    if verdict is None and member.reason == "decided":
        return "same, through another text"
    return str(verdict or "")


def _first_rows(project: Project, texts: set[int]) -> dict[int, Document]:
    return project.documents.first_of_texts(sorted(texts))


def _encoder_of(project: Project) -> str:
    """The fingerprint of the encoder whose pairs made the groups."""
    pairing = project.pairs.current()
    for encoder in project.vectors.encoders():
        if pairing is not None and encoder.id == pairing.encoder:
            return encoder.fingerprint
    return ""
