"""The loop: batches half of judged pairs, half of random pairs held still; the best is kept.

The recipe is that of Sentence-BERT (arXiv 1908.10084, section 3.1): Adam, linear warm-up over a
tenth of the steps, then linear decay; weight decay and clipping as is usual with AdamW. This
module loads torch.
"""

import math
import time
from dataclasses import dataclass, field
from functools import partial

import numpy as np
import torch

from core.options import TrainOptions
from core.progress import Enough, Progress, Steps
from core.training.batches import Pairs, batches, no_pairs, planned_steps, share_of_rate
from core.training.data import Background, TrainData, nothing_judged
from core.training.fitted import Cosines, Figure, Fitted
from core.training.learner import Learner, TokenTable, Weights
from core.training.regression import regression_loss
from core.training.stopping import unmoved

TITLE = "Teaching"
_WEIGHT_DECAY, _CLIP = 0.01, 1.0
_LOOKS = 10  # at the held-out pairs in one run
_MOST_WATCHED = 1_000  # pairs looked at in the loop
_MOST_STILL = 200  # background pairs that are only measured
_POINTS = 500  # of the loss curve
_REMEMBERED = 20  # steps that the forecast of time looks back on
_SILENCE_S = 0.4


def fit(
    learner: Learner,
    data: TrainData,
    background: Background,
    options: TrainOptions,
    *,
    held: TrainData | None = None,
    figure: Figure | None = None,
    choose: bool = True,
    judging: TrainData | None = None,
) -> Steps[Fitted]:
    """Train `learner` in place and leave it with the weights worth keeping.

    `figure` over `held` (gold, cosines; larger is better, nan says nothing) is looked at before
    the first step and about ten times after. With `choose` the weights of the best look stay,
    the encoder as it was among them; without, those of the last step. `Enough` always keeps the
    best look so far, and the last weights where there is none. A loss that is not finite keeps
    the best look, or the last weights looked at. `judging` is measured before and after, no more.
    The same seed gives the same weights on the same processor and number of threads; torch's own
    random state is left as it was.
    """
    fitting = _Fitting(learner, options, figure, choose)
    try:
        yield from fitting.prepare(data, background, held, judging)
        yield from fitting.run()
    except Enough:
        fitting.stopped, fitting.why = "enough", "Stopped by hand; the best so far was kept."
    return (yield from unmoved(fitting.finish()))


