"""Each choice in reading a file, settled by a person or by what the file looks like."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path

from core.corpus.delimiters import guess_delimiter, plain_lines, settle_late_quotes
from core.corpus.encodings import encoding_name, guess_encoding, offered
from core.corpus.headers import column_names, guess_header
from core.corpus.opening import faults_told, open_text
from core.corpus.tables import records
from core.corpus.text_files import FOLDER_COLUMNS, text_files
from core.errors import UserError
from core.records import Reading

AUTO = "auto"
LISTED = 5  # lines named in a warning
_SAMPLE = 1 << 19  # characters in which delimiter and header are looked for
_PLAIN_LINES = 1000  # lines by which quoting is judged
_QUOTE_LINES = 200_000  # lines among which the first quotation mark is looked for
_HEADER_ROWS = 200


@dataclass(slots=True)
class Findings:
    """What is gathered on the way to a reading."""

    why: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    sheets: tuple[str, ...] = ()
    encodings: tuple[str, ...] = ()
    count: int | None = None  # of all rows, where it is known without reading them here


def listed_lines(lines: Sequence[int], count: int) -> str:
    """Name the first of `count` lines: "lines 3, 5 and 7 more"."""
    more = f" and {count - len(lines):,} more" if count > len(lines) else ""
    return f"line{'' if count == 1 else 's'} {', '.join(f'{line:,}' for line in lines)}{more}"


def settle_encoding(path: Path, given: str | None, found: Findings) -> str:
    """Keep the chosen encoding or find the one that decodes the whole file."""
    with faults_told(path, given):
        if path.stat().st_size == 0:
            raise UserError(f"{path.name} is empty.", "Choose another file.")
        if given:
            with open_text(path, given) as text:
                text.read(1)
            found.why.append(f"encoding {encoding_name(given)}, as chosen")
            found.encodings = offered(path, given)
            return given
        guess = guess_encoding(path)
    found.why.append(f"encoding {guess.why}")
    found.encodings = guess.others
    if guess.warning:
        found.warnings.append(guess.warning)
    return guess.encoding


def settle_folder(path: Path, reading: Reading, found: Findings) -> Reading:
    """Count the text files of a folder."""
    found.count = len(text_files(path))
    how = f"{encoding_name(reading.encoding)}, as chosen" if reading.encoding else "of each file"
    found.why.append(f"encoding {how}; {found.count:,} files")
    return replace(reading, columns=FOLDER_COLUMNS)


def settle_table(
    path: Path,
    reading: Reading,
    delimiter: str | None,
    header_line: int | str | None,
    found: Findings,
) -> Reading:
    """Find delimiter, quoting and header of a delimited file."""
    with faults_told(path, reading.encoding), open_text(path, reading.encoding or "utf-8") as text:
        start = text.read(_SAMPLE)
        cut = bool(text.read(1))
    lines = plain_lines(start)
    if not any(line.strip() for line in lines):
        raise UserError(f"{path.name} holds no text.", "Choose another file.")
    if delimiter is not None and (len(delimiter) != 1 or delimiter in '\r\n"'):
        raise UserError("A delimiter is a single character.", "Choose one, such as ; or |.")
    guess = guess_delimiter(lines, given=delimiter, cut=cut)
    if guess.quote == '"' and not any('"' in line for line in lines[:_PLAIN_LINES]):
        guess = settle_late_quotes(guess, _from_first_quote(path, reading.encoding or "utf-8"))
    found.why.append(f"{guess.why}{', as chosen' if delimiter else ''}")
    reading = replace(reading, delimiter=guess.delimiter, quote=guess.quote, escape=guess.escape)
    rows = [
        (line, cells) for line, cells, *_ in islice(records(lines, reading), _HEADER_ROWS) if cells
    ]
    header, columns = _settle_header(rows, guess.columns, header_line, found)
    return replace(reading, header_line=header, columns=columns)


def _from_first_quote(path: Path, encoding: str) -> list[str]:
    """Give lines from the first one on that holds a quotation mark, if one comes early enough."""
    with faults_told(path, encoding), open_text(path, encoding) as text:
        near = islice(text, _QUOTE_LINES)
        first = next((line for line in near if '"' in line), None)
        return [] if first is None else [first, *islice(text, _PLAIN_LINES)]


def settle_sheet(
    path: Path,
    reading: Reading,
    sheet: str | None,
    header_line: int | str | None,
    found: Findings,
) -> Reading:
    """Find the sheet that holds a table, and its header."""
    from core.corpus.sheets import numbered_rows, sheet_names  # loads a library of its own

    found.sheets = sheet_names(path)
    chosen = sheet or _first_filled(path, found)
    if chosen is None:
        raise UserError(f"{path.name} is empty: no sheet holds a row.", "Choose another file.")
    width = 0
    rows: list[tuple[int, tuple[str | None, ...]]] = []
    for line, cells in numbered_rows(path, chosen):
        if len(rows) < _HEADER_ROWS:
            rows.append((line, cells))
        width = max(width, len(cells))
    if not rows:
        raise UserError(f'The sheet "{chosen}" is empty.', "Choose another sheet or file.")
    header, columns = _settle_header(rows, width, header_line, found)
    return replace(reading, sheet=chosen, header_line=header, columns=columns)


def _first_filled(path: Path, found: Findings) -> str | None:
    from core.corpus.sheets import numbered_rows  # loads a library of its own

    for name in found.sheets:
        if any(any(cells) for _, cells in islice(numbered_rows(path, name), 50)):
            found.why.append(f'sheet "{name}", the first that is not empty')
            return name
    return None


def _settle_header(
    rows: list[tuple[int, list[str]]] | list[tuple[int, tuple[str | None, ...]]],
    width: int,
    given: int | str | None,
    found: Findings,
) -> tuple[int | None, tuple[str, ...]]:
    if given is None:
        found.why.append("no header, as chosen")
        return None, column_names([], width)
    if given == AUTO:
        guess = guess_header(rows, width=width)
        found.why.append(guess.why)
        if guess.titles:
            listed = listed_lines(guess.titles[:LISTED], len(guess.titles))
            found.warnings.append(f"Above the header and not read as data: {listed}.")
        return guess.line, guess.columns
    cells = next((cells for line, cells in rows if line == given), None)
    if cells is None:
        raise UserError(
            f"Line {given} cannot be the header.", "Choose the line of one of the first rows."
        )
    found.why.append(f"header on line {given}, as chosen")
    return int(given), column_names(cells, width)
