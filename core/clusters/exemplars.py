"""The texts that show best what a cluster is about."""

import numpy as np
from numpy.typing import NDArray

from core.clusters.tree import ClusterTree, Members, Texts

_CANDIDATES = 1_000  # of a cluster, the densest
_ALIKE = 0.95  # cosine from which on a second text shows nothing new
_AT_ONCE = 16_384  # vectors read at once; they may lie on disk


def exemplars(vectors: NDArray[np.float32], tree: ClusterTree, *, count: int = 5) -> list[Texts]:
    """Return up to `count` texts of each node, the most typical first.

    Typical is what is near the mean direction of the node's vectors (n, d), among its 1,000
    densest texts. Texts nearly alike to one already chosen come only where others run out.
    """
    means = _means(vectors, tree)
    members = Members(tree)
    return [
        _typical(vectors, _densest(tree, members.of(node)), means[node], count)
        for node in range(len(tree.parent))
    ]


def _means(vectors: NDArray[np.float32], tree: ClusterTree) -> NDArray[np.float64]:
    """Return (m, d) sums of the vectors of each node and the nodes below it."""
    sums = np.zeros((len(tree.parent), vectors.shape[1]))
    for start in range(0, len(vectors), _AT_ONCE):
        part = slice(start, start + _AT_ONCE)
        np.add.at(sums, tree.node_of[part], np.nan_to_num(vectors[part]))
    for node in range(len(sums) - 1, 0, -1):
        sums[tree.parent[node]] += sums[node]
    return sums


def _densest(tree: ClusterTree, texts: Texts) -> Texts:
    if len(texts) <= _CANDIDATES:
        return np.sort(texts)
    order = np.argsort(-tree.fall[texts], kind="stable")
    return np.sort(texts[order[:_CANDIDATES]])


def _typical(
    vectors: NDArray[np.float32], texts: Texts, mean: NDArray[np.float64], count: int
) -> Texts:
    if not len(texts):
        return texts
    own = np.nan_to_num(vectors[texts])
    order = np.argsort(-(own @ mean), kind="stable")
    chosen: list[int] = []
    alike: list[int] = []
    nearest = np.full(len(texts), -2.0)
    for place in order.tolist():
        if len(chosen) == count:
            break
        if nearest[place] >= _ALIKE:
            alike.append(place)
            continue
        chosen.append(place)
        nearest = np.maximum(nearest, own @ own[place])
    return texts[(chosen + alike)[:count]]
