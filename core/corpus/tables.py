"""Delimited text (CSV and its kin) as rows, streaming, in constant memory."""

import csv
from collections import deque
from collections.abc import Generator, Iterable, Iterator
from itertools import chain, islice
from pathlib import Path

from core.corpus.oddities import (
    LINE_BREAK,
    STRAY_QUOTE,
    TOO_FEW_CELLS,
    TOO_MANY_CELLS,
    UNCLOSED_QUOTE,
)
from core.corpus.opening import faults_told, open_text
from core.records import Reading, SourceRow

# The csv module's limit is one number for the whole process; no cell is too long for us.
LONGEST_CELL = 2**31 - 1
# A quoted cell with line breaks may hold this many characters before its opening mark is
# taken for a stray one: without a limit one mark would pull a whole file into memory.
LONGEST_QUOTED = 1 << 24
ONE_COLUMN = "\x1f"  # handed to the csv module, which must have a delimiter

Record = tuple[int, list[str], int, tuple[str, ...]]  # first line, cells, lines, oddities


def table_rows(path: Path, reading: Reading) -> Generator[SourceRow, None, int]:
    """Yield the data rows of a delimited file; return how many blank lines were passed over.

    A short row is filled with None, the cells beyond the last column are joined into it; both
    say so. Blank lines are rows only where the table has a single column.
    """
    width = len(reading.columns)
    fitted: tuple[str | None, ...]
    delimiter = reading.delimiter or ONE_COLUMN
    first = reading.header_line or 1
    with faults_told(path, reading.encoding), open_text(path, reading.encoding or "utf-8") as text:
        for _ in islice(text, first - 1):
            pass
        found = records(text, reading, width=width, first_line=first)
        if reading.header_line is not None:
            next(found, None)
        place = 0
        blank = 0
        for line, cells, lines, oddities in found:
            if len(cells) != width:
                if not cells and width != 1:
                    blank += 1
                    continue
                fitted, oddity = _fit(cells, width, delimiter)
                if oddity is not None:
                    oddities = (*oddities, oddity)
            else:
                fitted = tuple(cells)
            if lines > 1:
                oddities = (*oddities, LINE_BREAK)
            place += 1
            yield SourceRow(place, line, fitted, oddities)
    return blank


def records(
    lines: Iterable[str], reading: Reading, *, width: int | None = None, first_line: int = 1
) -> Iterator[Record]:
    """Cut lines into records of cells, blank lines into empty ones.

    Quoting is read strictly and mended row by row: a mark that is never closed, or that
    closes in the middle of a later row, is plain text in its own line only, so that it cannot
    swallow the rows after it.
    """
    csv.field_size_limit(LONGEST_CELL)
    stream = iter(lines)
    held: list[str] = []  # the lines of the record being read
    back: deque[str] = deque()  # lines to read again
    line = first_line
    while True:
        reader = _reader(_feed(stream, held, back), reading, strict=True)
        try:
            for cells in reader:
                count = len(held)
                held.clear()
                yield line, cells, count, ()
                line += count
        except csv.Error as error:
            record, used = _mend(held, reading, width, ended="end of data" in str(error))
            back.extendleft(reversed(held[used:]))
            held.clear()
            yield (line, *record)
            line += used
        else:
            return


def literal_cells(line: str, delimiter: str) -> list[str]:
    """Split a line at every delimiter, quotation marks being plain text."""
    return line.removesuffix("\n").removesuffix("\r").split(delimiter)


def _feed(stream: Iterator[str], held: list[str], back: deque[str]) -> Iterator[str]:
    """Hand lines on, first those to read again; end early where one record grows too long."""
    size = 0
    for line in chain(_drain(back), stream):
        held.append(line)
        if len(held) > 1:
            size += len(line)
            if size > LONGEST_QUOTED:
                return
        else:
            size = 0
        yield line


def _drain(back: deque[str]) -> Iterator[str]:
    while back:
        yield back.popleft()


def _mend(
    held: list[str], reading: Reading, width: int | None, *, ended: bool
) -> tuple[tuple[list[str], int, tuple[str, ...]], int]:
    """Read a record with broken quoting; return it and how many of its lines it took."""
    literal = literal_cells(held[0], reading.delimiter or ONE_COLUMN)
    if ended or width is None or len(literal) == width:
        sentence = UNCLOSED_QUOTE if ended or len(held) > 1 else STRAY_QUOTE
        return (literal, 1, (sentence,)), 1
    lenient = next(_reader(iter(held), reading, strict=False))
    if len(held) == 1 or len(lenient) == width:
        return (lenient, len(held), (STRAY_QUOTE,)), len(held)
    return (literal, 1, (UNCLOSED_QUOTE,)), 1


def _reader(lines: Iterator[str], reading: Reading, *, strict: bool) -> Iterator[list[str]]:
    return csv.reader(
        lines,
        delimiter=reading.delimiter or ONE_COLUMN,
        quotechar=reading.quote,
        quoting=csv.QUOTE_MINIMAL if reading.quote else csv.QUOTE_NONE,
        escapechar=reading.escape,
        strict=strict,
    )


def _fit(cells: list[str], width: int, delimiter: str) -> tuple[tuple[str | None, ...], str | None]:
    if not cells:
        return ("",), None
    if len(cells) < width:
        return (*cells, *[None] * (width - len(cells))), TOO_FEW_CELLS
    if delimiter != ONE_COLUMN and not any(cells[width:]):
        return tuple(cells[:width]), None
    joined = delimiter.join(cells[width - 1 :])
    oddity = None if delimiter == ONE_COLUMN else TOO_MANY_CELLS
    return (*cells[: width - 1], joined), oddity
