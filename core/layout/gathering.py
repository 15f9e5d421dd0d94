"""Parts of a picture that no short link joins, brought nearer to each other."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.layout.starts import Coordinates

Floats = NDArray[np.float64]

_MANY = 2_000  # parts from which on each pair is no longer looked at
_HOLDS = 2.0  # length of a link from which on it joins nothing
_GAP = 1.0  # left between parts, in units of the layout, where linked texts lie within 1


def gather(xy: Coordinates, matrix: Any) -> Coordinates:
    """Move the loose parts of a layout `xy` (u, d) together until the first two nearly touch.

    Few or no links hold such parts together, so repulsion drives them apart and leaves a
    picture of specks. All move towards the middle by the same share: each keeps its shape,
    and all their directions from each other. Parts within or across others move as one.
    """
    part, centre, reach = _parts(xy, matrix)
    if not 1 < len(centre) <= _MANY:
        return xy
    share = float(_shares(centre, reach).max())
    gathered: Coordinates = xy + ((share - 1) * (centre - xy.mean(axis=0)))[part]
    return gathered


def _parts(xy: Coordinates, matrix: Any) -> tuple[NDArray[np.intp], Coordinates, Floats]:
    """The part of each place, and the parts' centres and reaches; no two parts overlap."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    links = matrix.tocoo()
    is_short = np.linalg.norm(xy[links.row] - xy[links.col], axis=1) <= _HOLDS
    short = (links.data[is_short], (links.row[is_short], links.col[is_short]))
    count, part = connected_components(coo_array(short, shape=links.shape), directed=False)
    while True:
        sizes = np.bincount(part, minlength=count)[:, None]
        centre = np.stack([np.bincount(part, column, count) for column in xy.T], axis=1) / sizes
        reach = np.zeros(count)
        np.maximum.at(reach, part, np.linalg.norm(xy - centre[part], axis=1))
        if not 1 < count <= _MANY:
            return part, centre, reach
        fewer, joined = connected_components(_shares(centre, reach) >= 1, directed=False)
        if fewer == count:
            return part, centre, reach
        count, part = fewer, joined[part]


def _shares(centre: Coordinates, reach: Floats) -> Floats:
    """The share of its distance to which each pair of parts may shrink before they meet."""
    apart = np.linalg.norm(centre[:, None] - centre[None], axis=2)
    np.fill_diagonal(apart, np.inf)
    needed = reach[:, None] + reach[None] + _GAP
    shares: Floats = needed / np.maximum(apart, 1e-12)
    return shares
