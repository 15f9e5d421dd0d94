"""Few judged examples judge better out of fold: each by an encoder that never saw its texts.

Grouped as the topics of Sentence-BERT's cross-topic test (arXiv 1908.10084, section 4.3). This
module loads torch.
"""

import numpy as np

from core.examples import components, folds
from core.progress import Steps
from core.training.courses import Course, stages_of
from core.training.data import Judged
from core.training.pupil import Pupil
from core.training.stages import fit_stages
from core.training.stopping import titled

FOLDS = 5


def cross_validate(pupil: Pupil, course: Course) -> Steps[Judged]:
    """Return every judging example's cosine by `pupil` as it is and by one that learnt others.

    Each of five folds trains the whole course without looking, so nothing is chosen on the
    examples that judge; whatever shares a text with a fold is left out of its training. The pupil
    ends with the weights it came with. `Enough` ends it with the folds that are whole. Costs
    four trainings over all examples.
    """
    base = pupil.snapshot()
    part = course.material.main(course.main)
    data, seed = part.examples, course.options.seed
    fold, cut = folds(data, count=FOLDS, seed=seed)
    before, after = np.full(len(data), np.nan, np.float32), np.full(len(data), np.nan, np.float32)
    present = [one for one in range(FOLDS) if (fold == one).any()]
    for place, one in enumerate(present, 1):
        rows = np.flatnonzero(fold == one)
        others = np.flatnonzero(fold != one)
        if not len(others):
            continue
        held, rest = data.rows(rows), part.rows(others)
        material = course.material.with_main(course.main, rest)
        if not cut:
            material = material.without_texts_of(held)
        steps = fit_stages(
            pupil, stages_of(course, material).stages, course.background, judging=held
        )
        title = f"Trying the judgements, part {place} of {len(present)}"
        fitted = yield from titled(steps, title)
        pupil.restore(base)
        if fitted.stopped == "enough":
            break
        before[rows], after[rows] = fitted.before, fitted.after
    told = np.flatnonzero(np.isfinite(before) & np.isfinite(after))
    return Judged(
        examples=data.rows(told),
        before=before[told],
        after=after[told],
        groups=components(*data.columns)[told],
        note=(
            "The examples hang together through the texts they share, so the parts share texts "
            "and the figures flatter."
            if cut
            else ""
        ),
    )
