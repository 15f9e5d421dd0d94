"""Files of rows and columns as they stand: delimited text, JSON lines, Parquet, gzipped or not."""

import csv
import gzip
import io
import json
import re
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.errors import UserError
from core.examples.reading.naming import Layout

_DELIMITERS = "\t,;|"
_LONGEST_CELL = 2**31 - 1  # csv refuses cells over 131,072 characters otherwise
_TRIED = 20  # rows whose cells tell a delimiter where no name does
_LONGEST_NAME = 40  # characters; a longer cell is no column's name

Skipped = tuple[int, str]  # line and reason
Finder = Callable[[Sequence[str]], Layout | None]


class Nested(str):
    """A list or an object that stood where a text or a judgement is expected."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Row:
    """One row; a cell is None where the row has nothing for its column."""

    line: int  # its first line from 1; in Parquet its number
    cells: tuple[str | None, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of one width."""

    names: tuple[str, ...]  # empty where no names stand above them
    rows: tuple[Row, ...]
    skipped: tuple[Skipped, ...] = ()  # what is no row of this width, or cannot be read

    def name(self, place: int) -> str:
        """What to call a column to a person."""
        return f"“{self.names[place]}”" if self.names else f"column {place + 1}"


def decoded(path: Path, encoding: str = "utf-8") -> str:
    """Return the text of a file; a byte order mark is no part of it."""
    data = file_bytes(path)
    try:
        text = data.decode("utf-8-sig" if encoding == "utf-8" else encoding)
    except UnicodeDecodeError as error:
        told = "UTF-8" if encoding == "utf-8" else encoding
        raise UserError(
            f"The file {path.name} is not {told} (byte {error.start:,}).", "Save it as UTF-8."
        ) from error
    except LookupError as error:
        raise UserError(f"There is no encoding “{encoding}”.", "Use utf-8 or latin-1.") from error
    return text if "\n" in text else text.replace("\r", "\n")


def file_bytes(path: Path) -> bytes:
    """Return the bytes of a file, unpacked where its name ends in .gz."""
    try:
        data = path.read_bytes()
        return gzip.decompress(data) if path.name.lower().endswith(".gz") else data
    except (OSError, EOFError, zlib.error) as error:
        why = getattr(error, "strerror", None) or error
        raise UserError(f"The file {path} could not be read ({why}).") from error


def form_of(path: Path) -> str:
    """Return "json", "parquet" or "delimited", by the file's name."""
    name = path.name.lower().removesuffix(".gz")
    if name.endswith((".jsonl", ".ndjson", ".json")):
        return "json"
    return "parquet" if name.endswith((".parquet", ".pq")) else "delimited"


def delimited_table(text: str, named: Finder, unnamed: Callable[[Sequence[str], str], Layout | None]
                    ) -> tuple[Table, Layout] | None:  # fmt: skip  # one signature
    """Read delimited text by the first delimiter that makes its first line known.

    `named` knows a line of column names, `unnamed` a first row of data and its delimiter. None
    where neither knows the line. Quotation marks in tab-separated text that are not CSV's own
    are plain characters.
    """
    split = _first_line(text)
    for delimiter, cells in split.items():
        layout = named(cells)
        if layout is not None:
            return _rows(text, delimiter, tuple(cell.strip() for cell in cells), len(cells)), layout
    for delimiter, cells in split.items():
        layout = unnamed(cells, delimiter)
        if layout is not None:
            # Published copies of STS Benchmark have further columns in some rows.
            width = None if len(cells) > len(layout.places) else len(cells)
            return _rows(text, delimiter, (), width), layout
    return None


def even_table(text: str) -> Table | None:
    """Read delimited text whose names say nothing, where its first rows have two or three cells.

    The first row counts as names where each of its cells is one short word that its column does
    not repeat.
    """
    for width in (3, 2):
        for delimiter in _DELIMITERS:
            table = _rows(text, delimiter, (), width)
            tried = table.rows[:_TRIED]
            even = all(None not in row.cells for row in tried)
            if len(tried) > 1 and even and not any(at < tried[-1].line for at, _ in table.skipped):
                return _with_names(table)
    return None


def first_names(text: str) -> list[str]:
    """Return the cells of the first line, by the delimiter that makes most of them."""
    return max(_first_line(text).values(), key=len)


