"""Import: a file's rows into the project, all of them or none."""

import hashlib
import os
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path

from core.corpus import Inspection, composer, inspect
from core.errors import UserError
from core.folders import told as told_path
from core.progress import Progress, Steps
from core.records import DateColumn, ImportReport, ImportSettings
from core.store import Project
from core.store.tables import unguard
from core.workflows.aside import Aside
from core.workflows.import_batches import (
    Batch,
    is_guarded,
    staged_rows,
    take_batch,
    uncollected,
    unguarded,
)
from core.workflows.recorded import recorded

_FIRST_ROWS = 4000  # of the first batch; the next are as large as storing them is quick
_FEWEST_ROWS, _MOST_ROWS = 4000, 10_000
_STORE_S = 0.25  # for a batch: a decision made meanwhile waits about so long at most
_SPOKEN_S = 0.2  # between two words of progress of the last step
_MOST_NOTES = 10_000
_ORDERS = (":dmy", ":mdy", ":ymd")


def inspect_file(path: Path, **choices: object) -> Inspection:
    """Look into a file as the import will read it, guarded cells of our own exports undone."""
    with uncollected():
        found = inspect(path, **choices)  # type: ignore[arg-type]  # the choices are inspect's own
    if not is_guarded(found.reading.kind, found.reading.columns):
        return found
    sample = tuple(replace(row, cells=unguarded(row.cells)) for row in found.sample)
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
        pace = _Pace(_FIRST_ROWS)
        staged = staged_rows(path, settings)
        with project.sources.loading(), uncollected():
            batch = take_batch(staged, pace.rows)
            while batch.rows:
                project.documents.put_down(batch.laid)
                with Aside(partial(_store, project, source, batch, report.odd)) as storing:
                    following = take_batch(staged, pace.rows)
                copied, seconds = storing.outcome
                pace = pace.after(batch.rows, seconds)
                report = _counted(report, batch, copied)
                batch = following
                yield Progress(f"Importing {path.name}", report.rows, expected, "rows")
        if report.rows == 0:
            raise UserError(f"{path.name} holds no rows.", "Check that it is the right file.")
        return (yield from _finished(project, source, report))
    except BaseException:
        project.sources.discard(source)
        raise


def _finished(project: Project, source: int, report: ImportReport) -> Steps[ImportReport]:
    """Let the rows be seen; where that takes long, the project is busy while this speaks."""
    is_cancelled = False
    said = Progress(f"Storing {report.name}", report.rows, report.rows, "rows")
    yield said
    project.break_off_when(lambda: is_cancelled)
    try:
        with Aside(partial(project.sources.finish, source, report)) as finishing:
            try:
                while not finishing.is_over(within_s=_SPOKEN_S):
                    yield said
            except BaseException:
                is_cancelled = True
                raise
        return finishing.outcome
    finally:
        project.break_off_when(None)


@dataclass(frozen=True, slots=True)
class _Pace:
    """How many rows a batch has, so that storing one takes about `_STORE_S`."""

    rows: int

    def after(self, rows: int, seconds: float) -> "_Pace":
        """The pace once `rows` took so long."""
        fitting = int(rows * _STORE_S / max(seconds, 1e-6))
        return _Pace(max(_FEWEST_ROWS, min(fitting, self.rows * 2, _MOST_ROWS)))


def _store(project: Project, source: int, batch: Batch, noted: int) -> tuple[int, float]:
    """Store a batch; return how many texts were known, and the seconds it took."""
    begun = time.perf_counter()
    copied = project.documents.take_up(source)
    if batch.odd and noted < _MOST_NOTES:
        project.sources.note(source, batch.odd[: _MOST_NOTES - noted])
    return copied, time.perf_counter() - begun


def _counted(report: ImportReport, batch: Batch, copied: int) -> ImportReport:
    return replace(
        report,
        rows=report.rows + batch.rows,
        blank=report.blank + batch.blank,
        copied=report.copied + copied,
        odd=report.odd + len(batch.odd),
        multiline=report.multiline + batch.multiline,
        notes=(*report.notes, *batch.odd)[:20],
    )


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
