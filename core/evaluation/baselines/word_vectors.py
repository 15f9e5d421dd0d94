"""The mean of word vectors from a text file in GloVe's format, or word2vec's.

Sentence-BERT (arXiv 1908.10084, table 1): 61.32 on the unsupervised STS sets, better than the
mean of raw BERT. One word a line, then its numbers, all apart by spaces; word2vec's first line
counts words and numbers.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.errors import UserError
from core.evaluation.similarities import Vectors
from core.pairs import words_of
from core.progress import Progress, Steps

_LINES_AT_ONCE = 20_000
_MOST_TOLD = 20


@dataclass(frozen=True, slots=True)
class WordVectors:
    """The vectors of those words that were wanted and found."""

    words: Mapping[str, int]  # the row of each word, casefolded
    vectors: Vectors  # (words, width)
    lines: int  # that were read
    bad: int  # lines that hold no word with as many numbers as the others
    told: tuple[tuple[int, str], ...]  # number and reason of the first twenty bad lines


@dataclass(frozen=True, slots=True)
class AveragedWords:
    """A vector for each text, and how much of the texts was known."""

    vectors: Vectors  # (n, width); zeros where no word is known
    without: int  # texts in which no word is known
    known: int  # words of all texts, repetitions counted
    unknown: int


def read_word_vectors(lines: Iterable[bytes], wanted: Collection[str]) -> Steps[WordVectors]:
    """Read the vectors of the `wanted` words, casefolded ones, from the lines of a file in UTF-8.

    Where a word is spelt in several ways, its casefolded spelling counts, else the first one;
    of equal words the first. Bad lines are skipped and counted; the numbers of words that are
    not wanted are only counted, so that memory holds no more than what is used. Raises
    `UserError` where no line is good.
    """
    reading = _Reading(frozenset(wanted))
    number = 0
    for number, line in enumerate(lines, 1):
        if number % _LINES_AT_ONCE == 0:
            yield Progress("Reading word vectors", number, None, "lines")
        reason = reading.take(line, is_first=number == 1)
        if reason:
            reading.bad += 1
            if len(reading.told) < _MOST_TOLD:
                reading.told.append((number, reason))
    if not reading.good:
        first = f" Line {reading.told[0][0]}: {reading.told[0][1]}." if reading.told else ""
        raise UserError(
            f"The file holds no word vectors.{first}",
            "Each line must hold a word and its numbers, apart by spaces, as GloVe's text files.",
        )
    rows = {**reading.other_spelling, **reading.exact}
    width = reading.width or 0
    vectors = np.array([*rows.values()], np.float32).reshape(len(rows), width)
    words = {word: row for row, word in enumerate(rows)}
    return WordVectors(words, vectors, number, reading.bad, tuple(reading.told))


def averaged_words(texts: Sequence[str], table: WordVectors) -> AveragedWords:
    """Return the mean vector of the known words of each text, repetitions counted.

    Words are cut by `core.pairs.words.words_of`, so punctuation has no vector; unknown words
    are skipped.
    """
    vectors = np.zeros((len(texts), table.vectors.shape[1]), np.float32)
    known = unknown = without = 0
    for place, text in enumerate(texts):
        words = words_of(text)
        rows = [table.words[word] for word in words if word in table.words]
        known += len(rows)
        unknown += len(words) - len(rows)
        if rows:
            vectors[place] = table.vectors[rows].mean(axis=0, dtype=np.float64)
        else:
            without += 1
    return AveragedWords(vectors, without, known, unknown)


class _Reading:
    """What was read so far."""

    def __init__(self, wanted: frozenset[str]) -> None:
        self._wanted = wanted
        self.width: int | None = None  # numbers of a vector, once the first good line told it
        self.exact: dict[str, NDArray[np.float32]] = {}
        self.other_spelling: dict[str, NDArray[np.float32]] = {}
        self.good = self.bad = 0
        self.told: list[tuple[int, str]] = []

    def take(self, line: bytes, *, is_first: bool) -> str:
        """Take a line in; return why it is bad, nothing where it is good."""
        fields = line.replace(b"\t", b" ").rstrip().split(b" ")
        if is_first and len(fields) == 2 and all(field.isdigit() for field in fields):
            self.width = int(fields[1]) or None
            return ""
        if self.width is None and not self._tells_width(fields):
            return "it is not a word followed by numbers"
        width = self.width or 0
        if len(fields) <= width:
            return f"it has {len(fields) - 1} numbers instead of {width}"
        try:
            word = b" ".join(fields[:-width]).decode("utf-8")
        except UnicodeDecodeError:
            return "its word is not UTF-8"
        if not word:
            return "it has no word"
        folded = word.casefold()
        kept = self.exact if word == folded else self.other_spelling
        if folded in self._wanted and folded not in kept:
            vector = _numbers(fields[-width:])
            if vector is None:
                return "its numbers cannot be read"
            kept[folded] = vector
        self.good += 1
        return ""

    def _tells_width(self, fields: list[bytes]) -> bool:
        if len(fields) < 2 or _numbers(fields[1:]) is None:
            return False
        self.width = len(fields) - 1
        return True


def _numbers(fields: list[bytes]) -> NDArray[np.float32] | None:
    try:
        wide = np.array([float(field) for field in fields])
    except ValueError:
        return None
    with np.errstate(over="ignore"):  # what float32 cannot hold becomes infinite, and is refused
        numbers = wide.astype(np.float32)
    return numbers if np.isfinite(numbers).all() else None
