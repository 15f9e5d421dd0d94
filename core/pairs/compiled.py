"""The inner loops of the pass over all pairs, compiled on the machine that runs them.

Loading the compiler takes about a second, once per process, and compiling some more, once per
machine; `core.pairs.tiles` says from when on that pays. No loop holds the interpreter's lock.
"""

import math
from collections.abc import Callable, Generator
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass
from functools import cache

import numpy as np

from core.compiling import compiled

TOO_MANY = -1  # more places than there is room for
RUN = 32  # products of one row that are looked at together before any is looked at alone
_WAIT_S = 0.1
# Sums may be taken in lanes; what is not finite never comes here.
_LIBERTIES = {"reassoc", "contract", "nsz", "nnan"}
_LEAST = np.float32(-3e38)
_ZERO = np.float32(0)


@dataclass(frozen=True, slots=True)
class Loops:
    """The compiled loops; see the functions of this module for what each takes."""

    near: Callable[..., int]
    highest: Callable[..., None]
    cosines: Callable[..., None]


def load_loops() -> Generator[None, None, Loops]:
    """Load and, the first time on a machine, compile, with pauses in which a word can be said."""
    pool = ThreadPoolExecutor(1)
    loading = pool.submit(_loops)
    pool.shutdown(wait=False)  # who cancels does not wait; what is compiled is there next time
    while not wait([loading], timeout=_WAIT_S).done:
        yield
    return loading.result()


@cache
def _loops() -> Loops:
    table, row, place = "float32[:, ::1]", "float32[::1]", "int32[::1]"
    return Loops(
        near=compiled(
            _near, table, *[row] * 6, table, table,
            "boolean", "int64", "int64", "boolean", place, place, "int64", fastmath=_LIBERTIES,
        ),
        highest=compiled(_highest, table, "int64", "int64", table),
        cosines=compiled(
            _cosines, table, table, "float64[::1]", "float64[::1]", "int64[::1]", "int64[::1]",
            "int64", "int64", row, fastmath=_LIBERTIES,
        ),
    )  # fmt: skip


def _near(  # type: ignore[no-untyped-def]
    product, left_limit, right_limit, right_least, left_loose, right_loose, right_loosest,
    left, right, is_rough, begin, stop, is_diagonal, up, across, most,
):  # fmt: skip
    """Write the places of a tile whose cosine may reach the limit of either end; count them.

    `product` (r, c) is of some numbers of the vectors, and the lengths of what it leaves out,
    `left_loose` (r,) times `right_loose` (c,), are the most that is missing. The numbers left out,
    `left` (r, x) and `right` (c, x), make it whole, or replace it where it `is_rough`.
    `right_least` and `right_loosest` are the least limit and the greatest looseness of each
    RUN of columns. Only rows from `begin` to `stop` are looked at, and only the right of the
    diagonal where the tile is on it. Returns TOO_MANY where there is no room left in `up`
    and `across`, or more than `most` products had to be made whole.
    """
    found = 0
    met = 0
    columns = product.shape[1]
    numbers = left.shape[1]
    for i in range(begin, stop):
        own = left_limit[i]
        loose = left_loose[i]
        for run in range((i + 1) // RUN if is_diagonal else 0, len(right_least)):
            start = run * RUN
            end = min(start + RUN, columns)
            top = _LEAST
            for j in range(start, end):
                top = max(top, product[i, j])
            if top + loose * right_loosest[run] < min(own, right_least[run]):
                continue
            if is_diagonal:
                start = max(start, i + 1)
            for j in range(start, end):
                limit = min(own, right_limit[j])
                if product[i, j] + loose * right_loose[j] < limit:
                    continue
                met += 1
                if met > most:
                    return TOO_MANY
                cosine = _ZERO
                for x in range(numbers):
                    cosine += left[i, x] * right[j, x]
                if not is_rough:
                    cosine += product[i, j]
                if cosine >= limit:
                    if found == len(up):
                        return TOO_MANY
                    up[found] = i
                    across[found] = j
                    found += 1
    return found


def _highest(product, begin, stop, best):  # type: ignore[no-untyped-def]  # compiled
    """Bring `best` (r, k), each row ascending, to the k largest of it and of `product` (r, c)."""
    columns = product.shape[1]
    k = best.shape[1]
    for i in range(begin, stop):
        for j in range(columns):
            value = product[i, j]
            if value > best[i, 0]:
                at = 1
                while at < k and best[i, at] < value:
                    best[i, at - 1] = best[i, at]
                    at += 1
                best[i, at - 1] = value


def _cosines(  # type: ignore[no-untyped-def]
    left, right, left_length, right_length, up, across, begin, stop, out
):
    """The cosine in float64 of every pair (up[i], across[i]) from `begin` to `stop`."""
    numbers = left.shape[1]
    for place in range(begin, stop):
        i = up[place]
        j = across[place]
        total = 0.0
        for x in range(numbers):
            total += np.float64(left[i, x]) * np.float64(
                right[j, x]
            )  # `float` would change nothing
        cosine = total / (left_length[i] * right_length[j])
        out[place] = math.copysign(min(abs(cosine), 1.0), cosine)
