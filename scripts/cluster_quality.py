"""Compare clusters with gold topics: `python scripts/cluster_quality.py [FOLDER] [--seeds N]`.

Reads `banking77` (test) and `stackoverflow-20k` from the folder named by SAMESENSE_DATA, encodes
them with the default encoder and prints a Markdown table of the adjusted Rand index and the
normalised mutual information (arithmetic mean) over all rows, for

- plain: `umap` to 5 dimensions (15 neighbours, minimum distance 0, cosine, seed 0) and `hdbscan`
  with a minimum size of 15, from the same vectors;
- ours: the tree of the program at the level it shows first and at the level with the best
  adjusted Rand index, as clustered and with all assigned that can be.

Layouts of N seeds (1 unless said) are clustered; with several, means and standard deviations of a
sample follow. Unclustered rows count as one more cluster everywhere. With FOLDER, vectors and
layouts are kept there and read again the next time. The best level is chosen with the gold in hand:
it says what the slider can reach, not what the program would show.
"""

import argparse
import csv
import os
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.clusters import (
    ClusterTree,
    Labels,
    assign,
    cluster,
    default_min_size,
    first_level,
    labels_at,
    levels,
)
from core.encoders import load_encoder
from core.evaluation import Agreement, aggregated, cluster_agreement
from core.folders import encoder_folder
from core.layout import fuzzy_graph, lay_out
from core.pairs import Neighbours, nearest
from core.progress import run_to_end

_SAMPLE_SEED = 0
_NEIGHBOURS = 15
_DIMENSIONS = 5
_PLAIN_MIN_SIZE = 15
_SAMPLE = 0.2  # of the rows, for a smaller corpus of the same topics

Arrays = dict[str, NDArray[Any]]
Found = dict[tuple[str, str], list[tuple[float, float]]]  # corpus and way: ARI and NMI by seed


@dataclass(frozen=True, slots=True)
class Corpus:
    """Unique texts with their vectors, and the rows that hold them with their topics."""

    name: str
    vectors: NDArray[np.float32]  # (n, d)
    text_of: NDArray[np.int64]  # (rows,)
    topics: NDArray[np.str_]  # (rows,)

    @property
    def copies(self) -> NDArray[np.int64]:
        return np.bincount(self.text_of, minlength=len(self.vectors)).astype(np.int64)

    def sample(self, share: float) -> "Corpus":
        """Return a share of the rows, chosen by a seed."""
        order = np.random.default_rng(_SAMPLE_SEED).permutation(len(self.text_of))
        rows = np.sort(order[: int(share * len(order))])
        texts, text_of = np.unique(self.text_of[rows], return_inverse=True)
        name = f"{self.name}, {share:.0%}"
        return Corpus(name, self.vectors[texts], text_of, self.topics[rows])


