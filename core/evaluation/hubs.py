"""Hubs: texts that are among the nearest of very many others, and texts that are of none.

Radovanović, Nanopoulos and Ivanović, "Hubs in space", JMLR 11 (2010).
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.evaluation.similarities import Vectors
from core.pairs import nearest
from core.progress import Steps


@dataclass(frozen=True, slots=True)
class Hubness:
    """How unevenly texts are found; N_k of a text counts the texts it is among the k nearest of."""

    skewness: float  # third standardised moment of N_k; 0 where all are found equally often
    largest: int  # N_k of the largest hub
    never_found: float  # share of texts with an N_k of 0
    neighbours: int  # k
    texts: int


def hubness(graph: NDArray[np.integer]) -> Hubness:
    """Count how often each text is a neighbour in `graph` (n, k); below 0 stands for nobody.

    The skewness is E[(N_k - μ)³] / σ³ over all n texts. Raises
    `ValueError` for an empty graph or rows that are none.
    """
    if graph.ndim != 2 or not graph.size or graph.max() >= len(graph):
        raise ValueError(f"a graph (n, k) of rows below n is needed, not {graph.shape}")
    found = np.bincount(graph[graph >= 0].ravel(), minlength=len(graph))
    apart = found - found.mean()
    spread = float(np.sqrt((apart**2).mean()))
    return Hubness(
        skewness=float((apart**3).mean()) / spread**3 if np.ptp(found) else 0.0,
        largest=int(found.max()),
        never_found=float((found == 0).mean()),
        neighbours=graph.shape[1],
        texts=len(graph),
    )


def hubness_of_vectors(vectors: Vectors, *, k: int = 10) -> Steps[Hubness]:
    """Find the `k` nearest of each of `vectors` (n, d) by cosine, exactly, and count.

    Ten neighbours are usual. Raises `ValueError` for fewer than two vectors.
    """
    if len(vectors) < 2:
        raise ValueError("at least two vectors are needed")
    found = yield from nearest(vectors, k=min(k, len(vectors) - 1))
    return hubness(found.index)
