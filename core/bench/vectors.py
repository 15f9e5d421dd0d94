"""The vectors of a bench: of the files' texts, encoded once and kept, or made up."""

import os
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.bench.asked import Asked
from core.bench.made import made_vectors
from core.bench.texts import bench_texts, files_hash
from core.encoders import choose_precision, load_encoder
from core.folders import encoder_folder, user_cache
from core.progress import Progress, Steps

_SAMPLE = 512


@dataclass(frozen=True, slots=True)
class BenchVectors:
    """Unit vectors (n, d) and, in a sentence, where they are from."""

    vectors: NDArray[np.float32]
    told: str


def bench_vectors(asked: Asked) -> Steps[BenchVectors]:
    """Encode the texts of the files, or make vectors up; at most `asked.rows`.

    Encoded ones are kept in the cache folder under the files' hash and the encoder's
    fingerprint, so that the next bench of the same files begins at once.
    """
    if not asked.files:
        yield Progress("Making up vectors")
        vectors = made_vectors(asked.rows, seed=asked.seed)
        told = (
            f"The vectors are made up (seed {asked.seed}): small dense groups within topics, "
            "random cosines about 0.1. Give --file for those of texts."
        )
        return BenchVectors(vectors, told)
    digest = yield from files_hash(asked)
    yield Progress("Loading the encoder")
    folder = encoder_folder(asked.encoder)
    rough = load_encoder(folder)
    kept = user_cache() / "bench" / f"{digest}-{rough.fingerprint[:16]}.npy"
    names = ", ".join(file.name for file in asked.files)
    if kept.is_file():
        found: NDArray[np.float32] = np.load(kept)
        return BenchVectors(found, f"The vectors of {names} by {rough.name}, kept from before.")
    texts = yield from bench_texts(asked)
    step = max(1, len(texts.bodies) // _SAMPLE)
    choice = choose_precision(folder, "auto", texts.bodies[::step][:_SAMPLE])
    encoder = load_encoder(folder, precision=choice.precision)
    vectors = np.empty((len(texts.bodies), encoder.dimension), np.float32)
    done = 0
    for part in encoder.encode_stream(texts.bodies):
        vectors[part.positions] = part.vectors
        done += len(part)
        yield Progress("Encoding texts", done, len(vectors), "texts")
    _keep(kept, vectors)
    return BenchVectors(vectors, f"{texts.told} Encoded by {encoder.name} in {encoder.precision}.")


def _keep(file: Path, vectors: NDArray[np.float32]) -> None:
    """Write the array whole or not at all."""
    file.parent.mkdir(parents=True, exist_ok=True)
    waiting = file.with_suffix(f".{os.getpid()}.part")
    with waiting.open("wb") as stream:
        np.save(stream, vectors)
    waiting.replace(file)
