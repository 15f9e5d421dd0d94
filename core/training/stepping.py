"""One step of a training: a batch's gradients, clipped, into the optimiser. Loads torch."""

import math
from collections.abc import Generator, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import torch

from core.errors import UserError
from core.examples import Rows
from core.options import TrainOptions
from core.training.matter import Lesson
from core.training.pupil import Pupil

_CLIP = 1.0
_LEAST_SCALE = 1.0  # of a loss in fp16; below, gradients are no numbers whatever the scale

Side: TypeAlias = tuple[Lesson, Rows, bool]  # a lesson, examples of it, whether dropout drops


@dataclass(slots=True)
class Stepper:
    """Teaches a pupil batch by batch."""

    pupil: Pupil
    optimiser: torch.optim.Optimizer
    halvings: int = 0  # of what goes through at once, for want of memory

    def step(
        self, sides: Sequence[Side], *, rate: float, seeds: Sequence[int]
    ) -> Generator[bool, None, float]:
        """Take one step and return the batch's loss; where it is not finite, take none.

        Turns up after each part of the batch, with True where memory ran short: the batch's
        gradients are then found anew in smaller parts. Raises `UserError` where a part cannot be
        made smaller.
        """
        total = sum(float(lesson.weight[rows].sum()) for lesson, rows, _ in sides) or 1.0
        loss = None
        while loss is None:
            self.optimiser.zero_grad(set_to_none=True)
            loss = yield from self._add_gradients(sides, total, seeds)
        weights = []
        for group in self.optimiser.param_groups:
            group["lr"] = rate
            weights += group["params"]
        scaler = self.pupil.scaler
        scaler.unscale_(self.optimiser)
        norm = float(torch.nn.utils.clip_grad_norm_(weights, _CLIP))
        # In fp16 a scale too large makes gradients infinite: the step is left out, the scale falls.
        if not (math.isfinite(loss) and (math.isfinite(norm) or scaler.is_enabled())):
            return math.nan
        scaler.step(self.optimiser)
        scaler.update()
        return math.nan if scaler.get_scale() < _LEAST_SCALE else loss

    def notes(self) -> tuple[str, ...]:
        """What a person should know of the steps."""
        if not self.halvings:
            return ()
        return (
            "Memory ran short, so batches went through in smaller parts, at most "
            f"{self.pupil.budget:,} tokens at once; what was learnt is the same.",
        )

    def _add_gradients(
        self, sides: Sequence[Side], total: float, seeds: Sequence[int]
    ) -> Generator[bool, None, float | None]:
        """Return the loss of a batch; None where memory was short and smaller parts may do."""
        loss = 0.0
        try:
            for lesson, rows, drops_out in sides:
                parts = self.pupil.add(lesson, rows, total=total, seeds=seeds, drops_out=drops_out)
                for part in parts:
                    loss += part
                    yield False
            return loss
        except torch.OutOfMemoryError:
            pass  # its traceback holds the tensors, so nothing is done in here
        if not self.pupil.halve():
            raise UserError(
                "There is too little memory to teach by even one example.",
                "Close other programs, freeze layers, or teach on the processor (device cpu).",
            )
        self.halvings += 1
        yield True
        return None


def make_optimiser(
    weights: Iterable[torch.nn.Parameter], options: TrainOptions
) -> torch.optim.Optimizer:
    """Return AdamW over weights; those of one dimension, biases and scales, do not decay."""
    everything = list(weights)
    decayed = [weight for weight in everything if weight.ndim > 1]
    return torch.optim.AdamW(
        [
            {"params": decayed, "weight_decay": options.weight_decay},
            {"params": [w for w in everything if w.ndim < 2], "weight_decay": 0.0},
        ],
        lr=options.rate,
        fused=True,
    )
