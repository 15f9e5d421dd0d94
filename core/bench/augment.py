"""The in-domain recipe of Augmented SBERT, step for step, beside a peer's classes.

Four steps (arXiv 2010.08240, section 3.1): a cross-encoder learns the gold pairs, new pairs are
chosen by BM25, the cross-encoder labels them, and the encoder learns gold and silver. The pairs are
chosen once and are the same for every side; choosing them is told apart.
"""

import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from core.augmentation import joined
from core.bench.asked import Asked
from core.bench.augment_peers import Recipe, peer_recipes
from core.bench.encode import model_shapes
from core.bench.interleave import Measured, interleave, told_runs
from core.bench.machine import gemm_seconds, measure_machine
from core.bench.report import Report, report_of
from core.bench.train import judged_pairs
from core.cross import load_cross_encoder
from core.evaluation import spearman
from core.examples import ScoredPairs
from core.folders import encoder_folder
from core.options import TrainOptions
from core.progress import Progress, Steps, run_to_end
from core.sampling import sample_bm25

_TOP_K = 3
_STEPS = ("cross-encoder", "labels", "encoder")
_PASSES = 3  # forward, and twice as much backward
_CROSS_RATE = 1e-4  # a head that was drawn at random wants more than an encoder


def bench_augment(asked: Asked) -> Steps[Report]:
    """Time one epoch of each training and the labelling in between; texts in, weights out."""
    machine = yield from measure_machine()
    gold, dev, told = yield from judged_pairs(asked)
    texts = tuple(dict.fromkeys((*gold.left, *gold.right)))
    place = {text: number for number, text in enumerate(texts)}
    known = np.array(
        [(place[left], place[right]) for left, right in zip(*gold.columns, strict=True)], np.int64
    )
    begun = time.perf_counter()
    found = yield from sample_bm25(texts, known, top_k=_TOP_K)
    choosing = time.perf_counter() - begun
    left, right = (tuple(texts[at] for at in column.tolist()) for column in found.T)
    recipe = Recipe(
        encoder_folder(asked.encoder), gold, (left, right), dev,
        TrainOptions(epochs=1, hold=0, rate=_CROSS_RATE, seed=asked.seed),
        TrainOptions(epochs=1, hold=0, seed=asked.seed),
    )  # fmt: skip  # what is learnt from, then how
    sides: dict[str, Callable[[], Measured]] = {"Samesense": lambda: _ours(recipe)}
    notes = [told]
    if asked.peers:
        theirs, said = peer_recipes(recipe, machine)
        sides |= theirs
        notes += said
    timings = yield from interleave(sides, title="Augmenting", repeats=asked.repeats)
    yield Progress("Comparing")
    ours = timings["Samesense"]
    quality: dict[str, Any] = {
        "gold": len(gold), "silver": len(found), "held_out": len(dev),
        "choosing_seconds": choosing, "steps": list(_STEPS),
        "step_seconds": {name: one.outcome["seconds"] for name, one in timings.items()},
        "dev": {name: one.outcome["dev"] for name, one in timings.items()},
        "notes": [
            *notes, told_runs(timings),
            f"One epoch of each training, batch {recipe.pupil.batch}, one order of each pair, "
            "warm-up over a tenth, linear decay, nothing held still. Loading is not counted, "
            f"tokenizing is. New pairs: BM25, {_TOP_K} for each text, chosen once for all sides.",
        ],
    }  # fmt: skip  # names and figures
    peers = {name: one for name, one in timings.items() if name != "Samesense"}
    if peers:
        best = min(peers, key=lambda name: peers[name].seconds)
        quality |= {
            "best_peer": best, "share_of_best_peer": ours.seconds / peers[best].seconds,
        }  # fmt: skip  # two
    yield Progress("Measuring the limit")
    tokens = yield from _tokens(recipe)
    limit = gemm_seconds(model_shapes(recipe.folder), rows=tokens, precision=_precision(recipe))
    return report_of("augment", len(gold), machine, timings, limit_seconds=limit, quality=quality)


def _tokens(recipe: Recipe) -> Steps[int]:
    """The tokens that all steps read, a step of training three times."""
    from core.training.learner import load_learner

    learner = load_learner(recipe.folder)
    texts = {*recipe.gold.left, *recipe.gold.right, *recipe.silver[0], *recipe.silver[1]}
    table = yield from learner.tokenize(texts)

    def read(*columns: tuple[str, ...]) -> int:
        return sum(int(table.lengths[table.rows(column)].sum()) for column in columns)

    gold, silver = read(*recipe.gold.columns), read(*recipe.silver)
    # Both texts of a pair read together share one of the four special tokens.
    together = gold - len(recipe.gold), silver - len(recipe.silver[0])
    return _PASSES * together[0] + together[1] + _PASSES * (gold + silver)


def _precision(recipe: Recipe) -> str:
    from core.training.learner import load_learner

    return str(load_learner(recipe.folder, options=recipe.pupil).passes.precision)


def _ours(recipe: Recipe) -> Measured:
    from core.training.cross_learner import load_cross_learner
    from core.training.cross_pupil import CrossPupil, cross_stage
    from core.training.cross_writing import write_cross_encoder
    from core.training.encoder_pupil import EncoderPupil
    from core.training.fitting import fit
    from core.training.learner import load_learner
    from core.training.tasks import by_scores

    seconds: list[float] = []
    teacher = CrossPupil(load_cross_learner(recipe.folder, seed=recipe.teacher.seed))
    begun = time.perf_counter()
    run_to_end(fit(teacher, cross_stage(recipe.gold, recipe.teacher)))
    seconds.append(time.perf_counter() - begun)
    with tempfile.TemporaryDirectory(prefix="samesense-bench-") as home:
        to = Path(home) / "teacher"
        run_to_end(write_cross_encoder(teacher.learner.parts, to, record={}))
        cross = load_cross_encoder(to)
        begun = time.perf_counter()
        labels = cross.score(list(zip(*recipe.silver, strict=True)))
        seconds.append(time.perf_counter() - begun)
    silver = ScoredPairs(*recipe.silver, np.clip(labels, 0, 1).astype(np.float32))
    pupil = EncoderPupil(load_learner(recipe.folder, options=recipe.pupil))
    begun = time.perf_counter()
    run_to_end(fit(pupil, by_scores(joined(recipe.gold, silver), recipe.pupil)))
    seconds.append(time.perf_counter() - begun)
    run_to_end(pupil.read(text for side in recipe.dev.columns for text in side))
    dev = float(spearman(recipe.dev.score, run_to_end(pupil.scores(recipe.dev.columns))))
    return Measured(sum(seconds), {"seconds": seconds, "dev": dev})
