"""The whole lesson of a cross-encoder: what judges is set aside, it learns, and is measured."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.examples import LabelledPairs, Rows, ScoredPairs, components, folds, split
from core.options import FEWEST_TO_KEEP_ASIDE, TrainOptions
from core.progress import Enough, Progress, Steps
from core.training import Plan, Trained, plan_lesson
from core.training.cross_training import train_cross
from core.training.fitted import Figure
from core.training.placing import refuse_taken
from core.training.stopping import titled

TOO_FEW, CROSS_VALIDATED, ENOUGH = "too-few", "cross-validated", "enough"
_FEWEST_TO_CHOOSE = 1_000  # pairs; below, the held-out ones are too few to choose by and judge by
_FOLDS = 5


@dataclass(frozen=True, slots=True)
class CrossTaught:
    """A new cross-encoder and what it says of pairs that it did not learn from."""

    trained: Trained
    verdict: str  # one of TOO_FEW, CROSS_VALIDATED, ENOUGH
    learnt: int  # pairs it learnt from; the others chose or judged
    judging: ScoredPairs | LabelledPairs | None  # None where nothing was measured
    scores: NDArray[np.float32]  # of these, (n,), or (n, labels)
    groups: Rows  # the component of each
    note: str  # a sentence where the figures must be read with care
    was_chosen: bool  # the judging pairs also chose the weights, so their figures flatter


def teach_cross(
    folder: Path,
    data: ScoredPairs | LabelledPairs,
    options: TrainOptions,
    to: Path,
    *,
    figure: Figure,
    both_orders: bool = False,
    device: str = "auto",
) -> Steps[CrossTaught]:
    """Teach a cross-encoder and judge it on pairs whose texts it never saw; see `train_cross`.

    What judges is set aside as `teach` does it, so that the encoder that learns from the same pairs
    with the same options is judged on the same ones. Few pairs are judged out of fold, which takes
    four trainings more. Labels are judged from 100 pairs on.
    """
    refuse_taken(to)
    plan = plan_cross(data, options)
    if plan.verdict == ENOUGH:
        return (
            yield from _teach_enough(folder, data, plan, options, to, figure, both_orders, device)
        )
    told = _Folded(None, np.empty(0, np.float32), np.empty(0, np.int64), "")
    if plan.verdict == CROSS_VALIDATED and isinstance(data, ScoredPairs):
        told = yield from _out_of_fold(folder, data, options, both_orders, device)
    trained = yield from train_cross(
        folder, data, None, options, to, both_orders=both_orders, device=device
    )
    return CrossTaught(
        trained, plan.verdict, len(data), told.judging, told.scores, told.groups, told.note,
        was_chosen=False,
    )  # fmt: skip


def plan_cross(data: ScoredPairs | LabelledPairs, options: TrainOptions) -> Plan:
    """Tell which pairs judge and which choose, before anything is loaded."""
    if isinstance(data, ScoredPairs):
        return plan_lesson(data, options)
    everything, nothing = np.arange(len(data)), np.empty(0, np.int64)
    if len(data) < FEWEST_TO_KEEP_ASIDE:
        return Plan(TOO_FEW, 0, 0, everything, nothing, nothing, nothing)
    sides = split(data, share=options.held_out, seed=options.seed)
    judge, choose = sides.held, nothing
    if len(data) >= _FEWEST_TO_CHOOSE:
        halves = split(data.rows(sides.held), share=0.5, seed=options.seed)
        judge, choose = sides.held[halves.held], sides.held[halves.train]
    return Plan(ENOUGH, 0, 0, sides.train, choose, judge, sides.groups[judge], sides.note)


@dataclass(frozen=True, slots=True)
class _Folded:
    judging: ScoredPairs | None
    scores: NDArray[np.float32]
    groups: Rows
    note: str


def _out_of_fold(
    folder: Path, data: ScoredPairs, options: TrainOptions, both_orders: bool, device: str
) -> Steps[_Folded]:
    """Score each pair by a cross-encoder that never saw its texts; `Enough` keeps whole folds."""
    from core.training.cross_learner import load_cross_learner
    from core.training.cross_pupil import CrossPupil, both_ways, cross_stage
    from core.training.fitting import fit

    scores = np.full(len(data), np.nan, np.float32)
    fold, cut = folds(data, count=_FOLDS, seed=options.seed)
    try:
        yield Progress("Loading the cross-encoder")
        learner = load_cross_learner(folder, device=device, seed=options.seed)
        pupil = CrossPupil(learner, both_orders=both_orders)
        base = pupil.snapshot()
        for part in range(_FOLDS):
            rows, others = np.flatnonzero(fold == part), np.flatnonzero(fold != part)
            if not len(rows) or not len(others):
                continue
            learnt = data.rows(others)
            stage = cross_stage(both_ways(learnt) if both_orders else learnt, options)
            title = f"Trying the judgements, part {part + 1} of {_FOLDS}"
            fitted = yield from titled(fit(pupil, stage, judging=data.rows(rows)), title)
            pupil.restore(base)
            if fitted.stopped == "enough":
                break
            scores[rows] = fitted.after
    except Enough:
        pass  # what is whole is told
    told = np.flatnonzero(np.isfinite(scores))
    note = (
        "The pairs hang together through the texts they share, so the parts share texts and the "
        "figures flatter."
    )
    groups = components(data.left, data.right)[told]
    return _Folded(data.rows(told), scores[told], groups, note if cut else "")


def _teach_enough(
    folder: Path,
    data: ScoredPairs | LabelledPairs,
    plan: Plan,
    options: TrainOptions,
    to: Path,
    figure: Figure,
    both_orders: bool,
    device: str,
) -> Steps[CrossTaught]:
    judging = data.rows(plan.judge)
    trained = yield from train_cross(
        folder,
        data.rows(plan.learn),
        data.rows(plan.choose) if plan.chooses else judging,
        options,
        to,
        figure=figure,
        choose=plan.chooses,
        judging=judging,
        both_orders=both_orders,
        device=device,
    )
    fitted = trained.fitted
    was_measured = len(fitted.after) == len(judging)  # else it was stopped before texts were read
    return CrossTaught(
        trained=trained,
        verdict=ENOUGH,
        learnt=len(plan.learn),
        judging=judging if was_measured else None,
        scores=fitted.after,
        groups=plan.groups,
        note=plan.note,
        was_chosen=not plan.chooses and fitted.stopped != "done",
    )
