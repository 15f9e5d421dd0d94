"""Vectors turned so that their first numbers say most of them.

Turned to their principal axes, texts' vectors have most of their length in few numbers. With h
the first m numbers of a unit vector and l the length of the rest,

    a·b = h_a·h_b + rest_a·rest_b <= h_a·h_b + l_a l_b

by Cauchy and Schwarz: products of m numbers rule out every pair that this bound keeps below the
limit, and only the others are made whole. (Teflioudi, Gemulla and Mykytiuk, LEMP: Fast retrieval
of large entries in a matrix product, 2015, prune by the lengths of parts in the same way.)
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.pairs.rounding import using_threads

_STEP = 32  # numbers; between two sizes of h that are tried
_SLACK = 1e-12  # what float64 may take from a squared length of the rest
# Of a product of one more number for one pair on the processor, taken as 1, what it costs to
# look at the pair at all, and what one more number costs for a pair that is made whole.
_LOOK, _WHOLE_PAIR, _WHOLE_NUMBER = 20.0, 4_000.0, 8.0

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Turned:
    """Unit vectors (n, d) whose first `first` numbers bound products; see the module."""

    rows: Floats
    first: int
    loose: Floats  # (n,) the length of the rest of each, rounded up


def principal_axes(sample: Floats) -> NDArray[np.float64]:
    """The principal axes (d, d) of unit vectors, as columns, those of most length first."""
    exact = sample.astype(np.float64)
    with using_threads(1):  # more of them wait for each other
        return np.ascontiguousarray(np.linalg.eigh(exact.T @ exact)[1][:, ::-1])


def looseness(rows: Floats, first: int) -> Floats:
    """The lengths, rounded up, of unit vectors (n, d) without their first numbers."""
    if first == rows.shape[1]:
        return np.zeros(len(rows), np.float32)
    rest = rows[:, first:].astype(np.float64)
    squares = np.einsum("ij,ij->i", rest, rest) * (1 + 2.0**-20) + _SLACK
    lengths: Floats = np.nextafter(np.sqrt(squares).astype(np.float32), np.float32(2))
    return lengths


def best_first(rows: Floats, limits: Sequence[Floats]) -> int:
    """Choose how many first numbers make the pass quickest, by trying the pairs of a sample.

    `rows` (s, d) are turned unit vectors; each of `limits` (s,) are cosines from which on a pair
    matters to either end, at some time of the pass. Fewer numbers are quicker to multiply and
    leave more pairs to be made whole.
    """
    d: int = rows.shape[1]
    least = [np.minimum(some[:, None], some) for some in limits]
    product = np.zeros((len(rows), len(rows)), np.float32)
    best, quickest = d, float(d + _LOOK)
    for first in range(_STEP, d, _STEP):
        part = rows[:, first - _STEP : first]
        product += part @ part.T
        loose = looseness(rows, first)
        bound = product + loose[:, None] * loose
        share = float(np.mean([bound >= one for one in least]))
        cost = first + _LOOK + share * (_WHOLE_PAIR + _WHOLE_NUMBER * (d - first))
        if cost < quickest:
            best, quickest = first, cost
    return best
