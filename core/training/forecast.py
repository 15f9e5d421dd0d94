"""How long a training will take, before anything is loaded."""

import time
from pathlib import Path
from typing import Protocol

import numpy as np
from safetensors import SafetensorError, safe_open

from core.encoders.folder import read_folder
from core.errors import UserError
from core.examples import Columned
from core.options import TrainOptions
from core.training.batches import planned_steps
from core.training.frozen import count_layers, is_frozen, refuse_too_many

_CHARACTERS_IN_TOKEN = 4.0
_SPECIALS = 2
_USUAL_MAX_TOKENS = 512
_FORWARD, _BACK_TO_INPUTS, _BACK_TO_WEIGHTS = 2, 2, 2  # operations for each weight and token
_OVERHEAD = 1.5  # looks, optimiser, all that is no matrix product
_EFFICIENCY = 0.5  # of a plain matrix product's speed
_SIDE, _TRIES = 512, 6


class Described(Protocol):
    """What a forecast has to know of the folder of an encoder or a cross-encoder."""

    @property
    def folder(self) -> Path: ...
    @property
    def transformer(self) -> Path: ...
    @property
    def files(self) -> tuple[Path, ...]: ...
    @property
    def max_tokens(self) -> int | None: ...


def forecast_seconds(folder: Path, data: Columned, options: TrainOptions) -> float:
    """Guess the seconds that teaching on the processor would take, to about a factor of two.

    Costs a few hundredths of a second: the sizes of the weights are read from the headers, and
    the processor is timed on a matrix product. Training itself tells the true time from its first
    step on. Raises `UserError` for a bad folder.
    """
    described = read_folder(folder)
    sizes = sizes_of_weights(described)
    table = max(sizes, key=lambda name: sizes[name], default="")  # of words: looked up only
    passed = {name: size for name, size in sizes.items() if name != table}
    learning = sum(size for name, size in passed.items() if not _stays(name, options))
    forward = _FORWARD * sum(passed.values())
    if options.gradient_checkpointing == "on":
        forward += _FORWARD * learning
    operations = forward + (_BACK_TO_INPUTS + _BACK_TO_WEIGHTS) * learning
    steps = planned_steps([len(data)], options, has_background=True)
    tokens = steps * options.batch * tokens_of_example(described, data)[0]
    return _OVERHEAD * operations * tokens / (_EFFICIENCY * _operations_per_second())


def sizes_of_weights(described: Described) -> dict[str, int]:
    """Return how many numbers each of an encoder's weights has, from the headers alone.

    Raises `UserError` for a damaged file.
    """
    sizes: dict[str, int] = {}
    for place, file in enumerate(described.files):
        if file.suffix == ".safetensors":
            for name, size in _sizes_in(file).items():
                # The layers behind the transformer are all called linear.
                sizes[name if name not in sizes else f"{place}.{name}"] = size
    return sizes


def refuse_frozen(folder: Path, frozen: int | None) -> None:
    """Raise `UserError` where so many layers cannot be frozen, as the weights' names tell."""
    described = read_folder(folder)
    names = sizes_of_weights(described) if frozen else {}
    if names:
        refuse_too_many(frozen, count_layers(names), name=described.folder.name)


def _sizes_in(file: Path) -> dict[str, int]:
    try:
        with safe_open(file, "np") as held:
            names = list(held.keys())
            return {name: int(np.prod(held.get_slice(name).get_shape())) for name in names}
    except (OSError, SafetensorError) as error:
        raise UserError(
            f"The weights in {file} are damaged ({error}).", "Fetch or copy that folder again."
        ) from error


def tokens_of_example(described: Described, data: Columned) -> tuple[float, int]:
    """Guess the tokens of an example, all its texts together: on average, and of the longest.

    Four characters make a token, which English needs; nothing is tokenized.
    """
    most = described.max_tokens or _USUAL_MAX_TOKENS
    if not len(data):
        return 0.0, 0
    lengths = np.array([[len(text) for text in column] for column in data.columns])
    tokens = np.minimum(lengths / _CHARACTERS_IN_TOKEN + _SPECIALS, most).sum(axis=0)
    return float(tokens.mean()), int(np.ceil(tokens.max()))


def _stays(name: str, options: TrainOptions) -> bool:
    return is_frozen(name, options.frozen_layers)


def _operations_per_second() -> float:
    square = np.ones((_SIDE, _SIDE), np.float32)
    best = np.inf
    for _ in range(_TRIES):
        started = time.perf_counter()
        square @ square
        best = min(best, time.perf_counter() - started)
    return float(2 * _SIDE**3 / best)
