"""What hangs together by links, however long the chain; numpy alone."""

from collections.abc import Sequence

import numpy as np

from core.examples.kinds import Rows


def joined(count: int, *links: Rows) -> Rows:
    """Return the group of each of `count` things, which is the smallest number in it, (count,).

    `links` have shape (m, 2); each of them joins two things. Every round hooks roots to smaller
    roots and then lets all point to their root, so that the rounds grow with the logarithm of
    the longest chain.
    """
    group = np.arange(count)
    pairs = np.concatenate([np.empty((0, 2), np.int64), *links])
    while len(pairs):
        roots = group[pairs]
        low, high = roots.min(axis=1), roots.max(axis=1)
        apart = low != high
        if not apart.any():
            break
        pairs = pairs[apart]
        np.minimum.at(group, high[apart], low[apart])
        while not np.array_equal(group, above := group[group]):
            group = above
    return group


def numbered(*columns: Sequence[str]) -> tuple[dict[str, int], tuple[Rows, ...]]:
    """Return the number of every distinct text, by first appearance, and the columns in numbers."""
    numbers: dict[str, int] = {}
    told = tuple(
        np.array([numbers.setdefault(text, len(numbers)) for text in column], np.int64)
        for column in columns
    )
    return numbers, told


def pair_keys(left: Rows, right: Rows, count: int) -> Rows:
    """Return one number for each pair of numbers under `count`, the same in either order."""
    return np.minimum(left, right) * np.int64(max(count, 1)) + np.maximum(left, right)
