"""One run of the experiments of Augmented SBERT: a teacher, or an encoder taught by silver."""

import time
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from core.cross.loading import load_cross_encoder
from core.evaluation import (
    apply_threshold,
    area_under_roc,
    average_precision,
    best_f1,
    majority,
    spearman,
)
from core.evaluation.baselines import jaccard
from core.examples import ScoredPairs
from core.folders import encoder_folder
from core.options import TrainOptions
from core.progress import run_to_end
from core.sampling import (
    Pairs,
    fresh,
    keep_ratio,
    sample_bm25,
    sample_random,
    sample_semantic,
    thin,
)
from core.training.cross_learner import load_cross_learner
from core.training.cross_pupil import CrossPupil, both_ways, cross_stage
from core.training.cross_writing import write_cross_encoder
from core.training.encoder_pupil import EncoderPupil
from core.training.fitting import fit
from core.training.learner import load_learner
from core.training.pupil import Pupil
from core.training.repooling import repooled
from scripts.augmented_sbert_data import Sides, texts_of
from scripts.augmented_sbert_plan import SEEDS, Run, teachers

Scores = NDArray[np.float32]
TEACHERS = ("cross-encoder", "encoders", "both")
POOL = 60_000  # random pairs that are scored before some are kept by their scores
_TOP_K = 5
_WATCHED = 300  # pairs of dev that are looked at on the way


