"""Where a training stands, in one file: what it takes to go on exactly. This module loads torch."""

import json
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file

from core.errors import UserError

_KEY = "samesense"
_THREADS = "threads"
EVERY_S = 120.0  # a checkpoint is four times the encoder's size


@dataclass(frozen=True, slots=True)
class State:
    """Tensors by name, and everything else as plain values."""

    tensors: Mapping[str, torch.Tensor]
    values: Mapping[str, Any]


@dataclass(slots=True)
class Checkpoint:
    """A file beside the encoder to be; the one that is there stays whole until the next is."""

    file: Path
    of: str  # a digest of everything that decides how the training goes
    every_s: float = EVERY_S
    pause_at: int | None = None  # the step at which the loop saves its state and raises `Paused`
    _saved: float = field(default_factory=time.monotonic)

    @property
    def is_due(self) -> bool:
        return time.monotonic() - self._saved >= self.every_s

    def save(self, state: State) -> None:
        """Write the state; raises `UserError` where there is no room for it."""
        part = self.file.with_name(self.file.name + ".part")
        told = json.dumps({"of": self.of, _THREADS: torch.get_num_threads(), **state.values})
        tensors = {name: tensor.cpu().contiguous() for name, tensor in state.tensors.items()}
        try:
            self.file.parent.mkdir(parents=True, exist_ok=True)
            save_file(tensors, part, metadata={_KEY: told})
            part.replace(self.file)
        except (OSError, SafetensorError) as error:
            with suppress(OSError):
                part.unlink(missing_ok=True)
            raise UserError(
                f"Where the training stands could not be written to {self.file} ({error}).",
                "Make room on that disk, or teach into another folder.",
            ) from error
        self._saved = time.monotonic()

    def load(self) -> State | None:
        """Return the state that was written last; None where there is none.

        Raises `UserError` where it is of another training, or no whole file.
        """
        if not self.file.is_file():
            return None
        try:
            with safe_open(self.file, "pt") as held:
                told = json.loads((held.metadata() or {})[_KEY])
                tensors = {name: held.get_tensor(name) for name in held.keys()}  # noqa: SIM118 - no mapping
        except (OSError, SafetensorError, KeyError, ValueError) as error:
            raise UserError(
                f"{self.file} does not say where a training stands ({error}).",
                "Remove this file and go on: the training then begins from an earlier point.",
            ) from error
        if told.pop("of") != self.of:
            raise UserError(
                f"{self.file} belongs to a training with other examples or settings.",
                "Teach with those again to go on, or remove it and begin anew.",
            )
        told.pop(_THREADS, None)
        return State(tensors, told)

    def remove(self) -> None:
        self.file.unlink(missing_ok=True)


def threads_of(file: Path) -> int | None:
    """With how many threads a checkpoint was computed; None where the file does not tell."""
    try:
        with safe_open(file, "pt") as held:
            told = json.loads((held.metadata() or {})[_KEY])[_THREADS]
    except (OSError, SafetensorError, KeyError, ValueError):
        return None
    return told if isinstance(told, int) and told > 0 else None


def optimiser_tensors(optimiser: torch.optim.Optimizer) -> dict[str, torch.Tensor]:
    """Return what an optimiser remembers of each weight, by `place.name`."""
    return {
        f"{place}.{name}": value.detach().cpu()
        for place, told in optimiser.state_dict()["state"].items()
        for name, value in told.items()
    }


def bring_back(optimiser: torch.optim.Optimizer, tensors: Mapping[str, torch.Tensor]) -> None:
    """Let an optimiser over the same weights remember again what `optimiser_tensors` told."""
    state: dict[int, dict[str, torch.Tensor]] = {}
    for key, value in tensors.items():
        place, _, name = key.partition(".")
        state.setdefault(int(place), {})[name] = value
    optimiser.load_state_dict({**optimiser.state_dict(), "state": state})
