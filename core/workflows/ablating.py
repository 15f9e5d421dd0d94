"""Ablate: every way of a grid is tried on an analyst's own examples, over several seeds.

As Sentence-BERT does (arXiv 1908.10084, section 6): one epoch or more, nothing held still, the last
weights stay, so that nothing is chosen on the examples that judge.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from core.errors import UserError
from core.evaluation import Aggregate, aggregated
from core.examples import Examples
from core.progress import Enough, Outcome, Progress, Steps
from core.training.batches import planned_steps
from core.training.fitted import Fitted
from core.training.grids import Cell
from core.training.tasks import Stage, gold_of, matter_of
from core.workflows.ablation_plan import AblationPlan, figure_of
from core.workflows.ablation_table import Trial, read_trials, write_trials

if TYPE_CHECKING:
    from core.training.encoder_pupil import EncoderPupil

TITLE = "Trying the grid"


@dataclass(frozen=True, slots=True)
class CellResult:
    """What one cell came to over its seeds."""

    cell: Cell
    before: float
    after: Aggregate


@dataclass(frozen=True, slots=True)
class Ablation:
    """A grid that was tried, the best cell first."""

    results: tuple[CellResult, ...]
    trials: tuple[Trial, ...]
    missing: int  # trials that were not made, since somebody had enough
    seconds: float


def ablate(
    plan: AblationPlan, *, table: Path | None = None, device: str = "auto"
) -> Steps[Ablation]:
    """Make every trial of the plan that `table` does not hold yet; each is added as it ends.

    `Enough` leaves the trial under way out and ends with the others; closing keeps the table.
    """
    started = time.monotonic()
    trials = list(() if table is None else read_trials(table, settings=plan.settings))
    if table is not None:
        write_trials(table, trials)  # so that a bad place is told before the work
    known = {trial.key for trial in trials}
    waiting = [
        (cell, seed)
        for seed in plan.seeds
        for cell in plan.cells
        if (cell.pooling, cell.objective, cell.concatenation, seed) not in known
    ]
    try:
        if waiting:
            yield from _make(plan, waiting, trials, table, device)
    except Enough:
        pass
    asked = {(cell, seed) for cell in plan.cells for seed in plan.seeds}
    own = tuple(trial for trial in trials if (_cell_of(trial), trial.seed) in asked)
    return Ablation(
        results=_results(plan.cells, own),
        trials=own,
        missing=plan.trials - len(own),
        seconds=time.monotonic() - started,
    )


def _make(
    plan: AblationPlan,
    waiting: Sequence[tuple[Cell, int]],
    trials: list[Trial],
    table: Path | None,
    device: str,
) -> Steps[None]:
    yield Progress("Loading the encoder")
    from core.training.encoder_pupil import EncoderPupil
    from core.training.learner import load_learner
    from core.training.repooling import repooled

    learner = load_learner(plan.folder, device=device)
    base = learner.snapshot()
    before: dict[str, float] = {}
    total = sum(_steps_of(plan, cell) for cell, _ in waiting)
    done = 0
    for cell, seed in waiting:
        started = time.monotonic()
        learner.restore(base)
        pupil = EncoderPupil(repooled(learner, *cell.pooling.split("+")))
        if cell.pooling not in before:
            before[cell.pooling] = yield from _judged(pupil, plan.judging)
        fitted = yield from _fitted(pupil, plan, cell, seed, done, total)
        if fitted.stopped == "not finite":
            raise UserError(
                f"With {cell.objective} and seed {seed} the loss was no longer a number.",
                "Take a smaller --rate.",
            )
        after = yield from _judged(pupil, plan.judging)
        trials.append(
            Trial(
                pooling=cell.pooling,
                objective=cell.objective,
                concatenation=cell.concatenation,
                seed=seed,
                figure=plan.figure,
                before=before[cell.pooling],
                after=after,
                steps=fitted.steps,
                seconds=time.monotonic() - started,
                settings=plan.settings,
            )
        )
        if table is not None:
            write_trials(table, trials)
        done += _steps_of(plan, cell)


def _fitted(
    pupil: "EncoderPupil", plan: AblationPlan, cell: Cell, seed: int, done: int, total: int
) -> Steps[Fitted]:
    from core.training.fitting import fit

    stage = Stage((cell.task(plan.learnt),), replace(plan.options, seed=seed))
    steps = fit(pupil, stage, choose=False)
    return (yield from _counted(steps, done, total))


def _counted(steps: Steps[Outcome], done: int, total: int) -> Steps[Outcome]:
    """Carry a training through as a part of the grid; `Enough` is not handed on, it rises."""
    try:
        while True:
            told = next(steps)
            taken = done + (told.done if told.unit == "steps" else 0)
            yield Progress(TITLE, taken, total, "steps", told.figures)
    except StopIteration as stop:
        outcome: Outcome = stop.value
        return outcome
    finally:
        steps.close()


def _judged(pupil: "EncoderPupil", judging: Examples) -> Steps[float]:
    columns = judging.columns
    yield from pupil.read(text for column in columns for text in column)
    scores = yield from pupil.scores(columns)
    return float(figure_of(judging)[1](gold_of(judging), scores))


def _steps_of(plan: AblationPlan, cell: Cell) -> int:
    size = len(matter_of(cell.task(plan.learnt)))
    return planned_steps([size], plan.options, has_background=False)


def _results(cells: Sequence[Cell], trials: Sequence[Trial]) -> tuple[CellResult, ...]:
    found = []
    for cell in cells:
        own = [trial for trial in trials if _cell_of(trial) == cell]
        if own:
            after = aggregated([trial.after for trial in own])
            found.append(CellResult(cell, own[0].before, after))
    return tuple(sorted(found, key=lambda one: -one.after.mean))


def _cell_of(trial: Trial) -> Cell:
    return Cell(trial.pooling, trial.objective, trial.concatenation)
