"""Pairs of texts without order: a pair and its twin are the same."""

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Pairs: TypeAlias = NDArray[np.int64]  # (p, 2) numbers of texts


def keys_of(pairs: Pairs, texts: int) -> NDArray[np.int64]:
    """Return one number for each pair (p,), the same for its twin, of so many texts."""
    pairs = pairs.reshape(-1, 2)
    keys: NDArray[np.int64] = pairs.min(axis=1) * texts + pairs.max(axis=1)
    return keys


def pairs_of(keys: NDArray[np.int64], texts: int) -> Pairs:
    """Return the pairs of such numbers, the smaller text first."""
    return np.column_stack(np.divmod(keys, texts)).astype(np.int64)


def fresh(pairs: Pairs, known: Pairs, texts: int) -> Pairs:
    """Return pairs once each, where they come first, but no known ones and no text with itself."""
    pairs = pairs.reshape(-1, 2)
    keys = keys_of(pairs[pairs[:, 0] != pairs[:, 1]], texts)
    keys = keys[np.sort(np.unique(keys, return_index=True)[1])]
    return pairs_of(keys[~np.isin(keys, keys_of(known, texts))], texts)
