"""How scores from 0 to 1 are spread: a kernel density estimate that does not leak over the ends."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

_STEPS = 1_000  # of the grid from 0 to 1
_NARROWEST = 0.01  # scores that are all alike have no width of their own


@dataclass(frozen=True, slots=True)
class Density:
    """A density over 0 to 1 that integrates to 1, on a grid with both ends."""

    grid: NDArray[np.float64]  # (g,)
    values: NDArray[np.float64]  # (g,)
    bandwidth: float

    def at(self, scores: NDArray[np.floating]) -> NDArray[np.float64]:
        """Return the density at these scores (n,)."""
        found: NDArray[np.float64] = np.interp(scores, self.grid, self.values)
        return found


def density(scores: NDArray[np.floating], *, bandwidth: float | None = None) -> Density:
    """Estimate the density of scores (n,), 0 to 1, with a Gaussian kernel.

    The bandwidth is Silverman's, 0.9 · min(s.d., interquartile range / 1.34) · n^(−1/5), at least
    0.01, where none is given. What the kernel puts below 0 or above 1 is reflected. Raises
    `ValueError` without scores and for scores out of range.
    """
    given: NDArray[np.float64] = np.asarray(scores, np.float64)
    if not len(given) or not bool(((given >= 0) & (given <= 1)).all()):
        raise ValueError("a density is of at least one score, and of scores from 0 to 1")
    width = silverman(given) if bandwidth is None else bandwidth
    grid = np.linspace(0, 1, _STEPS + 1)
    places = given * _STEPS
    low = np.minimum(places.astype(np.int64), _STEPS - 1)
    share = places - low  # each score goes to its two neighbours on the grid
    mass = np.bincount(low, 1 - share, _STEPS + 1) + np.bincount(low + 1, share, _STEPS + 1)
    # A row of mirror images: the kernel's tails come back from either end.
    mirrored = np.concatenate((mass[:0:-1], mass, mass[-2::-1]))
    mirrored[_STEPS] *= 2  # the ends are their own images
    mirrored[2 * _STEPS] *= 2
    reach = min(int(np.ceil(5 * width * _STEPS)), _STEPS)
    offsets = np.arange(-reach, reach + 1) / _STEPS
    kernel = np.exp(-0.5 * (offsets / width) ** 2)
    spread = np.convolve(mirrored, kernel, "same")[_STEPS : 2 * _STEPS + 1]
    area = (spread.sum() - (spread[0] + spread[-1]) / 2) / _STEPS
    return Density(grid, spread / area, width)


def silverman(scores: NDArray[np.float64]) -> float:
    """Return Silverman's bandwidth ("Density Estimation", 1986, equation 3.31), at least 0.01."""
    quarter, three = np.quantile(scores, (0.25, 0.75))
    widths = [width for width in (float(scores.std()), float(three - quarter) / 1.34) if width > 0]
    return max(0.9 * min(widths, default=0.0) / math.pow(len(scores), 0.2), _NARROWEST)