@dataclass(slots=True)
class _Fitting:
    learner: Learner
    options: TrainOptions
    figure: Figure | None
    choose: bool
    stopped: str = "done"
    why: str = "All steps were taken."
    step: int = 0
    planned: int = 0
    table: TokenTable = field(default_factory=lambda: TokenTable({}, [], 0))
    judged: Pairs = field(default_factory=no_pairs)
    held: Pairs = field(default_factory=no_pairs)
    judging: Pairs = field(default_factory=no_pairs)
    moving: Pairs = field(default_factory=no_pairs)  # background that is learnt from
    still: Pairs = field(default_factory=no_pairs)  # background that is only measured
    before: Cosines | None = None  # of judging and still
    curve: list[tuple[int, float]] = field(default_factory=list)
    held_curve: list[tuple[int, float]] = field(default_factory=list)
    best: tuple[int, float] | None = None  # step and figure of the best look
    kept: tuple[int, Weights] | None = None  # of the best look; of the last without a figure
    losses: list[float] = field(default_factory=list)  # since the last point of the curve
    spoken: float = field(default_factory=time.monotonic)
    step_seconds: float = 0.0
    look_seconds: float = 0.0

    def prepare(
        self,
        data: TrainData,
        background: Background,
        held: TrainData | None,
        judging: TrainData | None,
    ) -> Steps[None]:
        held = _watched(held or nothing_judged(), self.options.seed)
        judging = judging or nothing_judged()
        aside = min(_MOST_STILL, len(background) // 5)
        self.planned = planned_steps(
            len(data), self.options, has_background=len(background) > aside
        )
        wanted = aside + self.planned * round(self.options.batch * self.options.hold)
        background = background.first(wanted)
        sides = (data, held, judging, background)
        texts = (text for side in sides for text in (*side.left, *side.right))
        self.table = yield from self.learner.tokenize(texts)
        self.judged, self.held, self.judging = map(self._pairs, (data, held, judging))
        score = background.cosine
        everywhere = Pairs(
            self.table.rows(background.left),
            self.table.rows(background.right),
            np.zeros(len(background), np.float32) if score is None else score,
            np.ones(len(background), np.float32),
        )
        self.still = everywhere.rows(np.arange(aside))
        self.moving = everywhere.rows(np.arange(aside, len(background)))
        self.before = yield from self._measured()
        if score is None:
            self.moving.score[:] = yield from self._cosines(self.moving)
        yield from self._look()

    def run(self) -> Steps[None]:
        optimiser = _optimiser(self.learner, self.options.rate)
        rates = torch.optim.lr_scheduler.LambdaLR(
            optimiser, partial(share_of_rate, planned=self.planned)
        )
        point = max(1, self.planned // _POINTS)
        for judged, still in batches(len(self.judged), len(self.moving), self.options):
            started = time.monotonic()
            loss = yield from self._take_step(
                optimiser, self.judged.rows(judged), self.moving.rows(still)
            )
            if not math.isfinite(loss):
                self._stop_not_finite()
                return
            rates.step()
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

    def finish(self) -> Steps[Fitted]:
        """Bring back the weights to keep, and measure what they changed."""
        step = self.step
        chosen = self.best is not None and (self.choose or self.stopped == "enough")
        if self.kept is not None and (chosen or self.stopped == "not finite"):
            step, weights = self.kept
            self.learner.restore(weights)
        self.kept = None
        after = yield from self._measured()
        before = after if self.before is None else self.before
        cut = len(self.judging)
        return Fitted(
            step=step,
            steps=self.step,
            planned=self.planned,
            curve=tuple(self.curve),
            held_curve=tuple(self.held_curve),
            stopped=self.stopped,
            why=self.why,
            cut=self.table.cut,
            before=before[:cut],
            after=after[:cut],
            still_before=before[cut:],
            still_after=after[cut:],
        )

    def _pairs(self, data: TrainData) -> Pairs:
        weight = np.ones(len(data), np.float32) if data.weight is None else data.weight
        return Pairs(self.table.rows(data.left), self.table.rows(data.right), data.score, weight)

    def _cosines(self, pairs: Pairs) -> Steps[Cosines]:
        steps = self.learner.cosines(self.table, pairs.left, pairs.right)
        try:
            while True:
                progress = next(steps)  # a look on the way is part of the lesson and told as that
                yield self._progress() if 0 < self.step < self.planned else progress
        except StopIteration as stop:
            cosines: Cosines = stop.value
            return cosines

    def _measured(self) -> Steps[Cosines]:
        return self._cosines(self.judging.joined(self.still))

    def _take_step(
        self, optimiser: torch.optim.Optimizer, judged: Pairs, still: Pairs
    ) -> Steps[float]:
        """Take one step and return the batch's loss; where it is not finite, take none."""
        total = float(judged.weight.sum() + still.weight.sum()) or 1.0
        optimiser.zero_grad(set_to_none=True)
        loss = 0.0
        for pairs, drops_out in ((judged, True), (still, False)):
            tokens = self.table.lengths[pairs.left] + self.table.lengths[pairs.right]
            order = np.argsort(-tokens, kind="stable")
            for start, stop in self.learner.portions(tokens[order]):
                loss += self._push(pairs.rows(order[start:stop]), total, start, drops_out)
                if time.monotonic() - self.spoken > _SILENCE_S:
                    yield self._progress()
        weights = [weight for group in optimiser.param_groups for weight in group["params"]]
        norm = float(torch.nn.utils.clip_grad_norm_(weights, _CLIP))
        if not (math.isfinite(loss) and math.isfinite(norm)):
            return math.nan
        optimiser.step()
        return loss

    def _push(self, pairs: Pairs, total: float, place: int, drops_out: bool) -> float:
        """Add the gradients of a part of a batch; return its part of the loss.

        Pairs held still go without dropout: its noise lowers cosines, and drawing those to the
        old ones, which had none, would move what is to stay.
        """
        learner = self.learner
        device = learner.parts.place
        random = np.random.SeedSequence((self.options.seed, self.step, place))
        learner.parts.model.train(drops_out)
        with torch.random.fork_rng([device] if device.type == "cuda" else []):
            torch.manual_seed(int(random.generate_state(1)[0]))
            texts, places = np.unique(
                np.concatenate((pairs.left, pairs.right)), return_inverse=True
            )
            vectors = learner.vectors(self.table.of(texts))[torch.from_numpy(places).to(device)]
            loss = regression_loss(
                vectors[: len(pairs)],
                vectors[len(pairs) :],
                torch.from_numpy(pairs.score).to(device),
                torch.from_numpy(pairs.weight).to(device),
            )
            loss = loss / total
            loss.backward()  # type: ignore[no-untyped-call]  # torch leaves it untyped
        return float(loss.detach())

    def _look(self) -> Steps[bool]:
        """Measure the held-out pairs and keep weights worth it; tell whether all is finite."""
        started = time.monotonic()
        if not self.learner.is_finite():
            self._stop_not_finite()
            return False
        score = math.nan
        if len(self.held) and self.figure is not None:
            cosines = yield from self._cosines(self.held)
            if not np.isfinite(cosines).all():
                self._stop_not_finite()
                return False
            score = self.figure(self.held.score, cosines)
        if math.isfinite(score):
            self.held_curve.append((self.step, score))
        if self.best is None or score > self.best[1]:
            self.kept = (self.step, self.learner.snapshot())
            self.best = (self.step, score) if math.isfinite(score) else None
        self.look_seconds = time.monotonic() - started
        return True

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
        seconds = (self.planned - self.step) * self.step_seconds + looks * self.look_seconds
        figures = [("step", float(self.step))]
        if self.step:
            figures.append(("seconds", seconds))
        recent = self.losses or [loss for _, loss in self.curve[-1:]]
        if recent:
            figures.append(("loss", float(np.mean(recent))))
        if self.best is not None:
            held_step, held = self.held_curve[-1]
            figures += [("held_out", held), ("held_step", float(held_step))]
            figures += [("best", self.best[1]), ("best_step", float(self.best[0]))]
        return Progress(TITLE, self.step, self.planned, "steps", tuple(figures))


def _watched(held: TrainData, seed: int) -> TrainData:
    if len(held) <= _MOST_WATCHED:
        return held
    random = np.random.default_rng(seed)
    return held.rows(np.sort(random.permutation(len(held))[:_MOST_WATCHED]))


def _optimiser(learner: Learner, rate: float) -> torch.optim.Optimizer:
    matrices = [weight for _, weight in learner.named() if weight.ndim > 1]
    others = [weight for _, weight in learner.named() if weight.ndim < 2]
    return torch.optim.AdamW(
        [
            {"params": matrices, "weight_decay": _WEIGHT_DECAY},
            {"params": others, "weight_decay": 0.0},
        ],
        lr=rate,
        fused=True,
    )
