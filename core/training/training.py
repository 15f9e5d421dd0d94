"""An encoder taught by judged pairs, from its folder to a new one."""

import time
from dataclasses import asdict, dataclass
from pathlib import Path

from core.encoders.fingerprint import fingerprint_of
from core.errors import UserError
from core.examples import ScoredPairs
from core.options import TrainOptions
from core.progress import Enough, Progress, Steps
from core.training.batches import automatic_epochs
from core.training.data import Background
from core.training.fitted import Figure, Fitted
from core.training.stopping import unmoved
from core.training.tasks import by_scores


@dataclass(frozen=True, slots=True)
class Trained:
    """A new encoder folder and how it came about."""

    folder: Path
    epochs: int
    seconds: float
    fitted: Fitted  # curves, cosines before and after, the step kept, why it stopped


def train(
    folder: Path,
    data: ScoredPairs,
    background: Background,
    held: ScoredPairs | None,
    options: TrainOptions,
    to: Path,
    *,
    figure: Figure | None = None,
    choose: bool = True,
    judging: ScoredPairs | None = None,
    device: str = "auto",
) -> Steps[Trained]:
    """Teach the encoder in `folder` by `data` and write the new one to `to`.

    `held` is looked at on the way by `figure` (gold, cosines; larger is better) and, with
    `choose`, decides which weights stay; `judging` (`held` where there is none) is measured
    before and after and decides nothing. Progress carries the figures step, loss, held_out, best,
    best_step and seconds (still to go, told from the first step on). Takes `Enough`: the best so
    far is written. Closing leaves nothing behind. Beyond the texts' tokens it holds five copies
    of the weights and one half-second portion of a batch. It is silent while the encoder loads.
    Raises `UserError` for a bad folder, a name that is taken, no pairs, too little memory, and
    `Enough` before the encoder was loaded.
    """
    import torch

    from core.training.encoder_pupil import EncoderPupil
    from core.training.fitting import fit
    from core.training.learner import load_learner
    from core.training.writing import refuse_taken, write_encoder

    started = time.monotonic()
    refuse_taken(to)
    if not len(data):
        raise UserError("There are no judged pairs to learn from.", "Decide some pairs first.")
    try:
        yield Progress("Loading the encoder")
    except Enough as enough:
        raise UserError(
            "The training was stopped before anything was learnt.",
            "Start it again and let it take a few steps.",
        ) from enough
    learner = load_learner(folder, device=device)
    try:
        fitted = yield from fit(
            EncoderPupil(learner),
            by_scores(data, options),
            background,
            held=held,
            figure=figure,
            choose=choose,
            judging=held if judging is None else judging,
        )
    except torch.OutOfMemoryError as error:
        raise UserError(
            f"There is too little memory on {learner.parts.place} to train this encoder.",
            "Close other programs that use it, or train on the processor (device cpu).",
        ) from error
    described = learner.parts.described
    record = {
        "base": described.folder.name,
        "base_fingerprint": fingerprint_of(described.folder, described.files, precision="fp32"),
        "pairs": len(data),
        "options": asdict(options),
        "steps": fitted.steps,
        "step_kept": fitted.step,
        "stopped": fitted.stopped,
    }
    yield from unmoved(write_encoder(learner.parts, to, record=record))
    return Trained(
        folder=to,
        epochs=options.epochs or automatic_epochs(len(data)),
        seconds=time.monotonic() - started,
        fitted=fitted,
    )
