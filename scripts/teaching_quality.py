"""What teaching does to an encoder: `python scripts/teaching_quality.py stsb|qqp --to FILE.json`.

Reads the evaluation data named by SAMESENSE_DATA and writes each result to FILE.json as it
comes; a second run goes on where the first ended. At the end it prints the Markdown rows.

stsb: train on the train split of STS Benchmark, choose the weights on dev, test once a seed.
qqp: one half of the question pairs is for deciding, the other for judging, no text in both. Of
the first, 200 pairs drawn at random are decided as their gold says and taught as the window
would; the other half tells average precision before and after.
"""

import argparse
import json
import os
import sys
import tempfile
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.encoders import load_encoder
from core.evaluation import average_precision, pair_scores, spearman
from core.evaluation.comparing import compare
from core.examples import PairSet, ScoredPairs, components, read_pairs, split
from core.folders import encoder_folder
from core.options import TrainOptions
from core.progress import Outcome, Progress, Steps, run_to_end
from core.training import (
    Trained,
    by_scores,
    by_scores_alone,
    random_pairs,
    teach,
    train,
)
from core.training.tasks import gold_of

_DECISIONS = 200
_WATCHED = 400  # pairs of dev that are looked at on the way
_TOLD_EVERY = 25  # steps


def main() -> None:
    asked = _asked()
    data = Path(os.environ["SAMESENSE_DATA"])
    results: dict[str, Any] = json.loads(asked.to.read_text()) if asked.to.exists() else {}
    measure = _stsb if asked.what == "stsb" else _qqp
    for seed in asked.seeds:
        name = f"{asked.what} seed={seed} {_setting(asked)}"
        if name not in results:
            results[name] = measure(data, asked, seed)
            asked.to.write_text(json.dumps(results, indent=1))
    rows = [found for name, found in results.items() if name.startswith(asked.what)]
    sys.stdout.write("\n".join((_stsb_rows if asked.what == "stsb" else _qqp_rows)(rows)) + "\n")


def _asked() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0] if __doc__ else "")
    parser.add_argument("what", choices=("stsb", "qqp"))
    parser.add_argument("--to", type=Path, required=True)
    parser.add_argument("--seeds", type=int, nargs="+", default=None)
    parser.add_argument("--epochs", type=int, default=None)
    parser.add_argument("--rate", type=float, default=TrainOptions().rate)
    parser.add_argument("--hold", type=float, default=TrainOptions().hold)
    asked = parser.parse_args()
    asked.seeds = asked.seeds or list(range(3 if asked.what == "stsb" else 5))
    return asked


def _setting(asked: argparse.Namespace) -> str:
    return f"epochs={asked.epochs} rate={asked.rate} hold={asked.hold}"


def _stsb(data: Path, asked: argparse.Namespace, seed: int) -> dict[str, Any]:
    sets = {part: read_pairs(data / f"stsbenchmark/sts-{part}.csv") for part in _PARTS}
    dev = _train_data(sets["dev"])
    watched = np.random.default_rng(0).permutation(len(dev))[:_WATCHED]
    taught = _train_data(sets["train"])
    background = random_pairs(list(dict.fromkeys((*taught.left, *taught.right))), seed=seed)
    with tempfile.TemporaryDirectory() as scratch:
        trained = _to_end(
            train(
                encoder_folder(),
                (by_scores(taught, _options(asked, seed)),),
                background,
                Path(scratch) / "taught",
                held=dev.rows(watched),
                figure=spearman,
            )
        )
        after = {part: _cosines(trained.folder, sets[part]) for part in ("dev", "test")}
    before = {
        part: _cached(
            asked.to.with_suffix(f".stsb-{part}-before.npy"),
            encoder_folder(),
            _train_data(sets[part]),
        )
        for part in ("dev", "test")
    }
    gold = sets["test"]
    difference = run_to_end(
        compare(
            gold.gold,
            before["test"],
            after["test"],
            components(gold.left, gold.right),
            figure=spearman,
        )
    )
    return {
        **_told(trained, seed, asked),
        "dev_before": spearman(sets["dev"].gold, before["dev"]),
        "dev_after": spearman(sets["dev"].gold, after["dev"]),
        **asdict(difference),
    }


def _qqp(data: Path, asked: argparse.Namespace, seed: int) -> dict[str, Any]:
    pairs = read_pairs(data / "qqp/dev.tsv.gz")
    everything = _train_data(pairs)
    halves = split(everything, share=0.5, seed=0)
    deciding, judging = everything.rows(halves.train), everything.rows(halves.held)
    drawn = np.random.default_rng(seed).permutation(len(deciding))[:_DECISIONS]
    decided = deciding.rows(np.sort(drawn))
    corpus = list(dict.fromkeys((*deciding.left, *deciding.right)))
    background = random_pairs(corpus, count=4_000, seed=seed)
    before = _cached(asked.to.with_suffix(".qqp-before.npy"), encoder_folder(), judging)
    with tempfile.TemporaryDirectory() as scratch:
        taught = _to_end(
            teach(
                encoder_folder(),
                by_scores_alone(decided, _options(asked, seed), background),
                Path(scratch) / "taught",
                figure_of=lambda _watched: average_precision,
            )
        )
        after = _cosines(taught.trained.folder, judging)
    difference = run_to_end(
        compare(
            judging.score,
            before,
            after,
            halves.groups[halves.held],
            figure=average_precision,
        )
    )
    told = _told(taught.trained, seed, asked)
    if taught.judged is not None:
        own = taught.judged
        told["own_pairs"] = len(own)
        told["own_before"] = average_precision(gold_of(own.examples), own.before)
        told["own_after"] = average_precision(gold_of(own.examples), own.after)
    return {**told, **asdict(difference), "same_mean": _means(judging, before, after, 1)} | {
        "different_mean": _means(judging, before, after, 0)
    }


