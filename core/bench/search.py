"""The ten texts nearest to a question, beside a flat index and plain numpy."""

import statistics
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.bench.asked import Asked
from core.bench.interleave import Measured, interleave, peak_growth, told_runs
from core.bench.machine import measure_machine
from core.bench.report import Report, report_of
from core.bench.search_words import QUESTIONS, time_words
from core.bench.vectors import bench_vectors
from core.progress import Progress, Steps
from core.search.index import SearchIndex

FOUND = 10
_QUESTIONS, _FEW_QUESTIONS, _MANY = 50, 20, 300_000  # fewer questions to so many vectors
_ASTRAY = 0.5  # how far a question lies from the text it is about, of a unit vector

Floats = NDArray[np.float32]
Rows = NDArray[np.int64]


def bench_search(asked: Asked) -> Steps[Report]:
    """Time one question at a time; `seconds` is the median of one question."""
    machine = yield from measure_machine()
    given = yield from bench_vectors(asked)
    vectors = given.vectors
    questions = _questions(vectors, asked.seed)
    yield Progress("Building the index")
    begun = time.perf_counter()
    index, index_mb = peak_growth(lambda: SearchIndex.build(vectors))
    build_seconds = time.perf_counter() - begun
    asking: dict[str, Callable[[Floats], Rows]] = {
        "Samesense": lambda question: index.search(question, vectors, k=FOUND)[0]
    }
    if asked.peers:
        yield Progress("Building the peers' indexes")
        asking |= _peer_sides(vectors)
    sides = {name: _asking(ask, questions) for name, ask in asking.items()}
    timings = yield from interleave(sides, title="Asking questions", repeats=asked.repeats)
    waits, found = timings["Samesense"].outcome
    timings["Samesense"] = replace(timings["Samesense"], peak_mb=index_mb)  # asking takes none
    n, d = vectors.shape
    yield Progress("Comparing with all cosines")
    quality: dict[str, Any] = {
        "recall": _recall(vectors, questions, found),
        "found": FOUND,
        "questions": len(questions),
        "p95_ms": float(np.quantile(waits, 0.95)) * 1000,
        "index_build_seconds": build_seconds,
        "notes": [
            given.told,
            f"{told_runs(timings)} A run asks {len(questions)} questions one by one; seconds "
            "are the median question's, answers with exact cosines.",
            "The limit is one stream over a copy of the vectors in two bits a number.",
        ],
    }
    if not asked.files:
        quality |= yield from time_words(vectors, asked.encoder, seed=asked.seed)
        quality["notes"].append(
            f"The last figures are of {QUESTIONS} questions of 1 to 4 words to a project of as "
            "many made texts, from the question to what a page shows."
        )
    limit = n * d / 4 / machine.bytes_per_second
    return report_of("search", n, machine, timings, limit_seconds=limit, quality=quality)


def _questions(vectors: Floats, seed: int) -> Floats:
    """Vectors near, but not at, some of those to be found."""
    random = np.random.default_rng(seed + 1)
    n, d = vectors.shape
    count = min(n, _FEW_QUESTIONS if n > _MANY else _QUESTIONS)
    noise = random.standard_normal((count, d)).astype(np.float32)
    noise *= _ASTRAY / np.linalg.norm(noise, axis=1, keepdims=True)
    near = vectors[random.choice(n, count, replace=False)] + noise
    unit: Floats = near / np.linalg.norm(near, axis=1, keepdims=True)
    return unit


def _asking(ask: Callable[[Floats], Rows], questions: Floats) -> Callable[[], Measured]:
    def run() -> Measured:
        waits, found = [], []
        for question in questions:
            begun = time.perf_counter()
            rows = ask(question)
            waits.append(time.perf_counter() - begun)
            found.append(rows)
        return Measured(statistics.median(waits), (waits, found))

    return run


def _peer_sides(vectors: Floats) -> dict[str, Callable[[Floats], Rows]]:
    import faiss

    flat: Any = faiss.IndexFlatIP(vectors.shape[1])
    flat.add(vectors)
    k = min(FOUND, len(vectors))

    def brute(question: Floats) -> Rows:
        cosine = vectors @ question
        best = np.argpartition(-cosine, k - 1)[:k]
        rows: Rows = best[np.argsort(-cosine[best])]
        return rows

    return {
        "faiss flat": lambda question: flat.search(question[None, :], k)[1][0],
        "numpy brute force": brute,
    }


def _recall(vectors: Floats, questions: Floats, found: list[Rows]) -> float:
    """The share of the exact best ten that were found; equal cosines count for each other."""
    hits = wanted = 0
    k = min(FOUND, len(vectors))
    for question, rows in zip(questions, found, strict=True):
        rough = vectors @ question
        some = np.argpartition(-rough, min(4 * k, len(rough) - 1))[: 4 * k]
        exact = np.sort(vectors[some].astype(np.float64) @ question.astype(np.float64))[::-1]
        cosine = vectors[rows].astype(np.float64) @ question.astype(np.float64)
        hits += int((cosine >= exact[k - 1] - 1e-7).sum())
        wanted += k
    return hits / wanted
