"""The first map of the day: vectors to clusters and a map, each way in a fresh process."""

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.bench.asked import Asked
from core.bench.fresh import in_fresh_process
from core.bench.interleave import Measured, interleave, told_runs
from core.bench.layout_sides import BERTOPIC, OURS, PRECOMPUTED, USUAL
from core.bench.machine import best_gemm_rate, measure_machine
from core.bench.peers import load_peer, told_missing
from core.bench.report import Report, report_of
from core.bench.vectors import bench_vectors
from core.progress import Progress, Steps

_SAMPLE = 5_000  # texts whose places are judged
_JUDGED = 15  # neighbours
_TILE = 2_048


def bench_layout(asked: Asked) -> Steps[Report]:
    """Time the way from vectors to clusters and a map; `seconds` are those of a fresh process."""
    machine = yield from measure_machine()
    given = yield from bench_vectors(asked)
    n, d = given.vectors.shape
    names, notes = [OURS], [given.told]
    if asked.peers:
        names += [USUAL, PRECOMPUTED]
        if load_peer("bertopic") is None:
            notes.append(told_missing("bertopic"))
        else:
            names.append(BERTOPIC)
    warm: dict[str, list[float]] = {name: [] for name in names}
    with tempfile.TemporaryDirectory(prefix="samesense-bench-") as home:
        vectors = Path(home) / "vectors.npy"
        np.save(vectors, given.vectors)
        sides: dict[str, Callable[[], Any]] = {
            name: _side(name, vectors, asked.seed, warm[name], place)
            for place, name in enumerate(names)
        }
        timings = yield from interleave(sides, title="Laying out", repeats=asked.repeats)
        yield Progress("Judging the maps")
        trust = {name: _trust(given.vectors, vectors, place) for place, name in enumerate(names)}
        clusters = {name: _clusters(vectors, place) for place, name in enumerate(names)}
    told: dict[str, float] = timings[OURS].outcome
    yield Progress("Measuring the limit")
    limit = float(n) ** 2 * d / best_gemm_rate((d, _TILE), rows=_TILE)
    limit += told.pop("walked_bytes") / machine.bytes_per_second
    notes += [
        f"{told_runs(timings)} Seconds are those of a process that has just started, imports and "
        "compiling included; machine code that a library keeps on the disk is found again.",
        "All search neighbours themselves; the same seed, neighbours and epochs on all sides.",
        "The limit is a triangle of products and a stream of every place that a link moves.",
    ]
    quality = {
        "trustworthiness": trust.pop(OURS),
        "clusters": clusters.pop(OURS),
        "warm_seconds": {name: float(np.median(seconds)) for name, seconds in warm.items()},
        **told,
        "peers_trustworthiness": trust,
        "peers_clusters": clusters,
        "notes": notes,
    }
    return report_of("layout", n, machine, timings, limit_seconds=limit, quality=quality)


def _side(
    name: str, vectors: Path, seed: int, warm: list[float], place: int
) -> Callable[[], Measured]:
    to = str(_outcome(vectors, place))

    def run() -> Measured:
        told = in_fresh_process(
            "layout", {"side": name, "vectors": str(vectors), "seed": seed, "to": to}
        )
        warm.append(told["warm"])
        return Measured(told["fresh"], told["figures"], told["peak_mb"])

    return run


def _outcome(vectors: Path, place: int) -> Path:
    return vectors.with_name(f"{place}.npz")


def _trust(given: NDArray[np.float32], vectors: Path, place: int) -> float:
    """How far neighbours on the map are neighbours of the vectors (Venna and Kaski, 2001)."""
    from sklearn.manifold import trustworthiness

    xy = np.load(_outcome(vectors, place))["xy"]
    n = len(xy)
    some = np.random.default_rng(0).choice(n, min(n, _SAMPLE), replace=False)
    near = min(_JUDGED, max(1, len(some) // 2 - 1))
    return float(trustworthiness(given[some], xy[some], n_neighbors=near, metric="cosine"))


def _clusters(vectors: Path, place: int) -> int:
    labels = np.load(_outcome(vectors, place))["labels"]
    return len(np.unique(labels[labels >= 0]))
