"""Texts to vectors, beside sentence-transformers; tokenizing counts on both sides."""

import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.bench.asked import Asked
from core.bench.interleave import Timing, interleave, told_runs
from core.bench.machine import Machine, Shape, gemm_seconds, measure_machine, work_device
from core.bench.peers import load_peer, peer_precisions, told_missing
from core.bench.report import Report, report_of
from core.bench.texts import bench_texts
from core.encoders import Encoded, Encoder, choose_precision, load_encoder
from core.encoders.loading import load_parts
from core.folders import encoder_folder
from core.progress import Progress, Steps

PEER = "sentence_transformers"
AS_IT_COMES = "sentence-transformers as it comes"
OWN_FP32 = "Samesense in fp32"
_BATCHES = (16, 32, 64, 128)
_CUDA_BATCHES = (32, 64, 128, 256, 512)
_SAMPLE = 512  # texts to choose a precision and a batch size by
_ALONE = 64  # texts encoded one at a time

Floats = NDArray[np.float32]


def bench_encode(asked: Asked) -> Steps[Report]:
    """Time encoding in the precision the product chooses, and how far it is from the limit."""
    machine = yield from measure_machine()
    texts = yield from bench_texts(asked)
    bodies = texts.bodies
    folder = encoder_folder(asked.encoder)
    sample = bodies[:: max(1, len(bodies) // _SAMPLE)][:_SAMPLE]
    yield Progress("Loading the encoder")
    choice = choose_precision(folder, "auto", sample)
    ours = load_encoder(folder, precision=choice.precision)
    sides: dict[str, Callable[[], Any]] = {"Samesense": lambda: ours.encode(bodies)}
    exact = ours
    if ours.precision != "fp32":
        exact = load_encoder(folder)
        sides[OWN_FP32] = lambda: exact.encode(bodies)
    notes = [texts.told, f"Encoded in {ours.precision}, {ours.settings['batching']}. {choice.why}"]
    if asked.peers:
        theirs, said = yield from _peer_sides(folder, bodies, sample, machine)
        sides.update(theirs)
        notes += said
    for encoder in (ours, exact):
        encoder.encode(sample[:_ALONE])  # what is only built at the first use
    timings = yield from interleave(sides, title="Encoding texts", repeats=asked.repeats)
    notes.append(told_runs(timings))
    encoded: Encoded = timings["Samesense"].outcome
    whole = encoded.windows == 1
    if not whole.all():
        notes.append(
            f"{int((~whole).sum()):,} texts are longer than the encoder reads at once: ours read "
            "them whole in windows, the peer cuts them."
        )
    yield Progress("Comparing the vectors")
    quality = _quality(timings, exact, bodies, whole)
    yield Progress("Measuring the limit")
    limit = _limit(folder, ours, encoded)
    notes.append("The limit counts the model's matrices, without attention and tokenizing.")
    if own := timings.pop(OWN_FP32, None):
        quality["fp32_seconds"] = own.seconds
        quality["fp32_rate"] = len(bodies) / own.seconds
    return report_of(
        "encode", len(bodies), machine, timings, limit_seconds=limit,
        quality={**quality, "precision": ours.precision, "notes": notes},
    )  # fmt: skip


def _quality(
    timings: dict[str, Timing], exact: Encoder, bodies: Sequence[str], whole: NDArray[np.bool_]
) -> dict[str, Any]:
    """How far our vectors are from exact ones and, where it ran, from the peer's."""
    ours: Floats = timings["Samesense"].outcome.vectors
    if OWN_FP32 in timings:
        told = _apart(ours, timings[OWN_FP32].outcome.vectors)
        told["reference"] = "our own fp32"
    else:
        some = np.linspace(0, len(bodies) - 1, min(_ALONE, len(bodies))).astype(np.int64)
        alone = np.concatenate([exact.encode([bodies[place]]).vectors for place in some])
        told = _apart(ours[some], alone)
        told["reference"] = f"{len(some)} of the texts encoded one at a time"
    if AS_IT_COMES in timings and whole.any():
        fp32: Floats = timings.get(OWN_FP32, timings["Samesense"]).outcome.vectors
        theirs: Floats = timings[AS_IT_COMES].outcome
        from_peer = _apart(fp32[whole], theirs[whole])
        told |= {f"{name}_to_peer": value for name, value in from_peer.items()}
    return told


def _apart(ours: Floats, theirs: Floats) -> dict[str, Any]:
    lengths = np.linalg.norm(theirs, axis=1) * np.linalg.norm(ours, axis=1)
    cosines = np.einsum("ij,ij->i", ours.astype(np.float64), theirs) / lengths
    return {
        "largest_difference": float(np.abs(ours - theirs).max()),
        "least_cosine": float(np.clip(cosines, -1, 1).min()),
    }


def _limit(folder: Path, ours: Encoder, encoded: Encoded) -> float:
    specials = ours.tokenizer.specials
    room = ours.max_tokens - specials
    read = np.where(encoded.windows > 1, encoded.windows * room, encoded.tokens)
    added = (specials + ours.tokenizer.prompt_tokens) * int(encoded.windows.sum())
    tokens = max(1, int(read.sum()) + added)
    return gemm_seconds(model_shapes(folder), rows=tokens, precision=ours.precision)


def model_shapes(folder: Path) -> Counter[Shape]:
    """How many matrices of each shape a token goes through in the encoder of a folder."""
    import torch

    model = load_parts(folder, device="cpu").model
    return Counter(
        (part.in_features, part.out_features)
        for name, part in model.named_modules()
        if isinstance(part, torch.nn.Linear) and "pooler" not in name
    )


def _peer_sides(
    folder: Path, bodies: list[str], sample: list[str], machine: Machine
) -> Steps[tuple[dict[str, Callable[[], Any]], list[str]]]:
    """The peer as it comes, and with the batch size that is best in each precision."""
    library = load_peer(PEER)
    if library is None:
        return {}, [told_missing(PEER)]
    device = work_device()
    sides: dict[str, Callable[[], Any]] = {}
    for name, kind in peer_precisions(machine).items():
        yield Progress(f"Trying the batch sizes of sentence-transformers in {name}")
        model = library.SentenceTransformer(
            str(folder), device=device, local_files_only=True, model_kwargs={"dtype": kind}
        )
        if name == "fp32":
            sides[AS_IT_COMES] = _encoding(model, bodies, 32)
        elif name == "fp16":
            sides["sentence-transformers, fp16, batch 32"] = _encoding(model, bodies, 32)
        sizes = _BATCHES if device == "cpu" else _CUDA_BATCHES
        best = yield from _best_batch(model, sample, sizes, name)
        told = f"sentence-transformers, {name}, batch {best}, sorted by length"
        sides[told] = _encoding(model, bodies, best)
    return sides, []


def _encoding(model: Any, bodies: list[str], size: int) -> Callable[[], Any]:
    # It sorts the texts by length itself.
    return lambda: model.encode(bodies, batch_size=size, show_progress_bar=False)


def _best_batch(model: Any, sample: list[str], sizes: Sequence[int], name: str) -> Steps[int]:
    model.encode(sample[:_ALONE], show_progress_bar=False)
    seconds: dict[int, float] = {}
    for size in sizes:
        yield Progress(f"Trying the batch sizes of sentence-transformers in {name}")
        begun = time.perf_counter()
        model.encode(sample, batch_size=size, show_progress_bar=False)
        seconds[size] = time.perf_counter() - begun
    return min(seconds, key=lambda size: seconds[size])
