"""One run of the experiments of Sentence-BERT: its settings, its training, its figures."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from core.evaluation import average_precision, spearman
from core.examples import (
    Examples,
    LabelledPairs,
    ScoredPairs,
    disjoint,
    read_examples,
    read_line_files,
    split,
)
from core.folders import encoder_folder
from core.options import TrainOptions
from core.progress import Progress, Steps, run_to_end
from core.training.encoder_pupil import EncoderPupil
from core.training.fitted import Fitted
from core.training.fitting import fit
from core.training.learner import load_learner
from core.training.repooling import repooled
from core.training.tasks import Stage, Task

_LABELS = ("contradiction", "entailment", "neutral")
_SNLI_JUDGING = 0.2  # of its pairs
_WATCHED = 300  # pairs of dev that are looked at on the way
_JUDGED_LABELS = 500  # pairs of SNLI that judge
_QUICK = 96  # pairs of everything, to see that it runs
_VERSIONS = ("torch", "transformers", "numpy")


@dataclass(frozen=True, slots=True)
class Part:
    """What one task of a stage learns from."""

    data: str  # "stsb" or "snli"
    count: int | None = None  # so many, drawn by the seed; None: all
    concatenation: str = "sides+difference"


@dataclass(frozen=True, slots=True)
class Learnt:
    """One stage."""

    parts: tuple[Part, ...]
    epochs: int
    rate: float
    chooses: bool = True  # the best look at dev stays, else the last weights


@dataclass(frozen=True, slots=True)
class Run:
    """One training and its test."""

    name: str
    stages: tuple[Learnt, ...]
    seed: int = 0
    pooling: str = "mean"


@dataclass(frozen=True, slots=True)
class Data:
    """Every side of the data sets."""

    train: ScoredPairs
    dev: ScoredPairs
    test: ScoredPairs
    apart: NDArray[np.int64]  # test pairs whose texts are not in train
    labelled: LabelledPairs  # SNLI to learn from
    judging: ScoredPairs  # SNLI to judge by: entailment 1, contradiction 0
    notes: tuple[str, ...]


def load_data(folder: Path, *, quick: bool) -> Data:
    """Read the sides of STS Benchmark, and SNLI's dev pairs that share no text with its tests."""
    sets: dict[str, Any] = {
        part: read_examples(folder / f"stsbenchmark/sts-{part}.csv", scale=(0, 5)).examples
        for part in ("train", "dev", "test")
    }
    if quick:
        sets = {part: pairs.rows(np.arange(_QUICK)) for part, pairs in sets.items()}
    files = {"left": "s1.dev.gz", "right": "s2.dev.gz", "label": "labels.dev"}
    named = {role: folder / "snli" / name for role, name in files.items()}
    snli: Any = read_line_files(named, labels=_LABELS).examples
    free = np.intersect1d(disjoint(sets["dev"], snli), disjoint(sets["test"], snli))
    everything = snli.rows(free)
    sides = split(everything, share=_SNLI_JUDGING, seed=0)
    labelled = everything.rows(sides.train)
    if quick:
        labelled = labelled.rows(np.arange(_QUICK))
    apart = disjoint(sets["train"], sets["test"])
    notes = (
        f"{len(apart)} of {len(sets['test'])} test pairs share no text with train",
        f"{len(everything)} of {len(snli)} pairs of SNLI share no text with dev and test; "
        f"{len(sides.train)} to learn from, {len(sides.held)} to judge by {sides.note}".strip(),
    )
    judging = _contrasts(everything.rows(sides.held), _QUICK if quick else _JUDGED_LABELS)
    return Data(**sets, apart=apart, labelled=labelled, judging=judging, notes=notes)


