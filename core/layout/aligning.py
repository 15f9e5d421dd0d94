"""A new layout turned so that it lies over the old one."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float64]

_ROUNDS = 30


@dataclass(frozen=True, slots=True)
class _Fit:
    """A turn (d, d) and a scale about `here`, which is brought to `there`."""

    turn: Points
    scale: float
    here: Points
    there: Points

    def applied(self, xy: Points) -> Points:
        return (xy - self.here) @ self.turn * self.scale + self.there

    def misses(self, source: Points, target: Points) -> Points:
        return np.asarray(np.linalg.norm(self.applied(source) - target, axis=1))


def align(
    xy: NDArray[np.floating[Any]],
    to: NDArray[np.floating[Any]],
    *,
    rows: NDArray[np.integer[Any]] | None = None,
) -> NDArray[np.float32]:
    """Shift, turn, mirror and scale `xy` (n, d) so that it lies over `to`; nothing is bent.

    `to` (m, d) are the old coordinates of the texts at `rows` of `xy` (m,), by default of all;
    rows of `to` that are not finite have none. Orthogonal Procrustes (Schönemann, 1966) on
    the half of the texts that then lies nearest, found in rounds (Rousseeuw and Van Driessen,
    1999), so that a cluster gone elsewhere does not shift the rest. Too few or coinciding
    texts are only shifted.
    """
    moved = np.asarray(xy, np.float64)
    source = moved if rows is None else moved[rows]
    target = np.asarray(to, np.float64)
    both = np.isfinite(source).all(axis=1) & np.isfinite(target).all(axis=1)
    # A pile of texts on one spot says no more than one text.
    source, first = np.unique(source[both], axis=0, return_index=True)
    target = target[both][first]
    if not len(source):
        return moved.astype(np.float32)
    fits = [_narrowed(start, source, target) for start in (_rough_fit, _procrustes)]
    best = min(fits, key=lambda fit: float(np.median(fit.misses(source, target))))
    return best.applied(moved).astype(np.float32)


def _narrowed(start: Callable[[Points, Points], _Fit], source: Points, target: Points) -> _Fit:
    """Fit the half that misses least, until that half stays the same."""
    fit, kept = start(source, target), np.empty(0, np.intp)
    for _ in range(_ROUNDS):
        before, order = kept, np.argsort(fit.misses(source, target), kind="stable")
        kept = np.sort(order[: len(source) // 2 + 1])
        if np.array_equal(before, kept):
            break
        fit = _procrustes(source[kept], target[kept])
    return fit


def _rough_fit(source: Points, target: Points) -> _Fit:
    """A first guess from medians and directions, where no text counts for more by its place."""
    here, there = np.median(source, axis=0), np.median(target, axis=0)
    left, right = source - here, target - there
    far_left, far_right = (np.linalg.norm(side, axis=1, keepdims=True) for side in (left, right))
    wide_left, wide_right = float(np.median(far_left)), float(np.median(far_right))
    if wide_left <= 0 or wide_right <= 0:
        return _procrustes(source, target)
    u, _, v = np.linalg.svd(
        (left / np.where(far_left > 0, far_left, 1)).T
        @ (right / np.where(far_right > 0, far_right, 1))
    )
    return _Fit(u @ v, wide_right / wide_left, here, there)


def _procrustes(source: Points, target: Points) -> _Fit:
    here, there = source.mean(axis=0), target.mean(axis=0)
    left, right = source - here, target - there
    spread = float((left**2).sum())
    u, strength, v = np.linalg.svd(left.T @ right)
    if spread <= 0 or strength.sum() <= 0:
        return _Fit(np.eye(source.shape[1]), 1.0, here, there)
    return _Fit(u @ v, float(strength.sum()) / spread, here, there)
