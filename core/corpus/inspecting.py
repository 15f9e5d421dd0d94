"""What the import sheet shows of a file before anything is imported."""

import gzip
from collections import Counter
from collections.abc import Generator
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import BinaryIO, cast

from core.corpus.composing import default_template
from core.corpus.dates import DateGuess
from core.corpus.json_rows import json_shape
from core.corpus.kinds import guess_kind
from core.corpus.opening import expect_file, open_bytes, open_text
from core.corpus.reading import KINDS, counted_rows
from core.corpus.settling import (
    AUTO,
    LISTED,
    Findings,
    listed_lines,
    settle_encoding,
    settle_folder,
    settle_sheet,
    settle_table,
)
from core.corpus.suggesting import suggest_dates, suggest_id, suggest_text
from core.corpus.text_files import LINES_COLUMNS
from core.errors import UserError
from core.records import Reading, SourceRow

SHOWN = 50  # rows of the preview
COUNTED_BYTES = 64 << 20  # files up to here are read to their end
_JUDGED = 5000  # rows from which columns are suggested
_ESTIMATED = 20_000  # rows from which the length of a larger file is estimated
_PACKED = 5  # times that text shrinks in gzip, roughly


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
                if self.odd[oddity] <= LISTED:
                    self.lines.setdefault(oddity, []).append(row.line)
        return False

    def warnings(self, *, whole: bool) -> list[str]:
        """Say what was unusual, how often and where."""
        among = "" if whole else f" among the first {self.count:,}"
        said = [
            f"{_rows(times)}{among} with {oddity} ({listed_lines(self.lines[oddity], times)})."
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
    expect_file(path)
    found = Findings()
    chosen, reason = (kind, "") if kind else guess_kind(path)
    if chosen not in KINDS:
        raise UserError(f'There is no kind "{chosen}".', f"Choose one of {', '.join(KINDS)}.")
    if reason:
        found.why.append(reason)
    reading = Reading(chosen, ())
    if chosen in ("table", "jsonl", "lines"):
        reading = replace(reading, encoding=settle_encoding(path, encoding, found))
    elif chosen == "folder":
        reading = settle_folder(path, replace(reading, encoding=encoding), found)
    if chosen == "table":
        reading = settle_table(path, reading, delimiter, header_line, found)
    elif chosen == "jsonl":
        columns, found.count = json_shape(path, reading.encoding or "utf-8")
        reading = replace(reading, columns=columns)
    elif chosen == "lines":
        reading = replace(reading, columns=LINES_COLUMNS)
    elif chosen == "xlsx":
        reading = settle_sheet(path, reading, sheet, header_line, found)
    elif chosen == "parquet":
        from core.corpus.parquet import parquet_shape  # pyarrow takes a third of a second to load

        columns, found.count = parquet_shape(path)
        reading = replace(reading, columns=columns)
    return _look(path, reading, found)


def _look(path: Path, reading: Reading, found: Findings) -> Inspection:
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


def _is_counted(path: Path, reading: Reading, found: Findings) -> bool:
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
