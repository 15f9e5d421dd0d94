"""How much memory a training takes, before anything is loaded.

Everything but the activations is known: with AdamW a weight that learns takes its number four
times (itself, its gradient, two moments), in fp32 whatever the precision of the passes.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.encoders.folder import read_folder
from core.errors import UserError
from core.examples import Columned
from core.options import TrainOptions
from core.training.forecast import Described, sizes_of_weights, tokens_of_example
from core.training.frozen import is_frozen

if TYPE_CHECKING:
    import torch

CPU_WORK, CUDA_WORK = 4e10, 5e12  # operations in about half a second on modest hardware
_FEWEST_TOKENS, _MOST_TOKENS = 64, 16_384  # at once, whatever the speed: their graph takes memory
_NUMBER = 4  # bytes, in fp32
_GIB = 2**30
_KEYS = {  # of config.json, as the architectures call them
    "layers": ("num_hidden_layers", "n_layers", "num_layers"),
    "hidden": ("hidden_size", "dim", "d_model"),
    "inner": ("intermediate_size", "hidden_dim", "d_ff"),
    "heads": ("num_attention_heads", "n_heads", "num_heads"),
}


@dataclass(frozen=True, slots=True)
class MemoryForecast:
    """Bytes that a training takes at its peak, by what takes them, and what is free for it."""

    device: str
    weights: int
    gradients: int
    moments: int
    best: int  # the best weights so far, in main memory
    checkpoint: int  # what is copied to main memory to be written
    activations: int  # of one portion of a batch, and what its way back needs
    gradient_checkpointing: bool
    free: int  # on the device
    free_main: int  # in main memory

    @property
    def on_device(self) -> int:
        """Bytes on the device; on the processor that is all of them."""
        moved = self.weights + self.gradients + self.moments + self.activations
        return moved if self.device.startswith("cuda") else moved + self.best + self.checkpoint

    @property
    def total(self) -> int:
        """Bytes on the device and in main memory."""
        moved = self.weights + self.gradients + self.moments + self.activations
        return moved + self.best + self.checkpoint

    @property
    def fits(self) -> bool:
        """Whether there is room for it all."""
        return self.on_device <= self.free and self.total - self.on_device <= self.free_main

    def words(self) -> str:
        """The forecast in a sentence."""
        parts = (
            ("weights", self.weights), ("gradients", self.gradients),
            ("the optimiser", self.moments), ("the best so far", self.best + self.checkpoint),
            ("the texts on their way through", self.activations),
        )  # fmt: skip  # a name and bytes
        told = ", ".join(f"{bytes_told(size)} for {name}" for name, size in parts if size)
        return f"about {bytes_told(self.total)} of memory: {told}"


@dataclass(frozen=True, slots=True)
class Shape:
    """What the activations of a transformer depend on."""

    layers: int
    hidden: int
    inner: int  # width between the two feed-forward matrices
    heads: int


def forecast_memory(
    folder: Path,
    options: TrainOptions,
    *,
    data: Columned | None = None,
    device: str = "auto",
) -> MemoryForecast:
    """Forecast the memory of teaching the encoder in `folder`, to about a factor of 1.5.

    `data` tells the longest example, which goes through whole however small the portions. Where
    memory is short and the options leave it open, the forecast is that of gradient
    checkpointing. Loads torch to ask for the device, and reads headers only. Raises `UserError`
    for a bad folder or device.
    """
    return forecast_described(read_folder(folder), options, data=data, device=device)


def forecast_described(
    described: Described,
    options: TrainOptions,
    *,
    data: Columned | None = None,
    device: str = "auto",
) -> MemoryForecast:
    """Forecast the memory of teaching what a folder that was read describes."""
    from core.encoders.transformer import resolve_device
    from core.training.computing import training_precision

    place = resolve_device(device)
    sizes = sizes_of_weights(described)
    tokens = token_budget(sum(sizes.values()) - max(sizes.values(), default=0), place.type)
    if data is not None:
        tokens = max(tokens, tokens_of_example(described, data)[1])
    return memory_of(
        sizes, shape_of(described), options,
        tokens=tokens, place=place, precision=training_precision(options.precision, place),
    )  # fmt: skip  # what, how, where


def memory_of(
    sizes: Mapping[str, int],
    shape: Shape | None,
    options: TrainOptions,
    *,
    tokens: int,
    place: "torch.device",
    precision: str,
) -> MemoryForecast:
    """Forecast the memory of weights of these sizes, `tokens` of them going through at once."""
    is_cuda = place.type == "cuda"
    everything = sum(sizes.values()) * _NUMBER
    learning = {n: size for n, size in sizes.items() if not is_frozen(n, options.frozen_layers)}
    moving = sum(learning.values()) * _NUMBER
    free, free_main = free_memory(place)

    def forecast(*, twice: bool) -> MemoryForecast:
        return MemoryForecast(
            device=str(place),
            weights=everything,
            # A part's gradient is new beside the sum so far, one weight after another.
            gradients=moving + max(learning.values(), default=0) * _NUMBER,
            moments=2 * moving,
            best=everything,
            checkpoint=everything + 2 * moving if is_cuda else 0,  # else written from its place
            activations=_activations(
                shape, options, tokens=tokens, precision=precision, twice=twice,
                keeps_attention=not is_cuda,
            ) + (everything // 2 if precision != "fp32" else 0),
            gradient_checkpointing=twice,
            free=free,
            free_main=free_main,
        )  # fmt: skip  # one line for each of them

    kept = forecast(twice=options.gradient_checkpointing == "on")
    if options.gradient_checkpointing != "auto" or kept.fits:
        return kept
    return forecast(twice=True)


def refuse_without_memory(forecast: MemoryForecast, *, name: str) -> None:
    """Raise `UserError` with the forecast where there is too little memory."""
    if forecast.fits:
        return
    is_main = forecast.on_device <= forecast.free
    free = forecast.free_main if is_main else forecast.free
    where = "in main memory" if is_main or forecast.device == "cpu" else f"on {forecast.device}"
    ways = ["close other programs", "freeze layers"]
    if not forecast.gradient_checkpointing:
        ways.append("compute twice to save memory (gradient checkpointing)")
    raise UserError(
        f"Teaching {name} needs {forecast.words()}. {bytes_told(free)} are free {where}.",
        f"{', '.join(ways).capitalize()}, or teach a smaller encoder.",
    )


def token_budget(moving: int, kind: str) -> int:
    """Return how many tokens go through at once: half a second of work, on "cpu" or "cuda".

    `moving` are the numbers of all weights but the table of tokens, which is looked up.
    """
    work = CUDA_WORK if kind == "cuda" else CPU_WORK
    return min(_MOST_TOKENS, max(_FEWEST_TOKENS, int(work / (6 * max(1, moving)))))


def shape_of(described: Described) -> Shape | None:
    """Return the shape of an encoder's transformer; None where its configuration is odd."""
    try:
        told = json.loads((described.transformer / "config.json").read_text("utf-8"))
    except (OSError, ValueError):
        return None
    return shape_from(told)


