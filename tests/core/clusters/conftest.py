"""Small layouts and neighbour graphs with known clusters."""

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

Graph = tuple[NDArray[np.int32], NDArray[np.float32]]


@pytest.fixture
def blobs() -> Callable[..., NDArray[np.float32]]:
    """Make a layout of round clusters: `sizes` of them around `centres` (k, dimensions)."""

    def make(
        sizes: list[int], centres: list[list[float]], *, spread: float = 0.3, seed: int = 1
    ) -> NDArray[np.float32]:
        noise = np.random.default_rng(seed)
        parts = [
            np.array(centre) + spread * noise.standard_normal((size, len(centre)))
            for size, centre in zip(sizes, centres, strict=True)
        ]
        return np.concatenate(parts).astype(np.float32)

    return make


@pytest.fixture
def two_pairs(blobs: Callable[..., NDArray[np.float32]]) -> NDArray[np.float32]:
    """Two pairs of clusters of 30: 0 and 1 lie near each other, 2 and 3 far from them."""
    return blobs([30] * 4, [[0, 0], [3, 0], [40, 0], [43, 0]])


@pytest.fixture
def graph() -> Callable[..., Graph]:
    """Link each point of a layout to its nearest ones; cosines fall with the distance."""

    def make(places: NDArray[np.float32], k: int = 8) -> Graph:
        apart = np.linalg.norm(places[:, None] - places[None], axis=2).astype(np.float32)
        np.fill_diagonal(apart, np.inf)
        index = np.argsort(apart, axis=1, kind="stable")[:, :k].astype(np.int32)
        near = np.take_along_axis(apart, index, axis=1)
        return index, np.exp(-near).astype(np.float32)

    return make
