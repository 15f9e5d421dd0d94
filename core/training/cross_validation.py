"""Few judged pairs judge better out of fold: each pair by an encoder that never saw its texts.

Grouped as the topics of Sentence-BERT's cross-topic test (arXiv 1908.10084, section 4.3). This
module loads torch.
"""

import numpy as np

from core.examples import ScoredPairs, components, folds
from core.options import TrainOptions
from core.progress import Steps
from core.training.data import Background, Judged
from core.training.fitting import fit
from core.training.pupil import Pupil
from core.training.stopping import titled
from core.training.tasks import by_scores

FOLDS = 5


def cross_validate(
    pupil: Pupil, data: ScoredPairs, background: Background, options: TrainOptions
) -> Steps[Judged]:
    """Return the cosines of every pair by `pupil` as it is and by one that learnt the others.

    Each of five folds trains the whole schedule without looking, so nothing is chosen on the
    pairs that judge. The pupil ends with the weights it came with. `Enough` ends it with the
    folds that are whole. Costs four trainings over all pairs.
    """
    base = pupil.snapshot()
    fold, cut = folds(data, count=FOLDS, seed=options.seed)
    groups = components(data.left, data.right)
    before, after = np.full(len(data), np.nan, np.float32), np.full(len(data), np.nan, np.float32)
    present = [part for part in range(FOLDS) if (fold == part).any()]
    for place, part in enumerate(present, 1):
        rows = np.flatnonzero(fold == part)
        others = np.flatnonzero(fold != part)
        if not len(others):
            continue
        steps = fit(
            pupil, by_scores(data.rows(others), options), background, judging=data.rows(rows)
        )
        title = f"Trying the judgements, part {place} of {len(present)}"
        fitted = yield from titled(steps, title)
        pupil.restore(base)
        if fitted.stopped == "enough":
            break
        before[rows], after[rows] = fitted.before, fitted.after
    told = np.flatnonzero(np.isfinite(before) & np.isfinite(after))
    return Judged(
        pairs=data.rows(told),
        before=before[told],
        after=after[told],
        groups=groups[told],
        note=(
            "The pairs hang together through the texts they share, so the parts share texts and "
            "the figures flatter."
            if cut
            else ""
        ),
    )
