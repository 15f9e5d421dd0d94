"""Teaching an encoder: how many judged pairs it learns from in a second, beside a peer."""

import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from core.bench.asked import Asked
from core.bench.encode import model_shapes
from core.bench.interleave import Measured, Timing, interleave, told_runs
from core.bench.machine import Machine, gemm_seconds, measure_machine
from core.bench.report import Report, report_of
from core.bench.texts import bench_texts
from core.bench.train_peers import Lesson, peer_lessons
from core.encoders.precision import lacks_bf16
from core.errors import UserError
from core.evaluation import spearman
from core.examples import ScoredPairs, read_pairs
from core.folders import encoder_folder
from core.options import TrainOptions
from core.progress import Progress, Steps, run_to_end
from core.training import Background, random_pairs
from core.training.fitted import Fitted

_PASSES = 3  # forward, and twice as much backward
_HELD_OUT, _FEWEST_HELD_OUT, _MOST_HELD_OUT = 0.25, 20, 1_500  # pairs that judge both sides
_OWN_BF16 = "Samesense in bf16"
_CLOSE = 0.003  # of Spearman's correlation: 0.3 points


def bench_train(asked: Asked) -> Steps[Report]:
    """Time one epoch: the steps with pairs held still as in the product, or all beside a peer.

    With peers nothing is held still on either side, and tokenizing counts on both.
    """
    machine = yield from measure_machine()
    data, dev, told = yield from judged_pairs(asked)
    yield Progress("Loading the encoder")
    folder = encoder_folder(asked.encoder)
    if asked.peers:
        lesson = Lesson(folder, data, dev, TrainOptions(epochs=1, hold=0, seed=asked.seed))
        return (yield from _beside_peers(asked, machine, lesson, told))
    return (yield from _steps_alone(asked, machine, folder, data, told))


def _steps_alone(
    asked: Asked, machine: Machine, folder: Path, data: ScoredPairs, told: str
) -> Steps[Report]:
    from core.training.learner import load_learner

    options = TrainOptions(epochs=1, seed=asked.seed)
    background = random_pairs((*data.left, *data.right), count=2 * len(data), seed=asked.seed)
    learner = load_learner(folder)
    precision, weights = learner.passes.precision, learner.snapshot()

    def lesson() -> Measured:
        learner.restore(weights)
        return _lesson(learner, data, background, options)

    timings = yield from interleave({"Samesense": lesson}, title="Teaching", repeats=asked.repeats)
    fitted: Fitted = timings["Samesense"].outcome
    seconds = timings["Samesense"].seconds
    yield Progress("Measuring the limit")
    tokens = yield from _tokens(learner, data, background, fitted.steps * _still(options))
    limit = gemm_seconds(model_shapes(folder), rows=_PASSES * tokens, precision=precision)
    curve = fitted.curve
    quality: dict[str, Any] = {
        "seconds_per_step": seconds / fitted.steps,
        "steps": fitted.steps,
        "batch": options.batch,
        "held_still": _still(options),
        "first_loss": curve[0][1],
        "last_loss": curve[-1][1],
        "notes": [
            told,
            f"{told_runs(timings)} Steps only: loading, looking back and writing are not counted.",
            _told_limit(precision),
        ],
    }
    return report_of("train", len(data), machine, timings, limit_seconds=limit, quality=quality)


def _beside_peers(asked: Asked, machine: Machine, lesson: Lesson, told: str) -> Steps[Report]:
    from core.training.learner import load_learner

    options = lesson.options
    learner = load_learner(lesson.folder, options=options)
    precision = learner.passes.precision
    sides: dict[str, Callable[[], Measured]] = {"Samesense": _whole(learner, lesson, "auto")}
    if precision == "fp32" and not lacks_bf16("auto"):
        sides[_OWN_BF16] = _whole(learner, lesson, "bf16")
    theirs, said = peer_lessons(lesson, machine)
    sides |= theirs
    yield from _warm(learner, lesson)
    before = _judged(learner, lesson)
    timings = yield from interleave(sides, title="Teaching", repeats=asked.repeats)
    yield Progress("Measuring the limit")
    nothing = Background((), ())
    tokens = yield from _tokens(learner, lesson.data, nothing, 0)
    limit = gemm_seconds(model_shapes(lesson.folder), rows=_PASSES * tokens, precision=precision)
    quality: dict[str, Any] = {
        "precision": precision, "batch": options.batch, "rate": options.rate,
        "held_out": len(lesson.dev), "dev_before": before,
        "dev_ours": timings["Samesense"].outcome,
        **_beside(timings, theirs),
        "notes": [
            told, *said, told_runs(timings),
            f"One epoch, batch {options.batch}, rate {options.rate:g}, warm-up over a tenth of "
            "the steps, linear decay, AdamW with weight decay "
            f"{options.weight_decay:g}, clipped at 1; nothing is held still. Tokenizing counts.",
            _told_limit(precision),
        ],
    }  # fmt: skip  # names and figures
    own = timings.pop(_OWN_BF16, None)
    if own is not None:
        quality |= {"bf16_seconds": own.seconds, "dev_ours_bf16": own.outcome}
    return report_of(
        "train", len(lesson.data), machine, timings, limit_seconds=limit, quality=quality
    )


