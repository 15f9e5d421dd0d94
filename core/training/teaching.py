"""The whole lesson: what judges is set aside, the encoder learns, and both are told apart."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.examples import Examples
from core.progress import Enough, Progress, Steps
from core.training.courses import Course, refuse_nothing, stages_of
from core.training.data import Judged
from core.training.fitted import Figure
from core.training.keeping_aside import Aside, keep_aside
from core.training.kept_stages import KeptStages
from core.training.placing import refuse_taken
from core.training.planning import CROSS_VALIDATED
from core.training.training import Trained, train


@dataclass(frozen=True, slots=True)
class Taught:
    """A new encoder and what can be said of it."""

    trained: Trained
    aside: Aside
    learnt: int  # examples of the judging kind that it learnt from; the others chose or judged
    judged: Judged | None  # None where there is too little to tell, or nothing was measured
    was_chosen: bool  # the judging examples also chose the weights, so their figures flatter
    notes: tuple[str, ...]  # of the examples made for it, and of what was left out

    @property
    def verdict(self) -> str:
        return self.aside.verdict


def teach(
    folder: Path,
    course: Course,
    to: Path,
    *,
    figure_of: Callable[[Examples], Figure | None],
    device: str = "auto",
    kept: KeptStages | None = None,
    record: Mapping[str, Any] | None = None,
) -> Steps[Taught]:
    """Teach the encoder in `folder` a course and judge it on examples it did not learn from.

    From 100 examples on, a share is held out by texts; from 1,000 on one half of that chooses
    among the weights and the other half judges, below all of it judges and the last weights stay.
    Under 100 pairs or triplets, or where fewer than five of a kind would judge, all are learnt
    from, and judged out of fold first. Under 20, or with fewer than five of a kind, nothing is
    judged. A given dev file judges by itself; beside a test file it chooses.
    `figure_of` gives what is drawn on the way for the examples looked at (gold, cosines; larger
    is better); None where cosines tell nothing, as of labels. `Enough` ends what is being done:
    the folds, then the training, whose best look stays; examples that chose it then also judge.
    With `kept` a training that was cut off goes on. Otherwise as `train`.
    """
    refuse_taken(to)  # before the work, which may take an hour
    aside = keep_aside(course)
    judged = None
    if aside.verdict == CROSS_VALIDATED:
        judged = yield from _out_of_fold(folder, course, device, kept)
    made = stages_of(course, aside.learn)
    refuse_nothing(made)
    watched = aside.judge if aside.choose is None else aside.choose
    figure = None if watched is None else figure_of(watched)
    trained = yield from train(
        folder,
        made.stages,
        course.background,
        to,
        held=watched if figure is not None else None,
        figure=figure,
        choose=aside.choose is not None,
        judging=aside.judge,
        device=device,
        kept=kept,
        record=record,
    )
    fitted = trained.fitted
    if aside.judge is not None and len(fitted.after) == len(aside.judge):
        # else it was stopped before the texts were read
        judged = Judged(aside.judge, fitted.before, fitted.after, aside.groups, aside.plan.note)
    was_chosen = aside.judge is not None and aside.choose is None and fitted.stopped != "done"
    learnt = len(aside.learn.main(course.main))
    return Taught(
        trained, aside, learnt, judged, was_chosen, (*aside.notes, *made.notes, *fitted.notes)
    )


def _out_of_fold(
    folder: Path, course: Course, device: str, kept: KeptStages | None
) -> Steps[Judged | None]:
    from core.training.cross_validation import cross_validate
    from core.training.encoder_pupil import EncoderPupil
    from core.training.learner import load_learner

    examples = course.material.main(course.main).examples
    if kept is not None:
        known = kept.judged(examples)
        if known is not None:
            return known
    try:
        yield Progress("Loading the encoder")
    except Enough:
        return None
    pupil = EncoderPupil(load_learner(folder, device=device))
    judged = yield from cross_validate(pupil, course)
    if kept is not None and len(judged) == len(examples):
        kept.keep_judged(judged)
    return judged if len(judged) else None
