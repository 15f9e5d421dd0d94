"""The words of texts in any script, and how many of them two texts share."""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

_PAIRS_AT_ONCE = 100_000
_ASCII_WORD = re.compile(r"[a-z0-9]+(?:'[a-z0-9]+)*")
# Thai and Lao, Burmese, Khmer, kana, ideographs and their marks: written without spaces.
_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
)


def words_of(text: str) -> list[str]:
    """Cut a text into casefolded words, in order and with repetitions.

    Runs of a script that is written without spaces are cut into pairs of neighbouring
    characters. A text without any word (dots, emoji) is cut into its visible characters.
    """
    folded = plain(text).casefold()
    if folded.isascii():
        return _ASCII_WORD.findall(folded) or folded.split()
    words: list[str] = []
    for word, unspaced in _any_word().findall(folded):
        if unspaced:
            words += [unspaced[i : i + 2] for i in range(max(1, len(unspaced) - 1))]
        else:
            words.append(word)
    return words or [character for character in folded if not character.isspace()]


def plain(text: str) -> str:
    """Write compatible characters (full width, ligatures) and apostrophes in one way."""
    if text.isascii():
        return text
    return unicodedata.normalize("NFKC", text).replace("’", "'")


def characters_of(*categories: str) -> str:
    """The characters of Unicode categories, within the basic plane, for a regular expression."""
    found = (chr(code) for code in range(0x80, 0x10000))
    return "".join(c for c in found if unicodedata.category(c) in categories)


@dataclass(frozen=True, slots=True)
class WordTable:
    """The set of words of each of n texts: text t has `words[start[t] : start[t + 1]]`."""

    start: NDArray[np.int64]
    words: NDArray[np.int32]
    numbers: dict[str, int]  # the number of each word

    @staticmethod
    def of(texts: Sequence[str]) -> "WordTable":
        """Cut all texts; about 10 µs for a short one."""
        numbers: dict[str, int] = {}
        words: list[NDArray[np.int32]] = []
        start = np.zeros(len(texts) + 1, np.int64)
        for place, text in enumerate(texts):
            own = {numbers.setdefault(word, len(numbers)) for word in words_of(text)}
            words.append(np.fromiter(own, np.int32, len(own)))
            start[place + 1] = start[place] + len(own)
        return WordTable(start, np.concatenate([np.empty(0, np.int32), *words]), numbers)

    def overlap(self, left: NDArray[Any], right: NDArray[Any]) -> NDArray[np.float32]:
        """The Jaccard index of the words of m pairs of texts, 0 to 1; 0 without any word."""
        size = np.diff(self.start)
        shared = shared_counts(self.matrix(), self.matrix(), left, right)
        together = size[left] + size[right] - shared
        share: NDArray[np.float32] = (shared / np.maximum(together, 1)).astype(np.float32)
        return share

    def matrix(self) -> Any:  # a scipy.sparse array, which has no types
        """The words as a sparse matrix (n, number of words) of ones."""
        return ones(self.words, self.start, len(self.numbers))


def ones(columns: NDArray[Any], start: NDArray[Any], width: int) -> Any:  # as above
    """A sparse matrix with a 1 in `columns[start[r] : start[r + 1]]` of each row r."""
    from scipy.sparse import csr_array

    values = np.ones(len(columns), np.int32)
    return csr_array((values, columns, start), shape=(len(start) - 1, max(width, 1)))


def shared_counts(
    left_rows: Any, right_rows: Any, left: NDArray[Any], right: NDArray[Any]
) -> NDArray[np.int64]:
    """Count the ones that row `left[i]` of one and row `right[i]` of the other share."""
    shared = np.zeros(len(left), np.int64)
    for first in range(0, len(left), _PAIRS_AT_ONCE):
        chunk = slice(first, first + _PAIRS_AT_ONCE)
        shared[chunk] = left_rows[left[chunk]].multiply(right_rows[right[chunk]]).sum(axis=1)
    return shared


@lru_cache(maxsize=1)
def _any_word() -> re.Pattern[str]:
    # \w has no combining marks, without which Hindi or Arabic words would fall apart.
    letter = rf"(?:[^\W_{_UNSPACED}]|[{characters_of('Mn', 'Mc')}])"
    return re.compile(rf"({letter}+(?:'{letter}+)*)|([{_UNSPACED}]+)")