def _beside(timings: dict[str, Timing], theirs: dict[str, Any]) -> dict[str, Any]:
    """How we stand beside the fastest side of the peer, and how well each side learnt."""
    if not theirs:
        return {}
    best = min(theirs, key=lambda name: timings[name].seconds)
    ours = timings["Samesense"]
    figures = {name: timings[name].outcome for name in theirs}
    # Those in the precision and the order of batches that ours are nearest to.
    like = next(iter(theirs))
    return {
        "best_peer": best,
        "times_best_peer": timings[best].seconds / ours.seconds,
        "dev_peer": figures[like],
        "dev_peers": figures,
        "dev_is_close": abs(ours.outcome - figures[like]) <= _CLOSE,
    }


def judged_pairs(asked: Asked) -> Steps[tuple[ScoredPairs, ScoredPairs, str]]:
    """Return pairs to learn from, pairs to judge by, and where they are from."""
    rows = max(asked.rows, 2 * TrainOptions().batch)
    judge = int(np.clip(_HELD_OUT * rows, _FEWEST_HELD_OUT, _MOST_HELD_OUT))
    random = np.random.default_rng(asked.seed)
    data, told = _of_file(asked)
    if data is None:
        wanted = Asked(2 * (rows + judge), asked.files, asked.columns, seed=asked.seed)
        texts = yield from bench_texts(wanted)
        data = _made(texts.bodies, random)
        told = (
            f"{texts.told} The pairs are made: a text, and the same with a share of its words "
            "replaced by another's; the score is the share that stayed."
        )
    order = random.permutation(len(data))
    judge = min(judge, len(data) // 3)
    return data.rows(order[judge : judge + rows]), data.rows(order[:judge]), told


def _of_file(asked: Asked) -> tuple[ScoredPairs | None, str]:
    """The judged pairs of a file; none where it holds plain texts."""
    if len(asked.files) != 1 or asked.columns:
        return None, ""
    try:
        found = read_pairs(asked.files[0])
    except UserError:
        return None, ""
    data = ScoredPairs(found.left, found.right, found.gold.astype(np.float32))
    return data, f"{len(data):,} judged pairs of {asked.files[0].name}, drawn by the seed."


def _made(bodies: list[str], random: np.random.Generator) -> ScoredPairs:
    half = len(bodies) // 2
    share = random.random(half).astype(np.float32)
    right, score = [], []
    for text, other, kept in zip(bodies[:half], bodies[half : 2 * half], share, strict=True):
        words, others = text.split(), other.split()
        stays = random.random(len(words)) < kept
        strange = random.integers(0, len(others), len(words))
        right.append(
            " ".join(
                word if stay else others[at]
                for word, stay, at in zip(words, stays, strange, strict=True)
            )
        )
        score.append(stays.mean())
    return ScoredPairs(tuple(bodies[:half]), tuple(right), np.array(score, np.float32))


def _still(options: TrainOptions) -> int:
    """Pairs of a batch that are held where they are."""
    return round(options.batch * options.hold)


def _whole(learner: Any, lesson: Lesson, precision: str) -> Callable[[], Measured]:
    """Return our side: texts in, an encoder that has learnt them out; judged off the clock."""
    from core.training.encoder_pupil import EncoderPupil
    from core.training.fitting import fit
    from core.training.tasks import by_scores

    weights = learner.snapshot()
    stage = by_scores(lesson.data, replace(lesson.options, precision=precision))

    def train() -> Measured:
        learner.restore(weights)
        pupil = EncoderPupil(learner)
        begun = time.perf_counter()
        run_to_end(fit(pupil, stage))
        seconds = time.perf_counter() - begun
        return Measured(seconds, _judged(learner, lesson))

    return train


def _warm(learner: Any, lesson: Lesson) -> Steps[Any]:
    """Teach a few pairs and forget them again: what is only built at the first use is built."""
    from core.training.encoder_pupil import EncoderPupil
    from core.training.fitting import fit
    from core.training.tasks import by_scores

    weights = learner.snapshot()
    few = lesson.data.rows(np.arange(min(len(lesson.data), 2 * lesson.options.batch)))
    fitted = yield from fit(EncoderPupil(learner), by_scores(few, lesson.options))
    learner.restore(weights)
    return fitted


def _judged(learner: Any, lesson: Lesson) -> float:
    from core.training.encoder_pupil import EncoderPupil

    pupil = EncoderPupil(learner)
    run_to_end(pupil.read(text for side in lesson.dev.columns for text in side))
    learner.passes.precision = "fp32"  # as the peer's vectors, whatever it learnt in
    return float(spearman(lesson.dev.score, run_to_end(pupil.scores(lesson.dev.columns))))


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
    if not still:
        return judged
    held = table.lengths[table.rows((*background.left, *background.right))]
    return judged + round(2 * float(held.mean()) * still)


def _told_limit(precision: str) -> str:
    return f"The limit counts the model's matrices in {precision}, three passes a token."
