"""The whole lesson: what judges is set aside, the encoder learns, and both are told apart."""

from dataclasses import dataclass
from pathlib import Path

from core.options import TrainOptions
from core.progress import Enough, Progress, Steps
from core.training.data import Background, Judged, TrainData
from core.training.fitted import Figure
from core.training.splitting import split
from core.training.training import Trained, train

NONE, TOO_FEW, CROSS_VALIDATED, ENOUGH = "none", "too-few", "cross-validated", "enough"
_FEWEST = 20  # pairs that can tell anything
_FEWEST_OF_A_KIND = 5  # same, and different
_FEWEST_HELD_OUT = 100  # pairs; below, each pair judges once out of fold
_FEWEST_TO_CHOOSE = 1_000  # pairs; below, the held-out ones are too few to choose by and judge by


@dataclass(frozen=True, slots=True)
class Taught:
    """A new encoder and what can be said of it."""

    trained: Trained
    verdict: str  # one of TOO_FEW, CROSS_VALIDATED, ENOUGH
    learnt: int  # pairs it learnt from; the others chose or judged
    judged: Judged | None  # None where there is too little to tell, or nothing was measured
    was_chosen: bool  # the judging pairs also chose the weights, so their figures flatter


def verdict_on(data: TrainData) -> str:
    """Tell how a lesson from these pairs could be judged: one of the four verdicts."""
    if not len(data):
        return NONE
    same = int((data.score >= 0.5).sum())
    if len(data) < _FEWEST or min(same, len(data) - same) < _FEWEST_OF_A_KIND:
        return TOO_FEW
    return CROSS_VALIDATED if len(data) < _FEWEST_HELD_OUT else ENOUGH


def teach(
    folder: Path,
    data: TrainData,
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
    Under 100 pairs all are learnt from, and judged out of fold first. Under 20, or with fewer
    than five of a kind, nothing is judged. `figure` (gold, cosines; larger is better) is drawn on
    the way. `Enough` ends what is being done: the folds, then the training, whose best look
    stays; pairs that chose it then also judge. Otherwise as `train`.
    """
    from core.training.writing import refuse_taken

    refuse_taken(to)  # before the work, which may take an hour
    verdict = verdict_on(data)
    if verdict == ENOUGH:
        return (yield from _teach_enough(folder, data, background, options, to, figure, device))
    judged = None
    if verdict == CROSS_VALIDATED:
        judged = yield from _out_of_fold(folder, data, background, options, device)
    trained = yield from train(folder, data, background, None, options, to, device=device)
    return Taught(trained, verdict, len(data), judged, was_chosen=False)


def _out_of_fold(
    folder: Path, data: TrainData, background: Background, options: TrainOptions, device: str
) -> Steps[Judged | None]:
    from core.training.cross_validation import cross_validate
    from core.training.learner import load_learner

    try:
        yield Progress("Loading the encoder")
    except Enough:
        return None
    learner = load_learner(folder, device=device)
    judged = yield from cross_validate(learner, data, background, options)
    return judged if len(judged) else None


def _teach_enough(
    folder: Path,
    data: TrainData,
    background: Background,
    options: TrainOptions,
    to: Path,
    figure: Figure,
    device: str,
) -> Steps[Taught]:
    sides = split(data, share=options.held_out, seed=options.seed)
    held = data.rows(sides.held)
    judging, groups = held, sides.groups[sides.held]
    chooses = len(data) >= _FEWEST_TO_CHOOSE
    if chooses:
        halves = split(held, share=0.5, seed=options.seed)
        judging, groups = held.rows(halves.held), groups[halves.held]
        held = held.rows(halves.train)
    trained = yield from train(
        folder,
        data.rows(sides.train),
        background,
        held,
        options,
        to,
        figure=figure,
        choose=chooses,
        judging=judging,
        device=device,
    )
    fitted = trained.fitted
    judged = None
    if len(fitted.after) == len(judging):  # else it was stopped before the texts were read
        judged = Judged(judging, fitted.before, fitted.after, groups, sides.note)
    was_chosen = not chooses and fitted.stopped != "done"
    return Taught(trained, ENOUGH, len(sides.train), judged, was_chosen)
