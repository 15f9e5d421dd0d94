"""Looks at held-out examples on the way: the best weights so far, and when nothing gets better.

This module loads torch.
"""

import math
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch

from core.examples import Examples
from core.progress import Steps
from core.training.fitted import Cosines, Figure
from core.training.moving import Weights
from core.training.pupil import Columns, Pupil

MOST_WATCHED = 1_000  # examples looked at on the way


def watched(held: Examples, seed: int) -> Examples:
    """Draw the examples that are looked at; all of them where they are few."""
    if len(held) <= MOST_WATCHED:
        return held
    random = np.random.default_rng(seed)
    return held.rows(np.sort(random.permutation(len(held))[:MOST_WATCHED]))


@dataclass(slots=True)
class Watch:
    """Keeps the weights of the best look; where no figure says anything, those of the last."""

    pupil: Pupil
    columns: Columns  # of the examples that are looked at
    gold: Cosines
    figure: Figure | None
    best: tuple[int, float] | None = None  # step and figure
    kept: tuple[int, Weights] | None = None
    curve: list[tuple[int, float]] = field(default_factory=list)
    stale: int = 0  # looks since the best one
    seconds: float = 0.0  # that the last look took

    def look(self, step: int) -> Steps[bool]:
        """Measure the examples and keep weights worth it; tell whether all is finite."""
        started = time.monotonic()
        if not self.pupil.is_finite():
            return False
        score = math.nan
        if len(self.gold) and self.figure is not None:
            scores = yield from self.pupil.scores(self.columns)
            if not np.isfinite(scores).all():
                return False
            score = self.figure(self.gold, scores)
        if math.isfinite(score):
            self.curve.append((step, score))
        self.stale += 1
        if self.best is None or score > self.best[1]:
            self.kept = None  # before the next, so that memory never holds two
            self.kept = (step, self.pupil.snapshot())
            self.best = (step, score) if math.isfinite(score) else None
            self.stale = 0
        self.seconds = time.monotonic() - started
        return True

    def figures(self) -> list[tuple[str, float]]:
        """What progress tells of the looks so far."""
        if self.best is None:
            return []
        step, held = self.curve[-1]
        return [
            ("held_out", held), ("held_step", float(step)),
            ("best", self.best[1]), ("best_step", float(self.best[0])),
        ]  # fmt: skip  # two figures with their steps

    def tensors(self) -> dict[str, torch.Tensor]:
        return {} if self.kept is None else dict(self.kept[1])

    def values(self) -> dict[str, Any]:
        return {
            "best": self.best, "kept": None if self.kept is None else self.kept[0],
            "held_curve": self.curve, "stale": self.stale, "look_seconds": self.seconds,
        }  # fmt: skip  # as `take_up` reads it

    def take_up(self, tensors: Mapping[str, torch.Tensor], values: Mapping[str, Any]) -> None:
        """Go on from what `tensors` and `values` told."""
        self.kept = None if values["kept"] is None else (values["kept"], dict(tensors))
        self.best = None if values["best"] is None else tuple(values["best"])
        self.curve = [(step, score) for step, score in values["held_curve"]]
        self.stale, self.seconds = values["stale"], values["look_seconds"]
