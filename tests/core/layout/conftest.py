"""Vectors in clusters, and their exact neighbours."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from core.layout import FuzzyGraph, fuzzy_graph
from core.progress import run_to_end

DIMENSION = 48


@dataclass(frozen=True)
class Case:
    """Vectors (n, d), their nearest others (n, 16), best first, and the graph of both."""

    vectors: Any
    index: Any
    cosine: Any
    graph: FuzzyGraph


def mixture(n: int, *, clusters: int = 20, seed: int = 0) -> Any:
    """Unit vectors (n, d) around so many centres."""
    rng = np.random.default_rng(seed)
    centres = rng.normal(size=(clusters, DIMENSION))
    vectors = centres[rng.integers(clusters, size=n)] + rng.normal(size=(n, DIMENSION))
    return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)


def exact_neighbours(vectors: Any, k: int = 16) -> tuple[Any, Any]:
    """The nearest others by cosine, lower rows first among equals; -1 and -2 for none."""
    n = len(vectors)
    usable = np.isfinite(vectors).all(axis=1) & np.nan_to_num(vectors).any(axis=1)
    clean = np.where(usable[:, None], vectors, 0).astype(np.float64)
    # Rounded, since equal vectors must give equal cosines whatever order sums are taken in.
    cosine = (clean @ clean.T).round(7)
    np.fill_diagonal(cosine, -np.inf)
    cosine[:, ~usable] = cosine[~usable] = -np.inf
    order = np.argsort(-cosine, axis=1, kind="stable")[:, :k]
    best = np.take_along_axis(cosine, order, axis=1)
    index, found = np.full((n, k), -1, np.int32), np.full((n, k), -2, np.float32)
    index[:, : order.shape[1]] = np.where(np.isfinite(best), order, -1)
    found[:, : order.shape[1]] = np.where(np.isfinite(best), np.minimum(best, 1), -2)
    return index, found


@pytest.fixture(scope="session")
def vectors_of() -> Callable[..., Any]:
    return mixture


@pytest.fixture(scope="session")
def case_of() -> Callable[[Any], Case]:
    def make(vectors: Any) -> Case:
        index, cosine = exact_neighbours(vectors)
        return Case(vectors, index, cosine, run_to_end(fuzzy_graph(index, cosine)))

    return make
