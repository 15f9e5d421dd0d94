"""Levels: cuts of the tree from coarse to fine, each nested in the next."""

from dataclasses import dataclass
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from core.clusters.tree import ClusterTree, Members, Nodes

UNCLUSTERED = -1

_MOST_LEVELS = 24  # steps of a slider
_TIME_OF_ONE, _TIME_GROWTH = 5_000, 0.25  # texts for a Markov time of 1; power of their number
_RATIOS = 400  # tried between their numbers of clusters


class How(IntEnum):
    """Why a text is in its cluster."""

    ALGORITHM = 0
    ASSIGNED = 1  # by its neighbours, because fewer texts should be unclustered
    BY_HAND = 2


@dataclass(frozen=True, slots=True)
class Labels:
    """Which cluster each of n texts is in, how surely, and why."""

    cluster: NDArray[np.int32]  # (n,) number of the cluster, -1 unclustered
    strength: NDArray[np.float32]  # (n,) 0 to 1; 0 where unclustered
    how: NDArray[np.uint8]  # (n,) values of `How`


def levels(tree: ClusterTree) -> list[Nodes]:
    """Return the cuts of the tree, coarse to fine, as ascending nodes; at most 24.

    The weakest split closes first, as in a merge tree of modes (Chazal et al. 2013): how strong
    a split is says the weakest of the parts it makes, by `persistence`, the scale-free excess of
    mass of a part over its saddle, summed over its rows; no split closes before those below it.
    So a cluster of a level lies whole in one cluster of each coarser level, and what is
    unclustered at a coarse level is so at the finer ones. The coarsest level holds the parts
    of the strongest split, the finest all leaves; in between levels keep about the same
    ratio of numbers of clusters. A tree without clusters has one level of none.
    """
    if not tree.has_clusters:
        return [np.empty(0, np.int32)]
    strength = _strengths(tree)
    steps = np.unique(strength[strength >= 0])[::-1]
    counts = _clusters_at(tree, strength, steps)
    return [_nodes_at(tree, strength, steps[step]) for step in _spread(counts)]


def first_level(
    tree: ClusterTree,
    cuts: list[Nodes],
    index: NDArray[np.int32],
    cosine: NDArray[np.float32],
) -> int:
    """Return the place among `cuts` of the level to show first.

    The one with the shortest description of a random walk over the neighbour graph, the map
    equation of Rosvall and Bergstrom (2008): steps within a cluster are cheap where clusters
    are small, steps between them cost extra. The graph (`index`, `cosine`, (n, k) as of the
    nearest neighbours) is that of the vectors, so it judges the layout from outside. Between two
    looks at the walk passes a Markov time (Kheirkhahzadeh et al. 2016) that grows slowly with
    n: with as many links for each text, larger corpora would be cut ever finer and small ones
    too coarsely. An unclustered text counts as a cluster of its own.
    """
    if len(cuts) < 2:
        return 0
    members = Members(tree)
    graph = _Graph.of(index, cosine)
    markov_time = (len(index) / _TIME_OF_ONE) ** _TIME_GROWTH
    lengths = []
    for nodes in cuts:
        module = np.full(len(index), UNCLUSTERED, np.int64)
        for number, node in enumerate(nodes.tolist()):
            module[members.of(node)] = number
        loose = module < 0
        module[loose] = len(nodes) + np.arange(np.count_nonzero(loose))
        lengths.append(graph.description(module, markov_time))
    return int(np.argmin(lengths))


def labels_at(tree: ClusterTree, nodes: Nodes) -> Labels:
    """Label each text with the place in `nodes` of the node that holds it, or -1.

    Its strength is HDBSCAN's membership: the density at which it leaves the cluster, as a
    share of the highest density at which any text does; texts still together when a cluster
    splits have 1.
    """
    count = len(tree.node_of)
    cluster = np.full(count, UNCLUSTERED, np.int32)
    strength = np.zeros(count, np.float32)
    members = Members(tree)
    splits_at = np.full(len(tree.parent), np.inf, np.float32)
    np.minimum.at(splits_at, tree.parent[1:], tree.birth[1:])
    for number, node in enumerate(nodes.tolist()):
        texts = members.of(node)
        fall = np.minimum(tree.fall[texts], splits_at[node])
        cluster[texts] = number
        strength[texts] = fall / max(float(fall.max(initial=0)), np.finfo(np.float32).tiny)
    return Labels(cluster, strength, np.full(count, How.ALGORITHM, np.uint8))


