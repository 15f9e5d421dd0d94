"""From bytes to texts: any file as rows, a row as a text, a text as what is compared."""

from core.corpus.composing import compose, composer, default_template
from core.corpus.dates import DateGuess, guess_dates, read_date
from core.corpus.encodings import encoding_name
from core.corpus.inspecting import Inspection, inspect
from core.corpus.normalising import (
    content_hash,
    hash_normalised,
    is_very_short,
    normalise,
)
from core.corpus.oddities import LINE_BREAK
from core.corpus.reading import KINDS, read_rows

__all__ = [
    "KINDS",
    "LINE_BREAK",
    "DateGuess",
    "Inspection",
    "compose",
    "composer",
    "content_hash",
    "default_template",
    "encoding_name",
    "guess_dates",
    "hash_normalised",
    "inspect",
    "is_very_short",
    "normalise",
    "read_date",
    "read_rows",
]