def perform(
    run: Run, sides: Sides, found: Mapping[str, Any], scores: Path
) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """Train and test once; return figures with all settings, and arrays to keep.

    A pupil keeps the vectors of all texts that new pairs are made of, a cross-encoder its weights.
    """
    started = time.monotonic()
    if run.kind == "in-domain":
        if sides.own is None:
            raise ValueError("only a split of two sets has a bound")
        return _performed(run, sides.own, sides, started)
    if run.kind in ("base", "pupil", "cross-encoder"):
        return _performed(run, sides.train, sides, started, scores)
    silver, told = silver_of(run, sides, found, scores)
    gold = _times(sides.train, max(1, run.epochs // 2))
    learnt = silver if sides.own is not None else _joined(gold, silver)
    row, kept = _performed(run, learnt, sides, started, silver=True)
    edges = np.histogram(silver.score, bins=10, range=(0, 1))[0].tolist()
    told |= {
        "silver": len(silver),
        "silver_bands": edges,
        "silver_mean": float(silver.score.mean()),
    }
    return row | told, kept


def silver_of(
    run: Run, sides: Sides, found: Mapping[str, Any], scores: Path
) -> tuple[ScoredPairs, dict[str, Any]]:
    """Choose new pairs and let the teacher label them; as many as make the steps of gold alone."""
    texts = sides.texts
    place = {text: number for number, text in enumerate(texts)}
    known = np.array(
        [
            (place[left], place[right])
            for left, right in zip(*sides.train.columns, strict=True)
            if left in place and right in place
        ],
        np.int64,
    ).reshape(-1, 2)
    vectors = [np.load(scores / f"{one.name} vectors.npy") for one in _pupils(run, found)]
    most = len(sides.train) * max(1, run.epochs // 2)
    name, figures = best_teacher(run.split, sides, found, scores)
    teacher = name if run.teacher == "best" else run.teacher
    some = _sampled(run, texts, known, vectors[0], most)
    started = time.monotonic()
    labels = _labels(teacher, run, sides, some, vectors, found, scores)
    told = {
        "teacher": teacher,
        "teachers": figures,
        "scored": len(some),
        "labelling_seconds": time.monotonic() - started,
        "ks_of_pool": _distance(sides.train.score, labels),
    }
    if run.kind == "kde":
        kept = _kept(sides.train, labels, most, run.seed)
        some, labels = some[kept], labels[kept]
    told["ks"] = _distance(sides.train.score, labels)
    left, right = (tuple(texts[at] for at in column.tolist()) for column in some.T)
    return ScoredPairs(left, right, labels), told


def best_teacher(
    split: str, sides: Sides, found: Mapping[str, Any], scores: Path
) -> tuple[str, dict[str, float]]:
    """Return which teacher is best on dev, and the figures of all, of a single pupil too."""
    columns = teacher_scores(split, "dev", found, scores)
    figure = figure_of(sides.dev)
    told = {name: figure(sides.dev.score, column) for name, column in columns.items()}
    return max(TEACHERS, key=lambda name: told[name]), told


def teacher_scores(
    split: str, side: str, found: Mapping[str, Any], scores: Path
) -> dict[str, Scores]:
    """Return the scores of all teachers, and of the first pupil, on "dev" or "test"."""
    *pupils, cross = teachers(split, found)
    of_pupils = [np.load(scores / f"{one.name} {side}.npy") for one in pupils]
    of_cross: Scores = np.load(scores / f"{cross.name} {side}.npy")
    mean = np.mean(of_pupils, axis=0)
    return {
        "pupil": of_pupils[0], "cross-encoder": of_cross, "encoders": mean,
        "both": (mean + of_cross) / 2,
    }  # fmt: skip  # one a teacher


def figure_of(pairs: ScoredPairs) -> Any:
    """Return what tells good from bad: average precision of labels, Spearman of scores."""
    return average_precision if pairs.is_labelled else spearman


def _pupils(run: Run, found: Mapping[str, Any]) -> list[Run]:
    return [one for one in teachers(run.split, found) if one.kind == "pupil"][: len(SEEDS)]


def _sampled(
    run: Run, texts: tuple[str, ...], known: Pairs, vectors: NDArray[np.float32], most: int
) -> Pairs:
    if run.kind == "kde":
        return sample_random(len(texts), known, count=POOL, seed=run.seed)
    if run.kind == "random":
        return sample_random(len(texts), known, count=most, seed=run.seed)
    if run.kind == "bm25":
        found = run_to_end(sample_bm25(texts, known, top_k=_TOP_K))
    else:
        cosines = vectors @ vectors.T
        np.fill_diagonal(cosines, -2)
        found = sample_semantic(np.argsort(-cosines, axis=1)[:, :_TOP_K], known, top_k=_TOP_K)
    drawn = np.random.default_rng(run.seed).permutation(len(found))[:most]
    return fresh(found[np.sort(drawn)], known, len(texts))


def _labels(
    teacher: str,
    run: Run,
    sides: Sides,
    pairs: Pairs,
    vectors: list[NDArray[np.float32]],
    found: Mapping[str, Any],
    scores: Path,
) -> Scores:
    left, right = pairs.T
    cosines = np.mean([np.einsum("ij,ij->i", one[left], one[right]) for one in vectors], axis=0)
    if teacher == "encoders":
        return _within(cosines)
    (cross,) = (one for one in teachers(run.split, found) if one.kind == "cross-encoder")
    told = load_cross_encoder(scores / f"{cross.name}.encoder", device="cpu", precision="fp32")
    texts = sides.texts
    both = [(texts[a], texts[b]) for a, b in pairs.tolist()]
    read = told.score(both, both_orders=True)
    if teacher == "both":
        read = (read + cosines) / 2
    return _within(read)


def _within(scores: NDArray[np.floating]) -> Scores:
    told: Scores = np.clip(scores, 0, 1).astype(np.float32)
    return told


def _kept(gold: ScoredPairs, labels: Scores, most: int, seed: int) -> NDArray[np.int64]:
    if not gold.is_labelled:
        return thin(gold.score, labels, most=most, seed=seed)
    of_gold, of_silver = ((one >= 0.5).astype(np.int64) for one in (gold.score, labels))
    return keep_ratio(of_gold, of_silver, most=most, seed=seed)


def _performed(
    run: Run,
    learnt: ScoredPairs,
    sides: Sides,
    started: float,
    scores: Path | None = None,
    *,
    silver: bool = False,
) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    figure = figure_of(sides.dev)
    some = np.random.default_rng(0).permutation(len(sides.dev))[:_WATCHED]
    epochs = 1 if silver and sides.own is None else run.epochs
    options = TrainOptions(epochs=epochs or 1, rate=run.rate or 1e-5, hold=0.0, seed=run.seed)
    pupil = _pupil(run)
    examples = both_ways(learnt) if isinstance(pupil, CrossPupil) else learnt
    watched = sides.dev.rows(np.sort(some))
    fitted = None
    if run.kind != "base":
        fitted = run_to_end(fit(pupil, cross_stage(examples, options), held=watched, figure=figure))
    trained = time.monotonic() - started
    kept: dict[str, NDArray[Any]] = {}
    for name, side in (("dev", sides.dev), ("test", sides.test)):
        run_to_end(pupil.read(text for column in side.columns for text in column))
        kept[name] = run_to_end(pupil.scores(side.columns))
    if run.kind == "pupil" and isinstance(pupil, EncoderPupil):
        kept["vectors"] = _vectors(pupil, sides.texts)
    if isinstance(pupil, CrossPupil) and scores is not None:
        folder = scores / f"{run.name}.encoder"
        run_to_end(write_cross_encoder(pupil.learner.parts, folder, record={}))
    row: dict[str, Any] = {
        "split": run.split, "kind": run.kind, "epochs": run.epochs, "rate": run.rate,
        "seed": run.seed, "pairs": [len(sides.train), len(sides.dev), len(sides.test)],
        "texts": len(sides.texts), "learnt": len(examples),
        "dev": figure(sides.dev.score, kept["dev"]), "test": figure(sides.test.score, kept["test"]),
        **_of_labels(sides, kept["dev"], kept["test"]),
        "steps": 0 if fitted is None else fitted.steps,
        "step_kept": 0 if fitted is None else fitted.step,
        "held_curve": [] if fitted is None else fitted.held_curve,
        "train_seconds": trained, "seconds": time.monotonic() - started,
        "threads": torch.get_num_threads(),
        "versions": {name: version(name) for name in ("torch", "transformers", "numpy")},
    }  # fmt: skip  # one figure after the other
    return row, kept


def _of_labels(sides: Sides, dev: Scores, test: Scores) -> dict[str, Any]:
    """Return what is told of yes and no: F1 at the threshold of dev, AUC(0.05), and baselines."""
    words = jaccard(texts_of(sides.test), *_places(sides.test))
    if not sides.test.is_labelled:
        return {"jaccard": spearman(sides.test.score, words)}
    threshold = best_f1(sides.dev.score, dev).threshold
    gold = sides.test.score
    return {
        "threshold": threshold,
        "f1": apply_threshold(gold, test, threshold).f1,
        "auc_005": area_under_roc(gold, test, most_false=0.05),
        "jaccard": average_precision(gold, words),
        "jaccard_auc_005": area_under_roc(gold, words, most_false=0.05),
        "majority": majority(gold.tolist(), learnt_from=sides.train.score.tolist()).accuracy,
    }


def _places(pairs: ScoredPairs) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    place = {text: number for number, text in enumerate(texts_of(pairs))}
    left, right = (np.array([place[text] for text in side], np.int64) for side in pairs.columns)
    return left, right


def _pupil(run: Run) -> Pupil:
    if run.kind == "cross-encoder":
        learner = load_cross_learner(encoder_folder(), device="cpu", seed=run.seed)
        return CrossPupil(learner, both_orders=True)
    return EncoderPupil(repooled(load_learner(encoder_folder(), device="cpu"), "mean"))


def _vectors(pupil: EncoderPupil, texts: tuple[str, ...]) -> NDArray[np.float32]:
    run_to_end(pupil.read(texts))
    return run_to_end(pupil.learner.unit_vectors(pupil.table, pupil.table.rows(texts)))


def _times(pairs: ScoredPairs, count: int) -> ScoredPairs:
    return ScoredPairs(pairs.left * count, pairs.right * count, np.tile(pairs.score, count))


def _joined(gold: ScoredPairs, silver: ScoredPairs) -> ScoredPairs:
    return ScoredPairs(
        gold.left + silver.left, gold.right + silver.right,
        np.concatenate((gold.score, silver.score)),
    )  # fmt: skip  # two columns and the scores


def _distance(gold: Scores, silver: Scores) -> float:
    """Return the Kolmogorov–Smirnov distance of two sets of scores."""
    everything = np.sort(np.concatenate((gold, silver)))
    shares = [
        np.searchsorted(np.sort(one), everything, "right") / len(one) for one in (gold, silver)
    ]
    return float(np.abs(shares[0] - shares[1]).max())
