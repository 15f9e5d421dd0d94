"""Pairs of texts to scores, beside sentence-transformers; tokenizing counts on both sides."""

import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.bench.asked import Asked
from core.bench.cross_folders import cross_folder
from core.bench.interleave import interleave, told_runs
from core.bench.machine import Machine, Shape, gemm_seconds, measure_machine
from core.bench.peers import load_peer, peer_precisions, told_missing
from core.bench.report import Report, report_of
from core.bench.texts import bench_texts
from core.cross import CrossEncoder, load_cross_encoder
from core.cross.folder import read_cross_folder
from core.cross.loading import load_cross_model
from core.encoders.precision import lacks_bf16
from core.progress import Progress, Steps

PEER = "sentence_transformers"
AS_IT_COMES = "CrossEncoder.predict as it comes"
_BATCHES = (16, 32, 64, 128)
_SAMPLE = 384  # pairs to choose a batch size by
_CHECKED = 128  # pairs scored one at a time, or in fp32
LARGEST_CHANGE = 0.005  # of a score, where bf16 is taken

Pairs = list[tuple[str, str]]


def bench_rerank(asked: Asked) -> Steps[Report]:
    """Time scoring in the precision the product would take, and how far it is from the limit."""
    machine = yield from measure_machine()
    texts = yield from bench_texts(asked)
    pairs = made_pairs(texts.bodies, asked.rows, seed=asked.seed)
    with tempfile.TemporaryDirectory(prefix="samesense-bench-") as home:
        yield Progress("Loading the cross-encoder")
        folder, told = cross_folder(asked.encoder, Path(home), seed=asked.seed)
        return (yield from _bench(asked, machine, folder, pairs, [texts.told, told]))


def made_pairs(bodies: Sequence[str], rows: int, *, seed: int) -> Pairs:
    """Draw `rows` pairs of different texts: each text about twice, as candidates come."""
    random = np.random.default_rng(seed)
    left = np.arange(rows) % len(bodies)
    right = (left + random.integers(1, max(2, len(bodies)), rows)) % len(bodies)
    return [
        (bodies[one], bodies[two]) for one, two in zip(left.tolist(), right.tolist(), strict=True)
    ]