def shape_from(told: Mapping[str, Any]) -> Shape | None:
    """Return the shape that a transformers configuration tells."""
    found = {
        name: next((told[key] for key in keys if isinstance(told.get(key), int)), 0)
        for name, keys in _KEYS.items()
    }
    return Shape(**found) if all(found.values()) else None


def free_memory(place: "torch.device") -> tuple[int, int]:
    """Return the bytes free on a device and in main memory."""
    import psutil
    import torch

    main = int(psutil.virtual_memory().available)
    return (int(torch.cuda.mem_get_info(place)[0]) if place.type == "cuda" else main), main


def bytes_told(size: int) -> str:
    """Say a number of bytes to people."""
    if size >= _GIB:
        return f"{size / _GIB:.1f} GiB"
    return f"{max(1, round(size / 2**20)):,} MiB"


def _activations(
    shape: Shape | None,
    options: TrainOptions,
    *,
    tokens: int,
    precision: str,
    twice: bool,
    keeps_attention: bool,
) -> int:
    """Guess the bytes that `tokens` tokens leave behind for their way back.

    A layer of hidden width h and inner width i keeps for each token 8 h (its input, query, key,
    value, what attention gives, two inputs of normalisations, the input of the feed-forward
    part), 2 i (before and after its activation) and two masks of dropout; where attention keeps
    its shares, for each head as many again as the text has tokens, with a mask. In half precision
    the inputs of products take half. One layer more is on its way back.
    """
    if shape is None:
        return 0
    h, i = shape.hidden, shape.inner
    share = 1.0 if precision == "fp32" else 0.65
    # The length of texts that fill a portion is not known: that of a long one is taken.
    attention = 2.25 * shape.heads * min(tokens, 128) if keeps_attention else 0.0
    layer = share * (8.5 * h + 2 * i + attention) * _NUMBER
    learning = shape.layers - min(shape.layers, options.frozen_layers or 0)
    kept = learning * h * _NUMBER + layer if twice else learning * layer
    way_back = (4 * h + 2 * i) * _NUMBER
    return int(tokens * (kept + way_back))