_PARTS = ("train", "dev", "test")


def _means(
    pairs: ScoredPairs, before: NDArray[np.float32], after: NDArray[np.float32], label: int
) -> list[float]:
    rows = pairs.score == label
    return [float(before[rows].mean()), float(after[rows].mean())]


def _options(asked: argparse.Namespace, seed: int) -> TrainOptions:
    return TrainOptions(epochs=asked.epochs, rate=asked.rate, hold=asked.hold, seed=seed)


def _told(trained: Trained, seed: int, asked: argparse.Namespace) -> dict[str, Any]:
    fitted = trained.fitted
    moved = fitted.still_after - fitted.still_before
    return {
        "seed": seed,
        "epochs": trained.epochs[0],
        "rate": asked.rate,
        "hold": asked.hold,
        "steps": fitted.steps,
        "step_kept": fitted.step,
        "stopped": fitted.stopped,
        "seconds": trained.seconds,
        "held_curve": fitted.held_curve,
        "random_before": float(fitted.still_before.mean()),
        "random_after": float(fitted.still_after.mean()),
        "random_moved": float(np.abs(moved).mean()),
    }


def _train_data(pairs: PairSet) -> ScoredPairs:
    return ScoredPairs(pairs.left, pairs.right, pairs.gold.astype(np.float32))


def _cached(file: Path, folder: Path, pairs: ScoredPairs) -> NDArray[np.float32]:
    if not file.exists():
        np.save(file, _cosines(folder, pairs))
    cosines: NDArray[np.float32] = np.load(file)
    return cosines


def _cosines(folder: Path, pairs: PairSet | ScoredPairs) -> NDArray[np.float32]:
    texts = list(dict.fromkeys((*pairs.left, *pairs.right)))
    places = {text: place for place, text in enumerate(texts)}
    vectors = load_encoder(folder).encode(texts).vectors
    return pair_scores(
        vectors[[places[text] for text in pairs.left]],
        vectors[[places[text] for text in pairs.right]],
    )


def _to_end(steps: Steps[Outcome]) -> Outcome:
    return run_to_end(steps, _tell)


def _tell(progress: Progress) -> None:
    if progress.done % _TOLD_EVERY == 0 and progress.figures:
        figures = " ".join(f"{name}={value:.4g}" for name, value in progress.figures)
        sys.stderr.write(f"{progress.title} {progress.done}/{progress.total} {figures}\n")


def _stsb_rows(rows: list[dict[str, Any]]) -> list[str]:
    lines = [
        "| seed | epochs | rate | hold | dev before → after | test before | test after "
        "| change, 95 % | random pairs moved |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for row in rows:
        lines.append(
            f"| {row['seed']} | {row['epochs']} | {row['rate']:g} | {row['hold']} "
            f"| {row['dev_before']:.4f} → {row['dev_after']:.4f} | {row['before']:.4f} "
            f"| {row['after']:.4f} | {_interval(row)} | {row['random_moved']:.3f} |"
        )
    after = [row["after"] for row in rows]
    spread = np.std(after, ddof=1) if len(after) > 1 else 0.0
    return [*lines, f"Test Spearman over {len(after)} seeds: {np.mean(after):.4f} ± {spread:.4f}"]


def _qqp_rows(rows: list[dict[str, Any]]) -> list[str]:
    lines = [
        "| seed | epochs | rate | hold | before | after | change, 95 % "
        "| own held-out pairs said | random pairs: mean before → after, moved |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for row in rows:
        lines.append(
            f"| {row['seed']} | {row['epochs']} | {row['rate']:g} | {row['hold']} "
            f"| {row['before']:.4f} | {row['after']:.4f} | {_interval(row)} "
            f"| {row.get('own_after', 0) - row.get('own_before', 0):+.4f} "
            f"| {row['random_before']:.3f} → {row['random_after']:.3f}, {row['random_moved']:.3f} |"
        )
    changes = [row["after"] - row["before"] for row in rows]
    return [*lines, f"Mean change over {len(changes)} repeats: {np.mean(changes):+.4f}"]


def _interval(row: dict[str, Any]) -> str:
    return f"{row['after'] - row['before']:+.4f} ({row['low']:+.4f} to {row['high']:+.4f})"


if __name__ == "__main__":
    main()
