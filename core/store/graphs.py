"""The neighbour graph: the nearest texts of every text, by one encoder's vectors."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.store.array_cache import ArrayCache


@dataclass(frozen=True, slots=True)
class GraphTable:
    """The k nearest of n texts: `index[i, j]` is a position in `texts`, -1 where there are fewer.

    Texts stand in the order of their vectors' rows, so that new ones come at the end.
    """

    texts: NDArray[np.int64]  # (n,)
    index: NDArray[np.int32]  # (n, k)
    cosine: NDArray[np.float32]  # (n, k)


class Graphs:
    """One graph per encoder, kept as a file that may be deleted."""

    def __init__(self, cache: Path) -> None:
        self._cache = ArrayCache(cache)

    def load(self, encoder: int) -> GraphTable | None:
        """The graph made last with this encoder's vectors, None where there is none."""
        held = self._cache.load(f"graph{encoder}", "nearest")
        if held is None or set(held) != {"texts", "index", "cosine"}:
            return None
        texts, index, cosine = held["texts"], held["index"], held["cosine"]
        fits = index.shape == cosine.shape and index.shape[:1] == texts.shape
        return GraphTable(texts, index, cosine) if fits else None

    def save(self, encoder: int, graph: GraphTable) -> None:
        """Keep a graph in place of the one before."""
        arrays: dict[str, NDArray[Any]] = {
            "texts": graph.texts,
            "index": graph.index,
            "cosine": graph.cosine,
        }
        self._cache.save(f"graph{encoder}", "nearest", arrays)
