"""Which columns look like the text, the id and dates."""

import re
from collections.abc import Sequence
from statistics import mean

from core.corpus.dates import DateGuess, guess_dates, read_date
from core.corpus.headers import is_number
from core.records import SourceRow

_TEXT_NAMES = re.compile(
    r"text|texte|texto|testo|body|content|message|msg|description|descripción|beschreibung|comment"
    r"|kommentar|commentaire|comentario|review|tweet|question|answer|sentence|utterance|abstract"
    r"|summary|feedback|note|remark|response|verbatim|query|post|complaint|title|titre|titel"
    r"|título|subject|headline",
    re.IGNORECASE,
)
_TITLE_NAMES = re.compile(r"^(title|titre|titel|título|subject|headline|betreff)$", re.IGNORECASE)
_ID_NAMES = re.compile(
    r"(?:^|[_\s.-])(?:id|ids|uid|uuid|guid|key|nr|no|number|code|ref|reference|asin|sku)$"
    r"|^(?:id|index|unnamed: 0)\b|[a-z]I[Dd]$",
    re.IGNORECASE,
)
_ADDRESS = re.compile(r"(?:https?://|www\.)\S+|\S+@\S+\.\S+", re.IGNORECASE)


def suggest_text(columns: Sequence[str], rows: Sequence[SourceRow]) -> tuple[str, ...]:
    """Name the column that reads like the text, with its title before it if there is one.

    Empty where no column holds words, so that a person has to choose. A single column is the
    text whatever it holds.
    """
    if len(columns) == 1:
        return tuple(columns)
    scores = {}
    for at, name in enumerate(columns):
        values = _values(rows, at)
        scores[name] = _text_score(name, values) * len(values) / max(len(rows), 1)
    best = max(columns, key=lambda name: scores[name], default=None)
    if best is None or scores[best] <= 0:
        return ()
    titles = [name for name in columns if _TITLE_NAMES.match(name.strip()) and scores[name] > 0]
    if titles and titles[0] != best and _TEXT_NAMES.search(best):
        return (titles[0], best)
    return (best,)


def suggest_id(columns: Sequence[str], rows: Sequence[SourceRow]) -> str | None:
    """Name a column called like an id whose values are filled, short and all different."""
    for at, name in enumerate(columns):
        values = [row.cells[at] or "" for row in rows]
        if not _ID_NAMES.search(name.strip()) or not values:
            continue
        if all(values) and len(set(values)) == len(values) and max(map(len, values)) <= 64:
            return name
    return None


def suggest_dates(columns: Sequence[str], rows: Sequence[SourceRow]) -> tuple[DateGuess, ...]:
    """List the columns that hold dates."""
    guesses = [guess_dates(name, _values(rows, at)) for at, name in enumerate(columns)]
    return tuple(guess for guess in guesses if guess is not None)


def _values(rows: Sequence[SourceRow], at: int) -> list[str]:
    return [cell for row in rows if (cell := row.cells[at]) and not cell.isspace()]


def _text_score(name: str, values: Sequence[str]) -> float:
    """Long, varied, wordy columns score high; numbers, dates and addresses nothing."""
    if not values:
        return 0.0
    sample = values[:500]
    plain = sum(
        is_number(value)
        or _ADDRESS.fullmatch(value) is not None
        or read_date(value, "dmy") is not None
        for value in sample
    )
    if plain * 2 > len(sample):
        return 0.0
    length = min(mean(map(len, sample)), 400.0)
    varied = len(set(sample)) / len(sample)
    spaced = mean(_wordiness(value) for value in sample)
    named = 2.0 if _TEXT_NAMES.search(name) else 1.0
    named *= 0.2 if _ID_NAMES.search(name.strip()) else 1.0
    return length * (0.2 + varied) * (0.1 + spaced) * named


def _wordiness(value: str) -> float:
    """0 for a single token, towards 1 for a sentence; scripts without spaces count as words."""
    words = len(value.split())
    if (
        words == 1
        and len(value) >= 4
        and sum(ord(sign) > 0x2E7F for sign in value) * 2 > len(value)
    ):
        return 1.0
    return min((words - 1) / 5, 1.0)
