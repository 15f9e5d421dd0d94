"""Dates as people write them, read without mistaking numbers, telephones or ids for them."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime

from dateutil import parser as _dateutil

_CLOCK = (
    r"(?:[T ,]+(?P<hour>\d{1,2}):(?P<minute>\d{2})(?::(?P<second>\d{2})(?:[.,]\d+)?)?"
    r"\s*(?P<half>[AaPp]\.?[Mm]\.?)?)?(?:\s*(?:Z|UTC|GMT|[+-]\d{2}:?\d{2}))?"
)
_YEAR_FIRST = re.compile(r"(?P<year>\d{4})([-/.])(?P<month>\d{1,2})\2(?P<day>\d{1,2})" + _CLOCK)
_YEAR_LAST = re.compile(
    r"(?P<first>\d{1,2})([-/.])(?P<second_figure>\d{1,2})\2(?P<year>\d{4}|\d{2})" + _CLOCK
)
_CJK = re.compile(
    r"(?P<year>\d{4})\s*[年년]\s*(?P<month>\d{1,2})\s*[月월]\s*(?P<day>\d{1,2})\s*[日일]"
)
_COMPACT = re.compile(r"(?P<year>(?:19|20)\d\d)(?P<month>\d\d)(?P<day>\d\d)")
# Without the 24th hour, which some versions of Python read as the next day.
_PLAIN_MOMENT = re.compile(r"[0-9]{4}(?:-[0-9]{2}){2}[T ](?!24)[0-9]{2}(?::[0-9]{2}){2}")
_MONTH_ONLY = re.compile(r"(?P<year>(?:19|20)\d\d)[-/](?P<month>0[1-9]|1[0-2])")
_FIGURE = re.compile(r"\d")
_YEAR_ONLY = re.compile(r"(?:1[5-9]|20)\d\d")
_MONTH_NAME = re.compile(
    r"\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|sept|oct|nov|dec|january|february|march|april|june"
    r"|july|august|september|october|november|december)\b",
    re.IGNORECASE,
)
_NAMED = re.compile(
    r"date|time|created|updated|posted|published|timestamp|year|jahr|datum|fecha|año|année|jour"
    r"|\b(?:on|at|when|day)\b|_(?:on|at)$",
    re.IGNORECASE,
)
_LONGEST = 48
_ENOUGH = 0.8


@dataclass(frozen=True, slots=True)
class DateGuess:
    """A column that seems to hold dates; `ambiguous` where no value settles day and month."""

    column: str
    order: str  # "ymd", "dmy" or "mdy"
    ambiguous: bool
    example: str
    parsed: int  # values that are dates in that order
    total: int  # values that are not empty


def guess_dates(name: str, values: Iterable[str | None]) -> DateGuess | None:
    """Judge a column by its values, None if fewer than four in five are dates.

    Bare years ("1994"), months ("1994-03") and eight figures ("20240131") count only where
    the name of the column speaks of dates, for other numbers look the same.
    """
    held = [value.strip() for value in values if value and value.strip()]
    if not held:
        return None
    if not _NAMED.search(name):
        held_dates = [v for v in held if not v.isdecimal() and not _MONTH_ONLY.fullmatch(v)]
        if len(held_dates) < len(held) * _ENOUGH:
            return None
    figures = [match for value in held if (match := _YEAR_LAST.fullmatch(value))]
    counts = {"dmy": sum(read_date(value, "dmy") is not None for value in held)}
    # Only figures with the year last can be read in two ways.
    counts["mdy"] = counts["dmy"] + sum(
        _is_date(one, "mdy") - _is_date(one, "dmy") for one in figures
    )
    order = max(("dmy", "mdy"), key=lambda order: counts[order])
    if counts[order] < len(held) * _ENOUGH:
        return None
    parsed = counts[order]
    if not figures:
        order = "ymd"
    ambiguous = bool(figures) and counts["dmy"] == counts["mdy"] and not _is_settled(figures)
    example = figures[0].group(0) if figures else held[0]
    return DateGuess(name, order, ambiguous, example, parsed, len(held))


def read_date(value: str | None, order: str) -> str | None:
    """Read a date as ISO text, "YYYY-MM-DD" or "YYYY-MM-DDTHH:MM:SS"; None if it is none.

    `order` settles only figures with the year last: "dmy", "mdy" ("ymd" reads them as dmy).
    The clock is kept as written, an offset from UTC is dropped. "1994" is 1 January 1994 and
    "1994-03" 1 March: whether such a column is dates at all is settled before. Years of two
    figures are 1969 to 2068.
    """
    text = value.strip() if value else ""
    if (plain := _plainly_written(text)) is not None:
        return plain
    if not text or len(text) > _LONGEST or not _FIGURE.search(text):
        return None
    if _YEAR_ONLY.fullmatch(text):
        return f"{text}-01-01"
    if match := _MONTH_ONLY.fullmatch(text):
        return f"{match['year']}-{match['month']}-01"
    for pattern in (_YEAR_FIRST, _CJK, _COMPACT):
        if match := pattern.fullmatch(text):
            return _iso(match, int(match["year"]), int(match["month"]), int(match["day"]))
    if match := _YEAR_LAST.fullmatch(text):
        first, second = int(match["first"]), int(match["second_figure"])
        day, month = (second, first) if order == "mdy" else (first, second)
        return _iso(match, _full_year(match["year"]), month, day)
    if _MONTH_NAME.search(text):
        return _with_month_name(text)
    return None


def _is_settled(figures: list[re.Match[str]]) -> bool:
    return any(int(match["first"]) > 12 or int(match["second_figure"]) > 12 for match in figures)


def _is_date(figures: re.Match[str], order: str) -> bool:
    return read_date(figures.group(0), order) is not None


def _plainly_written(text: str) -> str | None:
    """Read "2024-01-31" and "2024-01-31 10:20:30", which most are; None where more is to do."""
    try:
        if len(text) == 10 and text[4] == text[7] == "-":
            return date.fromisoformat(text).isoformat()
        if len(text) == 19 and _PLAIN_MOMENT.fullmatch(text):
            return datetime.fromisoformat(text).isoformat()
    except ValueError:
        return None
    return None


def _full_year(figures: str) -> int:
    year = int(figures)
    if len(figures) == 4:
        return year
    return year + (1900 if year >= 69 else 2000)


def _iso(match: re.Match[str], year: int, month: int, day: int) -> str | None:
    parts = match.groupdict()
    hour = parts.get("hour")
    try:
        if hour is None:
            return datetime(year, month, day).date().isoformat()
        half = (parts.get("half") or "").lower()
        hours = int(hour) % 12 + (12 if half.startswith("p") else 0) if half else int(hour)
        moment = datetime(
            year, month, day, hours, int(parts["minute"] or 0), int(parts["second"] or 0)
        )
    except ValueError:
        return None
    return moment.isoformat()


def _with_month_name(text: str) -> str | None:
    """Read "12 March 2020", "Tue Feb 24 11:35:52 -0800 2015" and the like, none with a guess."""
    first = datetime(1, 1, 1)
    second = datetime(2, 2, 2)
    try:  # what the text does not say differs between the two defaults
        one = _dateutil.parse(text, default=first, ignoretz=True)
        two = _dateutil.parse(text, default=second, ignoretz=True)
    except (ValueError, OverflowError):
        return None
    if (one.year, one.month) != (two.year, two.month) or not re.search(r"\d{4}|[’']\d\d", text):
        return None
    if one.day != two.day:
        return f"{one.year:04d}-{one.month:02d}-01"
    if ":" in text:
        return one.replace(microsecond=0, tzinfo=None).isoformat()
    return one.date().isoformat()