def json_table(text: str, name: str) -> Table:
    """Read JSON lines, or one array of objects; the columns are all keys, as they appear.

    What is no object is left out and told; raises `UserError` where nothing is JSON. In an array
    a row's line is its number.
    """
    entries: list[tuple[int, dict[str, Any]]] = []
    skipped: list[Skipped] = []
    fault = ""
    for line, entry in _json_entries(text):
        if isinstance(entry, dict):
            entries.append((line, entry))
        elif isinstance(entry, ValueError):
            fault = fault or f"Line {line} of {name} is not JSON: {entry}."
            skipped.append((line, "the line is not JSON"))
        else:
            skipped.append((line, "it is no JSON object"))
    if fault and not entries:
        raise UserError(fault, "Write one object per line.")
    names = tuple(dict.fromkeys(key for _, entry in entries for key in entry))
    rows = (Row(line, tuple(_cell(entry.get(key)) for key in names)) for line, entry in entries)
    return Table(names, tuple(rows), tuple(skipped))


def parquet_table(data: bytes, name: str) -> Table:
    """Read the bytes of a Parquet file; a row's line is its number from 1."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        found = pq.read_table(pa.BufferReader(data))
    except (pa.ArrowException, OSError) as error:
        raise UserError(
            f"{name} is damaged or not a Parquet file: {str(error).splitlines()[0].rstrip('.')}.",
            "Write it again with the program that made it.",
        ) from error
    columns = [map(_cell, column.to_pylist()) for column in found.columns]
    cells: Iterable[tuple[str | None, ...]] = zip(*columns, strict=True)
    rows = tuple(Row(line, row) for line, row in enumerate(cells, 1))
    return Table(tuple(map(str, found.column_names)), rows)


def _json_entries(text: str) -> Iterator[tuple[int, Any]]:
    """Yield the values with their lines, and faults in place of what is no JSON."""
    if text.lstrip().startswith("["):
        try:
            whole = json.loads(text)
        except ValueError:
            whole = None  # lines of arrays, which are told one by one
        if isinstance(whole, list) and all(isinstance(entry, dict) for entry in whole):
            yield from enumerate(whole, 1)
            return
    for line, raw in enumerate(text.split("\n"), 1):
        if not raw.strip():
            continue
        try:
            yield line, json.loads(raw)
        except ValueError as error:
            yield line, error


def _first_line(text: str) -> dict[str, list[str]]:
    first = re.split(r"[\r\n]", text, maxsplit=1)[0]
    return {mark: next(csv.reader([first], delimiter=mark), []) for mark in _DELIMITERS}


def _rows(text: str, delimiter: str, names: tuple[str, ...], width: int | None) -> Table:
    """Read all rows; with a `width`, those with further cells that are not empty are left out."""
    loose = delimiter == "\t" and _has_loose_quotes(text)
    csv.field_size_limit(_LONGEST_CELL)
    reader = csv.reader(
        io.StringIO(text, newline=""),
        delimiter=delimiter,
        quoting=csv.QUOTE_NONE if loose else csv.QUOTE_MINIMAL,
    )
    if names:
        next(reader)
    rows: list[Row] = []
    skipped: list[Skipped] = []
    line = reader.line_num + 1
    for cells in reader:
        if any(cells):
            if width is not None and any(cells[width:]):
                skipped.append((line, f"it has {len(cells)} cells instead of {width}"))
            else:
                lacking = max(0, (width or 0) - len(cells))
                rows.append(Row(line, (*cells[:width], *(None,) * lacking)))
        line = reader.line_num + 1
    return Table(names, tuple(rows), tuple(skipped))


def _with_names(table: Table) -> Table:
    head, *rows = table.rows
    names = tuple((cell or "").strip() for cell in head.cells)
    words = all(name and not re.search(r"\s", name) and len(name) <= _LONGEST_NAME
                for name in names)  # fmt: skip  # one question
    repeated = any(name == row.cells[at] for row in rows for at, name in enumerate(names))
    if not words or repeated:
        return table
    return Table(names, tuple(rows), table.skipped)


def _has_loose_quotes(text: str) -> bool:
    """Tell whether quotation marks are plain characters, as in STS Benchmark, not CSV quoting."""
    for line in text.splitlines():
        for cell in line.split("\t") if '"' in line else ():
            inner = cell[1:-1].replace('""', "")
            quoted = len(cell) > 1 and cell[0] == cell[-1] == '"' and '"' not in inner
            if '"' in cell and not quoted:
                return True
    return False


def _cell(value: Any) -> str | None:
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list | dict):
        return Nested(json.dumps(value, ensure_ascii=False, default=str))
    if isinstance(value, bytes):
        return value.decode(errors="replace")
    return str(value)
