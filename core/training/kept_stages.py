"""What a training leaves on the way, so that it goes on after a kill: checkpoints and results.

Files of a folder: `stage-N.safetensors` while stage N is under way, `stage-N-done.safetensors`
once it is through, `folds.safetensors` once few examples have been judged out of fold. torch
loads with the first of them.
"""

import hashlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from core.examples import Examples
from core.training.data import Judged
from core.training.fitted import Fitted

if TYPE_CHECKING:
    from core.training.checkpoints import Checkpoint
    from core.training.moving import Weights


class Paused(Exception):  # noqa: N818 - a stop on the way and no error
    """Rises out of a training that was to pause: its state is saved, no model is written.

    `step` is that of the stage, `figure` what the held-out examples say there, nan where nothing.
    """

    def __init__(self, step: int, figure: float) -> None:
        super().__init__(step, figure)
        self.step = step
        self.figure = figure


@dataclass(frozen=True, slots=True)
class KeptStages:
    """The folder of one training; `of` is a digest of all that decides how it goes."""

    folder: Path
    of: str
    every_s: float | None = None  # between checkpoints; None: as usual
    pause_at: tuple[int, int] | None = None  # a stage, from 0, and its step: there `Paused` rises

    def checkpoint(self, number: int) -> "Checkpoint":
        """The checkpoint of a stage, from 0."""
        from core.training.checkpoints import Checkpoint

        pause_at = None
        if self.pause_at is not None and number >= self.pause_at[0]:
            # A stage that ends before its time leaves the pause to the next one's beginning.
            pause_at = self.pause_at[1] if number == self.pause_at[0] else 0
        made = Checkpoint(self._file(number), self._of(str(number)), pause_at=pause_at)
        return made if self.every_s is None else replace(made, every_s=self.every_s)

    def finish(self, number: int, fitted: Fitted, weights: "Weights") -> None:
        """Keep what came of a stage in place of its checkpoint."""
        tensors = {f"weight.{name}": weight for name, weight in weights.items()}
        values = {}
        for one in fields(fitted):
            told = getattr(fitted, one.name)
            if isinstance(told, np.ndarray):
                tensors[f"fitted.{one.name}"] = _tensor(told)
            else:
                values[one.name] = told
        self._done(number).save(_state(tensors, values))
        self.checkpoint(number).remove()

    def finished(self, number: int) -> "tuple[Fitted, Weights] | None":
        """What came of a stage, and the weights it ended with; None where it is not through."""
        state = self._done(number).load()
        if state is None:
            return None
        arrays: dict[str, Any] = {
            name.removeprefix("fitted."): tensor.numpy()
            for name, tensor in state.tensors.items()
            if name.startswith("fitted.")
        }
        weights = {
            name.removeprefix("weight."): tensor
            for name, tensor in state.tensors.items()
            if name.startswith("weight.")
        }
        return Fitted(**arrays, **_with_curves(state.values)), weights

    def keep_judged(self, judged: Judged) -> None:
        """Keep what was judged out of fold; all examples must be among it."""
        arrays: dict[str, Any] = {
            "before": judged.before,
            "after": judged.after,
            "groups": judged.groups,
        }
        tensors = {name: _tensor(array) for name, array in arrays.items()}
        self._folds().save(_state(tensors, {"note": judged.note}))

    def judged(self, examples: Examples) -> Judged | None:
        """What these examples were judged out of fold, None where that is not known."""
        state = self._folds().load()
        if state is None:
            return None
        told = {name: tensor.numpy() for name, tensor in state.tensors.items()}
        return Judged(examples, told["before"], told["after"], told["groups"], state.values["note"])

    @contextmanager
    def same_threads(self) -> Iterator[None]:
        """Compute within as before the training was cut off: more threads add up otherwise."""
        files = [*self.folder.glob("stage-*.safetensors"), *self.folder.glob("folds.safetensors")]
        if not files:
            yield
            return
        import torch

        from core.training.checkpoints import threads_of

        before = torch.get_num_threads()
        torch.set_num_threads(next(filter(None, map(threads_of, files)), before))
        try:
            yield
        finally:
            torch.set_num_threads(before)

    def remove(self) -> None:
        """Remove what was left on the way; what else lies in the folder stays."""
        for file in (*self.folder.glob("stage-*.safetensors*"), self._folds().file):
            file.unlink(missing_ok=True)

    def _file(self, number: int) -> Path:
        return self.folder / f"stage-{number + 1}.safetensors"

    def _done(self, number: int) -> "Checkpoint":
        from core.training.checkpoints import Checkpoint

        file = self._file(number)
        return Checkpoint(file.with_name(f"{file.stem}-done.safetensors"), self._of(f"{number}+"))

    def _folds(self) -> "Checkpoint":
        from core.training.checkpoints import Checkpoint

        return Checkpoint(self.folder / "folds.safetensors", self._of("folds"))

    def _of(self, what: str) -> str:
        return hashlib.sha256(f"{self.of} {what}".encode()).hexdigest()


def _tensor(array: "np.ndarray[Any, Any]") -> Any:
    import torch

    return torch.from_numpy(np.ascontiguousarray(array))


def _state(tensors: Mapping[str, Any], values: Mapping[str, Any]) -> Any:
    from core.training.checkpoints import State

    return State(tensors, values)


def _with_curves(values: Mapping[str, Any]) -> dict[str, Any]:
    """Tuples, such as the points of a curve, come back as lists."""
    return {name: _as_tuple(told) for name, told in values.items()}


def _as_tuple(told: Any) -> Any:
    return tuple(map(_as_tuple, told)) if isinstance(told, list) else told
