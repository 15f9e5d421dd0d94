"""Places found through the links: for new texts, and links for places that have none."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.layout.starts import Coordinates, beside, unit_vectors

_LINKS = 5  # given to a place that has none
_BLOCK = 1_024  # lonely places compared at once
_ASKED = 15  # the strongest neighbours that say where a new place lies
_SCATTER = 0.02  # of a place around the neighbour it starts at, in units of the layout


def usable_places(vectors: NDArray[np.float32], rows: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Say of each place, by the vectors of `rows` (places,), whether it has a direction."""
    usable = np.zeros(len(rows), np.bool_)
    for where, block in unit_vectors(vectors, rows):
        usable[where] = block.any(axis=1)
    return usable


def link_lonely(
    matrix: Any,
    vectors: NDArray[np.float32],
    rows: NDArray[np.int64],
    usable: NDArray[np.bool_],
) -> Any:
    """Link usable places without any link to those nearest by the vectors of `rows` (places,).

    Such are piles of equal vectors that fill each other's neighbour lists. Usually there are
    few; each is compared with all places.
    """
    from scipy.sparse import csr_matrix

    u = matrix.shape[0]
    lonely = np.flatnonzero(usable & (np.diff(matrix.indptr) == 0))
    count = min(_LINKS, int(usable.sum()) - 1)
    if not len(lonely) or count < 1:
        return matrix
    heads, tails, strengths = [], [], []
    for start in range(0, len(lonely), _BLOCK):
        some = lonely[start : start + _BLOCK]
        who, cosine = _nearest(vectors, rows, usable, some, count=count)
        far = np.clip(1 - cosine, 0, 2)
        heads.append(np.repeat(some, count))
        tails.append(who.ravel())
        scale = np.maximum(far.mean(axis=1, keepdims=True), 1e-6)
        strengths.append(np.exp(-(far - far[:, :1]) / scale).ravel())
    added = csr_matrix(
        (np.concatenate(strengths), (np.concatenate(heads), np.concatenate(tails))),
        shape=(u, u), dtype=np.float32,
    )  # fmt: skip
    linked = matrix.maximum(added.maximum(added.T)).tocsr()
    linked.sort_indices()
    return linked


def beside_neighbours(
    known: Coordinates, is_known: NDArray[np.bool_], matrix: Any, rng: np.random.Generator
) -> Coordinates:
    """Find a start for each place not known, at that neighbour which lies amid the others.

    The mean of neighbours in two clusters would lie in neither. Places whose neighbours are
    all new follow in further rounds; those no link leads to are put beside the picture.
    Returns all places (u, dimensions), the known ones untouched.
    """
    xy, is_placed = known.copy(), is_known.copy()
    waiting = np.flatnonzero(~is_placed)
    while len(waiting):
        found = [(place, _amid(place, xy, is_placed, matrix)) for place in waiting.tolist()]
        settled = [(place, other) for place, other in found if other >= 0]
        if not settled:
            break
        places, others = np.array(settled).T
        scatter = rng.normal(scale=_SCATTER, size=(len(places), xy.shape[1]))
        xy[places] = xy[others] + scatter
        is_placed[places] = True
        waiting = np.flatnonzero(~is_placed)
    xy[waiting] = beside(xy[is_placed], len(waiting))
    return xy


def _nearest(
    vectors: NDArray[np.float32],
    rows: NDArray[np.int64],
    usable: NDArray[np.bool_],
    places: NDArray[np.intp],
    *,
    count: int,
) -> tuple[NDArray[np.int64], Coordinates]:
    """The `count` usable places nearest to each of `places`, lower ones first among equals."""
    (_, mine), *_ = unit_vectors(vectors, rows[places])
    best = np.empty((len(places), 0))
    who = np.empty((len(places), 0), np.int64)
    for where, block in unit_vectors(vectors, rows):
        others = np.arange(where.start, where.stop)
        cosine = mine @ block.T
        cosine[:, ~usable[where]] = -np.inf
        cosine[places[:, None] == others] = -np.inf
        best = np.hstack([best, cosine])
        who = np.hstack([who, np.broadcast_to(others, cosine.shape)])
        order = np.argsort(-best, axis=1, kind="stable")[:, :count]
        best, who = np.take_along_axis(best, order, 1), np.take_along_axis(who, order, 1)
    return who, best


def _amid(place: int, xy: Coordinates, is_placed: NDArray[np.bool_], matrix: Any) -> int:
    """The placed neighbour with the least weighted distance to the others; -1 without any."""
    span = slice(matrix.indptr[place], matrix.indptr[place + 1])
    others, strength = matrix.indices[span], matrix.data[span]
    there = is_placed[others]
    others, strength = others[there], strength[there]
    if len(others) == 0:
        return -1
    strongest = np.argsort(-strength, kind="stable")[:_ASKED]
    others, strength = others[strongest], strength[strongest]
    difference = xy[others][:, None] - xy[others][None]
    apart = np.sqrt(np.einsum("ijk,ijk->ij", difference, difference))
    return int(others[(apart @ strength).argmin()])
