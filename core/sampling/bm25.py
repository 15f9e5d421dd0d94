"""The texts that share the rarest words with each text, by Okapi BM25.

Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond" (2009), section 3,
with the logarithm of Lucene, which is never negative. Augmented SBERT takes 3 or 5 texts for each
and found it the best for its cost (arXiv 2010.08240, section 5).
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.pairs import words_of
from core.progress import Progress, Steps
from core.sampling.pairs import Pairs, fresh

K1, B = 1.2, 0.75  # how soon repetitions stop counting, how much a long text is discounted
_AT_ONCE = 256  # texts that ask; their scores lie in memory together


def sample_bm25(texts: Sequence[str], known: Pairs, *, top_k: int) -> Steps[Pairs]:
    """Return each text with its `top_k` best others that share a word with it.

    The score of a text d for a text q that asks is the sum over the words of q, repetitions
    counted, of ln(1 + (n − f + 0.5) / (f + 0.5)) · t (k1 + 1) / (t + k1 (1 − b + b |d| / mean)),
    where f of the n texts hold the word, d t times. Words as `core.pairs.words_of` cuts them. Of
    equal scores the text that comes first counts.
    """
    counted = yield from _counted(texts)
    weights = _weights(counted)
    found: list[Pairs] = []
    for first in range(0, len(texts), _AT_ONCE):
        scores = counted[first : first + _AT_ONCE] @ weights
        for row in range(scores.shape[0]):
            part = slice(scores.indptr[row], scores.indptr[row + 1])
            best = _best(scores.indices[part], scores.data[part], first + row, top_k)
            found.append(np.column_stack((np.full(len(best), first + row), best)))
        yield Progress("Finding texts that share words", first + scores.shape[0], len(texts))
    everything = np.concatenate([np.empty((0, 2), np.int64), *found])
    return fresh(everything.astype(np.int64), known, len(texts))


def _counted(texts: Sequence[str]) -> Steps[Any]:  # a scipy.sparse array, which has no types
    """Return how often each text (n rows) holds each word (columns)."""
    from scipy.sparse import csr_array

    numbers: dict[str, int] = {}
    columns: list[int] = []
    start = [0]
    for at, text in enumerate(texts):
        columns.extend(numbers.setdefault(word, len(numbers)) for word in words_of(text))
        start.append(len(columns))
        if at % 10_000 == 9_999:
            yield Progress("Reading words", at + 1, len(texts))
    counts = np.ones(len(columns), np.float32)
    shape = (len(texts), max(len(numbers), 1))
    found = csr_array((counts, np.array(columns, np.int32), np.array(start)), shape=shape)
    found.sum_duplicates()
    return found


def _weights(counted: Any) -> Any:
    """Return what each word (rows) adds to the score of each text (columns)."""
    texts, words = counted.shape
    held = np.bincount(counted.indices, minlength=words)
    inverse = np.log1p((texts - held + 0.5) / (held + 0.5))
    lengths = np.asarray(counted.sum(axis=1), np.float64).reshape(-1)
    mean = max(float(lengths.mean()), 1.0) if texts else 1.0
    damped = np.repeat(K1 * (1 - B + B * lengths / mean), np.diff(counted.indptr))
    weighed = counted.copy()
    times = counted.data.astype(np.float64)
    weighed.data = (inverse[counted.indices] * times * (K1 + 1) / (times + damped)).astype("f4")
    return weighed.T.tocsr()


def _best(
    others: NDArray[np.int32], scores: NDArray[np.float32], own: int, top_k: int
) -> NDArray[np.int32]:
    """Return the best `top_k` of these texts, the best first, but not the one that asks."""
    is_other = others != own
    others, scores = others[is_other], scores[is_other]
    if len(others) > top_k:
        least = np.partition(scores, len(scores) - top_k)[len(scores) - top_k]
        others, scores = others[scores >= least], scores[scores >= least]
    return others[np.lexsort((others, -scores))[:top_k]]
