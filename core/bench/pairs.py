"""All pairs from a cosine on and the nearest 16 of every text, beside miners and flat search."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.bench.asked import Asked
from core.bench.interleave import interleave, told_runs
from core.bench.machine import best_gemm_rate, measure_machine
from core.bench.peers import load_peer, told_missing
from core.bench.report import Report, report_of
from core.bench.vectors import bench_vectors
from core.pairs import Neighbours, PairBlock, compare, nearest, pair_blocks
from core.progress import Progress, Steps, run_to_end
from core.workflows.graphing import NEAREST

FLOOR = 0.75
PAIRS_ALONE, GRAPH_ALONE = "pairs alone", "graph alone"
_TILE = 2_048
_SAMPLE = 300  # texts compared with all in float64
_ROOM = 40_000_000  # cosines in float64 held at once
_HAIR = 1e-6  # about the floor, where rounding decides

Floats = NDArray[np.float32]


def bench_pairs(asked: Asked) -> Steps[Report]:
    """Time pairs and graph together, and each alone, against exact and approximate peers."""
    machine = yield from measure_machine()
    given = yield from bench_vectors(asked)
    vectors = given.vectors
    sides: dict[str, Callable[[], Any]] = {
        "Samesense": lambda: _together(vectors),
        PAIRS_ALONE: lambda: _pairs(vectors),
        GRAPH_ALONE: lambda: _graph(vectors),
    }
    notes = [given.told]
    if asked.peers:
        theirs, said = _peer_sides(vectors)
        sides.update(theirs)
        notes += said
    _together(vectors)  # what is only built at the first use
    timings = yield from interleave(sides, title="Finding pairs", repeats=asked.repeats)
    notes.append(told_runs(timings))
    blocks, graph = timings["Samesense"].outcome
    yield Progress("Comparing with a double loop")
    quality = _quality(vectors, blocks, graph, seed=asked.seed)
    quality["pairs_alone_seconds"] = timings.pop(PAIRS_ALONE).seconds
    quality["graph_alone_seconds"] = timings.pop(GRAPH_ALONE).seconds
    n, d = vectors.shape
    limit = float(n) ** 2 * d / best_gemm_rate((d, _TILE), rows=_TILE)
    notes.append("The limit is one upper triangle of products in the quickest precision.")
    return report_of(
        "pairs", n, machine, timings, limit_seconds=limit, quality={**quality, "notes": notes}
    )


def _together(vectors: Floats) -> tuple[list[PairBlock], Neighbours]:
    """Pairs and graph of one pass."""
    steps = compare(vectors, floor=FLOOR, k=NEAREST)
    blocks: list[PairBlock] = []
    while True:
        try:
            blocks.append(next(steps))
        except StopIteration as stop:
            return blocks, stop.value


def _pairs(vectors: Floats) -> list[PairBlock]:
    return list(pair_blocks(vectors, floor=FLOOR))


def _graph(vectors: Floats) -> Neighbours:
    return run_to_end(nearest(vectors, k=NEAREST))


def _quality(
    vectors: Floats, blocks: list[PairBlock], graph: Neighbours, *, seed: int
) -> dict[str, Any]:
    """Recall and precision on a sample of texts that are compared with all in float64."""
    n = len(vectors)
    left = np.concatenate([block.left for block in blocks])
    right = np.concatenate([block.right for block in blocks])
    random = np.random.default_rng(seed)
    sample = np.sort(random.choice(n, min(n, _SAMPLE, max(8, _ROOM // n)), replace=False))
    found = wanted = false = near = possible = 0
    for text, cosine in zip(sample.tolist(), _exact(vectors, sample), strict=True):
        cosine[text] = -np.inf
        said = np.zeros(n, np.bool_)
        said[right[left == text]] = said[left[right == text]] = True
        found += int((said & (cosine >= FLOOR + _HAIR)).sum())
        wanted += int((cosine >= FLOOR + _HAIR).sum())
        false += int((said & (cosine < FLOOR - _HAIR)).sum())
        k = min(NEAREST, n - 1)
        least = np.partition(cosine, n - k)[n - k]
        others = graph.index[text]
        near += int((cosine[others[others >= 0]] >= least - _HAIR).sum())
        possible += k
    return {
        "recall": found / wanted if wanted else 1.0,
        "false_pairs": false,
        "graph_recall": near / possible if possible else 1.0,
        "pairs": len(left),
        "floor": FLOOR,
        "neighbours": NEAREST,
        "sample": len(sample),
    }


def _exact(vectors: Floats, sample: NDArray[np.int64]) -> NDArray[np.float64]:
    """The cosines of the sample with all, (m, n), in float64."""
    some = vectors[sample].astype(np.float64)
    cosine = np.empty((len(sample), len(vectors)))
    for start in range(0, len(vectors), _TILE):
        block = vectors[start : start + _TILE].astype(np.float64)
        np.matmul(some, block.T, out=cosine[:, start : start + len(block)])
    return cosine


def _peer_sides(vectors: Floats) -> tuple[dict[str, Callable[[], Any]], list[str]]:
    import faiss
    import torch

    sides: dict[str, Callable[[], Any]] = {}
    notes = []
    library = load_peer("sentence_transformers")
    if library is None:
        notes.append(told_missing("sentence_transformers"))
    else:
        mine = library.util.paraphrase_mining_embeddings
        tensor = torch.from_numpy(vectors)
        if torch.cuda.is_available():
            tensor = tensor.cuda()
        sides["paraphrase_mining_embeddings as it comes"] = lambda: mine(tensor)
        sides["paraphrase_mining_embeddings, top_k 17"] = lambda: mine(tensor, top_k=NEAREST + 1)

    def flat() -> Any:
        index = faiss.IndexFlatIP(vectors.shape[1])
        index.add(vectors)
        return index.search(vectors, min(NEAREST + 1, len(vectors)))

    sides[f"faiss flat, top {NEAREST + 1}"] = flat
    semhash = load_peer("semhash")
    if semhash is None:
        notes.append(told_missing("semhash"))
    else:
        names = [str(number) for number in range(len(vectors))]

        def deduplicate() -> Any:
            index = semhash.SemHash.from_embeddings(vectors, names, model=None)
            return index.self_deduplicate(threshold=FLOOR)

        sides["semhash self_deduplicate (approximate)"] = deduplicate
    return sides, notes
