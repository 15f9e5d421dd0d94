"""Two texts at random: nearly all of them have nothing to do with each other.

Augmented SBERT (arXiv 2010.08240, table 2) found it below the gold pairs alone on four of five
sets; it is here for comparison, and as a pool that `thinning` draws from.
"""

import numpy as np

from core.sampling.pairs import Pairs, fresh, keys_of, pairs_of

_DENSE = 3  # times as many pairs as are wanted: below, all are written down and shuffled


def sample_random(texts: int, known: Pairs, *, count: int, seed: int) -> Pairs:
    """Return `count` pairs, every new one as likely as every other; all where there are fewer."""
    random = np.random.default_rng(seed)
    if texts < 2 or count < 1:
        return np.empty((0, 2), np.int64)
    if texts * (texts - 1) // 2 <= _DENSE * (count + len(known)):
        left, right = np.triu_indices(texts, 1)
        every = fresh(np.column_stack((left, right)).astype(np.int64), known, texts)
        return every[random.permutation(len(every))[:count]]
    found = np.empty(0, np.int64)
    while len(found) < count:
        drawn = random.integers(0, texts, (2 * (count - len(found)) + 16, 2), np.int64)
        more = keys_of(fresh(drawn, known, texts), texts)
        found = np.concatenate((found, more[~np.isin(more, found)]))
    return pairs_of(found[:count], texts)
