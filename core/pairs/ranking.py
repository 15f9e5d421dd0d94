"""The best k of each row, kept as sorted numbers that hold a cosine and a place each.

One comparison of two such keys settles both what is nearer and, of equal cosines, which place
comes first, so that the outcome does not depend on the order in which candidates come.
"""

import numpy as np
from numpy.typing import NDArray

NOBODY = -1  # where a vector has fewer neighbours than were asked for
NO_COSINE = -2.0
OPEN = np.iinfo(np.int64).max  # the key of a place that nobody has taken yet

Keys = NDArray[np.int64]  # see `keys_of`
Floats = NDArray[np.float32]
Rows = NDArray[np.int64]


def keys_of(cosine: Floats, place: Rows) -> Keys:
    """Pack cosines and places into numbers whose order is: best first, then by place."""
    bits = (cosine + np.float32(0)).view(np.int32)  # which makes -0 a plain 0
    rising = bits ^ ((bits >> 31) & np.int32(0x7FFFFFFF))  # floats order as these integers do
    packed: Keys = (~rising).astype(np.int64) << 32 | place
    return packed


def unpacked(keys: Keys) -> tuple[Rows, Floats]:
    """Places and cosines again; NOBODY and NO_COSINE where a place is open."""
    free = keys == OPEN
    rising = ~(keys >> 32).astype(np.int32)
    bits = rising ^ ((rising >> 31) & np.int32(0x7FFFFFFF))
    cosine = np.where(free, np.float32(NO_COSINE), bits.view(np.float32))
    return np.where(free, NOBODY, keys & 0xFFFFFFFF), cosine


def take_block(best: Keys, keys: Keys) -> None:
    """Let each row of `best` (r, k) keep the first k of what it has and of its row of `keys`."""
    k = best.shape[1]
    gains = np.flatnonzero((keys < best[:, -1:]).any(axis=1))
    own = keys[gains]
    if own.shape[1] > k:
        own = np.partition(own, k - 1, axis=1)[:, :k]
    best[gains] = np.sort(np.concatenate([best[gains], own], axis=1), axis=1)[:, :k]


def take_pairs(best: Keys, rows: Rows, keys: Keys) -> None:
    """The same for single keys (m,), each offered to one of `rows` (m,)."""
    gains = keys < best[rows, -1]
    rows, keys = rows[gains], keys[gains]
    if not len(rows):
        return
    order = np.argsort(rows, kind="stable")
    rows, keys = rows[order], keys[order]
    k = best.shape[1]
    which, start, count = np.unique(rows, return_index=True, return_counts=True)
    padded = np.full((len(which), k + int(count.max())), OPEN, np.int64)
    padded[:, :k] = best[which]
    line = np.repeat(np.arange(len(which)), count)
    padded[line, np.arange(len(rows)) - start[line] + k] = keys
    padded.sort(axis=1)
    best[which] = padded[:, :k]
