"""One writer per table format: plain rows in, bytes out, nothing about names or safety."""

import csv
import json
import math
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Protocol, cast

from core.errors import UserError
from core.store.table_guard import ID_COLUMN, RAW_ID_COLUMN, guard

XLSX_ROWS = 1_048_576  # of one sheet, its header among them
XLSX_COLUMNS = 16_384
XLSX_CELL = 32_767  # UTF-16 units
_XLSX_WHOLE = 2**53  # beyond it a spreadsheet rounds whole numbers
_GROUP_ROWS = 50_000  # of one Parquet row group …
_GROUP_CHARACTERS = 32_000_000  # … which ends sooner where texts are long


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table; other values than text keep their type where the format has one."""

    name: str
    kind: str = "text"  # "text", "integer" or "real"


class Sink(Protocol):
    """What every format does; `abandon` closes files and never raises for what was written."""

    def write(self, rows: Iterable[Sequence[object]]) -> None: ...

    def finish(self) -> None: ...

    def abandon(self) -> None: ...


class DelimitedSink:
    """CSV or TSV: UTF-8 with a mark, CRLF rows, quotes wherever a cell needs them."""

    def __init__(self, path: Path, columns: Sequence[Column], *, delimiter: str, raw: bool) -> None:
        self._columns = columns
        self._raw = raw
        # The mark lets spreadsheets see that the file is UTF-8.
        self._file = path.open("w", encoding="utf-8-sig", newline="")
        # With CRLF as line end the csv module quotes cells that hold either character.
        self._csv = csv.writer(self._file, delimiter=delimiter, lineterminator="\r\n")
        names = [column.name for column in columns]
        if raw and names[0] == ID_COLUMN:
            names[0] = RAW_ID_COLUMN
        self._csv.writerow(names if raw else [guard(name) for name in names])

    def write(self, rows: Iterable[Sequence[object]]) -> None:
        for row in rows:
            self._csv.writerow([self._cell(v, c) for c, v in zip(self._columns, row, strict=True)])

    def finish(self) -> None:
        self._file.close()

    def abandon(self) -> None:
        _close_quietly(self._file)

    def _cell(self, value: object, column: Column) -> object:
        cell = typed(value, column)
        harmless = self._raw or isinstance(value, int | float) or not isinstance(cell, str)
        return cell if harmless else guard(str(cell))


class JsonLinesSink:
    """One JSON object a line, UTF-8, cells as they are."""

    def __init__(self, path: Path, columns: Sequence[Column]) -> None:
        self._columns = columns
        self._file = path.open("w", encoding="utf-8", newline="\n")

    def write(self, rows: Iterable[Sequence[object]]) -> None:
        self._file.writelines(self._line(row) for row in rows)

    def finish(self) -> None:
        self._file.close()

    def abandon(self) -> None:
        _close_quietly(self._file)

    def _line(self, row: Sequence[object]) -> str:
        cells = {c.name: typed(v, c) for c, v in zip(self._columns, row, strict=True)}
        line = json.dumps(cells, ensure_ascii=False)
        for mark in "\x85\u2028\u2029":  # some readers end a line there
            if mark in line:
                line = line.replace(mark, f"\\u{ord(mark):04x}")
        return line + "\n"


class XlsxSink:
    """A spreadsheet in which every text is a text: no formulas, links or guessed numbers.

    Control characters are written in the `_xHHHH_` form that spreadsheets define for them.
    Rows past a sheet's limit go on in a further sheet. Raises `UserError` for a text that no
    cell can hold; U+FFFE and U+FFFF stay visible as `_xFFFE_` and `_xFFFF_`.
    """

    def __init__(
        self, path: Path, columns: Sequence[Column], *, sheet_rows: int = XLSX_ROWS
    ) -> None:
        # Imported here: the window reads the store and need not pay for this at its start.
        from xlsxwriter import Workbook

        if len(columns) > XLSX_COLUMNS:
            raise UserError(
                f"A spreadsheet holds {XLSX_COLUMNS:,} columns, and there are {len(columns):,}.",
                "Export as CSV or Parquet instead, or choose fewer columns.",
            )
        self._columns = columns
        self._sheet_rows = sheet_rows
        self._book = Workbook(str(path), {"constant_memory": True, "tmpdir": str(path.parent)})
        self._bold = self._book.add_format({"bold": True})
        self._count = 0
        self._add_sheet()

    def write(self, rows: Iterable[Sequence[object]]) -> None:
        for row in rows:
            if self._line == self._sheet_rows:
                self._add_sheet()
            self._count += 1
            for place, (column, value) in enumerate(zip(self._columns, row, strict=True)):
                self._write_cell(place, column, value)
            self._line += 1

    def finish(self) -> None:
        from xlsxwriter.exceptions import FileCreateError, FileSizeError

        try:
            self._book.close()
        except FileCreateError as fault:
            cause = fault.args[0] if fault.args else fault
            raise cause if isinstance(cause, OSError) else OSError(str(cause)) from fault
        except FileSizeError as fault:
            raise UserError(
                "The rows are more than a spreadsheet file can hold (4 GB).",
                "Export as CSV or Parquet instead.",
            ) from fault

    def abandon(self) -> None:
        self._book.fileclosed = True  # else its destructor would try to write
        for sheet in self._book.worksheets():
            _close_quietly(sheet.row_data_fh)

    def _add_sheet(self) -> None:
        number = len(self._book.worksheets()) + 1
        name = "Rows" if number == 1 else f"Rows {number}"
        self._sheet: Any = self._book.add_worksheet(name, _exact_worksheet())
        self._sheet.freeze_panes(1, 0)
        for place, column in enumerate(self._columns):
            self._sheet.set_column(place, place, 60 if column.kind == "text" else 12)
        for place, column in enumerate(self._columns):
            self._sheet.write_string(0, place, self._fitting(column.name, column), self._bold)
        self._line = 1

    def _write_cell(self, place: int, column: Column, value: object) -> None:
        value = typed(value, column)
        if value is None:
            return
        if isinstance(value, int) and abs(value) > _XLSX_WHOLE:
            value = str(value)
        if isinstance(value, int | float):
            self._sheet.write_number(self._line, place, value)
        else:
            self._sheet.write_string(self._line, place, self._fitting(str(value), column))

    def _fitting(self, text: str, column: Column) -> str:
        units = len(text.encode("utf-16-le")) // 2 if len(text) * 2 > XLSX_CELL else 0
        if units > XLSX_CELL:
            where = f"Row {self._count:,}" if self._count else "The header"
            raise UserError(
                f"{where} has a text of {units:,} characters in “{column.name[:60]}”; "
                f"a spreadsheet cell holds {XLSX_CELL:,}. Nothing was written.",
                "Export as CSV, JSON lines or Parquet instead: they keep long texts whole.",
            )
        return text


class ParquetSink:
    """Typed columns in row groups of bounded size."""

    def __init__(self, path: Path, columns: Sequence[Column]) -> None:
        # Imported here: the window reads the store and need not pay for this at its start.
        import pyarrow
        import pyarrow.parquet

        types = {"text": pyarrow.string(), "integer": pyarrow.int64(), "real": pyarrow.float64()}
        self._arrow = pyarrow
        self._columns = columns
        self._schema = pyarrow.schema([(c.name, types[c.kind]) for c in columns])
        # A Python file raises OSError with the true cause; pyarrow's own does not always.
        self._file = path.open("wb")
        self._parquet = pyarrow.parquet.ParquetWriter(self._file, self._schema, compression="zstd")
        self._waiting: list[list[object]] = []
        self._characters = 0

    def write(self, rows: Iterable[Sequence[object]]) -> None:
        for row in rows:
            cells = [typed(v, c) for c, v in zip(self._columns, row, strict=True)]
            self._waiting.append(cells)
            self._characters += sum(len(cell) for cell in cells if isinstance(cell, str))
            if len(self._waiting) >= _GROUP_ROWS or self._characters >= _GROUP_CHARACTERS:
                self._flush()

    def finish(self) -> None:
        self._flush()
        self._parquet.close()
        self._file.close()

    def abandon(self) -> None:
        # An unfinished writer would add its footer to the closed file when collected.
        self._parquet.is_open = False
        _close_quietly(self._file)

    def _flush(self) -> None:
        if not self._waiting:
            return
        by_column = zip(*self._waiting, strict=True)
        arrays = [
            self._arrow.array(cells, type=kind)
            for cells, kind in zip(by_column, self._schema.types, strict=True)
        ]
        self._parquet.write_table(self._arrow.table(arrays, schema=self._schema))
        self._waiting = []
        self._characters = 0


def typed(value: object, column: Column) -> object:
    """Give a value the type of its column; None stays None. Raises ValueError for nan."""
    if value is None or (isinstance(value, str) and column.kind == "text"):
        return value
    if column.kind == "text":
        return str(value)
    if column.kind == "integer":
        return int(cast(Any, value))
    number = float(cast(Any, value))
    if not math.isfinite(number):
        raise ValueError(f"{number} in column {column.name!r}: tables hold finite numbers only")
    return number


def _close_quietly(file: IO[Any]) -> None:
    with suppress(OSError):  # what it could not flush is thrown away with the file
        file.close()


def _exact_worksheet() -> type:
    """A worksheet class that escapes so that every text is read back as it was.

    XlsxWriter's own escaping misses overlapping escapes (`_x005F_x0000_`) and takes a text
    in `<r>` … `</r>` for markup.
    """
    import re

    from xlsxwriter.worksheet import Worksheet

    escape_like = re.compile(r"_(?=x[0-9A-Fa-f]{4}_)")
    control = re.compile("[\x00-\x08\x0b-\x1f\ufffe\uffff]|^<(?=r>)")

    class ExactWorksheet(Worksheet):  # type: ignore[misc]  # the library ships without types
        @staticmethod
        def _escape_control_characters(data: str) -> str:
            data = escape_like.sub("_x005F_", data)
            return control.sub(lambda found: f"_x{ord(found[0]):04X}_", data)

    return ExactWorksheet
