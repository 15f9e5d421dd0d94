"""Which precision a corpus is encoded in: the fastest that does not change the answers."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.encoders.loading import load_encoder
from core.encoders.transformer import resolve_device
from core.processor import has_bf16

LARGEST_CHANGE = 0.005  # of a cosine, over all pairs tried
PAIRS = 10_000
FEWEST_TEXTS = 64  # below, the trial costs more than bf16 could save
MOST_TEXTS = 512
MOST_CHARACTERS = 60_000  # of all texts tried together
_SEED = 0


@dataclass(frozen=True, slots=True)
class PrecisionChoice:
    """The precision that was chosen, what the trial measured, and why, in a sentence."""

    precision: str  # "fp32" or "bf16"
    largest_change: float  # of a cosine between fp32 and bf16; 0.0 where nothing was tried
    pairs: int  # tried
    why: str


def choose_precision(folder: Path, device: str, sample: Sequence[str]) -> PrecisionChoice:
    """Choose bf16 where the processor has it and the cosines of `sample` stay the same.

    Encodes up to 512 texts twice and compares 10,000 random pairs; "the same" is a change of
    at most 0.005. Costs seconds with a small encoder, nothing for a handful of texts. `sample`
    should be drawn at random from the corpus.
    """
    lacking = lacks_bf16(device)
    if lacking:
        return PrecisionChoice("fp32", 0.0, 0, lacking)
    if len(sample) < FEWEST_TEXTS:
        return PrecisionChoice("fp32", 0.0, 0, "Too few texts for bf16 to save any time.")
    return compare_precisions(folder, device, sample)


def compare_precisions(folder: Path, device: str, sample: Sequence[str]) -> PrecisionChoice:
    """Encode `sample` in fp32 and bf16 and choose by the largest change of a cosine."""
    texts = _short_sample(sample)
    random = np.random.default_rng(_SEED)
    left = random.integers(0, len(texts), PAIRS)
    right = (left + random.integers(1, len(texts), PAIRS)) % len(texts)
    exact, rough = (
        _cosines(
            load_encoder(folder, device=device, precision=name).encode(texts).vectors, left, right
        )
        for name in ("fp32", "bf16")
    )
    change = float(np.abs(exact - rough).max())
    said = f"the largest change of a cosine among {PAIRS:,} pairs is {change:.4f}"
    if change <= LARGEST_CHANGE:
        return PrecisionChoice("bf16", change, PAIRS, f"This device computes in bf16, and {said}.")
    return PrecisionChoice(
        "fp32", change, PAIRS, f"bf16 would change too much: {said}, over {LARGEST_CHANGE}."
    )


def lacks_bf16(device: str) -> str:
    """Return why bf16 would not be faster on a device, or an empty string."""
    import torch

    place = resolve_device(device)
    if place.type == "cuda":
        older = torch.cuda.get_device_capability(place)[0] < 8
        return "This CUDA device has no bf16 arithmetic." if older else ""
    if place.type != "cpu":
        return f"bf16 has not been tried on {place.type}."
    return "" if has_bf16() else "This processor has no bf16 arithmetic."


def _cosines(
    vectors: NDArray[np.float32], left: NDArray[np.int64], right: NDArray[np.int64]
) -> NDArray[np.float32]:
    cosines: NDArray[np.float32] = np.einsum("ij,ij->i", vectors[left], vectors[right])
    return cosines


def _short_sample(sample: Sequence[str]) -> list[str]:
    step = max(1, len(sample) // MOST_TEXTS)
    texts = list(sample[::step])[:MOST_TEXTS]
    return [text[: MOST_CHARACTERS // len(texts)] for text in texts]
