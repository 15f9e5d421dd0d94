"""Points as discs: how much of each pixel around its middle one covers."""

from dataclasses import dataclass
from math import ceil, pi, sqrt

import numpy as np
import numpy.typing as npt

from app.widgets.scatter_points import Floats
from app.widgets.scatter_shades import Shades

PHASES = 4  # positions inside a pixel, each way, at which a disc is drawn
GROWTH = (1.0, 1.35, 1.8, 2.4)  # radius of each size
_OWN_PIXEL = 0.62  # radius below which a point is just its pixel


@dataclass(frozen=True, slots=True)
class Kernel:
    """A disc as coverage of the pixels around it, for each place of its middle in a pixel."""

    down: npt.NDArray[np.int64]  # (k,) rows from the pixel of the middle
    right: npt.NDArray[np.int64]
    cover: Floats  # (phases ** 2, k)


def held_cover(radius: float) -> float:
    """The pixels that a disc covers in all; small ones never vanish."""
    return max(pi * radius * radius, 0.35)


def disc(radius: float) -> Kernel:
    """The kernel of a disc; small ones cover less than their pixel but never vanish."""
    if radius < _OWN_PIXEL:
        none = np.zeros(1, np.int64)
        cover = np.full((PHASES**2, 1), held_cover(radius), np.float32)
        return Kernel(none, none, cover)
    radius = sqrt(radius * radius - 1 / 12)  # the soft edge adds that much to the area
    reach = ceil(radius + 0.5)
    steps = np.arange(-reach, reach + 1)
    down, right = (grid.ravel() for grid in np.meshgrid(steps, steps, indexing="ij"))
    middles = (np.arange(PHASES) + 0.5) / PHASES - 0.5
    cover = np.array(
        [
            np.clip(radius + 0.5 - np.hypot(down - y, right - x), 0.0, 1.0)
            for y in middles
            for x in middles
        ],
        dtype=np.float32,
    )
    touched = cover.any(axis=0)
    return Kernel(down[touched], right[touched], np.ascontiguousarray(cover[:, touched]))


def kernels_for(radius: float, shades: Shades) -> list[Kernel]:
    """A disc for each size that points have."""
    return [disc(radius * growth) for growth in (GROWTH if shades.size is not None else (1.0,))]
