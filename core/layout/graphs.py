"""The fuzzy graph of McInnes, Healy and Melville (UMAP, 2018), from neighbours already found."""

import importlib
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.layout.background import Watch, in_background
from core.progress import Steps

_SAME = 1e-6  # cosine distance up to which two vectors differ by rounding only


@dataclass(frozen=True, slots=True)
class FuzzyGraph:
    """How strongly texts belong together, between *places* shared by texts of equal vectors.

    A pile of equal vectors would fill its own neighbour lists and tear off from the rest;
    as one place it has one position and one say. Places are numbered by their first text.
    """

    matrix: Any  # scipy csr (places, places), symmetric, strengths 0 to 1
    place: NDArray[np.int32]  # (n,) the place of each text
    first: NDArray[np.int64]  # (places,) the first text at each place
    neighbours: int  # asked for, the text itself counted


def fuzzy_graph(
    index: NDArray[np.int32], cosine: NDArray[np.float32], *, neighbours: int = 15
) -> Steps[FuzzyGraph]:
    """Weigh the links of a neighbour graph: (n, k) rows and cosines, best first, -1 for none.

    `neighbours` counts the text itself, as UMAP does. No further neighbour is searched: texts
    with fewer links keep what they have. Costs 0.2 s for 20,000 texts, and the time to load
    numba when it is first used. The outcome serves layouts of any dimension.
    """

    def weigh(_: Watch) -> FuzzyGraph:
        place, first = _places(index, cosine)
        near, far = _between_places(index[first], cosine[first], place, most=neighbours - 1)
        return FuzzyGraph(_strengths(near, far), place, first, neighbours)

    return (yield from in_background(weigh, title="Weighing the links between texts"))


def _places(
    index: NDArray[np.int32], cosine: NDArray[np.float32]
) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Number the places by their first text: (place of each text, first text of each place)."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    n = len(index)
    text, slot = np.nonzero((index >= 0) & (cosine >= 1 - _SAME))
    links = coo_array((np.ones(len(text), np.int8), (text, index[text, slot])), shape=(n, n))
    _, label = connected_components(links, directed=False)
    _, first, label = np.unique(label, return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.empty(len(order), np.int32)
    rank[order] = np.arange(len(order), dtype=np.int32)
    return rank[label], first[order].astype(np.int64)


def _between_places(
    index: NDArray[np.int32],
    cosine: NDArray[np.float32],
    place: NDArray[np.int32],
    *,
    most: int,
) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
    """Turn neighbours of first texts into nearest other places and cosine distances.

    Each place is named once per row, at its nearest; rows are filled up with -1, at the
    distance of the last one known: what is not listed is no nearer.
    """
    u, k = index.shape
    near = np.where(index >= 0, place[index], -1).astype(np.int32)
    near[near == np.arange(u, dtype=np.int32)[:, None]] = -1
    by_place = np.argsort(near, axis=1, kind="stable")
    ordered = np.take_along_axis(near, by_place, axis=1)
    again = np.zeros((u, k), np.bool_)
    again[:, 1:] = ordered[:, 1:] == ordered[:, :-1]
    named = np.empty((u, k), np.bool_)
    np.put_along_axis(named, by_place, ~again, axis=1)
    named &= near >= 0
    kept = np.argsort(~named, axis=1, kind="stable")[:, :most]
    counts = np.minimum(named.sum(axis=1), kept.shape[1])
    kept = kept[:, : int(counts.max(initial=0))]
    is_there = np.arange(kept.shape[1]) < counts[:, None]
    near = np.where(is_there, np.take_along_axis(near, kept, axis=1), -1).astype(np.int32)
    far = np.clip(1 - np.take_along_axis(cosine, kept, axis=1), 0, 2).astype(np.float32)
    last = np.where(is_there, far, 0).max(axis=1, initial=0)
    return near, np.where(is_there, far, last[:, None]).astype(np.float32)


def _strengths(near: NDArray[np.int32], far: NDArray[np.float32]) -> Any:
    """Weigh links as UMAP does; `near`, `far` (places, m) name no place itself.

    A link counts by how far its end lies beyond the nearest, in units of how far the place
    reaches; one that either end or both know has the strength of the fuzzy union.
    """
    from scipy.sparse import csr_matrix

    u, most = near.shape
    if not most:
        return csr_matrix((u, u), dtype=np.float32)
    kernels: Any = importlib.import_module("core.layout.kernels")  # loads numba
    nearest, reach = np.zeros(u, np.float32), np.zeros(u, np.float32)
    # The place itself counts as one of the neighbours, at no distance.
    mean = float(far.sum(dtype=np.float64)) / (u * (most + 1))
    kernels.weighing_kernel()(0, u, far, most + 1, mean, nearest, reach)
    beyond = np.maximum(far - nearest[:, None], 0)
    reach[reach == 0] = 1  # where all lie at no distance: all have the full strength
    is_there = near >= 0
    starts = np.concatenate([[0], np.cumsum(is_there.sum(axis=1))])
    strength = np.exp(-beyond / reach[:, None])[is_there]
    one_way = csr_matrix((strength, near[is_there], starts), shape=(u, u), dtype=np.float32)
    other_way = one_way.T.tocsr()
    matrix = (one_way + other_way - one_way.multiply(other_way)).tocsr()
    matrix.eliminate_zeros()
    matrix.sort_indices()
    return matrix
