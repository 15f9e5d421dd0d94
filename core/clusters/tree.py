"""The tree of clusters: HDBSCAN's condensed tree over rows, folded back to texts."""

from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from core.progress import Progress, Steps

Nodes: TypeAlias = NDArray[np.int32]
Texts: TypeAlias = NDArray[np.int64]

SMALLEST_MIN_SIZE = 2  # a cluster of one text is no cluster
_GROWTH, _LEAST_USUAL = 0.25, 3  # of the usual min size
_MOST_NEIGHBOURS = 5  # behind a density; more of them smooth small clusters away
_JITTER = 0.01  # of the usual distance to the nearest text
_CAP = 0.95  # quantile of the densities above which all are alike
_PAUSE_S = 0.3  # between two signs of life


@dataclass(frozen=True, slots=True)
class ClusterTree:
    """Clusters within clusters. Nodes are numbered in preorder, node 0 is the whole corpus.

    The nodes below node `i` are `i + 1` up to `ends()[i] - 1`; of two children the one with more
    rows comes first. So clusters that lie near each other in the tree have near numbers.
    Densities are 1 / distance in the embedding.
    """

    parent: Nodes  # (m,) -1 for node 0
    birth: NDArray[np.float32]  # (m,) density at which the node splits off its parent
    rows: Texts  # (m,) copies counted, nodes below included
    persistence: NDArray[np.float32]  # (m,) sum over rows of log(density it leaves at / birth)
    node_of: Nodes  # (n,) the deepest node that holds the text
    fall: NDArray[np.float32]  # (n,) density at which the text leaves it

    @property
    def has_clusters(self) -> bool:
        return len(self.parent) > 1

    def ends(self) -> Nodes:
        """Return (m,) one past the last node below each node."""
        ends = np.arange(1, len(self.parent) + 1, dtype=np.int32)
        for node in range(len(self.parent) - 1, 0, -1):
            ends[self.parent[node]] = max(ends[self.parent[node]], ends[node])
        return ends

    def children(self) -> list[list[int]]:
        """Return the children of each node."""
        children: list[list[int]] = [[] for _ in self.parent]
        for node, parent in enumerate(self.parent.tolist()):
            if parent >= 0:
                children[parent].append(node)
        return children


class Members:
    """Which texts each node of a tree holds: slices of one order, no copies."""

    def __init__(self, tree: ClusterTree) -> None:
        self._order = np.argsort(tree.node_of, kind="stable").astype(np.int64)
        counts = np.bincount(tree.node_of, minlength=len(tree.parent))
        self._start = np.concatenate([[0], np.cumsum(counts)])
        self._ends = tree.ends()

    def of(self, node: int) -> Texts:
        """Return the positions of the texts that `node` and the nodes below it hold."""
        return self._order[self._start[node] : self._start[self._ends[node]]]


def default_min_size(rows: int) -> int:
    """Return how many rows make a cluster, where nobody said.

    3 of 20, 7 of 3,000, 12 of 20,000, 32 of a million: small, for coarser levels join them.
    """
    return int(np.clip(round(rows**_GROWTH), _LEAST_USUAL, None))


def cluster(
    embedding: NDArray[np.float32], copies: Texts, *, min_size: int, seed: int = 0
) -> Steps[ClusterTree]:
    """Find clusters within clusters of `n` texts by HDBSCAN (Campello et al. 2013).

    `embedding` (n, dimensions) is a layout of few dimensions, `copies` (n,) how many rows share
    each text. HDBSCAN takes no weights, so a text stands min(copies, `min_size`) times, with a
    jitter far below the distance to its neighbours. Sizes count rows. Copies of a text are one
    text here and share everything; a text with `min_size` copies or more always is in a
    cluster, its own if there is no other. One thread, so the same input gives the same tree;
    20,000 texts take 3 s, and closing is heeded when that is over.
    """
    min_size = max(min_size, SMALLEST_MIN_SIZE)
    count = len(embedding)
    places = np.asarray(embedding, np.float64)
    weights = np.minimum(np.maximum(copies, 1), min_size)
    tree = _Condensed.nothing(count)
    if count and weights.sum() > min_size:
        owner = np.repeat(np.arange(count), weights)
        points = _jittered(places, owner, seed)
        condensed = yield from _hdbscan_steps(points, min_size)
        tree = condensed.folded(owner, count)
    return _finished(tree, places, np.maximum(copies, 1), weights, min_size)


