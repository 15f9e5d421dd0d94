"""The epochs of a layout: attraction along links, repulsion from random others.

The steps are UMAP's, but places move in sixteen groups one after another, chosen at random,
and those of a group at once. A group can then be shared out among all processors, and gives
the same numbers whatever their count; UMAP moves one place after another on one processor.
"""

import importlib
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.compiling import cores
from core.layout.background import Watch

Places = NDArray[np.float32]

_GROUPS, _OF_A_GROUP = 16, 16  # most groups, and places from which on a group is made
_ALONE = 2_000  # places up to which handing out costs more than it saves
_CURVE_POINTS, _CURVE_END = 300, 3.0


@dataclass(frozen=True, slots=True)
class Pace:
    """How long and how boldly places move; `step` falls to 0 in equal parts."""

    epochs: int
    step: float = 1.0
    min_dist: float = 0.1


def usual_epochs(places: int) -> int:
    """500 epochs for few places, 200 from ten thousand on, where each costs more."""
    return int(np.clip(2_000_000 // max(places, 1), 200, 500))


@cache
def curve(min_dist: float) -> tuple[float, float]:
    """The a and b of 1 / (1 + a x^2b), nearest to 1 up to `min_dist` and a decay beyond."""
    from scipy.optimize import curve_fit

    x = np.linspace(0, _CURVE_END, _CURVE_POINTS)
    wanted = np.where(x < min_dist, 1.0, np.exp(-np.maximum(x - min_dist, 0)))
    (a, b), _ = curve_fit(lambda x, a, b: 1 / (1 + a * x ** (2 * b)), x, wanted)
    return float(a), float(b)


def run_epochs(
    xy: Places,
    matrix: Any,
    pace: Pace,
    *,
    rng: np.random.Generator,
    watch: Watch,
    moving: NDArray[np.bool_] | None = None,
    threads: int | None = None,
) -> Places:
    """Move the places at `xy` (u, dimensions) by `matrix` (u, u); return where they come to rest.

    Only places that are `moving` move, all by default. `threads` are as many as there are
    processors by default; the outcome does not depend on them. `watch` is shown the places
    as they come along.
    """
    links = _Links.of(matrix, pace.epochs, rng, moving)
    if links is None:
        return xy.copy()
    seed = int(rng.integers(2**63))
    at_once = 1 if len(links.order) <= _ALONE else (threads or cores())
    flat = np.ascontiguousarray(xy[links.order], np.float32).ravel()
    for done in _walked(flat, links, pace, seed=seed, threads=at_once):
        watch.passed(done, pace.epochs)
        watch.offer(lambda: links.in_order(flat))
    return links.in_order(flat)


@dataclass(frozen=True, slots=True)
class _Links:
    """The links that are walked, by place; places are numbered anew, those that move first."""

    order: NDArray[np.intp]  # (u,) the place before
    starts: NDArray[np.int64]  # (u + 1,)
    ends: NDArray[np.int32]
    share: Places  # strength of each, that of the strongest is 1
    groups: NDArray[np.intp]  # (groups + 1,) where each begins, the last one's end
    both_move: bool  # the ends of a link

    @staticmethod
    def of(
        matrix: Any, epochs: int, rng: np.random.Generator, moving: NDArray[np.bool_] | None
    ) -> "_Links | None":
        """Number the places by chance; None if nothing would be walked."""
        u = matrix.shape[0]
        strongest = matrix.data.max(initial=0)
        # What would not be walked once is left out, as in UMAP.
        is_walked = (matrix.data > 0) & (matrix.data >= strongest / epochs)
        rows = np.repeat(np.arange(u), np.diff(matrix.indptr))
        if moving is not None:
            is_walked &= moving[rows]
        if not is_walked.any():
            return None
        rows, ends = rows[is_walked], matrix.indices[is_walked]
        share = (matrix.data[is_walked] / strongest).astype(np.float32)
        order = rng.permutation(u)
        if moving is not None:
            order = np.concatenate([order[moving[order]], order[~moving[order]]])
        movers = u if moving is None else int(moving.sum())
        groups = np.linspace(0, movers, _groups(movers) + 1).astype(np.intp)
        # Side by side go places with as many links to walk, or some would wait for others.
        walks = np.bincount(rows, share, minlength=u)
        for low, high in pairwise(groups):
            order[low:high] = order[low:high][np.argsort(walks[order[low:high]], kind="stable")]
        rank = np.empty(u, np.int32)
        rank[order] = np.arange(u, dtype=np.int32)
        by_head = np.argsort(rank[rows], kind="stable")
        counts = np.bincount(rank[rows], minlength=u)
        starts = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
        return _Links(order, starts, rank[ends][by_head], share[by_head], groups, moving is None)

    def shared_out(self, threads: int) -> list[list[tuple[int, int]]]:
        """For each group the ranges of places that threads move, of about as many links."""
        parts = []
        for low, high in pairwise(self.groups.tolist()):
            wanted = np.linspace(self.starts[low], self.starts[high], threads + 1)[1:-1]
            cuts = [low, *np.searchsorted(self.starts, wanted).clip(low, high).tolist(), high]
            parts.append([(a, b) for a, b in pairwise(cuts) if a < b])
        return parts

    def in_order(self, flat: Places) -> Places:
        """The coordinates by the numbers that the places had before."""
        found = np.empty((len(self.order), len(flat) // len(self.order)), np.float32)
        found[self.order] = flat.reshape(found.shape)
        return found


def _groups(places: int) -> int:
    return int(np.clip(places // _OF_A_GROUP, 1, _GROUPS))


def _walked(flat: Places, links: _Links, pace: Pace, *, seed: int, threads: int) -> Iterator[int]:
    """Move the places in `flat` (u * dimensions,), yielding how many epochs lie behind."""
    kernels: Any = importlib.import_module("core.layout.kernels")  # loads numba
    u, most = len(links.order), int(np.diff(links.starts).max())
    dimensions = len(flat) // u
    kernel: Callable[..., None] = kernels.epoch_kernel(dimensions)
    parts = links.shared_out(threads)
    settle: Callable[..., None] = kernels.settling_kernel()
    even = np.linspace(0, len(flat), threads + 1).astype(int).tolist()
    moved, step = flat.copy(), pace.step
    back = np.zeros((threads, len(flat)), np.int32)
    with ThreadPoolExecutor(threads) as pool:
        for epoch in range(pace.epochs):
            yield epoch
            told = (
                links.starts, links.ends, links.share, *curve(pace.min_dist), step, epoch,
                np.uint64(seed), u, np.uint64(kernels.LANES), most, links.both_move,
            )  # fmt: skip
            for ranges in parts:
                _all(pool, kernel, [
                    (moved, back[thread], flat, low, high, *told)
                    for thread, (low, high) in enumerate(ranges)
                ])  # fmt: skip
                span = (ranges[0][0] * dimensions, ranges[-1][1] * dimensions)
                _all(pool, settle, [
                    (flat, moved, back, low, high, *span)
                    for low, high in pairwise(even)
                ])  # fmt: skip
            step = pace.step * (1 - epoch / pace.epochs)


def _all(pool: ThreadPoolExecutor, call: Callable[..., None], calls: list[tuple[Any, ...]]) -> None:
    """Make the calls at the same time, the first in this thread."""
    waiting = [pool.submit(call, *given) for given in calls[1:]]
    call(*calls[0])
    for given in waiting:
        given.result()
