"""Steps of a lesson: how many judged pairs an encoder learns from in a second."""

import time
from collections.abc import Sequence
from typing import Any

import numpy as np

from core.bench.asked import Asked
from core.bench.encode import model_shapes
from core.bench.interleave import Measured, interleave, told_runs
from core.bench.machine import gemm_seconds, measure_machine
from core.bench.report import Report, report_of
from core.bench.texts import bench_texts
from core.examples import ScoredPairs
from core.folders import encoder_folder
from core.options import TrainOptions
from core.progress import Progress, Steps
from core.training import Background, random_pairs
from core.training.fitted import Fitted

_PASSES = 3  # forward, and twice as much backward


def bench_train(asked: Asked) -> Steps[Report]:
    """Time the steps of one epoch over made pairs, with pairs held still as in the product."""
    machine = yield from measure_machine()
    rows = max(asked.rows, 2 * TrainOptions().batch)
    wanted = Asked(2 * rows, asked.files, asked.columns, seed=asked.seed)
    texts = yield from bench_texts(wanted)
    pairs = len(texts.bodies) // 2
    data = _judged(texts.bodies, pairs)
    options = TrainOptions(epochs=1, seed=asked.seed)
    background = random_pairs(texts.bodies, count=2 * pairs, seed=asked.seed)
    yield Progress("Loading the encoder")
    from core.training.learner import load_learner

    folder = encoder_folder(asked.encoder)
    learner = load_learner(folder)
    weights = learner.snapshot()

    def lesson() -> Measured:
        learner.restore(weights)
        return _lesson(learner, data, background, options)

    timings = yield from interleave({"Samesense": lesson}, title="Teaching", repeats=asked.repeats)
    fitted: Fitted = timings["Samesense"].outcome
    seconds = timings["Samesense"].seconds
    yield Progress("Measuring the limit")
    tokens = yield from _tokens(learner, data, background, fitted.steps * _still(options))
    limit = gemm_seconds(model_shapes(folder), rows=_PASSES * tokens, precision="fp32")
    curve = fitted.curve
    quality: dict[str, Any] = {
        "seconds_per_step": seconds / fitted.steps,
        "steps": fitted.steps,
        "batch": options.batch,
        "held_still": _still(options),
        "first_loss": curve[0][1],
        "last_loss": curve[-1][1],
        "notes": [
            texts.told,
            "The pairs are made: two texts each, every other one called the same.",
            f"{told_runs(timings)} Steps only: loading, looking back and writing are not counted.",
            "The limit counts the model's matrices in fp32, three passes a token.",
        ],
    }
    return report_of("train", pairs, machine, timings, limit_seconds=limit, quality=quality)


def _judged(bodies: Sequence[str], pairs: int) -> ScoredPairs:
    score = (np.arange(pairs) % 2).astype(np.float32)
    return ScoredPairs(tuple(bodies[:pairs]), tuple(bodies[pairs : 2 * pairs]), score)


def _still(options: TrainOptions) -> int:
    """Pairs of a batch that are held where they are."""
    return round(options.batch * options.hold)


def _lesson(
    learner: Any, data: ScoredPairs, background: Background, options: TrainOptions
) -> Measured:
    """Run the loop and time its steps from the end of the first, which warms up."""
    from core.training.encoder_pupil import EncoderPupil
    from core.training.fitting import fit
    from core.training.tasks import by_scores

    steps = fit(EncoderPupil(learner), by_scores(data, options), background)
    ends: dict[int, float] = {}
    try:
        while True:
            figures = dict(next(steps).figures)
            ends.setdefault(int(figures.get("step", 0)), time.perf_counter())
    except StopIteration as stop:
        fitted: Fitted = stop.value
    last = fitted.steps
    return Measured((ends[last] - ends[1]) * last / (last - 1), fitted)


def _tokens(learner: Any, data: ScoredPairs, background: Background, still: int) -> Steps[int]:
    """The tokens that all steps read: every judged pair once, and so many that are held."""
    table = yield from learner.tokenize((*data.left, *data.right))
    judged = int(table.lengths[table.rows((*data.left, *data.right))].sum())
    held = table.lengths[table.rows((*background.left, *background.right))]
    return judged + round(2 * float(held.mean()) * still)