@dataclass(slots=True)
class _Condensed:
    """A condensed tree as lists of nodes in any order, the root first."""

    parent: NDArray[np.int64]  # (m,)
    birth: NDArray[np.float64]  # (m,)
    node_of: NDArray[np.int64]  # (points,)
    fall: NDArray[np.float64]  # (points,)

    @staticmethod
    def nothing(count: int) -> "_Condensed":
        """Return a tree of the root alone that all points leave at once."""
        return _Condensed(np.array([-1]), np.zeros(1), np.zeros(count, np.int64), np.ones(count))

    @staticmethod
    def of(table: NDArray[Any], points: int) -> "_Condensed":
        """Read the table of `hdbscan`: parent, child, lambda_val, child_size."""
        nodes = int(table["parent"].max()) - points + 1
        tree = _Condensed(
            np.full(nodes, -1), np.zeros(nodes), np.zeros(points, np.int64), np.zeros(points)
        )
        density = np.minimum(table["lambda_val"], np.finfo(np.float32).max)  # 1 / 0 on one place
        is_point = table["child"] < points
        child = table["child"][~is_point] - points
        tree.parent[child] = table["parent"][~is_point] - points
        tree.birth[child] = density[~is_point]
        point = table["child"][is_point]
        tree.node_of[point] = table["parent"][is_point] - points
        tree.fall[point] = density[is_point]
        return tree

    def folded(self, owner: NDArray[np.int64], count: int) -> "_Condensed":
        """Return the same tree over texts: each is where the last of its points falls."""
        order = np.lexsort((-self.fall, owner))
        first = order[np.searchsorted(owner[order], np.arange(count))]
        return _Condensed(self.parent, self.birth, self.node_of[first], self.fall[first])


def _jittered(
    places: NDArray[np.float64], owner: NDArray[np.int64], seed: int
) -> NDArray[np.float64]:
    points = places[owner]
    repeated = np.flatnonzero(np.concatenate([[False], owner[1:] == owner[:-1]]))
    if len(repeated):
        noise = np.random.default_rng(seed).standard_normal((len(repeated), places.shape[1]))
        points[repeated] += noise * (_JITTER * _usual_distance(places))
    return points


def _usual_distance(places: NDArray[np.float64]) -> float:
    if len(places) < 2:
        return 1.0
    from scipy.spatial import cKDTree

    nearest = cKDTree(places).query(places, k=2)[0][:, 1]
    nearest = nearest[nearest > 0]
    return float(np.median(nearest)) if len(nearest) else 1.0


def _hdbscan_steps(points: NDArray[np.float64], min_size: int) -> Steps[_Condensed]:
    """Run HDBSCAN in a thread, so that the caller hears from it; it cannot be interrupted."""
    with ThreadPoolExecutor(1) as pool:
        found = pool.submit(_hdbscan, points, min_size)
        yield Progress("Finding clusters")
        while wait([found], _PAUSE_S).not_done:
            yield Progress("Finding clusters")
        return found.result()


def _hdbscan(points: NDArray[np.float64], min_size: int) -> _Condensed:
    from hdbscan import HDBSCAN

    found = HDBSCAN(
        min_cluster_size=min_size,
        min_samples=min(max(min_size - 1, 1), _MOST_NEIGHBOURS),
        algorithm="boruvka_kdtree",
        core_dist_n_jobs=1,
    ).fit(points)
    return _Condensed.of(found.condensed_tree_.to_numpy(), len(points))


