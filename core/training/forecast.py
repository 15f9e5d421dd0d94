"""How long a training will take, before anything is loaded."""

import time
from pathlib import Path

import numpy as np
from safetensors import safe_open

from core.encoders.folder import EncoderFolder, read_folder
from core.examples import ScoredPairs
from core.options import TrainOptions
from core.training.batches import planned_steps

_CHARACTERS_IN_TOKEN = 4.0
_SPECIALS = 2
_USUAL_MAX_TOKENS = 512
_OPERATIONS = 6  # for each weight and token: two forwards, four back
_OVERHEAD = 1.5  # looks, optimiser, all that is no matrix product
_EFFICIENCY = 0.5  # of a plain matrix product's speed
_SIDE, _TRIES = 512, 6


def forecast_seconds(folder: Path, data: ScoredPairs, options: TrainOptions) -> float:
    """Guess the seconds that teaching on the processor would take, to about a factor of two.

    Costs a few hundredths of a second: the sizes of the weights are read from the headers, and
    the processor is timed on a matrix product. Training itself tells the true time from its first
    step on. Raises `UserError` for a bad folder.
    """
    described = read_folder(folder)
    sizes = sizes_of_weights(described)
    moving = sum(sizes) - max(sizes, default=0)  # the largest is the table of words: looked up
    most = described.max_tokens or _USUAL_MAX_TOKENS
    lengths = [
        min(len(text) / _CHARACTERS_IN_TOKEN + _SPECIALS, most)
        for text in (*data.left, *data.right)
    ]
    steps = planned_steps([len(data)], options, has_background=True)
    tokens = steps * options.batch * 2 * float(np.mean(lengths)) if lengths else 0.0
    return _OVERHEAD * _OPERATIONS * moving * tokens / (_EFFICIENCY * _operations_per_second())


def sizes_of_weights(described: EncoderFolder) -> list[int]:
    """Return how many numbers each of an encoder's weights has, from the headers alone."""
    sizes = []
    for file in described.files:
        if file.suffix == ".safetensors":
            with safe_open(file, "np") as held:
                names = held.keys()
                sizes += [int(np.prod(held.get_slice(name).get_shape())) for name in names]
    return sizes


def _operations_per_second() -> float:
    square = np.ones((_SIDE, _SIDE), np.float32)
    best = np.inf
    for _ in range(_TRIES):
        started = time.perf_counter()
        square @ square
        best = min(best, time.perf_counter() - started)
    return float(2 * _SIDE**3 / best)
