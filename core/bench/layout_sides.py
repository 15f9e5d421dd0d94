"""Vectors to clusters and a map by several ways; each runs in a process of its own."""

import time
import warnings
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.bench.interleave import peak_growth
from core.bench.made import made_texts
from core.clusters import cluster, default_min_size, first_level, labels_at, levels
from core.layout import FuzzyGraph, fuzzy_graph, lay_out
from core.layout.epochs import usual_epochs
from core.pairs import nearest
from core.progress import run_to_end

OURS = "Samesense"
USUAL = "umap-learn and hdbscan, as usual"
PRECOMPUTED = "umap-learn and hdbscan, precomputed_knn by faiss flat"
BERTOPIC = "BERTopic as it comes, and its map"
_NEAREST, _NEIGHBOURS = 16, 15  # found, and used by a layout with the text itself counted
_DIMENSIONS = 5
_REPULSIONS = 5

Floats = NDArray[np.float32]
Outcome = tuple[Floats, NDArray[np.int32], dict[str, float]]  # map, labels, figures


def run_side(told: Mapping[str, Any]) -> dict[str, Any]:
    """Go one way twice over the vectors in a file; the second time all is compiled and loaded.

    The clock starts before the way's libraries are imported: who opens the program and asks for
    a map waits for that too. Writes the map and the labels beside the vectors.
    """
    vectors: Floats = np.load(told["vectors"])
    go = _SIDES[told["side"]]
    begun = time.perf_counter()
    _, peak_mb = peak_growth(lambda: go(vectors, told["seed"]))
    fresh = time.perf_counter() - begun
    begun = time.perf_counter()
    xy, labels, figures = go(vectors, told["seed"])
    warm = time.perf_counter() - begun
    np.savez(Path(told["to"]), xy=xy, labels=labels)
    return {"fresh": fresh, "warm": warm, "peak_mb": peak_mb, "figures": figures}


def _ours(vectors: Floats, seed: int) -> Outcome:
    begun = time.perf_counter()
    graph = run_to_end(nearest(vectors, k=_NEAREST))
    figures = {"graph_seconds": time.perf_counter() - begun}
    fuzzy = run_to_end(fuzzy_graph(graph.index, graph.cosine, neighbours=_NEIGHBOURS))
    xy = run_to_end(lay_out(vectors, fuzzy, dimensions=2, seed=seed))
    figures["map_seconds"] = time.perf_counter() - begun
    flat = run_to_end(lay_out(vectors, fuzzy, dimensions=_DIMENSIONS, seed=seed, min_dist=0.0))
    one_each = np.ones(len(vectors), np.int64)
    tree = run_to_end(cluster(flat, one_each, min_size=default_min_size(len(vectors)), seed=seed))
    cuts = levels(tree)
    shown = cuts[first_level(tree, cuts, graph.index, graph.cosine)]
    figures["walked_bytes"] = _walked_bytes(fuzzy)
    return xy, labels_at(tree, shown).cluster, figures


def _usual(vectors: Floats, seed: int) -> Outcome:
    return _by_umap(vectors, seed, None)


def _precomputed(vectors: Floats, seed: int) -> Outcome:
    import faiss

    index: Any = faiss.IndexFlatIP(vectors.shape[1])
    index.add(vectors)
    cosine, near = index.search(vectors, min(_NEIGHBOURS, len(vectors)))
    far = np.clip(1 - cosine, 0, 2).astype(np.float32)
    return _by_umap(vectors, seed, (near.astype(np.int32), far))


def _by_umap(vectors: Floats, seed: int, knn: tuple[Any, Any] | None) -> Outcome:
    """The same neighbours, epochs and seed as ours: a 5-D layout, its clusters, a 2-D layout."""
    umap: Any = _umap()
    import hdbscan

    given = {} if knn is None else {"precomputed_knn": (*knn, None)}
    settings = {
        "n_neighbors": _NEIGHBOURS, "metric": "cosine", "random_state": seed,
        "n_epochs": usual_epochs(len(vectors)), **given,
    }  # fmt: skip
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of a seed that forces one thread
        flat = umap.UMAP(n_components=_DIMENSIONS, min_dist=0.0, **settings).fit_transform(vectors)
        found = hdbscan.HDBSCAN(min_cluster_size=default_min_size(len(vectors)))
        labels = found.fit_predict(flat)
        xy = umap.UMAP(n_components=2, min_dist=0.1, **settings).fit_transform(vectors)
    return xy.astype(np.float32), labels.astype(np.int32), {}


def _bertopic(vectors: Floats, seed: int) -> Outcome:
    import importlib

    umap: Any = _umap()
    bertopic: Any = importlib.import_module("bertopic")
    texts = made_texts(len(vectors), seed=seed)  # it wants words to name its topics by
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = bertopic.BERTopic(embedding_model=None, calculate_probabilities=False)
        labels, _ = model.fit_transform(texts, embeddings=vectors)
        xy = umap.UMAP(n_neighbors=10, n_components=2, min_dist=0.0, metric="cosine").fit_transform(
            vectors
        )  # as its `visualize_documents` does
    return xy.astype(np.float32), np.array(labels, np.int32), {}


def _umap() -> Any:
    """The peer, without its Keras part, which would load TensorFlow where it is installed.

    `None` in `sys.modules` makes Python report a module as missing, which umap-learn expects.
    """
    import importlib
    import sys

    if "umap" not in sys.modules:
        sys.modules["umap.parametric_umap"] = None  # type: ignore[assignment]  # how Python bars a module
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "Tensorflow not installed", ImportWarning)
            importlib.import_module("umap.umap_")
        del sys.modules["umap.parametric_umap"]
    return importlib.import_module("umap.umap_")


_SIDES: dict[str, Callable[[Floats, int], Outcome]] = {
    OURS: _ours,
    USUAL: _usual,
    PRECOMPUTED: _precomputed,
    BERTOPIC: _bertopic,
}


def _walked_bytes(fuzzy: FuzzyGraph) -> float:
    """The bytes of places that both layouts read and write, each link as often as it is walked."""
    strength = fuzzy.matrix.data
    if not len(strength):
        return 0.0
    epochs = usual_epochs(len(fuzzy.first))
    share = strength / strength.max()
    walks = float(share[share >= 1 / epochs].sum()) * epochs * (1 + _REPULSIONS)
    return walks * 2 * 2 * 4 * (_DIMENSIONS + 2)  # two ends, read and written, float32
