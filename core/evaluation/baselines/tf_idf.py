"""Cosine of weighted words: what counting words gives, rare ones for more."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.evaluation.similarities import Places
from core.pairs import words_of

_PAIRS_AT_ONCE = 100_000


def tf_idf(texts: Sequence[str]) -> Any:  # a scipy.sparse array, which has no types
    """Return (n, words) sparse rows of length 1, words as `core.pairs.words.words_of` cuts them.

    A word's weight in a text is its count there times ln((1 + n) / (1 + texts with it)) + 1, the
    smooth inverse document frequency, fitted on these very n texts. A text without words has a
    row of zeros.
    """
    from scipy.sparse import csr_array

    numbers: dict[str, int] = {}
    columns: list[NDArray[np.int64]] = []
    counts: list[NDArray[np.int64]] = []
    for text in texts:
        own = [numbers.setdefault(word, len(numbers)) for word in words_of(text)]
        words, count = np.unique(np.array(own, np.int64), return_counts=True)
        columns.append(words)
        counts.append(count)
    start = np.append(0, np.cumsum([len(words) for words in columns])).astype(np.int64)
    column = np.concatenate([np.empty(0, np.int64), *columns])
    frequency = np.bincount(column, minlength=len(numbers))
    inverse = np.log((1 + len(texts)) / (1 + frequency)) + 1
    weights = np.concatenate([np.empty(0), *counts]) * inverse[column]
    row = np.repeat(np.arange(len(texts)), np.diff(start))
    lengths = np.sqrt(np.bincount(row, weights=weights**2, minlength=len(texts)))
    shape = (len(texts), max(len(numbers), 1))
    return csr_array((weights / lengths[row], column, start), shape=shape)


def tf_idf_cosines(texts: Sequence[str], left: Places, right: Places) -> NDArray[np.float64]:
    """Return the cosine of the pairs (`left[i]`, `right[i]`) of texts, 0 to 1."""
    rows = tf_idf(texts)
    found = np.empty(len(left))
    for first in range(0, len(left), _PAIRS_AT_ONCE):
        part = slice(first, first + _PAIRS_AT_ONCE)
        found[part] = rows[left[part]].multiply(rows[right[part]]).sum(axis=1)
    return found
