"""An encoder taught stage by stage, from its folder to a new one."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.encoders.fingerprint import fingerprint_of
from core.encoders.folder import read_folder
from core.errors import UserError
from core.examples import Examples, split
from core.progress import Enough, Progress, Steps
from core.training.batches import automatic_epochs
from core.training.data import Background
from core.training.fitted import Figure, Fitted
from core.training.kept_stages import KeptStages
from core.training.placing import refuse_taken
from core.training.stage_steps import steps_of
from core.training.stopping import unmoved
from core.training.tasks import Stage, matter_of

if TYPE_CHECKING:
    from core.training.pupil import Pupil
    from core.training.rate_search import RateSearch

_JUDGE_RATES = 0.2  # of the examples, where none but these may judge the rates


@dataclass(frozen=True, slots=True)
class Trained:
    """A new encoder folder and how it came about."""

    folder: Path
    epochs: tuple[int, ...]  # of each stage
    steps: tuple[int, ...]  # planned of each stage
    seconds: float
    device: str
    threads: int  # of the processor
    fitted: Fitted  # curves, cosines before and after, the step kept, why it stopped
    searched: "RateSearch | None" = None  # the learning rates that were tried first


def train(
    folder: Path,
    stages: Sequence[Stage],
    background: Background,
    to: Path,
    *,
    held: Examples | None = None,
    figure: Figure | None = None,
    choose: bool = True,
    judging: Examples | None = None,
    device: str = "auto",
    kept: KeptStages | None = None,
    record: Mapping[str, Any] | None = None,
) -> Steps[Trained]:
    """Teach the encoder in `folder` by `stages` and write the new one to `to`.

    `held` is looked at on the way by `figure` (gold, cosines; larger is better) and, with
    `choose`, decides which weights of the last stage stay; `judging` (`held` where there is
    none) is measured before and after and decides nothing. Progress carries the figures step,
    loss, held_out, best, best_step, seconds (still to go, told from the first step on), stage and
    stages. With `search_rates` in the last stage three rates are tried on it first, judged by
    `held` where it chooses, else by a fifth of its examples, and the best is that of all stages.
    Takes `Enough`: the best so far is written. Closing leaves nothing behind but what `kept` keeps.
    `forecast_memory` tells what it holds beyond the texts' tokens. It is silent while the encoder
    loads. `record` is added to training.json.
    Raises `UserError` for a bad folder, a name that is taken, no examples, too little memory, and
    `Enough` before the encoder was loaded.
    """
    import torch

    from core.training.encoder_pupil import EncoderPupil
    from core.training.learner import load_learner
    from core.training.stages import fit_stages
    from core.training.writing import write_encoder

    started = time.monotonic()
    refuse_taken(to)
    if not stages or any(not _sizes(stage) for stage in stages):
        raise UserError("There are no judged pairs to learn from.", "Decide some pairs first.")
    try:
        yield Progress("Loading the encoder")
    except Enough as enough:
        raise UserError(
            "The training was stopped before anything was learnt.",
            "Start it again and let it take a few steps.",
        ) from enough
    learner = load_learner(folder, device=device, options=stages[-1].options, data=_longest(stages))
    pupil = EncoderPupil(learner)
    try:
        searched = None
        if figure is not None and stages[-1].options.search_rates:
            judge = held if choose else None
            searched = yield from _try_rates(pupil, stages[-1], background, judge, figure)
            stages = [_at_rate(stage, searched.rate) for stage in stages]
        fitted = yield from fit_stages(
            pupil,
            stages,
            background,
            held=held,
            figure=figure,
            choose=choose,
            judging=held if judging is None else judging,
            kept=kept,
        )
    except torch.OutOfMemoryError as error:
        raise UserError(
            f"There is too little memory on {learner.parts.place} to train this encoder.",
            "Close other programs that use it, or train on the processor (device cpu).",
        ) from error
    told = {
        "base": folder.name,
        "base_fingerprint": base_fingerprint(folder),
        "stages": [_told(stage) for stage in stages],
        "options": asdict(stages[-1].options),
        "steps": fitted.steps,
        "step_kept": fitted.step,
        "stopped": fitted.stopped,
        "rates": None if searched is None else searched.record(),
        **(record or {}),
    }
    yield from unmoved(write_encoder(learner.parts, to, record=told))
    return Trained(
        folder=to,
        epochs=tuple(_epochs(stage) for stage in stages),
        steps=tuple(steps_of(stages, background=len(background))),
        seconds=time.monotonic() - started,
        device=str(learner.parts.place),
        threads=torch.get_num_threads(),
        fitted=fitted,
        searched=searched,
    )


def base_fingerprint(folder: Path) -> str:
    """Return what changes with any file of an encoder that a training begins with."""
    described = read_folder(folder)
    return fingerprint_of(described.folder, described.files, precision="fp32")


def _sizes(stage: Stage) -> int:
    return sum(len(matter_of(task)) for task in stage.tasks)


def _epochs(stage: Stage) -> int:
    return stage.options.epochs or automatic_epochs(_sizes(stage))


def _told(stage: Stage) -> list[dict[str, Any]]:
    return [
        {"objective": task.objective, "choices": dict(task.choices), "data": task.name,
         "examples": len(task.examples)}
        for task in stage.tasks
    ]  # fmt: skip  # one row a task


def _longest(stages: Sequence[Stage]) -> Examples:
    """Return the examples with the longest text: it goes through whole, whatever is free."""
    everything = [task.examples for stage in stages for task in stage.tasks]
    return max(everything, key=lambda one: max(len(text) for side in one.columns for text in side))


def _try_rates(
    pupil: "Pupil",
    stage: Stage,
    background: Background,
    held: Examples | None,
    figure: Figure,
) -> "Steps[RateSearch]":
    """Try rates on a stage; examples that judge the encoder judge no rate."""
    from core.training.rate_search import search_rates

    if held is None or not len(held):
        first, *others = stage.tasks
        sides = split(first.examples, share=_JUDGE_RATES, seed=stage.options.seed)
        held = first.examples.rows(sides.held)
        learn = replace(first, examples=first.examples.rows(sides.train))
        stage = replace(stage, tasks=(learn, *others))
    return (yield from search_rates(pupil, stage, background, held=held, figure=figure))


def _at_rate(stage: Stage, rate: float) -> Stage:
    return replace(stage, options=replace(stage.options, rate=rate))
