"""Import: a file's rows into the project, all of them or none."""

import hashlib
import os
from collections.abc import Callable, Iterator
from dataclasses import asdict, replace
from pathlib import Path

from core.corpus import (
    Inspection,
    composer,
    content_hash,
    inspect,
    is_very_short,
    normalise,
    read_date,
    read_rows,
)
from core.corpus.oddities import LINE_BREAK
from core.errors import UserError
from core.folders import told as told_path
from core.progress import Progress, Steps
from core.records import DateColumn, ImportReport, ImportSettings, SourceRow
from core.store import Project, StagedRow
from core.store.tables import unguard, was_guarded
from core.workflows.recorded import recorded

_BATCH = 2000
_MOST_NOTES = 10_000
_ORDERS = (":dmy", ":mdy", ":ymd")


def inspect_file(path: Path, **choices: object) -> Inspection:
    """Look into a file as the import will read it, guarded cells of our own exports undone."""
    found = inspect(path, **choices)  # type: ignore[arg-type]  # the choices are inspect's own
    if not _is_guarded(found.reading.kind, found.reading.columns):
        return found
    sample = tuple(replace(row, cells=_unguarded(row.cells)) for row in found.sample)
    columns = tuple(unguard(name) for name in found.reading.columns)
    return replace(found, sample=sample, reading=replace(found.reading, columns=columns))


def settings_for(
    found: Inspection,
    *,
    text: tuple[str, ...] = (),
    id_column: str | None = None,
    dates: tuple[str, ...] = (),
    template: str = "",
) -> ImportSettings:
    """Settle an import without a dialog; raises `UserError` where a person has to choose."""
    columns = found.reading.columns
    if not found.rows:
        raise UserError("The file holds no rows below its header.", "Choose another file.")
    if not columns:
        raise UserError("The rows of the file have no fields.", "Choose another file.")
    named = [name.rpartition(":")[0] if name[-4:] in _ORDERS else name for name in dates]
    for name in (*text, *named, *([id_column] if id_column else [])):
        if name not in columns:
            raise UserError(f"There is no column {name}.", f"The columns are {', '.join(columns)}.")
    chosen = text or found.suggested_text
    if not chosen:
        blank = not any(cell and cell.strip() for row in found.sample for cell in row.cells)
        raise UserError(
            "The rows hold nothing but blanks."
            if blank
            else "It is not clear which column holds the texts.",
            f"Name it with --text; the columns are {', '.join(columns)}.",
        )
    composer(columns=columns, text_columns=chosen, template=template)  # refuses a bad template
    return ImportSettings(
        found.reading, chosen, template, id_column or found.suggested_id,
        tuple(_date_column(found, name) for name in dates) if dates else _clear_dates(found),
    )  # fmt: skip


def import_file(
    project: Project, path: Path, settings: ImportSettings, *, expected: int | None = None
) -> Steps[ImportReport]:
    """Bring a file into the project, streaming; until the end nothing of it is seen.

    The very same file again adds nothing. With an id column, rows of an earlier file of the
    same name are replaced by the new ones with their id. Cancelling leaves nothing behind.
    """
    digest, size = yield from _hash(path)
    known = project.sources.with_hash(digest)
    if known is not None:
        if known.settings == settings:
            return replace(known.report or ImportReport(known.id, known.name), already_known=True)
        raise UserError(
            f"{path.name} was imported before with other settings; nothing was added.",
            "Take that import out in the window first, or import into another project.",
        )
    return (
        yield from recorded(
            project,
            "import",
            {"path": str(path), **asdict(settings)},
            lambda run: _import(project, path, settings, (digest, size, run), expected),
            inputs={"sha256": digest},
        )
    )


def remove_import(project: Project, source: int) -> Steps[int]:
    """Take an imported file out again; rows it had replaced come back, decisions stay."""
    gone = 0
    for gone in project.sources.remove(source):
        yield Progress("Removing the import", done=gone, unit="rows")
    return gone


def _import(
    project: Project,
    path: Path,
    settings: ImportSettings,
    stamp: tuple[str, int, int],
    expected: int | None,
) -> Steps[ImportReport]:
    digest, size, run = stamp
    source = project.sources.begin(
        told_path(path.name), path=told_path(path.resolve()), sha256=digest, size=size,
        settings=settings, run=run,
    )  # fmt: skip
    try:
        report = ImportReport(source, told_path(path.name))
        staged = _staged(path, settings)
        while batch := _take(staged, _BATCH):
            report = _count(project, source, batch, report)
            yield Progress(f"Importing {path.name}", report.rows, expected, "rows")
        if report.rows == 0:
            raise UserError(f"{path.name} holds no rows.", "Check that it is the right file.")
        yield Progress(f"Storing {path.name}", report.rows, report.rows, "rows")
        return project.sources.finish(source, report)
    except BaseException:
        project.sources.discard(source)
        raise


