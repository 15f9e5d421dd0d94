"""Spreadsheets (xlsx, xls, xlsb, ods) as rows, cells as people see them."""

from collections.abc import Generator, Iterator
from datetime import date, datetime, time, timedelta
from pathlib import Path

from python_calamine import CalamineError, CalamineWorkbook, PasswordError

from core.corpus.oddities import LINE_BREAK
from core.corpus.opening import faults_told
from core.errors import UserError
from core.records import Reading, SourceRow


def sheet_names(path: Path) -> tuple[str, ...]:
    """List the sheets in the order of the workbook."""
    with _workbook(path) as book:
        return tuple(book.sheet_names)


def sheet_rows(path: Path, reading: Reading) -> Generator[SourceRow, None, int]:
    """Yield the data rows of one sheet; return how many blank rows were passed over.

    `line` is the row's number in the spreadsheet. The sheet is held in memory, by calamine.
    """
    width = len(reading.columns)
    place = 0
    blank = 0
    for line, cells in numbered_rows(path, reading.sheet):
        if reading.header_line is not None and line <= reading.header_line:
            continue
        if not any(cells):
            blank += 1
            continue
        place += 1
        fitted = (*cells[:width], *[None] * (width - len(cells)))
        broken = any(cell is not None and "\n" in cell for cell in fitted)
        yield SourceRow(place, line, fitted, (LINE_BREAK,) if broken else ())
    return blank


def numbered_rows(path: Path, sheet: str | None) -> Iterator[tuple[int, tuple[str | None, ...]]]:
    """Yield every row of a sheet (the first, unless named) with its number."""
    with _workbook(path) as book:
        if sheet is not None and sheet not in book.sheet_names:
            listed = ", ".join(f'"{name}"' for name in book.sheet_names)
            raise UserError(f'There is no sheet "{sheet}".', f"The sheets are {listed}.")
        if not book.sheet_names:
            raise UserError(f"{path.name} has no sheet.", "Choose another file.")
        try:
            page = book.get_sheet_by_name(sheet or book.sheet_names[0])
        except CalamineError as error:
            raise _damaged(path, error) from None
        _, left = page.start or (0, 0)  # empty rows above are given, empty columns are not
        margin: tuple[None, ...] = (None,) * left
        for number, cells in enumerate(page.iter_rows(), start=1):
            yield number, (*margin, *[_seen(cell) for cell in cells])


def _workbook(path: Path) -> CalamineWorkbook:
    try:
        with faults_told(path), path.open("rb") as stream:
            if not stream.read(1):
                raise UserError(f"{path.name} is empty.", "Choose another file.")
        return CalamineWorkbook.from_path(path)
    except PasswordError:
        raise _protected(path) from None
    except CalamineError as error:
        if _is_encrypted(path):
            raise _protected(path) from None
        raise _damaged(path, error) from None


def _protected(path: Path) -> UserError:
    return UserError(
        f"{path.name} is protected by a password.",
        "Save a copy without the password in your spreadsheet program and import that.",
    )


def _damaged(path: Path, error: Exception) -> UserError:
    return UserError(
        f"{path.name} is damaged or not a spreadsheet: {error}.",
        "Open it in your spreadsheet program and save it again, or save it as CSV.",
    )


def _is_encrypted(path: Path) -> bool:
    """An encrypted xlsx is an OLE file with a stream of this name (in UTF-16)."""
    with path.open("rb") as stream:
        return "EncryptedPackage".encode("utf-16-le") in stream.read(1 << 16)


def _seen(cell: object) -> str | None:
    """Write a cell as people see it: 3 for 3.0, ISO dates, None for an empty one."""
    if cell is None or cell == "":
        return None
    if isinstance(cell, str):
        return cell
    if isinstance(cell, bool):
        return "TRUE" if cell else "FALSE"
    if isinstance(cell, float):
        whole = cell.is_integer() and abs(cell) < 1e15
        return str(int(cell)) if whole else format(cell, ".15g")
    if isinstance(cell, datetime):
        return (cell.date() if cell.time() == time() else cell.replace(microsecond=0)).isoformat()
    if isinstance(cell, date | time):
        return cell.isoformat()
    if isinstance(cell, timedelta):
        minutes, seconds = divmod(round(cell.total_seconds()), 60)
        return f"{minutes // 60}:{minutes % 60:02d}:{seconds:02d}"
    return str(cell)
