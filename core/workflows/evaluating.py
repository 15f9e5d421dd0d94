"""Evaluate: how well an encoder's cosine agrees with judged pairs."""

from pathlib import Path
from typing import Any

from core.encoders import load_encoder
from core.evaluation import evaluate_encoder, read_pairs
from core.folders import encoder_folder
from core.progress import Progress, Steps


def evaluate(
    encoder: str, pairs: Path, *, device: str = "auto", precision: str = "fp32"
) -> Steps[dict[str, Any]]:
    """Score every pair of a file and compare with what it says of them."""
    judged = read_pairs(pairs)
    yield Progress("Loading the encoder")
    loaded = load_encoder(encoder_folder(encoder), device=device, precision=precision)
    figures = yield from evaluate_encoder(loaded, judged)
    return {
        "encoder": loaded.name,
        "fingerprint": loaded.fingerprint,
        "arithmetic": loaded.precision,
        "file": str(pairs),
        **figures,
    }
