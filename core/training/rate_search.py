"""A short search over learning rates: a little of the lesson at each, judged by held-out examples.

The rates that Sentence-BERT and its successors state, 2e-5 and thereabouts, are those of BERT-base;
small encoders want larger ones. Short trainings tell apart what works and what does not well
before they tell the last percent, which is why few rates are tried. This module loads torch.
"""

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from core.examples import Examples
from core.options import TrainOptions
from core.progress import Enough, Steps
from core.training.data import Background
from core.training.fitted import Figure
from core.training.fitting import fit
from core.training.pupil import Pupil
from core.training.stopping import titled
from core.training.tasks import Stage, Task, matter_of
from core.training.watching import watched

RATES = (2e-5, 5e-5, 1e-4)
SHARE = 0.2  # of the examples that a trial learns from
FEWEST = 500  # examples of a trial, where there are so many


@dataclass(frozen=True, slots=True)
class TriedRate:
    """One trial: the rate, and how well the held-out examples came out after it."""

    rate: float
    figure: float  # nan where it says nothing
    steps: int


@dataclass(frozen=True, slots=True)
class RateSearch:
    """The rate to take, and what was tried."""

    rate: float
    tried: tuple[TriedRate, ...]
    why: str

    def record(self) -> dict[str, Any]:
        """The same as plain values, for the record of a run."""
        return asdict(self)


def search_rates(
    pupil: Pupil,
    stage: Stage,
    background: Background | None = None,
    *,
    held: Examples,
    figure: Figure,
    rates: Sequence[float] = RATES,
) -> Steps[RateSearch]:
    """Try a few learning rates from the pupil's present weights, which it ends with.

    Each trial is one epoch, with warm-up and decay of its own, over the same fifth of every
    task's examples, or 500 of them where that is more; then `figure` (gold, scores; larger is
    better) is measured over at most 1,000 of `held`, whose best trial wins, the earlier of equal
    ones. The same seed finds the same. `Enough` ends the search with the best of the trials that
    are whole, the stage's own rate where none is; so does a figure that never says anything.
    """
    base = pupil.snapshot()
    some = watched(held, stage.options.seed)
    gold = pupil.gold(some)
    tried: list[TriedRate] = []
    was_stopped = False
    try:
        for place, rate in enumerate(rates, 1):
            trial = _trial(stage, rate)
            # What is held out is read with the texts of the lesson, and measured for the table.
            steps = fit(pupil, trial, background, judging=some)
            fitted = yield from titled(steps, f"Trying learning rate {place} of {len(rates)}")
            pupil.restore(base)
            if fitted.stopped == "enough":
                was_stopped = True
                break
            good = fitted.stopped == "done" and np.isfinite(fitted.after).all()
            score = float(figure(gold, fitted.after)) if good else math.nan
            tried.append(TriedRate(rate, score, fitted.steps))
    except Enough:
        was_stopped = True
        pupil.restore(base)
    return _chosen(tried, stage.options, was_stopped=was_stopped)


def _chosen(tried: Sequence[TriedRate], options: TrainOptions, *, was_stopped: bool) -> RateSearch:
    told = [one for one in tried if math.isfinite(one.figure)]
    if not told:
        why = "No learning rate could be tried, so the one that was set is taken."
        return RateSearch(options.rate, tuple(tried), why)
    best = max(told, key=lambda one: one.figure)
    figures = ", ".join(f"{one.rate:g}: {one.figure:.4f}" for one in told)
    why = f"The learning rate {best.rate:g} did best on the held-out examples ({figures})."
    if was_stopped:
        why += " The search was stopped by hand."
    return RateSearch(best.rate, tuple(tried), why)


def _trial(stage: Stage, rate: float) -> Stage:
    """Return the short stage that tries a rate."""
    seed = stage.options.seed
    tasks = tuple(
        _short(task, np.random.default_rng((seed, place))) for place, task in enumerate(stage.tasks)
    )
    options = replace(stage.options, rate=rate, epochs=1, patience=None, search_rates=False)
    return Stage(tasks, options)


def _short(task: Task, random: np.random.Generator) -> Task:
    """Return a task with a drawn share of its examples."""
    count = len(task.examples)
    wanted = max(min(count, FEWEST), math.ceil(SHARE * count))
    rows = np.sort(random.permutation(count)[:wanted])
    short = replace(task, examples=task.examples.rows(rows))
    # A draw may miss what an objective cannot do without, such as one of the labels.
    return short if len(matter_of(short)) else task
