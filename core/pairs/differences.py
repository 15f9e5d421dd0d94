"""What tells two alike texts apart: a number, a negation, a name.

Such pairs have high cosines and are held back for a person (`core.records.Flag`), so a
wrong flag costs a look and a missed one may cost a row: in doubt a pair is flagged.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.pairs.lexicon import (
    CALENDAR,
    CALENDAR_IF_CAPITAL,
    NEGATIONS,
    NEGATIONS_BESIDE_NE,
    NUMBER_WORDS,
)
from core.pairs.words import WordTable, characters_of, ones, plain, shared_counts, words_of
from core.records import Flag

_ALIKE = 0.5  # word overlap from which on differing names count
_TITLE_SHARE = 0.5  # of capitals from which on a text is written like a title

_NUMBER = re.compile(r"\d+(?:[.,'\u00a0\u202f]\d+)*")
_THOUSANDS = re.compile(r"\d{1,3}(?:([.,'\u00a0\u202f])\d{3})(?:\1\d{3})*(?:[.,]\d+)?")
_NUMBER_SIGN = re.compile(r"\bno\.?\s*(?=\d)", re.IGNORECASE)  # "No. 5"


@dataclass(frozen=True, slots=True)
class DifferenceTable:
    """What may tell each of n texts from another one."""

    numbers: NDArray[np.int32]  # (n,) equal where the texts hold the same numbers
    negates: NDArray[np.bool_]  # (n,)
    name_start: NDArray[np.int64]  # (n + 1,)
    names: NDArray[np.int32]  # numbers of words of the word table
    words: WordTable

    @staticmethod
    def of(texts: Sequence[str], words: WordTable) -> "DifferenceTable":
        """Read all texts; `words` is their word table. About 25 µs for a short text."""
        known: dict[tuple[str, ...], int] = {}
        numbers = np.empty(len(texts), np.int32)
        negates = np.empty(len(texts), np.bool_)
        start = np.zeros(len(texts) + 1, np.int64)
        names: list[int] = []
        for place, text in enumerate(texts):
            own = words_of(text)
            numbers[place] = known.setdefault(numbers_in(text, own), len(known))
            negates[place] = is_negated(text, own)
            names += [words.numbers[n] for n in sorted(names_in(text, own)) if n in words.numbers]
            start[place + 1] = len(names)
        return DifferenceTable(numbers, negates, start, np.array(names, np.int32), words)

    def flags(
        self, left: NDArray[Any], right: NDArray[Any], *, overlap: NDArray[np.float32]
    ) -> NDArray[np.uint8]:
        """Flag m pairs of texts for what differs; `overlap` (m,) is their word overlap."""
        found = np.zeros(len(left), np.uint8)
        found[self.numbers[left] != self.numbers[right]] |= np.uint8(Flag.NUMBERS)
        found[self.negates[left] != self.negates[right]] |= np.uint8(Flag.NEGATION)
        named = np.diff(self.name_start)
        likely = np.flatnonzero((overlap >= _ALIKE) & (named[left] > 0) & (named[right] > 0))
        left, right = left[likely], right[likely]
        name_rows = ones(self.names, self.name_start, len(self.words.numbers))
        word_rows = self.words.matrix()
        alone_left = named[left] > shared_counts(name_rows, word_rows, left, right)
        alone_right = named[right] > shared_counts(name_rows, word_rows, right, left)
        found[likely[alone_left & alone_right]] |= np.uint8(Flag.NAMES)
        return found


def difference_flags(
    texts: Sequence[str], left: NDArray[Any], right: NDArray[Any]
) -> NDArray[np.uint8]:
    """Flag m pairs among `texts` for differing numbers, negation and names, as `Flag` bits.

    NUMBERS: the texts do not hold the same numbers equally often; "1,000", "1.000" and
    "1000" are one number, as are "2" and "two" (two to twelve in English) and "5" and "05".
    NEGATION: one text has a negating word, the other none. NAMES: in texts that share half
    of their words, each names something the other does not mention: a capitalised word
    inside a sentence, a handle, a code in capitals, a month or a day of the week.
    """
    words = WordTable.of(texts)
    overlap = words.overlap(left, right)
    return DifferenceTable.of(texts, words).flags(left, right, overlap=overlap)


def numbers_in(text: str, words: Sequence[str]) -> tuple[str, ...]:
    """The numbers of a text, sorted and each written in one way."""
    found = [NUMBER_WORDS[word] for word in words if word in NUMBER_WORDS]
    found += [_one_way(number) for number in _NUMBER.findall(plain(text))]
    return tuple(sorted(found))


def is_negated(text: str, words: Sequence[str]) -> bool:
    """Say whether a text holds a negating word."""
    present = NEGATIONS.intersection(words)
    if present == {"no"} and _NUMBER_SIGN.search(text):
        present = NEGATIONS.intersection(words_of(_NUMBER_SIGN.sub("", text)))
    if present:
        return True
    shortened = [word for word in words if "'" in word] if "'" in plain(text) else []
    if any(word.endswith("n't") for word in shortened):
        return True
    with_ne = "ne" in words or any(word.startswith("n'") for word in shortened)
    return with_ne and not NEGATIONS_BESIDE_NE.isdisjoint(words)


def names_in(text: str, words: Sequence[str]) -> set[str]:
    """The words of a text that look like names, casefolded as the other words are."""
    text = plain(text)
    names: set[str] = set()
    if not text.isupper():
        capitals = _capitalised(text.isascii()).findall(text)
        if len(capitals) <= _TITLE_SHARE * text.count(" ") + 1:
            names.update(*map(words_of, capitals))
        names.update(*map(words_of, _code(text.isascii()).findall(text)))
    if "@" in text:
        names.update(*map(words_of, re.findall(r"@\w+", text)))
    dates = CALENDAR.intersection(words)
    if not CALENDAR_IF_CAPITAL.isdisjoint(dates):
        dates -= CALENDAR_IF_CAPITAL.intersection(text.split())
    return names | dates


def _one_way(number: str) -> str:
    if (thousands := _THOUSANDS.fullmatch(number)) is not None:
        number = number.replace(thousands[1], "")
    number = number.replace(",", ".")
    if number.count(".") == 1:
        number = number.rstrip("0").rstrip(".")
    return number.lstrip("0") or "0"


@lru_cache(maxsize=2)
def _capitalised(ascii_only: bool) -> re.Pattern[str]:
    # After a word or a comma, hence not at the beginning of a sentence; "I" is no name.
    return re.compile(rf"(?<=[\w,;)%&/'] )(?!I\b)[{_capitals(ascii_only)}][\w'-]+")


@lru_cache(maxsize=2)
def _code(ascii_only: bool) -> re.Pattern[str]:
    capital = _capitals(ascii_only)
    return re.compile(rf"\b(?=[\d-]*[{capital}])[{capital}\d][{capital}\d-]*[{capital}\d]\b")


def _capitals(ascii_only: bool) -> str:
    return "A-Z" if ascii_only else f"A-Z{characters_of('Lu')}"
