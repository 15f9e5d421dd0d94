"""A cross-encoder taught by judged pairs, from a folder to a new one."""

import time
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path

from core.encoders.fingerprint import fingerprint_of
from core.errors import UserError
from core.examples import Examples, LabelledPairs, ScoredPairs, split
from core.options import TrainOptions
from core.progress import Enough, Progress, Steps
from core.training.batches import automatic_epochs
from core.training.fitted import Figure
from core.training.placing import refuse_taken
from core.training.stopping import unmoved
from core.training.training import Trained

_JUDGE_RATES = 0.2  # of the pairs, where none but these may judge the rates


def train_cross(
    folder: Path,
    data: ScoredPairs | LabelledPairs,
    held: Examples | None,
    options: TrainOptions,
    to: Path,
    *,
    figure: Figure | None = None,
    choose: bool = True,
    judging: Examples | None = None,
    both_orders: bool = False,
    device: str = "auto",
) -> Steps[Trained]:
    """Teach a cross-encoder by `data` and write it to `to`; the analogue of `train`.

    `folder` holds a cross-encoder to go on from, or an encoder or a plain backbone, which gets a
    head drawn by the seed. Pairs with scores and yes/no decisions teach one score, labels a share
    of each. `both_orders` also learns from each pair turned round and scores held-out pairs both
    ways. `figure` is given gold and scores, of labels their numbers and (n, labels) shares; scores
    before and after are in `Trained.fitted`. `options.hold` is of no effect: nobody's cosine could
    be held. With `search_rates` three rates are tried first, judged by `held` where it chooses,
    else by a fifth of `data`. Progress, `Enough`, closing and errors are `train`'s.
    """
    import torch

    from core.training.cross_learner import load_cross_learner
    from core.training.cross_pupil import CrossPupil, both_ways, cross_stage
    from core.training.cross_writing import write_cross_encoder
    from core.training.fitting import fit
    from core.training.rate_search import search_rates

    started = time.monotonic()
    refuse_taken(to)
    if not len(data):
        raise UserError("There are no judged pairs to learn from.", "Decide some pairs first.")
    try:
        yield Progress("Loading the cross-encoder")
    except Enough as enough:
        raise UserError(
            "The training was stopped before anything was learnt.",
            "Start it again and let it take a few steps.",
        ) from enough
    epochs = options.epochs or automatic_epochs(len(data))
    used = replace(options, epochs=epochs)
    learner = load_cross_learner(
        folder, labels=labels_of(data), device=device, seed=options.seed, options=used, data=data
    )
    pupil, searched = CrossPupil(learner, both_orders=both_orders), None
    try:
        if used.search_rates and figure is not None:
            learn, judge = _rate_sides(data, held if choose else None, used)
            stage = cross_stage(learn, used)
            searched = yield from search_rates(pupil, stage, held=judge, figure=figure)
            used = replace(used, rate=searched.rate)
        fitted = yield from fit(
            pupil,
            cross_stage(both_ways(data) if both_orders else data, used),
            held=held,
            figure=figure,
            choose=choose,
            judging=held if judging is None else judging,
        )
    except torch.OutOfMemoryError as error:
        raise UserError(
            f"There is too little memory on {learner.parts.place} to train this cross-encoder.",
            "Close other programs that use it, or train on the processor (device cpu).",
        ) from error
    described = learner.parts.described
    record = {
        "base": described.folder.name,
        "base_fingerprint": fingerprint_of(described.folder, described.files, precision="fp32"),
        "head": "new" if learner.parts.new_head else "gone on from",
        "labels": list(learner.parts.labels),
        "activation": learner.parts.activation,
        "pairs": len(data),
        "both_orders": both_orders,
        "options": asdict(options),
        "rates": None if searched is None else searched.record(),
        "steps": fitted.steps,
        "step_kept": fitted.step,
        "stopped": fitted.stopped,
    }
    yield from unmoved(write_cross_encoder(learner.parts, to, record=record))
    return Trained(
        folder=to,
        epochs=(epochs,),
        steps=(fitted.planned,),
        seconds=time.monotonic() - started,
        device=str(learner.parts.place),
        threads=torch.get_num_threads(),
        fitted=fitted,
        searched=searched,
    )


def labels_of(data: ScoredPairs | LabelledPairs) -> Sequence[str] | None:
    """Return the labels that pairs teach to tell apart; None where they teach a score."""
    if isinstance(data, LabelledPairs) and not data.are_decisions:
        return data.names
    return None


def _rate_sides(
    data: ScoredPairs | LabelledPairs, held: Examples | None, options: TrainOptions
) -> tuple[ScoredPairs | LabelledPairs, Examples]:
    """Return what rates are tried on and judged by; pairs that judge at the end judge no rate."""
    if held is not None and len(held):
        return data, held
    sides = split(data, share=_JUDGE_RATES, seed=options.seed)
    return data.rows(sides.train), data.rows(sides.held)
