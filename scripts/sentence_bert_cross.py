"""Cross-encoder against encoder: both learn from the same pairs and are tested on the same ones.

STS Benchmark by its own sides; BWS in-topic at random as in Augmented SBERT (arXiv 2010.08240,
section 4.1: 2,471, 478 and 451 pairs); MRPC, of which only the training file is public here, split
by connected texts.
"""

import time
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from core.evaluation import average_precision, best_f1, spearman
from core.evaluation.thresholds import apply_threshold
from core.examples import ScoredPairs, disjoint, random_sides, read_pairs, split
from core.folders import encoder_folder
from core.options import TrainOptions
from core.progress import run_to_end
from core.training.cross_learner import load_cross_learner
from core.training.cross_pupil import CrossPupil, cross_stage
from core.training.encoder_pupil import EncoderPupil
from core.training.fitting import fit
from core.training.learner import load_learner
from core.training.pupil import Pupil
from core.training.repooling import repooled

_BWS = (2_471, 478, 451)
_WATCHED = 300  # pairs of dev that are looked at on the way
_QUICK = 96


@dataclass(frozen=True, slots=True)
class Sides:
    """The pairs that teach, choose and test."""

    train: ScoredPairs
    dev: ScoredPairs
    test: ScoredPairs

    @property
    def is_labelled(self) -> bool:
        return self.test.is_labelled


@dataclass(frozen=True, slots=True)
class CrossRun:
    """One training of an encoder or a cross-encoder and its test."""

    data: str  # "stsb", "mrpc" or "bws"
    kind: str  # "encoder" or "cross-encoder"
    epochs: int
    rate: float
    seed: int = 0

    @property
    def name(self) -> str:
        settings = f"epochs={self.epochs} rate={self.rate:g} seed={self.seed}"
        return f"{self.kind} on {self.data} {settings}"


def load_sides(folder: Path, data: str, *, quick: bool = False) -> Sides:
    """Read the sides of one data set; labels are scores of 0 and 1."""
    if data == "stsb":
        names = (folder / f"stsbenchmark/sts-{part}.csv" for part in ("train", "dev", "test"))
        sides = [_scored(name) for name in names]
    elif data == "bws":
        pairs = _scored(folder / "bws/BWS_corpus.csv.gz")
        sides = [pairs.rows(rows) for rows in random_sides(pairs, _BWS, seed=0)]
    else:
        pairs = _scored(folder / "mrpc/msr_paraphrase_train.txt")
        parts = split(pairs, share=0.3, seed=0)
        others = pairs.rows(parts.held)
        halves = split(others, share=0.5, seed=0)
        sides = [pairs.rows(parts.train), others.rows(halves.train), others.rows(halves.held)]
    if quick:
        sides = [side.rows(np.arange(_QUICK)) for side in sides]
    return Sides(*sides)


def perform_cross(
    run: CrossRun, sides: Sides
) -> tuple[dict[str, Any], dict[str, NDArray[np.float32]]]:
    """Train and test once; return figures with all settings, and the scores of dev and test."""
    started = time.monotonic()
    figure = average_precision if sides.is_labelled else spearman
    some = np.random.default_rng(0).permutation(len(sides.dev))[:_WATCHED]
    pupil = _pupil(run)
    options = TrainOptions(epochs=run.epochs, rate=run.rate, hold=0.0, seed=run.seed)
    fitted = run_to_end(
        fit(
            pupil,
            cross_stage(sides.train, options),
            held=sides.dev.rows(np.sort(some)),
            figure=figure,
        )
    )
    trained = time.monotonic() - started
    scores = {}
    for name, side in (("dev", sides.dev), ("test", sides.test)):
        run_to_end(pupil.read(text for column in side.columns for text in column))
        scores[name] = run_to_end(pupil.scores(side.columns))
    apart = disjoint(sides.train, sides.test)
    row: dict[str, Any] = {
        "seed": run.seed,
        "epochs": run.epochs,
        "rate": run.rate,
        "pairs": [len(sides.train), len(sides.dev), len(sides.test)],
        "apart": len(apart),
        "dev": figure(sides.dev.score, scores["dev"]),
        "test": figure(sides.test.score, scores["test"]),
        "test_apart": figure(sides.test.score[apart], scores["test"][apart]),
        "steps": fitted.steps,
        "step_kept": fitted.step,
        "held_curve": fitted.held_curve,
        "train_seconds": trained,
        "seconds": time.monotonic() - started,
        "threads": torch.get_num_threads(),
        "versions": {name: version(name) for name in ("torch", "transformers", "numpy")},
    }
    if sides.is_labelled:
        threshold = best_f1(sides.dev.score, scores["dev"]).threshold
        f1 = apply_threshold(sides.test.score, scores["test"], threshold).f1
        row |= {"threshold": threshold, "f1": f1}
    return row, scores


def _pupil(run: CrossRun) -> Pupil:
    if run.kind == "encoder":
        return EncoderPupil(repooled(load_learner(encoder_folder(), device="cpu"), "mean"))
    return CrossPupil(load_cross_learner(encoder_folder(), device="cpu", seed=run.seed))


def _scored(file: Path) -> ScoredPairs:
    pairs = read_pairs(file)
    gold: NDArray[np.float32] = pairs.gold.astype(np.float32)
    return ScoredPairs(pairs.left, pairs.right, gold)
