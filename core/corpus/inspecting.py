"""What the import sheet shows of a file before anything is imported."""

import gzip
from collections import Counter
from collections.abc import Generator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import BinaryIO, cast

from core.corpus.composing import default_template
from core.corpus.dates import DateGuess
from core.corpus.delimiters import guess_delimiter, plain_lines, settle_late_quotes
from core.corpus.encodings import encoding_name, guess_encoding, offered
from core.corpus.headers import column_names, guess_header
from core.corpus.json_rows import json_shape
from core.corpus.kinds import guess_kind
from core.corpus.opening import faults_told, open_bytes, open_text
from core.corpus.reading import KINDS, counted_rows
from core.corpus.suggesting import suggest_dates, suggest_id, suggest_text
from core.corpus.tables import records
from core.corpus.text_files import FOLDER_COLUMNS, LINES_COLUMNS, text_files
from core.errors import UserError
from core.records import Reading, SourceRow

SHOWN = 50  # rows of the preview
COUNTED_BYTES = 64 << 20  # files up to here are read to their end
_JUDGED = 5000  # rows from which columns are suggested
_ESTIMATED = 20_000  # rows from which the length of a larger file is estimated
_SAMPLE = 1 << 19  # characters in which delimiter and header are looked for
_PLAIN_LINES = 1000  # lines by which quoting is judged
_QUOTE_LINES = 200_000  # lines among which the first quotation mark is looked for
_HEADER_ROWS = 200
_PACKED = 5  # times that text shrinks in gzip, roughly
_LISTED = 5  # lines named in a warning
AUTO = "auto"


@dataclass(frozen=True, slots=True)
class Inspection:
    """How a file will be read, why, and what it looks like then."""

    reading: Reading  # exactly what `read_rows` will use
    why: tuple[str, ...]  # a plain reason for each guess
    sample: tuple[SourceRow, ...]  # the first rows, as they will be read
    rows: int
    rows_exact: bool  # False: estimated from the start of a large file
    suggested_text: tuple[str, ...] = ()
    suggested_id: str | None = None
    dates: tuple[DateGuess, ...] = ()
    warnings: tuple[str, ...] = ()
    sheets: tuple[str, ...] = ()
    encodings: tuple[str, ...] = ()  # to offer; the one in use comes first
    template: str = ""


@dataclass(slots=True)
class _Findings:
    """What is gathered on the way to a reading."""

    why: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    sheets: tuple[str, ...] = ()
    encodings: tuple[str, ...] = ()
    count: int | None = None  # of all rows, where it is known without reading them here


@dataclass(slots=True)
class _Seen:
    """What was met in reading rows."""

    judged: list[SourceRow] = field(default_factory=list)
    lines: dict[str, list[int]] = field(default_factory=dict)  # the first ones of each oddity
    odd: Counter[str] = field(default_factory=Counter)
    count: int = 0
    last_line: int = 0
    blank: int = 0

    def take(self, rows: Generator[SourceRow, None, int], limit: int | None) -> bool:
        """Read up to `limit` rows; tell whether that was all."""
        while limit is None or self.count < limit:
            try:
                row = next(rows)
            except StopIteration as end:
                self.blank = end.value
                return True
            self.count += 1
            self.last_line = row.line
            if self.count <= _JUDGED:
                self.judged.append(row)
            for oddity in row.oddities:
                self.odd[oddity] += 1
                if self.odd[oddity] <= _LISTED:
                    self.lines.setdefault(oddity, []).append(row.line)
        return False

    def warnings(self, *, whole: bool) -> list[str]:
        """Say what was unusual, how often and where."""
        among = "" if whole else f" among the first {self.count:,}"
        said = [
            f"{_rows(times)}{among} with {oddity} ({_listed(self.lines[oddity], times)})."
            for oddity, times in self.odd.most_common()
        ]
        if self.blank:
            said.append(f"Blank lines between the rows, passed over: {self.blank:,}.")
        return said


def inspect(
    path: Path,
    *,
    kind: str | None = None,
    encoding: str | None = None,
    delimiter: str | None = None,
    header_line: int | str | None = AUTO,
    sheet: str | None = None,
) -> Inspection:
    """Find out how a file is to be read; what is given is a person's choice and kept.

    `header_line` is "auto", the line of the header, or None for a table without one. Reads
    the whole file up to `COUNTED_BYTES` (JSON: always, for its columns). Raises `UserError`
    for a file that cannot be read, saying why.
    """
    found = _Findings()
    chosen, reason = (kind, "") if kind else guess_kind(path)
    if chosen not in KINDS:
        raise UserError(f'There is no kind "{chosen}".', f"Choose one of {', '.join(KINDS)}.")
    if reason:
        found.why.append(reason)
    reading = Reading(chosen, ())
    if chosen in ("table", "jsonl", "lines"):
        reading = replace(reading, encoding=_settle_encoding(path, encoding, found))
    elif chosen == "folder":
        reading = _settle_folder(path, replace(reading, encoding=encoding), found)
    if chosen == "table":
        reading = _settle_table(path, reading, delimiter, header_line, found)
    elif chosen == "jsonl":
        columns, found.count = json_shape(path, reading.encoding or "utf-8")
        reading = replace(reading, columns=columns)
    elif chosen == "lines":
        reading = replace(reading, columns=LINES_COLUMNS)
    elif chosen == "xlsx":
        reading = _settle_sheet(path, reading, sheet, header_line, found)
    elif chosen == "parquet":
        from core.corpus.parquet import parquet_shape  # pyarrow takes a third of a second to load

        columns, found.count = parquet_shape(path)
        reading = replace(reading, columns=columns)
    return _look(path, reading, found)