def main() -> None:
    """Measure all corpora and print what was found."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("folder", nargs="?", type=Path, help="where vectors and layouts are kept")
    parser.add_argument("--seeds", type=int, default=1, help="layouts of each corpus")
    asked = parser.parse_args()
    data = Path(os.environ["SAMESENSE_DATA"])
    found: Found = {}
    _say("| corpus | clusters by | seed | clusters | unclustered | ARI | NMI | seconds |")
    _say("|---|---|---:|---:|---:|---:|---:|---:|")
    for name, read in (("banking77", _banking), ("stackoverflow-20k", _stackoverflow)):
        texts, topics = read(data / name)
        whole = _encoded(name, texts, topics, asked.folder)
        for corpus in (whole, whole.sample(_SAMPLE)):
            for seed in range(asked.seeds):
                _measure_plain(corpus, asked.folder, seed, found)
                _measure_ours(corpus, asked.folder, seed, found)
    if asked.seeds > 1:
        _tell_means(found, asked.seeds)


def _tell_means(found: Found, seeds: int) -> None:
    _say(f"\n| corpus | clusters by | ARI of {seeds} seeds | NMI |")
    _say("|---|---|---:|---:|")
    for (corpus, way), pairs in found.items():
        told = (aggregated(column).words(scale=1, places=3) for column in zip(*pairs, strict=True))
        _say(f"| {corpus} | {way} | {' | '.join(told)} |")


def _banking(folder: Path) -> tuple[list[str], list[str]]:
    with (folder / "test.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    return [row["text"] for row in rows], [row["category"] for row in rows]


def _stackoverflow(folder: Path) -> tuple[list[str], list[str]]:
    titles = (folder / "title_StackOverflow.txt").read_text(encoding="utf-8").split("\n")
    topics = (folder / "label_StackOverflow.txt").read_text(encoding="utf-8").split()
    return titles[: len(topics)], topics


def _encoded(name: str, texts: list[str], topics: list[str], kept: Path | None) -> Corpus:
    unique = list(dict.fromkeys(texts))
    places = {text: place for place, text in enumerate(unique)}

    def encode() -> Arrays:
        return {"vectors": load_encoder(encoder_folder()).encode(unique).vectors}

    vectors = _once(kept, f"{name}-vectors", encode)["vectors"]
    return Corpus(name, vectors, np.array([places[text] for text in texts]), np.array(topics))


def _measure_plain(corpus: Corpus, kept: Path | None, seed: int, found: Found) -> None:
    from hdbscan import HDBSCAN
    from umap import UMAP

    def embed() -> Arrays:
        start = time.perf_counter()
        reducer = UMAP(
            n_components=_DIMENSIONS, n_neighbors=_NEIGHBOURS, min_dist=0.0, metric="cosine",
            random_state=seed,
        )  # fmt: skip
        places = reducer.fit_transform(corpus.vectors[corpus.text_of])
        return {"places": places, "seconds": np.array(time.perf_counter() - start)}

    held = _once(kept, f"{corpus.name}-plain-{seed}", embed)
    start = time.perf_counter()
    clusters = HDBSCAN(min_cluster_size=_PLAIN_MIN_SIZE, core_dist_n_jobs=1)
    labels = clusters.fit_predict(held["places"])
    seconds = time.perf_counter() - start + float(held["seconds"])
    _tell(corpus, "plain UMAP + HDBSCAN", "", labels, seconds, seed, found)


def _measure_ours(corpus: Corpus, kept: Path | None, seed: int, found: Found) -> None:
    def embed() -> Arrays:
        start = time.perf_counter()
        near = run_to_end(nearest(corpus.vectors))
        graph = run_to_end(fuzzy_graph(near.index, near.cosine, neighbours=_NEIGHBOURS))
        places = run_to_end(
            lay_out(corpus.vectors, graph, dimensions=_DIMENSIONS, seed=seed, min_dist=0.0)
        )
        return {
            "index": near.index, "cosine": near.cosine, "places": places,
            "seconds": np.array(time.perf_counter() - start),
        }  # fmt: skip

    held = _once(kept, f"{corpus.name}-ours-{seed}", embed)
    near = Neighbours(held["index"], held["cosine"])
    start = time.perf_counter()
    min_size = default_min_size(len(corpus.text_of))
    tree = run_to_end(cluster(held["places"], corpus.copies, min_size=min_size, seed=seed))
    cuts = levels(tree)
    first = first_level(tree, cuts, near.index, near.cosine)
    seconds = time.perf_counter() - start + float(held["seconds"])
    best = max(range(len(cuts)), key=lambda place: _rand_index(corpus, tree, cuts[place]))
    for words, place in (("shown first", first), ("best", best)):
        labels = labels_at(tree, cuts[place])
        level = f", {place + 1} of {len(cuts)}"
        way = f"ours, level {words}"
        _tell(corpus, way, level, labels.cluster[corpus.text_of], seconds, seed, found)
        whole = _all_assigned(labels, near, corpus).cluster[corpus.text_of]
        _tell(corpus, f"{way}, assigned", level, whole, seconds, seed, found)


def _all_assigned(labels: Labels, near: Neighbours, corpus: Corpus) -> Labels:
    return assign(labels, near.index, near.cosine, corpus.copies, most_unclustered=0)


def _rand_index(corpus: Corpus, tree: ClusterTree, nodes: NDArray[np.int32]) -> float:
    return _agreement(corpus, labels_at(tree, nodes).cluster[corpus.text_of]).ari


def _agreement(corpus: Corpus, labels: NDArray[Any]) -> Agreement:
    return cluster_agreement(corpus.topics.tolist(), labels.tolist(), unclustered="one cluster")


def _tell(
    corpus: Corpus,
    way: str,
    level: str,
    labels: NDArray[Any],
    seconds: float,
    seed: int,
    found: Found,
) -> None:
    agreed = _agreement(corpus, labels)
    found.setdefault((corpus.name, way), []).append((agreed.ari, agreed.nmi))
    _say(
        f"| {corpus.name} | {way}{level} | {seed} | {agreed.clusters} | {agreed.unclustered:.1%} | "
        f"{agreed.ari:.3f} | {agreed.nmi:.3f} | {seconds:.1f} |"
    )


def _once(kept: Path | None, name: str, make: Callable[[], Arrays]) -> Arrays:
    """Make arrays, or read them from the folder where they were kept."""
    if kept is None:
        return make()
    path = kept / f"{name.replace(', ', '-').replace('%', '')}.npz"
    if not path.is_file():
        kept.mkdir(parents=True, exist_ok=True)
        np.savez(path, allow_pickle=False, **make())
    with np.load(path, allow_pickle=False) as arrays:
        return dict(arrays)


def _say(words: str) -> None:
    sys.stdout.write(f"{words}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