def _bench(
    asked: Asked, machine: Machine, folder: Path, pairs: Pairs, notes: list[str]
) -> Steps[Report]:
    sample = pairs[:: max(1, len(pairs) // _SAMPLE)][:_SAMPLE]
    exact = load_cross_encoder(folder)
    ours, why = _chosen(folder, exact, sample[:_CHECKED])
    notes.append(f"Scored in {ours.precision}, {ours.settings['batching']}. {why}")
    sides: dict[str, Callable[[], Any]] = {"Samesense": lambda: ours.score(pairs)}
    if asked.peers:
        theirs, said = yield from _peer_sides(folder, pairs, sample, machine)
        sides.update(theirs)
        notes += said
    ours.score(sample[:_CHECKED])  # what is only built at the first use
    timings = yield from interleave(sides, title="Scoring pairs", repeats=asked.repeats)
    notes.append(told_runs(timings))
    yield Progress("Comparing the scores")
    scores: NDArray[np.float32] = timings["Samesense"].outcome
    some = np.linspace(0, len(pairs) - 1, min(_CHECKED, len(pairs))).astype(np.int64)
    alone = np.concatenate([exact.score([pairs[place]]) for place in some])
    quality: dict[str, Any] = {
        "largest_difference": float(np.abs(scores[some] - alone).max()),
        "reference": f"{len(some)} of the pairs scored one at a time in fp32",
        "score_spread": float(np.ptp(scores)),
    }
    if AS_IT_COMES in timings:
        apart = np.abs(scores - _as_ours(ours, timings[AS_IT_COMES].outcome))
        quality["largest_difference_to_peer"] = float(apart.max())
        fastest = min(list(timings)[1:], key=lambda name: timings[name].seconds)
        quality["best_peer"] = fastest
        quality["times_best_peer"] = timings[fastest].seconds / timings["Samesense"].seconds
    parts = list(ours.score_stream(pairs))
    tokens = sum(int(part.tokens.sum()) for part in parts)
    quality["tokens_per_pair"] = tokens / len(pairs)
    cut = sum(int(part.cut.sum()) for part in parts)
    if cut:
        notes.append(f"{cut:,} pairs are longer than is read at once; both sides cut them alike.")
    yield Progress("Measuring the limit")
    limit = gemm_seconds(_shapes(folder, ours), rows=tokens, precision=ours.precision)
    notes.append("The limit counts the model's matrices, without attention and tokenizing.")
    return report_of(
        "rerank", len(pairs), machine, timings, limit_seconds=limit,
        quality={**quality, "precision": ours.precision, "notes": notes},
    )  # fmt: skip


def _chosen(folder: Path, exact: CrossEncoder, sample: Pairs) -> tuple[CrossEncoder, str]:
    """The cross-encoder in bf16 where the device has it and the scores stay, else in fp32."""
    lacking = lacks_bf16(exact.device)
    if lacking:
        return exact, lacking
    rough = load_cross_encoder(folder, precision="bf16")
    change = float(np.abs(rough.score(sample) - exact.score(sample)).max())
    told = f"bf16 changes a score by {change:.4f} at most among {len(sample)}"
    if change <= LARGEST_CHANGE:
        return rough, f"This device computes in bf16, and {told}."
    return exact, f"{told}, over {LARGEST_CHANGE}."


def _as_ours(ours: CrossEncoder, scores: NDArray[np.float32]) -> NDArray[np.float32]:
    return scores.reshape(len(scores), -1)[:, 0] if len(ours.labels) == 1 else scores


def _shapes(folder: Path, ours: CrossEncoder) -> Counter[Shape]:
    """How many matrices of each shape every token has to go through; the head sees one token."""
    import torch

    model = load_cross_model(read_cross_folder(folder), torch.float32).base_model
    names = {
        name: (part.in_features, part.out_features)
        for name, part in model.named_modules()
        if isinstance(part, torch.nn.Linear) and "pooler" not in name
    }
    if ours.settings["last_layer"] == "first tokens":
        last = f"layer.{model.config.num_hidden_layers - 1}."
        needed = (".key", ".value", ".k_lin", ".v_lin")
        names = {n: s for n, s in names.items() if last not in n or n.endswith(needed)}
    return Counter(names.values())


def _peer_sides(
    folder: Path, pairs: Pairs, sample: Pairs, machine: Machine
) -> Steps[tuple[dict[str, Callable[[], Any]], list[str]]]:
    """The peer as it comes, and with the batch size that is best in each precision."""
    library = load_peer(PEER)
    if library is None:
        return {}, [told_missing(PEER)]
    sides: dict[str, Callable[[], Any]] = {}
    for name, kind in peer_precisions(machine).items():
        model = library.CrossEncoder(
            str(folder), local_files_only=True, model_kwargs={"dtype": kind}
        )
        if name == "fp32":
            sides[AS_IT_COMES] = _predicting(model, pairs, 32)
        model.predict(sample[:_CHECKED], show_progress_bar=False)
        seconds: dict[int, float] = {}
        for size in _BATCHES:
            yield Progress(f"Trying the batch sizes of CrossEncoder.predict in {name}")
            begun = time.perf_counter()
            _predicting(model, sample, size)()
            seconds[size] = time.perf_counter() - begun
        best = min(seconds, key=lambda size: seconds[size])
        told = f"CrossEncoder.predict, {name}, batch {best}, sorted by length"
        sides[told] = _predicting(model, pairs, best)
    return sides, []


def _predicting(model: Any, pairs: Pairs, size: int) -> Callable[[], Any]:
    # It sorts the pairs by length itself.
    softmax = model.num_labels > 1
    return lambda: model.predict(
        pairs, batch_size=size, apply_softmax=softmax, show_progress_bar=False
    )