def _settle_encoding(path: Path, given: str | None, found: _Findings) -> str:
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


def _settle_folder(path: Path, reading: Reading, found: _Findings) -> Reading:
    found.count = len(text_files(path))
    how = f"{encoding_name(reading.encoding)}, as chosen" if reading.encoding else "of each file"
    found.why.append(f"encoding {how}; {found.count:,} files")
    return replace(reading, columns=FOLDER_COLUMNS)


def _settle_table(
    path: Path,
    reading: Reading,
    delimiter: str | None,
    header_line: int | str | None,
    found: _Findings,
) -> Reading:
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


def _settle_sheet(
    path: Path,
    reading: Reading,
    sheet: str | None,
    header_line: int | str | None,
    found: _Findings,
) -> Reading:
    from core.corpus.sheets import numbered_rows, sheet_names  # loads a library of its own

    found.sheets = sheet_names(path)
    chosen = sheet or _first_filled(path, found)
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


def _first_filled(path: Path, found: _Findings) -> str | None:
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
    found: _Findings,
) -> tuple[int | None, tuple[str, ...]]:
    if given is None:
        found.why.append("no header, as chosen")
        return None, column_names([], width)
    if given == AUTO:
        guess = guess_header(rows, width=width)
        found.why.append(guess.why)
        if guess.titles:
            listed = _listed(guess.titles[:_LISTED], len(guess.titles))
            found.warnings.append(f"Above the header and not read as data: {listed}.")
        return guess.line, guess.columns
    cells = next((cells for line, cells in rows if line == given), None)
    if cells is None:
        raise UserError(
            f"Line {given} cannot be the header.", "Choose the line of one of the first rows."
        )
    found.why.append(f"header on line {given}, as chosen")
    return int(given), column_names(cells, width)


def _look(path: Path, reading: Reading, found: _Findings) -> Inspection:
    """Read rows, all of them unless the file is large, and describe what was met."""
    seen = _Seen()
    rows = counted_rows(path, reading)
    limit = None if _is_counted(path, reading, found) else _ESTIMATED
    ended = seen.take(rows, limit)
    rows.close()
    count = seen.count if ended else found.count
    if count is None:
        count = _estimate(path, reading, seen)
    if not count:
        found.warnings.append("There is no row below the header.")
    text = suggest_text(reading.columns, seen.judged)
    return Inspection(
        reading,
        tuple(found.why),
        tuple(seen.judged[:SHOWN]),
        count,
        ended or found.count is not None,
        suggested_text=text,
        suggested_id=suggest_id(reading.columns, seen.judged),
        dates=suggest_dates(reading.columns, seen.judged),
        warnings=(*found.warnings, *seen.warnings(whole=ended)),
        sheets=found.sheets,
        encodings=found.encodings,
        template=default_template(text),
    )


def _is_counted(path: Path, reading: Reading, found: _Findings) -> bool:
    if reading.kind == "xlsx":
        return True
    if found.count is not None:
        return found.count <= _ESTIMATED
    with open_bytes(path) as stream:
        packed = isinstance(stream, gzip.GzipFile)
    return path.stat().st_size <= COUNTED_BYTES // (_PACKED if packed else 1)


def _estimate(path: Path, reading: Reading, seen: _Seen) -> int:
    """Estimate the number of rows from the share of the file that the first ones take."""
    with open_text(path, reading.encoding or "utf-8") as text:
        for _ in islice(text, seen.last_line):
            pass
        buffer = text.buffer
        used = cast(BinaryIO, getattr(buffer, "fileobj", buffer)).tell()  # of packed bytes
    return round(seen.count * path.stat().st_size / max(used, 1))


def _rows(count: int) -> str:
    return "1 row" if count == 1 else f"{count:,} rows"


def _listed(lines: Sequence[int], count: int) -> str:
    more = f" and {count - len(lines):,} more" if count > len(lines) else ""
    return f"line{'' if count == 1 else 's'} {', '.join(f'{line:,}' for line in lines)}{more}"