def _finished(
    tree: _Condensed,
    places: NDArray[np.float64],
    copies: Texts,
    weights: Texts,
    min_size: int,
) -> ClusterTree:
    if len(places):
        single = weights == 1
        cap = float(np.quantile(tree.fall[single] if single.any() else tree.fall, _CAP))
        tree.fall, tree.birth = np.minimum(tree.fall, cap), np.minimum(tree.birth, cap)
        tree = _with_piles(tree, places, weights, min_size)
    tree = _in_preorder(tree, copies)
    rows = _below(tree, copies).round()
    logs = _below(tree, weights * np.log(np.maximum(tree.fall, np.finfo(np.float32).tiny)))
    persistence = np.zeros(len(tree.parent))
    persistence[1:] = logs[1:] - _below(tree, weights)[1:] * np.log(tree.birth[1:])
    return ClusterTree(
        parent=tree.parent.astype(np.int32),
        birth=tree.birth.astype(np.float32),
        rows=rows.astype(np.int64),
        persistence=np.maximum(persistence, 0).astype(np.float32),
        node_of=tree.node_of.astype(np.int32),
        fall=tree.fall.astype(np.float32),
    )


def _with_piles(
    tree: _Condensed, places: NDArray[np.float64], weights: Texts, min_size: int
) -> _Condensed:
    """Give each pile of copies that no leaf holds a node of its own.

    HDBSCAN names no cluster where nothing splits, so the only pile among a few other texts
    would be noise. Texts on the very same place are one pile.
    """
    _, place = np.unique(places, axis=0, return_inverse=True)
    place = place.reshape(-1)
    heavy = np.bincount(place, weights) >= min_size
    inner = np.zeros(len(tree.parent), np.bool_)
    inner[0] = True
    inner[tree.parent[1:]] = True
    for pile in np.unique(place[heavy[place] & inner[tree.node_of]]).tolist():
        own = place == pile
        node = int(tree.node_of[np.flatnonzero(own)[0]])
        fall = float(tree.fall[own].max())
        others = tree.fall[(tree.node_of == node) & ~own]
        birth = min(float(others.max()), fall) if len(others) else fall / np.e
        tree.node_of[own], tree.fall[own] = len(tree.parent), fall
        tree.parent, tree.birth = np.append(tree.parent, node), np.append(tree.birth, birth)
    return tree


def _in_preorder(tree: _Condensed, copies: Texts) -> _Condensed:
    """Number the nodes so that each comes before those below it, larger children first."""
    children: list[list[int]] = [[] for _ in tree.parent]
    for node, parent in enumerate(tree.parent.tolist()):
        if parent >= 0:
            children[parent].append(node)
    order = _parents_first(children)
    rows = np.bincount(tree.node_of, copies, len(tree.parent))
    for node in reversed(order):
        rows[node] += sum(rows[child] for child in children[node])
    for own in children:
        own.sort(key=lambda child: (-rows[child], child))
    order = _parents_first(children)
    number = np.empty(len(order), np.int64)
    number[order] = np.arange(len(order))
    parent = tree.parent[order]
    parent[1:] = number[parent[1:]]
    return _Condensed(parent, tree.birth[order], number[tree.node_of], tree.fall)


def _parents_first(children: list[list[int]]) -> list[int]:
    order, waiting = [], [0]
    while waiting:
        node = waiting.pop()
        order.append(node)
        waiting.extend(reversed(children[node]))
    return order


def _below(tree: _Condensed, values: NDArray[Any]) -> NDArray[np.float64]:
    """Sum `values` (n,) of the texts over each node and the nodes below it."""
    sums = np.bincount(tree.node_of, values, len(tree.parent)).astype(np.float64)
    for node in range(len(sums) - 1, 0, -1):
        sums[tree.parent[node]] += sums[node]
    return sums
