"""Stages one after another on one pupil, told as one training. This module loads torch."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from core.examples import Examples
from core.progress import Progress, Steps
from core.training.data import Background, nothing_random
from core.training.fitted import Figure, Fitted
from core.training.fitting import fit
from core.training.kept_stages import KeptStages
from core.training.pupil import Pupil
from core.training.stage_steps import steps_of, used_of
from core.training.stopping import retold, unmoved
from core.training.tasks import Stage

_OFFSET = ("step", "held_step", "best_step")  # figures that count steps


def fit_stages(
    pupil: Pupil,
    stages: Sequence[Stage],
    background: Background | None = None,
    *,
    held: Examples | None = None,
    figure: Figure | None = None,
    choose: bool = True,
    judging: Examples | None = None,
    kept: KeptStages | None = None,
) -> Steps[Fitted]:
    """Teach `pupil` stage by stage, and tell it as `fit` tells one.

    `held` is looked at in every stage; only in the last it chooses among the weights, so that a
    stage is never cut short for what the next one is to teach. Background is held in all stages
    to the cosines that the pupil came with. `Enough` and a loss that is not finite end it all.
    Steps count over all stages. With `kept` each stage leaves checkpoints, and a training cut
    off goes on.
    """
    background = background or nothing_random()
    if len(stages) > 1:
        background = yield from _with_old_cosines(pupil, stages, background)
    planned = steps_of(stages, background=len(background))
    through: list[Fitted] = []
    for number, stage in enumerate(stages):
        known = None if kept is None else kept.finished(number)
        if known is not None:
            through.append(known[0])
            pupil.restore(known[1])
            continue
        is_last = number == len(stages) - 1
        steps = fit(
            pupil,
            stage,
            background,
            held=held,
            figure=figure,
            choose=choose and is_last,
            judging=judging,
            checkpoint=None if kept is None else kept.checkpoint(number),
            number=number,
        )
        fitted = yield from retold(steps, _over_all(through, planned, number))
        through.append(fitted)
        if fitted.stopped in ("enough", "not finite"):
            break
        if kept is not None and not is_last:
            kept.finish(number, fitted, pupil.snapshot())
    return joined(through, planned)


def joined(through: Sequence[Fitted], planned: Sequence[int]) -> Fitted:
    """Tell the stages gone through as one: before the first, after the last."""
    first, last = through[0], through[-1]
    starts = [sum(one.steps for one in through[:place]) for place in range(len(through))]
    why = last.why
    if len(planned) > 1 and last.stopped != "done":
        why = f"In stage {len(through)} of {len(planned)}: {why}"
    return replace(
        last,
        step=starts[-1] + last.step,
        steps=starts[-1] + last.steps,
        planned=sum(planned),
        curve=_shifted([one.curve for one in through], starts),
        held_curve=_shifted([one.held_curve for one in through], starts),
        why=why,
        notes=tuple(dict.fromkeys(note for one in through for note in one.notes)),
        cut=max(one.cut for one in through),
        before=first.before,
        still_before=first.still_before,
    )


def _with_old_cosines(
    pupil: Pupil, stages: Sequence[Stage], background: Background
) -> Steps[Background]:
    """Find the cosines of the background before the first stage moves anything."""
    if background.cosine is not None or not len(background):
        return background
    used = background.part(slice(used_of(stages, background)))
    yield from unmoved(pupil.read(text for column in used.columns for text in column))
    cosine = yield from unmoved(pupil.scores(used.columns))
    return Background(used.left, used.right, cosine)


def _over_all(
    through: Sequence[Fitted], planned: Sequence[int], number: int
) -> Callable[[Progress], Progress]:
    """Tell progress of one stage as progress of all."""
    done = sum(one.steps for one in through)
    total = done + sum(planned[number:])
    later = sum(planned[number + 1 :])

    def tell(progress: Progress) -> Progress:
        figures = dict(progress.figures)
        if "step" not in figures:
            return progress
        left = (progress.total or 0) - progress.done
        for name in _OFFSET:
            if name in figures:
                figures[name] += done
        if "seconds" in figures and left > 0:
            figures["seconds"] *= (left + later) / left
        figures |= {"stage": number + 1.0, "stages": float(len(planned))}
        return replace(
            progress, done=done + progress.done, total=total, figures=tuple(figures.items())
        )

    return tell


def _shifted(
    curves: Sequence[Sequence[tuple[int, float]]], starts: Sequence[int]
) -> tuple[tuple[int, float], ...]:
    return tuple(
        (start + step, value)
        for curve, start in zip(curves, starts, strict=True)
        for step, value in curve
    )
