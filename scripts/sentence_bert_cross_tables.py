"""The tables of cross-encoder against encoder, in Markdown."""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from core.evaluation import (
    compare,
    content_overlap,
    errors_by_overlap,
    overlap_markdown,
    spearman,
)
from core.evaluation.thresholds import apply_threshold
from core.examples import components
from core.progress import run_to_end
from scripts.sentence_bert_cross import CrossRun, Sides, load_sides
from scripts.sentence_bert_plan import CROSS, runs_of

_TITLES = {"stsb": "STS Benchmark", "mrpc": "MRPC", "bws": "BWS, in-topic"}
_PAPER = {
    "stsb": "Spearman, SBERT 84.67, cross-encoder 84.30",
    "mrpc": "F1, Augmented SBERT's split: SBERT 84.39, cross-encoder 89.00",
    "bws": "Spearman, SBERT 63.77, cross-encoder 66.54",
}


def cross_tables(found: Mapping[str, Any], scores: Path, *, quick: bool) -> Iterator[str]:
    """Yield the lines of the figures and, for each data set, of the errors by overlap."""
    yield "### Cross-encoder against encoder"
    yield ""
    runs = [run for run in runs_of("cross", found) if isinstance(run, CrossRun)]
    yield "| test | encoder | cross-encoder | difference (95 %) | pairs | paper |"
    yield "|---|---|---|---|---|---|"
    folder = Path(os.environ["SAMESENSE_DATA"])
    ready = {}
    for data in CROSS:
        own = [run for run in runs if run.data == data]
        if any(run.name not in found for run in own):
            yield f"| {_TITLES[data]} | … | … | … | … | {_PAPER[data]} |"
            continue
        ready[data] = load_sides(folder, data, quick=quick)
        yield _figures(data, own, found, scores, ready[data])
    for data, sides in ready.items():
        own = [run for run in runs if run.data == data]
        yield ""
        yield f"{_TITLES[data]}: {'share of wrong labels' if sides.is_labelled else 'rank error'}"
        yield ""
        yield from _errors(own, found, scores, sides)


def _figures(
    data: str, runs: list[CrossRun], found: Mapping[str, Any], scores: Path, sides: Sides
) -> str:
    before, after = (_scores(scores, run) for run in runs)
    groups = components(*sides.test.columns)
    if sides.is_labelled:
        encoder, cross = (float(found[run.name]["threshold"]) for run in runs)
        steps = compare(
            sides.test.score, before, after, groups,
            figure=lambda gold, some: apply_threshold(gold, some, encoder).f1,
            after_figure=lambda gold, some: apply_threshold(gold, some, cross).f1,
        )  # fmt: skip
    else:
        steps = compare(sides.test.score, before, after, groups, figure=spearman)
    told = run_to_end(steps)
    counts = " / ".join(f"{len(side):,}" for side in (sides.train, sides.dev, sides.test))
    low, high = (f"{value * 100:+.2f}" for value in (told.low, told.high))
    change = f"{told.change * 100:+.2f} ({low} to {high})".replace("-", "−")
    figures = f"{told.before * 100:.2f} | {told.after * 100:.2f}"
    return f"| {_TITLES[data]} | {figures} | {change} | {counts} | {_PAPER[data]} |"


def _errors(
    runs: list[CrossRun], found: Mapping[str, Any], scores: Path, sides: Sides
) -> Iterator[str]:
    test = sides.test
    thresholds = None
    if sides.is_labelled:
        thresholds = {run.kind: float(found[run.name]["threshold"]) for run in runs}
    table = errors_by_overlap(
        test.score,
        {run.kind: _scores(scores, run) for run in runs},
        content_overlap(test.left, test.right),
        components(*test.columns),
        labelled=sides.is_labelled,
        thresholds=thresholds,
    )
    yield overlap_markdown(table)


def _scores(scores: Path, run: CrossRun) -> np.ndarray[Any, np.dtype[np.float64]]:
    found: np.ndarray[Any, np.dtype[np.float64]] = np.load(scores / f"{run.name} test.npy")
    return found
