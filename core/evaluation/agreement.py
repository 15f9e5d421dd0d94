"""How well clusters agree with the topics that people gave."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.errors import UserError

UNCLUSTERED = -1
UNCLUSTERED_AS = ("singletons", "left out", "one cluster")


@dataclass(frozen=True, slots=True)
class Agreement:
    """Agreement of two partitions of the same rows; the names of labels do not matter."""

    nmi: float  # 0 to 1: mutual information over the arithmetic mean of both entropies
    ari: float  # up to 1, 0 by chance: Rand index adjusted for chance
    purity: float  # 0 to 1: share of rows whose topic is the most frequent of their cluster
    rows: int  # that were compared
    clusters: int  # unclustered rows not counted
    unclustered: float  # share of all rows


def cluster_agreement(
    topics: Sequence[Hashable], clusters: Sequence[int], *, unclustered: str = "singletons"
) -> Agreement:
    """Compare `clusters`, -1 for unclustered rows, with `topics`.

    Unclustered rows become clusters of their own ("singletons": each is pure, while NMI and ARI
    count what was torn apart), are not compared ("left out": flatters whoever leaves much
    loose) or are taken for "one cluster", as is usual for HDBSCAN. Purity grows with the number
    of clusters, so it says little without the others. Raises `UserError` where no row is left.
    """
    if len(topics) != len(clusters):
        raise ValueError(f"{len(topics)} topics cannot be compared with {len(clusters)} clusters")
    if unclustered not in UNCLUSTERED_AS:
        raise ValueError(f"unclustered rows are {' or '.join(UNCLUSTERED_AS)}, not {unclustered}")
    found = np.asarray(clusters, np.int64)
    gold = _numbered(topics)
    loose = found == UNCLUSTERED
    if unclustered == "left out":
        gold, found = gold[~loose], found[~loose]
    elif unclustered == "singletons":
        found = found.copy()
        found[loose] = found.max(initial=0) + 1 + np.arange(int(loose.sum()))
    if not len(found):
        raise UserError(
            "No row is in a cluster, so clusters cannot be compared with topics.",
            "Make the smallest cluster smaller, or assign loose texts.",
        )
    from sklearn.metrics import adjusted_rand_score, normalized_mutual_info_score

    return Agreement(
        nmi=float(normalized_mutual_info_score(gold, found)),
        ari=float(adjusted_rand_score(gold, found)),
        purity=_purity(gold, found),
        rows=len(found),
        clusters=len(np.unique(np.asarray(clusters)[~loose])),
        unclustered=float(loose.mean()),
    )


def _numbered(labels: Sequence[Hashable]) -> NDArray[np.int64]:
    numbers: dict[Hashable, int] = {}
    return np.array([numbers.setdefault(label, len(numbers)) for label in labels], np.int64)


def _purity(gold: NDArray[np.int64], found: NDArray[np.int64]) -> float:
    clusters = np.unique(found, return_inverse=True)[1]
    cells, counts = np.unique(np.stack((clusters, gold)), axis=1, return_counts=True)
    largest = np.zeros(int(clusters.max()) + 1, np.int64)
    np.maximum.at(largest, cells[0], counts)
    return float(largest.sum() / len(gold))
