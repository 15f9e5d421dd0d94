"""Which pairs came and went when another encoder measured them, as arrays of positions."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.records import Stand

Ints = NDArray[np.int64]
Floats = NDArray[np.float32]
Truths = NDArray[np.bool_]
Stands = NDArray[np.uint8]
_AT_ONCE = 16_384  # pairs whose vectors are read together, 50 MB of 384 dimensions


@dataclass(frozen=True, slots=True)
class Measured:
    """The pairs of one pass, in any order, and the bounds they are held against.

    Arrays are (m,). Texts are positions from 0 on, `left` < `right`, each pair once; `held`
    marks pairs that wait for a person at any cosine.
    """

    left: Ints
    right: Ints
    cosine: Floats
    held: Truths
    threshold: float  # removed automatically from here on
    review: float  # shown to a person from here on


@dataclass(frozen=True, slots=True)
class PairChanges:
    """The pairs gained (in review or above now only) and lost (before only), arrays of (k,).

    A cosine is nan where its pass did not keep the pair; `filled` puts it in.
    """

    left: Ints
    right: Ints
    gained: Truths
    before: Floats
    after: Floats
    stood: Stands  # of core.records.Stand
    stands: Stands
    stayed: int  # pairs in review or above before and now
    risen: int  # of those: in review before, removed automatically now
    fallen: int  # the reverse

    def __len__(self) -> int:
        return len(self.left)

    def filled(self, before: Floats, after: Floats) -> "PairChanges":
        """The same with these cosines."""
        return PairChanges(
            self.left, self.right, self.gained, before, after, self.stood, self.stands,
            self.stayed, self.risen, self.fallen,
        )  # fmt: skip


class CosineTable:
    """Looks the measured pairs of one pass up by their texts; 24 bytes a pair."""

    def __init__(self, n: int, pairs: Measured) -> None:
        """`n` is how many texts there are."""
        self._n = n
        keys = pairs.left * n + pairs.right
        order = np.argsort(keys, kind="stable")
        self._keys, self._order = keys[order], order
        self._pairs = pairs

    def find(self, left: Ints, right: Ints) -> tuple[Floats, Truths]:
        """The cosine of each pair (nan where it was not measured) and whether it is held."""
        cosine = np.full(len(left), np.nan, np.float32)
        held = np.zeros(len(left), np.bool_)
        if len(self._keys) and len(left):
            wanted = np.minimum(left, right) * self._n + np.maximum(left, right)
            at = np.minimum(np.searchsorted(self._keys, wanted), len(self._keys) - 1)
            known = self._keys[at] == wanted
            source = self._order[at[known]]
            cosine[known], held[known] = self._pairs.cosine[source], self._pairs.held[source]
        return cosine, held

    def stands(self, left: Ints, right: Ints) -> tuple[Floats, Stands]:
        """The cosine of each pair and where it stands; what was not measured is left alone."""
        cosine, held = self.find(left, right)
        return cosine, where_they_stand(cosine, held, self._pairs)


def where_they_stand(cosine: NDArray[Any], held: Truths, bounds: Measured) -> Stands:
    """Where pairs stand under the bounds of `bounds`; nan is left alone.

    Cosines are compared as float32, as grouping does.
    """
    found = np.full(len(cosine), Stand.LEFT_ALONE, np.uint8)
    found[cosine >= np.float32(min(bounds.review, bounds.threshold))] = Stand.REVIEW
    found[(cosine >= np.float32(bounds.threshold)) & ~held] = Stand.REMOVED
    return found


def changed_pairs(n: int, before: Measured, after: Measured) -> PairChanges:
    """Find the pairs of `n` texts that only one of two passes has in review or above.

    Gained ones first, each part by its texts. Sorts either pass once: five million pairs take a
    few seconds and some 400 MB.
    """
    tables = CosineTable(n, before), CosineTable(n, after)
    old, new = _reaching(before), _reaching(after)
    was, stood = tables[0].stands(new.left, new.right)
    # What is in review or above on both sides stayed; the rest of the new is gained.
    both = stood != Stand.LEFT_ALONE
    now = where_they_stand(new.cosine, new.held, after)
    risen = int(np.count_nonzero(both & (stood == Stand.REVIEW) & (now == Stand.REMOVED)))
    fallen = int(np.count_nonzero(both & (stood == Stand.REMOVED) & (now == Stand.REVIEW)))
    will, stand = tables[1].stands(old.left, old.right)
    lost = stand == Stand.LEFT_ALONE
    gained = ~both
    return PairChanges(
        np.concatenate([new.left[gained], old.left[lost]]),
        np.concatenate([new.right[gained], old.right[lost]]),
        np.repeat([True, False], [int(gained.sum()), int(lost.sum())]),
        np.concatenate([was[gained], old.cosine[lost]]),
        np.concatenate([new.cosine[gained], will[lost]]),
        np.concatenate([stood[gained], where_they_stand(old.cosine, old.held, before)[lost]]),
        np.concatenate([now[gained], stand[lost]]),
        int(both.sum()), risen, fallen,
    )  # fmt: skip


def most_telling(
    changes: PairChanges, *, review_before: float, review_after: float, most: int
) -> Ints:
    """Choose up to `most` pairs, the largest change first: positions in `changes`.

    A change is how far the cosine moved against the bound of review, which has its own place
    under each encoder. Where there are too many, half of the room is for either kind and what
    one leaves free is the other's. All cosines must be there.
    """
    moved = np.abs((changes.after - review_after) - (changes.before - review_before))
    order = np.lexsort((changes.right, changes.left, -moved))
    gained = changes.gained[order]
    room = np.array([most - most // 2, most // 2])
    counts = np.array([np.count_nonzero(gained), np.count_nonzero(~gained)])
    room = np.minimum(counts, room + np.maximum(0, room - counts)[::-1])
    rank = np.where(gained, np.cumsum(gained), np.cumsum(~gained))
    chosen: Ints = order[rank <= np.where(gained, room[0], room[1])].astype(np.int64)
    return chosen


def cosines(vectors: NDArray[np.float32], left: Ints, right: Ints) -> Iterator[Floats]:
    """The cosines of pairs of rows of `vectors` (n, d), unit length, a block at a time."""
    for start in range(0, len(left), _AT_ONCE):
        part = slice(start, start + _AT_ONCE)
        told = np.einsum("ij,ij->i", vectors[left[part]], vectors[right[part]])
        yield np.clip(told, -1.0, 1.0).astype(np.float32)


def _reaching(pairs: Measured) -> Measured:
    """The pairs in review or above, by their texts."""
    stands = where_they_stand(pairs.cosine, pairs.held, pairs)
    at = np.flatnonzero(stands != Stand.LEFT_ALONE)
    at = at[np.lexsort((pairs.right[at], pairs.left[at]))]
    return Measured(
        pairs.left[at], pairs.right[at], pairs.cosine[at], pairs.held[at],
        pairs.threshold, pairs.review,
    )  # fmt: skip
