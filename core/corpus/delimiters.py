"""How the cells of a delimited file are set apart: by consistency over its first rows."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from operator import length_hint

from core.corpus.oddities import STRAY_QUOTE, UNCLOSED_QUOTE
from core.corpus.tables import records
from core.records import Reading

_COMMON = ("\t", ";", "|", ",")
_RARE = ("\x01", "\x1e", "^", "~", "¦", "§", ":", "#")
DELIMITER_NAMES = {
    "\t": "tab",
    ";": "semicolon",
    "|": "pipe",
    ",": "comma",
    ":": "colon",
    "\x01": "control character 1",
}
_MOST_ROWS = 1000


@dataclass(frozen=True, slots=True)
class DelimiterGuess:
    """How cells are set apart; `delimiter` is None where a line is one cell."""

    delimiter: str | None
    quote: str | None
    escape: str | None
    why: str
    consistency: float  # share of the first rows that have the usual number of cells
    columns: int


@dataclass(frozen=True, slots=True)
class _Trial:
    reading: Reading
    width: int
    consistency: float
    rows: int
    broken: int  # records whose quoting had to be mended

    @property
    def score(self) -> float:
        rank = (*_COMMON, *_RARE).index(self.reading.delimiter or ",")
        clean = self.consistency - self.broken / max(self.rows, 1) / 2
        return clean + min(self.width, 10) * 0.005 - rank * 0.004


def guess_delimiter(
    lines: Sequence[str], *, given: str | None = None, cut: bool = False
) -> DelimiterGuess:
    """Find the delimiter and the quoting of the table that begins with `lines`.

    `given` is a person's choice of delimiter; `cut` says that the file goes on after `lines`,
    so that a record cut off by their end does not count. Delimiters inside quoted cells do
    not count either.
    """
    candidates = (given,) if given else _COMMON
    trials = [_try(lines, _reading(mark), cut=cut) for mark in candidates]
    good = [trial for trial in trials if trial.width > 1 and trial.consistency >= 0.6]
    if not good and not given:
        rare = [_try(lines, _reading(mark), cut=cut) for mark in _RARE]
        good = [t for t in rare if t.width > 1 and t.consistency >= 0.95 and t.rows >= 3]
    if not good and not given:
        return _one_column(lines, cut=cut)
    best = max(good or trials, key=lambda trial: trial.score)
    best = _settle_quoting(lines, best, cut=cut)
    name = DELIMITER_NAMES.get(best.reading.delimiter or "", repr(best.reading.delimiter))
    share = "each" if best.consistency == 1 else f"{best.consistency:.0%}"
    return DelimiterGuess(
        best.reading.delimiter,
        best.reading.quote,
        best.reading.escape,
        f"{name}: {best.width} columns in {share} of the first {best.rows:,} rows"
        f"{_about_quotes(best.reading)}",
        best.consistency,
        best.width,
    )


def settle_late_quotes(guess: DelimiterGuess, lines: Sequence[str]) -> DelimiterGuess:
    """Judge the quoting anew by `lines` from the first one on that holds a quotation mark."""
    reading = Reading("table", (), delimiter=guess.delimiter, quote=guess.quote)
    trial = _settle_quoting(lines, _try(lines, reading, cut=True), cut=True)
    if (trial.reading.quote, trial.reading.escape) == (guess.quote, guess.escape):
        return guess
    why = f"{guess.why}{_about_quotes(trial.reading)}"
    return replace(guess, quote=trial.reading.quote, escape=trial.reading.escape, why=why)


def _about_quotes(reading: Reading) -> str:
    if reading.quote is None:
        return "; quotation marks are plain text"
    if reading.quote == "'":
        return "; cells stand in single quotation marks"
    return "; a backslash stands before quotation marks" if reading.escape else ""


def _one_column(lines: Sequence[str], *, cut: bool) -> DelimiterGuess:
    trial = _settle_quoting(lines, _try(lines, _reading(None), cut=cut), cut=cut)
    return DelimiterGuess(
        None, trial.reading.quote, trial.reading.escape, "one column: no delimiter fits", 1.0, 1
    )


def _settle_quoting(lines: Sequence[str], trial: _Trial, *, cut: bool) -> _Trial:
    """Choose between quoted cells, backslashes before quotation marks, and no quoting at all."""
    if not trial.broken:
        return _settle_single_quotes(lines, trial, cut=cut)
    if any('\\"' in line for line in lines):
        slashed = _try(lines, replace(trial.reading, escape="\\"), cut=cut)
        if slashed.broken < trial.broken and slashed.consistency >= trial.consistency:
            return slashed
    mark = re.escape(trial.reading.delimiter or "\x1f")
    quoted = re.compile(f'(?:^|(?<={mark}))"((?:[^"]|"")*)"(?={mark}|[\r\n]|$)')
    cells = [cell for line in lines[:_MOST_ROWS] for cell in quoted.findall(line)]
    needed = sum((trial.reading.delimiter or '"') in cell or '""' in cell for cell in cells)
    if trial.broken > max(needed, 2) and len(cells) * 2 < trial.rows:
        plain = _try(lines, replace(trial.reading, quote=None), cut=cut)
        if plain.consistency >= trial.consistency:
            return plain
    return trial


def _settle_single_quotes(lines: Sequence[str], trial: _Trial, *, cut: bool) -> _Trial:
    mark = trial.reading.delimiter
    if mark is None or any('"' in line for line in lines):
        return trial
    quoted = sum(line.startswith("'") or f"{mark}'" in line for line in lines)
    if not quoted or quoted * 2 < len(lines):
        return trial
    single = _try(lines, replace(trial.reading, quote="'"), cut=cut)
    # Lines that are whole rows already are not joined: those marks are apostrophes.
    joins = single.rows < trial.rows and single.consistency == trial.consistency
    better = single.consistency >= trial.consistency and not single.broken and not joins
    return single if better else trial


def _try(lines: Sequence[str], reading: Reading, *, cut: bool) -> _Trial:
    found = [record for record in _first_records(lines, reading, cut=cut) if record[1]]
    widths = Counter(len(cells) for _, cells, *_ in found)
    width = max(widths, key=lambda size: (widths[size], size), default=1)
    if width == 1 and len(widths) > 1:  # titles and notes may outnumber a small table
        wider = max((size for size in widths if size > 1), key=lambda size: widths[size])
        width = wider if widths[wider] * 2 >= widths[1] and widths[wider] >= 3 else 1
    body = _below_titles([len(cells) for _, cells, *_ in found], width)
    consistency = sum(size == width for size in body) / len(body) if body else 0.0
    broken = sum(bool({STRAY_QUOTE, UNCLOSED_QUOTE} & set(record[3])) for record in found)
    return _Trial(reading, width, consistency, len(body), broken)


def _first_records(
    lines: Sequence[str], reading: Reading, *, cut: bool
) -> list[tuple[int, list[str], int, tuple[str, ...]]]:
    found = []
    stream = iter(lines)
    for record in records(stream, reading):
        ended = length_hint(stream) == 0
        if cut and ended and UNCLOSED_QUOTE in record[3] and record[0] * 2 > len(lines):
            break  # the record may well be closed in what follows
        found.append(record)
        if len(found) > _MOST_ROWS:
            break
    return found[:-1] if cut and len(found) > 1 else found


def _below_titles(widths: list[int], width: int) -> list[int]:
    if not widths:
        return []
    start = next((at for at, size in enumerate(widths[:20]) if size == width), 0)
    return widths[start:] if widths[0] == 1 and len(widths) - start >= 3 else widths


def _reading(delimiter: str | None) -> Reading:
    return Reading("table", (), delimiter=delimiter)


def plain_lines(text: str) -> list[str]:
    """Cut text into lines at \\n, \\r\\n and \\r only, ends kept."""
    return re.findall(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+$", text)