def perform(run: Run, data: Data) -> tuple[dict[str, Any], dict[str, NDArray[np.float32]]]:
    """Train and test once; return figures with all settings, and the cosines of dev and test."""
    started = time.monotonic()
    torch.manual_seed(run.seed)
    pupil = EncoderPupil(repooled(load_learner(encoder_folder(), device="cpu"), run.pooling))
    fitted = [_learn(pupil, stage, data, run.seed, at) for at, stage in enumerate(run.stages)]
    trained = time.monotonic() - started
    scores = run_to_end(_scored(pupil, data))
    row = {
        "seed": run.seed,
        "pooling": run.pooling,
        "stages": [_told(stage, after) for stage, after in zip(run.stages, fitted, strict=True)],
        "dev": spearman(data.dev.score, scores["dev"]),
        "test": spearman(data.test.score, scores["test"]),
        "test_apart": spearman(data.test.score[data.apart], scores["test"][data.apart]),
        "snli_average_precision": average_precision(data.judging.score, scores["snli"]),
        "train_seconds": trained,
        "seconds": time.monotonic() - started,
        "threads": torch.get_num_threads(),
        "versions": {name: version(name) for name in _VERSIONS},
    }
    return row, scores


def _learn(pupil: EncoderPupil, stage: Learnt, data: Data, seed: int, number: int) -> Fitted:
    tasks = tuple(_task(part, data, seed) for part in stage.parts)
    options = TrainOptions(epochs=stage.epochs, rate=stage.rate, hold=0.0, seed=seed)
    watched = None
    if stage.chooses:
        some = np.random.default_rng(0).permutation(len(data.dev))[:_WATCHED]
        watched = data.dev.rows(np.sort(some))
    steps = fit(
        pupil,
        Stage(tasks, options),
        held=watched,
        figure=spearman if stage.chooses else None,
        choose=stage.chooses,
        number=number,
    )
    return run_to_end(steps)


def _task(part: Part, data: Data, seed: int) -> Task:
    examples: ScoredPairs | LabelledPairs = data.train if part.data == "stsb" else data.labelled
    if part.count is not None:
        drawn = np.random.default_rng(seed).permutation(len(examples))[: part.count]
        examples = examples.rows(np.sort(drawn))
    if part.data == "stsb":
        return Task("regression", examples)
    return Task("classification", examples, {"concatenation": part.concatenation})


def _scored(pupil: EncoderPupil, data: Data) -> Steps[dict[str, NDArray[np.float32]]]:
    sides: dict[str, Examples] = {"dev": data.dev, "test": data.test, "snli": data.judging}
    columns = [column for side in sides.values() for column in side.columns]
    yield from pupil.read(text for column in columns for text in column)
    found = {}
    for name, side in sides.items():
        found[name] = yield from pupil.scores(side.columns)
        yield Progress("Testing")
    return found


def _contrasts(pairs: LabelledPairs, most: int) -> ScoredPairs:
    neutral = pairs.names.index("neutral")
    rows = np.flatnonzero(pairs.label != neutral)
    rows = np.sort(np.random.default_rng(0).permutation(rows)[:most])
    some = pairs.rows(rows)
    score = (some.label == some.names.index("entailment")).astype(np.float32)
    return ScoredPairs(some.left, some.right, score)


def _told(stage: Learnt, fitted: Fitted) -> dict[str, Any]:
    return {
        "data": [f"{part.data} {part.count or 'all'} {_objective(part)}" for part in stage.parts],
        "epochs": stage.epochs,
        "rate": stage.rate,
        "hold": 0.0,
        "batch": TrainOptions().batch,
        "chooses": stage.chooses,
        "steps": fitted.steps,
        "step_kept": fitted.step,
        "stopped": fitted.stopped,
        "held_curve": fitted.held_curve,
        "loss_first_and_last": _ends(fitted.curve),
    }


def _objective(part: Part) -> str:
    return "regression" if part.data == "stsb" else f"classification({part.concatenation})"


def _ends(curve: Sequence[tuple[int, float]]) -> list[float]:
    """Return the mean loss of the first and of the last tenth of the steps."""
    losses = [loss for _, loss in curve]
    some = max(1, len(losses) // 10)
    return [float(np.mean(losses[:some])), float(np.mean(losses[-some:]))] if losses else []
