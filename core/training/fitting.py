"""The loop: batches of examples and of random pairs held still; the best weights are kept.

The recipe is that of Sentence-BERT (arXiv 1908.10084, section 3.1): Adam, linear warm-up over a
tenth of the steps, then linear decay; weight decay and clipping as is usual with AdamW. Where the
device runs out of memory in the middle of a step, its gradients are thrown away and the step is
taken again in smaller parts, whose gradients add up to the same. This module loads torch.
"""

import math
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import islice

import numpy as np
import torch

from core.examples import Examples, Rows
from core.progress import Enough, Outcome, Progress, Steps
from core.training.batches import batches, planned_steps, share_of_rate
from core.training.checkpoints import Checkpoint, State, bring_back, optimiser_tensors
from core.training.data import Background, nothing_random
from core.training.fitted import Cosines, Figure, Fitted
from core.training.kept_stages import Paused
from core.training.matter import Lesson
from core.training.pupil import Columns, Pupil
from core.training.stepping import Side, Stepper, make_optimiser
from core.training.stopping import unmoved
from core.training.tasks import Stage, matter_of
from core.training.watching import Watch, watched

TITLE = "Teaching"
_IN_PARTS = "Teaching in smaller parts, as memory was short"
_LOOKS = 10  # at the held-out examples in one run
_MOST_STILL = 200  # background pairs that are only measured
_POINTS = 500  # of the loss curve
_REMEMBERED = 20  # steps that the forecast of time looks back on
_SILENCE_S = 0.4
_NOTHING = np.empty(0, np.float32)


def fit(
    pupil: Pupil,
    stage: Stage,
    background: Background | None = None,
    *,
    held: Examples | None = None,
    figure: Figure | None = None,
    choose: bool = True,
    judging: Examples | None = None,
    checkpoint: Checkpoint | None = None,
    number: int = 0,
) -> Steps[Fitted]:
    """Teach `pupil` in place and leave it with the weights worth keeping.

    `figure` over `held` (gold, scores; larger is better, nan says nothing) is looked at before
    the first step and about ten times after. With `choose` the weights of the best look stay,
    the pupil as it was among them; without, those of the last step. `Enough` always keeps the
    best look so far, and the last weights where there is none. A loss that is not finite keeps
    the best look, or the last weights looked at. `judging` is measured before and after, no more.
    The same seed gives the same weights on the same processor and number of threads; torch's own
    random state is left as it was. A `checkpoint` that holds a state is gone on from, to the same
    weights as if nothing had come between; one that is to pause raises `Paused` at that step, or at
    once where it stands there already, unless all ended before. `number` is that of the stage
    among others. Raises `UserError` where the device has no memory for a single example.
    """
    fitting = _Fitting(pupil, stage, background or nothing_random(), checkpoint, number)
    try:
        yield from fitting.prepare(held, figure, judging)
        yield from fitting.run()
    except Enough:
        fitting.stopped, fitting.why = "enough", "Stopped by hand; the best so far was kept."
    return (yield from unmoved(fitting.finish(choose=choose)))