def _count(
    project: Project,
    source: int,
    batch: list[tuple[StagedRow, tuple[str, ...]]],
    report: ImportReport,
) -> ImportReport:
    copied = project.documents.stage(source, [row for row, _ in batch])
    multiline = sum(LINE_BREAK in oddities for _, oddities in batch)
    odd = [(row, [told for told in oddities if told != LINE_BREAK]) for row, oddities in batch]
    odd = [(row, oddities) for row, oddities in odd if oddities]
    room = _MOST_NOTES - report.odd
    if odd and room > 0:
        project.sources.note(
            source, [(row.line, "; ".join(oddities)) for row, oddities in odd[:room]]
        )
    return replace(
        report,
        rows=report.rows + len(batch),
        blank=report.blank + sum(row.body is None for row, _ in batch),
        copied=report.copied + copied,
        odd=report.odd + len(odd),
        multiline=report.multiline + multiline,
        notes=(*report.notes, *((row.line, "; ".join(oddities)) for row, oddities in odd))[:20],
    )


def _staged(path: Path, settings: ImportSettings) -> Iterator[tuple[StagedRow, tuple[str, ...]]]:
    reading = settings.reading
    compose = composer(
        columns=reading.columns, text_columns=settings.text_columns, template=settings.template
    )
    clean = _unguarded if _is_guarded(reading.kind, reading.columns) else _as_is
    key_at = None if settings.id_column is None else reading.columns.index(settings.id_column)
    seen: dict[str, int] = {}
    for row in read_rows(path, reading):
        cells = clean(row.cells)
        key = None if key_at is None else (cells[key_at] or None)
        oddities = row.oddities
        if key is not None and seen.setdefault(key, row.line) != row.line:
            oddities = (*oddities, f"the id {key} stands on line {seen[key]} too")
        dates, doubtful = _dates(cells, settings)
        yield _stage(row, cells, key, dates, compose(cells)), (*oddities, *doubtful)


def _stage(
    row: SourceRow,
    cells: tuple[str | None, ...],
    key: str | None,
    dates: dict[str, str] | None,
    composed: str,
) -> StagedRow:
    body = normalise(composed)
    if not body:
        return StagedRow(row.place, row.line, key, cells, dates, None, None, False)
    return StagedRow(
        row.place, row.line, key, cells, dates, body, content_hash(body), is_very_short(body)
    )


def _dates(
    cells: tuple[str | None, ...], settings: ImportSettings
) -> tuple[dict[str, str] | None, tuple[str, ...]]:
    found: dict[str, str] = {}
    doubtful: list[str] = []
    for column in settings.date_columns:
        cell = cells[settings.reading.columns.index(column.name)]
        date = read_date(cell, column.order)
        if date is not None:
            found[column.name] = date
        elif cell and cell.strip():
            doubtful.append(f"“{cell[:40]}” in {column.name} is not read as a date")
    return found or None, tuple(doubtful)


def _date_column(found: Inspection, told: str) -> DateColumn:
    name, order = (told[:-4], told[-3:]) if told[-4:] in _ORDERS else (told, "")
    if order:
        return DateColumn(name, order)
    guess = next((guess for guess in found.dates if guess.column == name), None)
    if guess is None:
        raise UserError(f"The column {name} does not look like dates.", "Name another one.")
    if guess.ambiguous:
        raise UserError(
            f"The dates in {name} can be read day first or month first ({guess.example}).",
            f"Say which: --date {name}:dmy or --date {name}:mdy.",
        )
    return DateColumn(name, guess.order)


def _clear_dates(found: Inspection) -> tuple[DateColumn, ...]:
    return tuple(
        DateColumn(guess.column, guess.order) for guess in found.dates if not guess.ambiguous
    )


def _is_guarded(kind: str, columns: tuple[str, ...]) -> bool:
    return kind == "table" and was_guarded(columns)


def _unguarded(cells: tuple[str | None, ...]) -> tuple[str | None, ...]:
    return tuple(None if cell is None else unguard(cell) for cell in cells)


def _as_is(cells: tuple[str | None, ...]) -> tuple[str | None, ...]:
    return cells


def _take(
    rows: Iterator[tuple[StagedRow, tuple[str, ...]]], count: int
) -> list[tuple[StagedRow, tuple[str, ...]]]:
    batch = []
    for row in rows:
        batch.append(row)
        if len(batch) == count:
            break
    return batch


def _hash(path: Path) -> Steps[tuple[str, int]]:
    """The SHA-256 of a file, or of the names and bytes of all .txt files of a folder."""
    digest, size = hashlib.sha256(), 0
    files = sorted(path.rglob("*.txt")) if path.is_dir() else [path]
    update: Callable[[bytes], None] = digest.update
    try:
        for file in files:
            if path.is_dir():
                update(os.fsencode(file.relative_to(path)) + b"\0")
            with file.open("rb") as stream:
                while part := stream.read(8 * 1024 * 1024):
                    update(part)
                    size += len(part)
                    yield Progress(f"Reading {path.name}", done=size, unit="bytes")
    except OSError as fault:
        raise UserError(
            f"{path} cannot be read ({fault.strerror}); nothing was added.",
            "Check the path and your rights.",
        ) from fault
    return digest.hexdigest(), size
