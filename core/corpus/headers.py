"""Where the names of the columns stand, if anywhere, and what the columns are called."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

_NUMBER = re.compile(r"[-+]?[\s$€£]?\d[\d\s.,'’]*(?:[eE][-+]?\d+)?\s?%?")
_YEAR = re.compile(r"(?:18|19|20)\d\d")
_KNOWN = re.compile(
    r"ids?|u?uid|key|n[ro]|num(ber)?|index|text[s_ab]*|te?xte?|texto|testo|titles?|titre|titel|título"
    r"|titulo|body|contents?|comments?|comentario|commentaire|kommentar|mess?ages?|msg"
    r"|questions?\d?|answers?|sentences?\d?|descriptions?|beschreibung|summary|subject|labels?"
    r"|categor(y|ies)|class|tags?|names?|dates?|time|year|types?|kind|status|source|url|link"
    r"|author|user|username|reviews?|tweets?|posts?|documents?|docs?|feedback|notes?|responses?"
    r"|values?|score|rating|sentiment|topics?|language|lang|e-?mail|abstract|keywords?|quer(y|ies)"
    r"|utterance|intent|requests?|tickets?"
)
_MOST_TITLES = 30

Numbered = tuple[int, Sequence[str | None]]  # the physical line of a row, and its cells


@dataclass(frozen=True, slots=True)
class HeaderGuess:
    """The line of the header (None: none), the names it gives, and why."""

    line: int | None
    columns: tuple[str, ...]
    why: str
    titles: tuple[int, ...] = ()  # lines above the header that are not data


def guess_header(rows: Sequence[Numbered], *, width: int) -> HeaderGuess:
    """Find the header among the first rows of a table `width` columns wide."""
    filled = [(line, cells) for line, cells in rows if any(_text(cell) for cell in cells)]
    if not filled:
        return HeaderGuess(None, column_names([], width), "no header: the table is empty")
    at = _first_full(filled)
    at = _past_group_names(filled, at)
    line, cells = filled[at]
    body = [cells for _, cells in filled[at + 1 :]]
    reason = _why_header(cells, body, width)
    if reason is None:
        return HeaderGuess(None, column_names([], width), _why_none(cells, body))
    titles = tuple(above for above, _ in filled[:at])
    skipped = f"; {_count(len(titles))} above it skipped" if titles else ""
    return HeaderGuess(
        line, column_names(cells, width), f"header on line {line:,}: {reason}{skipped}", titles
    )


def column_names(cells: Sequence[str | None], width: int) -> tuple[str, ...]:
    """Give each of at least `width` columns a name of its own: its header, else "column 3"."""
    names: list[str] = []
    taken: set[str] = set()
    for at in range(max(width, len(cells))):
        wanted = _text(cells[at]) if at < len(cells) else ""
        wanted = " ".join(wanted.removeprefix("\ufeff").split()) or f"column {at + 1}"
        name = wanted
        count = 2
        while name in taken:
            name = f"{wanted} ({count})"
            count += 1
        taken.add(name)
        names.append(name)
    return tuple(names)


def is_number(cell: str | None) -> bool:
    """Tell whether a cell holds nothing but a number, a currency or a percentage."""
    return _NUMBER.fullmatch(_text(cell)) is not None


def _first_full(rows: Sequence[Numbered]) -> int:
    """Pass over title rows: those with far fewer filled cells than the body has."""
    counts = [sum(bool(_text(cell)) for cell in cells) for _, cells in rows]
    usual = median(counts[len(counts) // 2 :])
    if usual < 2:
        return 0
    needed = max(2, 0.6 * usual)
    return next((at for at, count in enumerate(counts[:_MOST_TITLES]) if count >= needed), 0)


def _past_group_names(rows: Sequence[Numbered], at: int) -> int:
    """Move down from rows that name groups of columns to the row that names the columns."""
    body = [cells for _, cells in rows[at + 1 :]]
    numeric = _numeric_columns(body)
    if len(numeric) < 2:
        return at
    usual = sum(bool(_text(cell)) for cell in rows[at][1])
    best = at
    for below in range(at, min(at + 5, len(rows) - 1)):
        cells = rows[below][1]
        held = [_text(cells[column]) for column in numeric if column < len(cells)]
        if any(is_number(cell) for cell in held) or sum(map(bool, held)) * 2 < len(numeric):
            break
        if sum(bool(_text(cell)) for cell in cells) * 10 >= usual * 9:
            best = below
    return best


def _numeric_columns(body: Sequence[Sequence[str | None]]) -> list[int]:
    found = []
    for column in range(max(map(len, body), default=0)):
        held = [row[column] for row in body if column < len(row) and _text(row[column])]
        if len(held) >= 2 and sum(map(is_number, held)) * 10 >= len(held) * 7:
            found.append(column)
    return found


def _why_header(
    cells: Sequence[str | None], body: Sequence[Sequence[str | None]], width: int
) -> str | None:
    names = [_text(cell) for cell in cells]
    filled = [name for name in names if name]
    known = [name for name in filled if _is_known(name)]
    if not _are_years(filled):
        typed = set(_numeric_columns(body))
        if any(is_number(name) for at, name in enumerate(names) if at in typed or not body):
            return None
        if sum(map(is_number, filled)) * 2 > len(filled):
            return None
        if typed and any(names[at] for at in typed if at < len(names)):
            return "names stand above columns of numbers"
    if len(set(filled)) < len(filled) and len(filled) * 2 < width * 2 and not known:
        return None
    if any(len(name) > 100 or "\n" in name for name in filled):
        return None
    if known and (len(known) * 2 >= len(filled) or len(filled) > 1):
        return f'"{known[0]}" is a usual name of a column'
    if not body or _recurs(names, body):
        return None
    if _is_much_shorter(names, body):
        return "its cells are short names above longer texts"
    if width > 1 and len(filled) == width and all(len(name.split()) <= 4 for name in filled):
        return "its cells are distinct short names"
    return None


def _why_none(cells: Sequence[str | None], body: Sequence[Sequence[str | None]]) -> str:
    if not body:
        return "no header: there is only one row"
    if any(is_number(cell) for cell in cells):
        return "no header: the first row holds numbers, as the rows below do"
    if _recurs([_text(cell) for cell in cells], body):
        return "no header: what stands in the first row stands in other rows too"
    return "no header: the first row looks like the rows below"


def _is_known(name: str) -> bool:
    words = re.split(r"[\s_\-./]+", re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).lower())
    return len(words) <= 4 and any(_KNOWN.fullmatch(word) for word in (words[0], words[-1]))


def _are_years(names: Sequence[str]) -> bool:
    years = [int(name) for name in names if _YEAR.fullmatch(name)]
    steps = {after - before for before, after in pairwise(years)}
    return len(years) >= 2 and len(steps) == 1 and steps <= {1, -1, 5, 10}


def _recurs(names: Sequence[str], body: Sequence[Sequence[str | None]]) -> bool:
    for column, name in enumerate(names):
        if name and any(column < len(row) and _text(row[column]) == name for row in body):
            return True
    return False


def _is_much_shorter(names: Sequence[str], body: Sequence[Sequence[str | None]]) -> bool:
    for column, name in enumerate(names):
        lengths = [len(_text(row[column])) for row in body if column < len(row)]
        held = [length for length in lengths if length]
        if name and len(name.split()) <= 3 and held and name[-1] not in ".!?,:;":
            usual = median(held)
            least = 25 if " " in name else 12
            if usual >= max(least, 3 * len(name)) and min(held) > len(name):
                return True
    return False


def _count(titles: int) -> str:
    words = {1: "one title line", 2: "two title lines", 3: "three title lines"}
    return words.get(titles, f"{titles} title lines")


def _text(cell: str | None) -> str:
    return cell.strip() if cell else ""