@dataclass(slots=True)
class _Fitting:
    pupil: Pupil
    stage: Stage
    background: Background
    checkpoint: Checkpoint | None
    number: int
    stopped: str = "done"
    why: str = "All steps were taken."
    step: int = 0
    planned: int = 0
    watch: Watch = field(init=False)
    stepper: Stepper = field(init=False)
    lessons: list[Lesson] = field(default_factory=list)
    moving: Lesson | None = None  # background that is learnt from
    judging: Columns = ()
    still: Columns = ()  # background that is only measured
    before: tuple[Cosines, Cosines] | None = None  # of judging and still
    curve: list[tuple[int, float]] = field(default_factory=list)
    losses: list[float] = field(default_factory=list)  # since the last point of the curve
    spoken: float = field(default_factory=time.monotonic)
    step_seconds: float = 0.0

    def __post_init__(self) -> None:
        self.watch = Watch(self.pupil, (), _NOTHING, None)
        self.stepper = Stepper(self.pupil, make_optimiser((), self.stage.options))

    def prepare(
        self, held: Examples | None, figure: Figure | None, judging: Examples | None
    ) -> Steps[None]:
        options = self.stage.options
        self.pupil.prepare(options)
        columns = [matter_of(task).columns for task in self.stage.tasks]
        sizes = [len(column[0]) for column in columns]
        aside = min(_MOST_STILL, len(self.background) // 5)
        has_background = len(self.background) > aside
        self.planned = planned_steps(sizes, options, has_background=has_background)
        wanted = aside + self.planned * round(options.batch * options.hold)
        still = self.background.part(slice(aside)).columns
        moving = self.background.part(slice(aside, wanted))
        if held is not None:
            held = watched(held, options.seed)
            self.watch = Watch(self.pupil, held.columns, self.pupil.gold(held), figure)
        judged = () if judging is None else judging.columns
        everything = (*columns, self.watch.columns, judged, still, moving.columns)
        yield from self.pupil.read(text for side in everything for one in side for text in one)
        self.judging, self.still = judged, still
        self.lessons = self.pupil.lessons(self.stage.tasks, seed=options.seed)
        self.stepper = Stepper(self.pupil, make_optimiser(self._weights(), options))
        state = None if self.checkpoint is None else self.checkpoint.load()
        if state is not None:
            self._take_up(state, moving.columns)
            return
        self.before = yield from self._measured()
        cosine = moving.cosine
        if cosine is None:
            cosine = yield from self._scores(moving.columns)
        self.moving = self.pupil.held_still(moving.columns, cosine)
        yield from self._look()

    def run(self) -> Steps[None]:
        options = self.stage.options
        point = max(1, self.planned // _POINTS)
        held_still = 0 if self.moving is None else len(self.moving)
        turns = batches([len(lesson) for lesson in self.lessons], held_still, options)
        yield from self._pause_if_due()
        for turn in islice(turns, self.step, None):
            started = time.monotonic()
            loss = yield from self._take_step(turn.task, turn.taught, turn.still)
            if not math.isfinite(loss):
                self._stop_not_finite()
                return
            self.step += 1
            self._time_step(time.monotonic() - started)
            self.losses.append(loss)
            if self.step % point == 0 or self.step == self.planned:
                self.curve.append((self.step, float(np.mean(self.losses))))
                self.losses.clear()
            yield self._progress()
            if self.step % self._look_every() == 0 or self.step == self.planned:
                if not (yield from self._look()):
                    return
                yield self._progress()
                if self._is_stuck():
                    return
            yield from self._pause_if_due()
            if self.checkpoint is not None and self.checkpoint.is_due:
                self.checkpoint.save(self._state())

    def finish(self, *, choose: bool) -> Steps[Fitted]:
        """Bring back the weights to keep, and measure what they changed."""
        step, kept = self.step, self.watch.kept
        chosen = self.watch.best is not None and (choose or self.stopped == "enough")
        if kept is not None and (chosen or self.stopped == "not finite"):
            step, weights = kept
            self.pupil.restore(weights)
        self.watch.kept = None
        after = yield from self._measured()
        before = after if self.before is None else self.before
        return Fitted(
            step=step,
            steps=self.step,
            planned=self.planned,
            curve=tuple(self.curve),
            held_curve=tuple(self.watch.curve),
            stopped=self.stopped,
            why=self.why,
            cut=self.pupil.cut,
            before=before[0],
            after=after[0],
            still_before=before[1],
            still_after=after[1],
            notes=self.stepper.notes(),
        )

    def _take_step(self, task: int, taught: Rows, still: Rows) -> Steps[float]:
        """Take one step and return the batch's loss; where it is not finite, take none.

        Pairs held still go without dropout: its noise lowers cosines, and drawing those to the
        old ones, which had none, would move what is to stay.
        """
        options = self.stage.options
        sides: list[Side] = [(self.lessons[task], taught, True)]
        if self.moving is not None and len(still):
            sides.append((self.moving, still, False))
        share = share_of_rate(
            self.step, self.planned, schedule=options.schedule, warm_up=options.warm_up
        )
        parts = self.stepper.step(
            sides, rate=options.rate * share, seeds=(options.seed, self.number, self.step)
        )
        try:
            while True:
                was_short = next(parts)
                if was_short and self.stepper.halvings == 1:
                    yield replace(self._progress(), title=_IN_PARTS)
                elif time.monotonic() - self.spoken > _SILENCE_S:
                    yield self._progress()
        except StopIteration as stop:
            loss: float = stop.value
            return loss

    def _look(self) -> Steps[bool]:
        is_finite = yield from self._under_way(self.watch.look(self.step))
        if not is_finite:
            self._stop_not_finite()
        return is_finite

    def _is_stuck(self) -> bool:
        patience = self.stage.options.patience
        if patience is None or self.watch.best is None or self.watch.stale < patience:
            return False
        self.stopped = "early"
        self.why = f"Nothing got better in {patience} looks at the held-out examples."
        return True

    def _pause_if_due(self) -> Steps[None]:
        """Save where the training stands and raise `Paused`, where that is wanted here."""
        checkpoint = self.checkpoint
        if checkpoint is None or checkpoint.pause_at is None or self.step < checkpoint.pause_at:
            return
        figure = yield from self._figure_here()
        checkpoint.save(self._state())
        raise Paused(self.step, figure)

    def _figure_here(self) -> Steps[float]:
        """What the held-out examples say at this step; between two looks nothing counts as one."""
        if self.watch.curve and self.watch.curve[-1][0] == self.step:
            return self.watch.curve[-1][1]
        if self.watch.figure is None or not len(self.watch.gold):
            return math.nan
        budget = self.pupil.budget
        scores = yield from self._scores(self.watch.columns)
        self.pupil.budget = budget  # which short memory may have halved: it decides what is drawn
        return self.watch.figure(self.watch.gold, scores) if np.isfinite(scores).all() else math.nan

    def _measured(self) -> Steps[tuple[Cosines, Cosines]]:
        judging = yield from self._scores(self.judging)
        return judging, (yield from self._scores(self.still))

    def _scores(self, columns: Columns) -> Steps[Cosines]:
        if not columns or not columns[0]:
            return _NOTHING
        return (yield from self._under_way(self.pupil.scores(columns)))

    def _under_way(self, steps: Steps[Outcome]) -> Steps[Outcome]:
        """Tell a look on the way as part of the lesson."""
        try:
            while True:
                progress = next(steps)
                yield self._progress() if 0 < self.step < self.planned else progress
        except StopIteration as stop:
            outcome: Outcome = stop.value
            return outcome

    def _weights(self) -> Iterator[torch.nn.Parameter]:
        """Everything that learns: the pupil's weights and those of the heads."""
        yield from (weight for _, weight in self.pupil.named() if weight.requires_grad)
        for lesson in self.lessons:
            if lesson.head is not None:
                yield from lesson.head.parameters()

    def _state(self) -> State:
        judging, still = self.before or (_NOTHING, _NOTHING)
        tensors = {
            **_over("weight.", {name: weight.detach() for name, weight in self.pupil.named()}),
            **_over("kept.", self.watch.tensors()),
            **_over("moment.", optimiser_tensors(self.stepper.optimiser)),
            **{
                f"head.{place}.{name}": weight
                for place, lesson in enumerate(self.lessons)
                if lesson.head is not None
                for name, weight in lesson.head.state_dict().items()
            },
            "judging": torch.from_numpy(judging),
            "still": torch.from_numpy(still),
        }
        if self.moving is not None and self.moving.target is not None:
            tensors["moving"] = self.moving.target
        values = {
            "step": self.step, "curve": self.curve, "losses": self.losses,
            "step_seconds": self.step_seconds, "halvings": self.stepper.halvings,
            "budget": self.pupil.budget, "scaler": self.pupil.scaler.state_dict(),
            **self.watch.values(),
        }  # fmt: skip  # as `_take_up` reads it
        return State(tensors, values)

    def _take_up(self, state: State, moving: Columns) -> None:
        """Go on from a checkpoint."""
        self.pupil.restore(_under("weight.", state.tensors))
        for place, lesson in enumerate(self.lessons):
            if lesson.head is not None:
                lesson.head.load_state_dict(_under(f"head.{place}.", state.tensors))
        self.watch.take_up(_under("kept.", state.tensors), state.values)
        self.before = state.tensors["judging"].numpy(), state.tensors["still"].numpy()
        if "moving" in state.tensors:
            self.moving = self.pupil.held_still(moving, state.tensors["moving"].numpy())
        self.step = state.values["step"]
        self.curve = [(step, loss) for step, loss in state.values["curve"]]
        self.losses = list(state.values["losses"])
        self.step_seconds = state.values["step_seconds"]
        bring_back(self.stepper.optimiser, _under("moment.", state.tensors))
        self.stepper.halvings = state.values["halvings"]
        # What dropout drops is drawn for each part, so the parts have to be the same.
        self.pupil.budget = state.values["budget"]
        if self.pupil.scaler.is_enabled():
            self.pupil.scaler.load_state_dict(state.values["scaler"])

    def _stop_not_finite(self) -> None:
        self.stopped = "not finite"
        self.why = (
            f"After step {self.step:,} the loss was no longer a number; the last good weights were "
            "kept. A smaller learning rate may help."
        )

    def _look_every(self) -> int:
        return max(1, math.ceil(self.planned / _LOOKS))

    def _time_step(self, seconds: float) -> None:
        # The first step is slower than all others; one slow moment should not shake the forecast.
        if self.step <= 2:
            self.step_seconds = seconds
        else:
            self.step_seconds += (seconds - self.step_seconds) / min(self.step, _REMEMBERED)

    def _progress(self) -> Progress:
        self.spoken = time.monotonic()
        looks = math.ceil(self.planned / self._look_every()) - self.step // self._look_every()
        seconds = (self.planned - self.step) * self.step_seconds + looks * self.watch.seconds
        figures = [("step", float(self.step))]
        if self.step:
            figures.append(("seconds", seconds))
        recent = self.losses or [loss for _, loss in self.curve[-1:]]
        if recent:
            figures.append(("loss", float(np.mean(recent))))
        figures += self.watch.figures()
        return Progress(TITLE, self.step, self.planned, "steps", tuple(figures))


def _over(prefix: str, tensors: Mapping[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    return {prefix + name: tensor for name, tensor in tensors.items()}


def _under(prefix: str, tensors: Mapping[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    return {
        name.removeprefix(prefix): tensor
        for name, tensor in tensors.items()
        if name.startswith(prefix)
    }
