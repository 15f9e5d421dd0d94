"""Draw without repeating, fairly, and without ever writing down all there is to draw from."""

import numpy as np

from core.examples.kinds import Rows

_ENUMERABLE = 0.5  # of all codes; when more are wanted, writing all down costs at most twice that


def draw(total: int, count: int, random: np.random.Generator) -> Rows:
    """Return `count` different numbers under `total` at random; all of them where there are fewer.

    Every choice is equally likely. Memory goes with `count`, whatever the total.
    """
    count = min(count, total)
    if count <= 0:
        return np.empty(0, np.int64)
    if count > _ENUMERABLE * total:
        return random.permutation(total)[:count].astype(np.int64)
    found = np.empty(0, np.int64)
    while len(found) < count:
        more = random.integers(0, total, 2 * (count - len(found)) + 8)
        found = np.unique(np.concatenate((found, more)))
    return random.permutation(found)[:count]


def shares(capacity: Rows, count: int, random: np.random.Generator) -> Rows:
    """Deal `count` as evenly as the capacities allow; what does not divide goes out at random."""
    capacity = np.minimum(capacity, count)  # the sum of what is never dealt could overflow
    dealt = np.zeros(len(capacity), np.int64)
    left = min(count, int(capacity.sum()))
    while left:
        open_ = np.flatnonzero(dealt < capacity)
        if left < len(open_):
            dealt[random.permutation(open_)[:left]] += 1
            break
        given = np.minimum(left // len(open_), capacity[open_] - dealt[open_])
        dealt[open_] += given
        left -= int(given.sum())
    return dealt


def unordered_pairs(codes: Rows) -> tuple[Rows, Rows]:
    """Return the pair (smaller, larger) of each code; n things have n(n-1)/2 pairs, from 0.

    Pair (i, j) with i < j has the code j(j-1)/2 + i.
    """
    larger = ((1 + np.sqrt(8.0 * codes + 1)) / 2).astype(np.int64)
    larger -= larger * (larger - 1) // 2 > codes  # the root may round up, or down
    larger += (larger + 1) * larger // 2 <= codes
    return codes - larger * (larger - 1) // 2, larger


def all_pairs(count: int) -> int:
    """How many unordered pairs so many things make."""
    return count * (count - 1) // 2
