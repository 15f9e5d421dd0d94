"""The measured links between texts, sorted so that a threshold is a prefix."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.integer[Any]]
Positions = NDArray[np.intp]
Floats = NDArray[np.float32]
Truths = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class LinkTable:
    """Pairs of text positions with their cosine, in descending order of cosine.

    All arrays have shape (m,). `held` marks links that must wait for a person at any cosine.
    Make one with `prepare` unless the arrays are known to be in order.
    """

    left: Positions
    right: Positions
    cosine: Floats
    held: Truths

    def __len__(self) -> int:
        return len(self.cosine)


def prepare(left: Ints, right: Ints, cosine: NDArray[Any], held: Truths | None = None) -> LinkTable:
    """Sort links once, so that every later threshold only cuts a prefix.

    Links of a text with itself and links without a number as cosine are left out. Takes
    about 0.2 s for a million links; reuse the table while the slider moves.
    """
    cosine = np.asarray(cosine, np.float32)
    held = np.zeros(len(cosine), np.bool_) if held is None else np.asarray(held, np.bool_)
    sound = (np.asarray(left) != np.asarray(right)) & ~np.isnan(cosine)
    if not sound.all():
        left, right, cosine, held = left[sound], right[sound], cosine[sound], held[sound]
    order = np.argsort(-cosine, kind="stable")
    return LinkTable(
        left=np.asarray(left, np.intp)[order],
        right=np.asarray(right, np.intp)[order],
        cosine=cosine[order],
        held=held[order],
    )


def count_at_or_above(cosine: Floats, threshold: float) -> int:
    """Count the cosines (descending) at or above `threshold`, compared as float32."""
    return len(cosine) - int(np.searchsorted(cosine[::-1], np.float32(threshold), side="left"))


def degrees(n: int, links: LinkTable, *, threshold: float) -> NDArray[np.int64]:
    """Count for each of `n` texts its links at or above `threshold` that are not held."""
    cut = count_at_or_above(links.cosine, threshold)
    free = ~links.held[:cut]
    ends = np.concatenate([links.left[:cut][free], links.right[:cut][free]])
    return np.bincount(ends, minlength=n).astype(np.int64)


def is_among(left: Positions, right: Positions, pairs: Ints, n: int) -> Truths:
    """Say for each of the links whether it is one of `pairs` (k, 2), in either direction."""
    found = np.zeros(len(left), np.bool_)
    if not len(pairs) or not len(left):
        return found
    touched = np.zeros(n, np.bool_)
    touched[pairs] = True
    # Few texts are ever decided: two cheap gathers spare the search for nearly all links.
    likely = np.flatnonzero(touched[left])
    likely = likely[touched[right[likely]]]
    found[likely] = np.isin(
        _keys(left[likely], right[likely], n), _keys(pairs[:, 0], pairs[:, 1], n)
    )
    return found


def as_pairs(pairs: Ints | None) -> Positions:
    """Give decided pairs the shape (k, 2), also when there are none."""
    if pairs is None or not np.size(pairs):
        return np.empty((0, 2), np.intp)
    return np.asarray(pairs, np.intp).reshape(-1, 2)


def _keys(left: Ints, right: Ints, n: int) -> NDArray[np.int64]:
    low = np.minimum(left, right).astype(np.int64)
    return low * n + np.maximum(left, right)
