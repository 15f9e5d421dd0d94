"""The whole lesson: what judges is set aside, the encoder learns, and both are told apart."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from core.examples import Rows, ScoredPairs, split
from core.options import (
    FEWEST_JUDGED,
    FEWEST_OF_A_KIND,
    FEWEST_TO_KEEP_ASIDE,
    TrainOptions,
)
from core.progress import Enough, Progress, Steps
from core.training.data import Background, Judged
from core.training.fitted import Figure
from core.training.training import Trained, train

NONE, TOO_FEW, CROSS_VALIDATED, ENOUGH = "none", "too-few", "cross-validated", "enough"
_SAME = 0.5  # a score from here on means the same
_FEWEST_TO_CHOOSE = 1_000  # pairs; below, the held-out ones are too few to choose by and judge by


@dataclass(frozen=True, slots=True)
class Taught:
    """A new encoder and what can be said of it."""

    trained: Trained
    verdict: str  # one of TOO_FEW, CROSS_VALIDATED, ENOUGH
    learnt: int  # pairs it learnt from; the others chose or judged
    judged: Judged | None  # None where there is too little to tell, or nothing was measured
    was_chosen: bool  # the judging pairs also chose the weights, so their figures flatter


@dataclass(frozen=True, slots=True)
class Plan:
    """How a lesson will be judged, and by which pairs; all learn unless the verdict is ENOUGH."""

    verdict: str  # one of NONE, TOO_FEW, CROSS_VALIDATED, ENOUGH
    same: int
    different: int
    learn: Rows
    choose: Rows  # looked at on the way to choose among the weights
    judge: Rows
    groups: Rows  # the components of the judging pairs
    note: str = ""  # a sentence where the figures must be read with care

    @property
    def chooses(self) -> bool:
        return len(self.choose) > 0


def plan_lesson(data: ScoredPairs, options: TrainOptions) -> Plan:
    """Tell what a lesson from these pairs will be, before anything is loaded.

    Pairs are only kept aside where at least five of each kind are among those that judge.
    """
    everything, nothing = np.arange(len(data)), np.empty(0, np.int64)
    same, different = _kinds(data)

    def whole(verdict: str) -> Plan:
        return Plan(verdict, same, different, everything, nothing, nothing, nothing)

    if not len(data):
        return whole(NONE)
    if len(data) < FEWEST_JUDGED or min(same, different) < FEWEST_OF_A_KIND:
        return whole(TOO_FEW)
    if len(data) < FEWEST_TO_KEEP_ASIDE:
        return whole(CROSS_VALIDATED)
    sides = split(data, share=options.held_out, seed=options.seed)
    judge, choose = sides.held, nothing
    if len(data) >= _FEWEST_TO_CHOOSE:
        halves = split(data.rows(sides.held), share=0.5, seed=options.seed)
        if _can_tell(data.rows(sides.held[halves.held])):
            judge, choose = sides.held[halves.held], sides.held[halves.train]
    if not _can_tell(data.rows(judge)):
        return whole(CROSS_VALIDATED)
    return Plan(
        ENOUGH, same, different, sides.train, choose, judge, sides.groups[judge], sides.note
    )


def teach(
    folder: Path,
    data: ScoredPairs,
    background: Background,
    options: TrainOptions,
    to: Path,
    *,
    figure: Figure,
    device: str = "auto",
) -> Steps[Taught]:
    """Teach the encoder in `folder` and judge it on pairs it did not learn from.

    From 100 pairs on, a share is held out by texts; from 1,000 on one half of that chooses among
    the weights and the other half judges, below all of it judges and the last weights stay.
    Under 100 pairs, or where fewer than five of a kind would judge, all are learnt from, and
    judged out of fold first. Under 20, or with fewer than five of a kind, nothing is judged.
    `figure` (gold, cosines; larger is better) is drawn on the way. `Enough` ends what is being
    done: the folds, then the training, whose best look stays; pairs that chose it then also
    judge. Otherwise as `train`.
    """
    from core.training.writing import refuse_taken

    refuse_taken(to)  # before the work, which may take an hour
    plan = plan_lesson(data, options)
    if plan.verdict == ENOUGH:
        steps = _teach_enough(folder, data, plan, background, options, to, figure, device)
        return (yield from steps)
    judged = None
    if plan.verdict == CROSS_VALIDATED:
        judged = yield from _out_of_fold(folder, data, background, options, device)
    trained = yield from train(folder, data, background, None, options, to, device=device)
    return Taught(trained, plan.verdict, len(data), judged, was_chosen=False)


def _kinds(data: ScoredPairs) -> tuple[int, int]:
    same = int((data.score >= _SAME).sum())
    return same, len(data) - same


def _can_tell(data: ScoredPairs) -> bool:
    return min(_kinds(data)) >= FEWEST_OF_A_KIND


def _out_of_fold(
    folder: Path, data: ScoredPairs, background: Background, options: TrainOptions, device: str
) -> Steps[Judged | None]:
    from core.training.cross_validation import cross_validate
    from core.training.encoder_pupil import EncoderPupil
    from core.training.learner import load_learner

    try:
        yield Progress("Loading the encoder")
    except Enough:
        return None
    pupil = EncoderPupil(load_learner(folder, device=device))
    judged = yield from cross_validate(pupil, data, background, options)
    return judged if len(judged) else None


def _teach_enough(
    folder: Path,
    data: ScoredPairs,
    plan: Plan,
    background: Background,
    options: TrainOptions,
    to: Path,
    figure: Figure,
    device: str,
) -> Steps[Taught]:
    judging = data.rows(plan.judge)
    trained = yield from train(
        folder,
        data.rows(plan.learn),
        background,
        data.rows(plan.choose) if plan.chooses else judging,
        options,
        to,
        figure=figure,
        choose=plan.chooses,
        judging=judging,
        device=device,
    )
    fitted = trained.fitted
    judged = None
    if len(fitted.after) == len(judging):  # else it was stopped before the texts were read
        judged = Judged(judging, fitted.before, fitted.after, plan.groups, plan.note)
    was_chosen = not plan.chooses and fitted.stopped != "done"
    return Taught(trained, ENOUGH, len(plan.learn), judged, was_chosen)
