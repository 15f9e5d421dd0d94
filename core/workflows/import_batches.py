"""The rows of a file on their way into a project: composed, normalised, dated, by the batch."""

import gc
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from core.corpus import (
    composer,
    hash_normalised,
    is_very_short,
    normalise,
    read_date,
    read_rows,
)
from core.corpus.oddities import LINE_BREAK
from core.records import DateColumn, ImportSettings
from core.store import LaidRow, StagedRow, lay_out
from core.store.tables import unguard, was_guarded

_READ_S = 0.3  # for a batch, about
_LOOK = 64  # rows between two looks at the clock
_MOST_CHARACTERS = 2_000_000  # in the cells of a batch

OddRow = tuple[StagedRow, tuple[str, ...]]  # with what was odd about it


@dataclass(frozen=True, slots=True)
class Batch:
    """Rows to be stored at one go, and what was odd about some of them."""

    rows: int
    laid: list[LaidRow]
    odd: list[tuple[int, str]]  # line, sentences
    blank: int
    multiline: int


def take_batch(staged: Iterator[OddRow], count: int) -> Batch:
    """The next rows: `count`, or fewer where they are long or slow to read."""
    rows: list[StagedRow] = []
    odd: list[tuple[int, str]] = []
    multiline = characters = blank = 0
    until = time.monotonic() + _READ_S
    for row, oddities in staged:
        rows.append(row)
        blank += row.body is None
        characters += sum([len(cell) for cell in row.cells if cell])
        if oddities:
            told = [oddity for oddity in oddities if oddity != LINE_BREAK]
            multiline += len(told) < len(oddities)
            if told:
                odd.append((row.line, "; ".join(told)))
        if len(rows) >= count or characters > _MOST_CHARACTERS:
            break
        if not len(rows) % _LOOK and time.monotonic() > until:
            break
    return Batch(len(rows), lay_out(rows), odd, blank, multiline)


def staged_rows(path: Path, settings: ImportSettings) -> Iterator[OddRow]:
    """Yield every row of the file as it is to be stored."""
    reading = settings.reading
    columns = reading.columns
    compose = composer(
        columns=columns, text_columns=settings.text_columns, template=settings.template
    )
    is_export = is_guarded(reading.kind, columns)
    key_at = None if settings.id_column is None else columns.index(settings.id_column)
    dated = [(columns.index(date.name), date) for date in settings.date_columns]
    seen: dict[str, int] = {}
    for row in read_rows(path, reading):
        cells = unguarded(row.cells) if is_export else row.cells
        key = None if key_at is None else (cells[key_at] or None)
        oddities = row.oddities
        if key is not None and seen.setdefault(key, row.line) != row.line:
            oddities = (*oddities, f"the id {key} stands on line {seen[key]} too")
        dates: dict[str, str] | None = None
        if dated:
            dates, doubtful = _dates(cells, dated)
            oddities = (*oddities, *doubtful)
        body = normalise(compose(cells))
        if body:
            staged = StagedRow(
                row.place, row.line, key, cells, dates,
                body, hash_normalised(body), is_very_short(body),
            )  # fmt: skip
        else:
            staged = StagedRow(row.place, row.line, key, cells, dates, None, None, False)
        yield staged, oddities


@contextmanager
def uncollected() -> Iterator[None]:
    """Read rows without looking for cycles among them, a fifth of the time: rows hold none."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def is_guarded(kind: str, columns: tuple[str, ...]) -> bool:
    """Tell whether a file is an export of ours whose cells were made safe for spreadsheets."""
    return kind == "table" and was_guarded(columns)


def unguarded(cells: tuple[str | None, ...]) -> tuple[str | None, ...]:
    """The cells of such a file as they were before."""
    return tuple(None if cell is None else unguard(cell) for cell in cells)


def _dates(
    cells: tuple[str | None, ...], dated: Sequence[tuple[int, DateColumn]]
) -> tuple[dict[str, str] | None, tuple[str, ...]]:
    found: dict[str, str] = {}
    doubtful: tuple[str, ...] = ()
    for at, column in dated:
        cell = cells[at]
        date = read_date(cell, column.order)
        if date is not None:
            found[column.name] = date
        elif cell and cell.strip():
            told = f"“{cell[:40]}” in {column.name} is not read as a date"
            doubtful = (*doubtful, told)
    return found or None, doubtful