@dataclass(frozen=True, slots=True)
class _Graph:
    """A neighbour graph as a random walk: links with their share of all steps."""

    index: NDArray[np.int32]  # (n, k)
    flow: NDArray[np.float64]  # (n, k) shares of all links
    visits: NDArray[np.float64]  # (n,) how often the walk is at a text

    @staticmethod
    def of(index: NDArray[np.int32], cosine: NDArray[np.float32]) -> "_Graph":
        weight = np.where(index >= 0, np.clip(cosine, 0, 1), 0).astype(np.float64)
        weight /= max(weight.sum(), np.finfo(np.float64).tiny)
        index = np.maximum(index, 0)
        visits = weight.sum(axis=1) + np.bincount(index.ravel(), weight.ravel(), len(index))
        return _Graph(index, weight, visits / 2)

    def description(self, module: NDArray[np.int64], markov_time: float) -> float:
        """Return the bits per look, but for a term that is the same for all modules."""
        visits = np.bincount(module, self.visits)
        inside = (self.flow * (module[self.index] == module[:, None])).sum(axis=1)
        leaves = markov_time * np.maximum(visits - np.bincount(module, inside), 0)
        return float(
            _p_log_p(leaves.sum()) - 2 * _p_log_p(leaves).sum() + _p_log_p(leaves + visits).sum()
        )


def _p_log_p(share: NDArray[np.float64] | np.float64) -> NDArray[np.float64]:
    logs: NDArray[np.float64] = np.log2(np.maximum(share, np.finfo(np.float64).tiny))
    return share * logs


def _strengths(tree: ClusterTree) -> NDArray[np.float64]:
    """Return (m,) how strong the split of each node is; -1 for leaves."""
    strength = np.full(len(tree.parent), -1.0)
    weakest = np.full(len(tree.parent), np.inf)
    np.minimum.at(weakest, tree.parent[1:], tree.persistence[1:])
    for node in range(len(tree.parent) - 1, -1, -1):
        if np.isfinite(weakest[node]):
            strength[node] = max(strength[node], weakest[node])
        if node:
            parent = tree.parent[node]
            strength[parent] = max(strength[parent], strength[node])
    return strength


def _clusters_at(
    tree: ClusterTree, strength: NDArray[np.float64], steps: NDArray[np.float64]
) -> NDArray[np.int64]:
    """Count the clusters at each step: each open split adds its children but one."""
    children = np.bincount(tree.parent[1:], minlength=len(tree.parent))
    split = np.flatnonzero(children)
    opens = np.searchsorted(-steps, -strength[split])
    added = np.bincount(opens, children[split] - 1, len(steps))
    counts: NDArray[np.int64] = 1 + np.cumsum(added).astype(np.int64)
    return counts


def _nodes_at(tree: ClusterTree, strength: NDArray[np.float64], step: float) -> Nodes:
    is_open = strength >= step
    nodes = np.flatnonzero(is_open[tree.parent[1:]] & ~is_open[1:]) + 1
    return nodes.astype(np.int32)


def _spread(counts: NDArray[np.int64]) -> list[int]:
    """Choose up to 24 of the steps, the first and the last among them, evenly by ratio."""
    chosen = list(range(len(counts)))
    for ratio in np.geomspace(1, counts[-1] / counts[0], _RATIOS):
        if len(chosen) <= _MOST_LEVELS:
            break
        chosen = [0]
        for place in range(1, len(counts) - 1):
            if counts[place] >= ratio * counts[chosen[-1]]:
                chosen.append(place)
        chosen.append(len(counts) - 1)
    return chosen
