"""Where places begin: by principal components, by their distances, or beside others."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

Coordinates = NDArray[np.float64]

_BLOCK = 8_192  # vectors read at once
_WIDTH = 10.0  # of a start, as in UMAP
_GRAIN = 4  # decimals kept, so that the last bits of a sum do not depend on the threads
_NOISE = 1e-4  # so that no two places begin alike
_STEPS = 300  # of stress majorisation
_GOLDEN = np.pi * (3 - np.sqrt(5))  # the angle between neighbours of a sunflower's seeds


def unit_vectors(
    vectors: NDArray[np.float32], rows: NDArray[np.int64]
) -> Iterator[tuple[slice, Coordinates]]:
    """Yield the vectors of `rows` block by block, of length 1; unusable ones are all zeros."""
    for start in range(0, len(rows), _BLOCK):
        where = slice(start, min(start + _BLOCK, len(rows)))
        block = np.asarray(vectors[rows[where]], np.float64)
        block[~np.isfinite(block).all(axis=1)] = 0
        length = np.linalg.norm(block, axis=1, keepdims=True)
        yield where, np.divide(block, length, out=np.zeros_like(block), where=length > 0)


def principal_start(
    vectors: NDArray[np.float32],
    rows: NDArray[np.int64],
    *,
    dimensions: int,
    rng: np.random.Generator,
) -> NDArray[np.float32]:
    """Start at the first principal components, each 10 wide as UMAP's, with a little noise.

    A component without spread stays narrow. Costs two passes over the vectors.
    """
    start = _principal_components(vectors, rows, dimensions)
    start -= start.min(axis=0, initial=np.inf)
    width = start.max(axis=0, initial=0)
    has_spread = width > 1e-6 * max(1e-6, float(width.max(initial=0)))
    start = np.where(has_spread, start * (_WIDTH / np.where(has_spread, width, 1)), _WIDTH / 2)
    noisy = start.round(_GRAIN) + rng.normal(scale=_NOISE, size=start.shape)
    return noisy.astype(np.float32)


def by_distance(
    vectors: NDArray[np.float32], rows: NDArray[np.int64], *, dimensions: int
) -> Coordinates:
    """Lay out a handful of places so that distances agree with those of their vectors.

    Stress majorisation (de Leeuw, 1977) from the principal components and a circle, since
    components put unrelated texts on one spot. The mean distance to the nearest becomes 1.
    """
    n = len(rows)
    units = np.concatenate(
        [np.empty((0, vectors.shape[1]))] + [b for _, b in unit_vectors(vectors, rows)]
    )
    wanted = np.sqrt(np.clip(2 - 2 * units @ units.T, 0, None))
    np.fill_diagonal(wanted, 0)
    xy = _principal_components(vectors, rows, dimensions)
    if n < 2:
        return xy
    turn = 2 * np.pi * np.arange(n) / n
    circle = np.stack([np.cos(turn), np.sin(turn)], axis=1)[:, :dimensions]
    xy[:, : circle.shape[1]] += 0.1 * wanted.mean() * circle
    for _ in range(_STEPS):
        apart = _distances(xy)
        pull = -np.divide(wanted, apart, out=np.zeros_like(wanted), where=apart > 0)
        np.fill_diagonal(pull, 0)
        np.fill_diagonal(pull, -pull.sum(axis=1))
        xy = pull @ xy / n
    apart = _distances(xy)
    np.fill_diagonal(apart, np.inf)
    nearest = float(apart.min(axis=1).mean())
    return xy / nearest if nearest > 0 else xy


def beside(xy: Coordinates, count: int) -> Coordinates:
    """Find room for `count` places that belong nowhere: a disc to the right of `xy`."""
    dimensions = xy.shape[1]
    low = xy.min(axis=0) if len(xy) else np.zeros(dimensions)
    high = xy.max(axis=0) if len(xy) else np.zeros(dimensions)
    width = float((high - low).max()) or 1.0
    step = 0.25 * width / np.sqrt(max(len(xy), 1))
    seed = np.arange(count)
    out, turn = step * np.sqrt(seed + 0.5), _GOLDEN * seed
    spots = np.tile((low + high) / 2, (count, 1))
    radius = step * np.sqrt(count)
    spots[:, 0] = high[0] + max(4 * step, 0.05 * width) + radius + out * np.cos(turn)
    if dimensions > 1:
        spots[:, 1] += out * np.sin(turn)
    return spots


def _principal_components(
    vectors: NDArray[np.float32], rows: NDArray[np.int64], dimensions: int
) -> Coordinates:
    n, d = len(rows), vectors.shape[1]
    total, squares = np.zeros(d), np.zeros((d, d))
    for _, block in unit_vectors(vectors, rows):
        total += block.sum(axis=0)
        squares += block.T @ block
    mean = total / max(n, 1)
    _, axes = np.linalg.eigh(squares / max(n, 1) - np.outer(mean, mean))
    axes = axes[:, ::-1][:, :dimensions]
    # An axis may point either way: its largest part is made positive.
    axes = axes * np.sign(axes[np.abs(axes).argmax(axis=0), np.arange(axes.shape[1])])
    found = np.zeros((n, dimensions))
    for where, block in unit_vectors(vectors, rows):
        found[where, : axes.shape[1]] = (block - mean) @ axes
    return found


def _distances(xy: Coordinates) -> Coordinates:
    difference = xy[:, None] - xy[None]
    apart: Coordinates = np.linalg.norm(difference, axis=2)
    return apart
