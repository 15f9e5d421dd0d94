"""The points of a training's curves, and what they say in words."""

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from math import isfinite, nan

_SHORTEST_SPAN, _LONGEST_SPAN = 5, 100  # steps that the smooth line looks back over
_PARTS = 20  # of the training, one of which that is


class Curves:
    """What was measured, in the order of steps; figures that are no numbers are left out."""

    def __init__(self, total: int | None = None, stages: Sequence[tuple[float, str]] = ()) -> None:
        """`stages` are parts of a training, each with its first step and its name."""
        span = min(max((total or 0) / _PARTS, _SHORTEST_SPAN), _LONGEST_SPAN)
        self._weight = 2 / (span + 1)  # of a new value in the smooth line
        self.stages = tuple(stages) if len(stages) > 1 else ()
        self._mean = 0.0
        self._seen = 1.0  # of the smooth line's weight that no value has had yet
        self.loss_steps: list[float] = []
        self.loss: list[float] = []
        self.smooth: list[float] = []  # exponentially weighted, without a bias to zero
        self.held_steps: list[float] = []
        self.held: list[float] = []
        self.best: int | None = None  # the place in `held`

    @property
    def is_empty(self) -> bool:
        return not self.loss and not self.held

    def add(self, point: Mapping[str, float]) -> None:
        """Take a point in: `step` with `loss`, `held_out` or both.

        `held_step` says at which step the score was measured, which is told again with every
        step until the next; without it a score counts as new when it is another. A step below
        the last begins the curves anew, as a training in parts does with each part.
        """
        step = point.get("step", float(len(self.loss)))
        if self.loss_steps and step < self.loss_steps[-1]:
            self._begin_anew()
        loss, held = point.get("loss"), point.get("held_out")
        if loss is not None and isfinite(loss) and step not in self.loss_steps[-1:]:
            if self.loss_steps and self._stage(step) != self._stage(self.loss_steps[-1]):
                self._mean, self._seen = 0.0, 1.0  # it is another quantity from here on
            self.loss_steps.append(step)
            self.loss.append(loss)
            self._mean += self._weight * (loss - self._mean)
            self._seen *= 1 - self._weight
            self.smooth.append(self._mean / (1 - self._seen))
        if held is not None and isfinite(held):
            at = point.get("held_step")
            if at is None and held not in self.held[-1:]:
                # The first is measured before the first step, and may be told with it.
                at = step if self.held or step > 1 else 0.0
            if at is not None and at not in self.held_steps[-1:]:
                self._add_held(at, held)

    def _stage(self, step: float) -> int:
        """The place of the stage that a step, counted from 1, belongs to."""
        return bisect_right([first for first, _ in self.stages], step - 1)

    def _add_held(self, step: float, held: float) -> None:
        self.held_steps.append(step)
        self.held.append(held)
        if self.best is None or held > self.held[self.best]:
            self.best = len(self.held) - 1

    def _begin_anew(self) -> None:
        for points in (self.loss_steps, self.loss, self.smooth, self.held_steps, self.held):
            points.clear()
        self._mean, self._seen, self.best = 0.0, 1.0, None

    def broken(self, values: Sequence[float]) -> tuple[list[float], list[float]]:
        """Steps and values of a loss, with a gap where one stage ends and the next begins."""
        steps: list[float] = []
        told: list[float] = []
        for step, value in zip(self.loss_steps, values, strict=True):
            if steps and self._stage(step) != self._stage(steps[-1]):
                steps.append(step)
                told.append(nan)
            steps.append(step)
            told.append(value)
        return steps, told

    def held_words(self) -> str:
        """The score to beat and the best so far: `0.712 → best 0.786`."""
        if self.best is None:
            return ""
        first, best = f"{self.held[0]:.3f}", f"best {self.held[self.best]:.3f}"
        if self.held_steps[0] > 0:
            return best
        return f"{first} → {best}" if len(self.held) > 1 else f"before {first}"

    def loss_words(self) -> str:
        return f"now {self.smooth[-1]:.4f}" if self.smooth else ""

    def held_at(self, step: float) -> str:
        at = _nearest(self.held_steps, step)
        return "" if at is None else f"{self.held[at]:.3f}, step {self.held_steps[at]:,.0f}"

    def loss_at(self, step: float) -> str:
        at = _nearest(self.loss_steps, step)
        return "" if at is None else f"{self.smooth[at]:.4f}, step {self.loss_steps[at]:,.0f}"


def _nearest(steps: list[float], step: float) -> int | None:
    if not steps:
        return None
    at = bisect_left(steps, step)
    near = [place for place in (at - 1, at) if 0 <= place < len(steps)]
    return min(near, key=lambda place: abs(steps[place] - step))
