"""The tables of Sentence-BERT's experiments, in Markdown, with the published figures beside.

All figures are Spearman ×100 on STS Benchmark unless a table says otherwise.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.evaluation import aggregated, compare, compare_runs, spearman
from core.examples import components
from core.progress import run_to_end
from core.training.objectives.choices import CONCATENATIONS
from scripts.sentence_bert_cross_tables import cross_tables
from scripts.sentence_bert_plan import (
    GOLD,
    POOLINGS,
    SUBSET,
    alone,
    best_rate,
    labels_run,
    runs_of,
)
from scripts.sentence_bert_runs import Data, Run

_POOLED = {"mean": (80.78, 87.44), "cls": (79.80, 86.62), "max": (79.07, 69.92)}
_CONCATENATED = {
    "sides": 66.04, "difference": 69.78, "product": 70.54, "difference+product": 78.37,
    "sides+product": 77.44, "sides+difference": 80.78, "sides+difference+product": 80.44,
}  # fmt: skip  # the paper's ablation
_MISSING = "…"
_Found = Mapping[str, Any]


def tables(found: _Found, scores: Path, data: Data, *, quick: bool = False) -> str:
    """Return every table; what has not been run yet is a gap."""
    try:
        rate = best_rate(found)
    except KeyError:
        return "The rate is not chosen yet.\n"
    words = f"Chosen on dev: rate {rate:g}. {'. '.join(data.notes)}."
    sections = (
        _searched(found),
        _alone(found, scores, data),
        _gold(found),
        _pooling(found, rate),
        _concatenation(found, rate),
        _together(found, scores, data),
        cross_tables(found, scores, quick=quick),
    )
    return "\n\n".join((words, *("\n".join(lines) for lines in sections))) + "\n"


def _searched(found: _Found) -> Iterator[str]:
    yield "### The search"
    yield ""
    yield from _head("rate", "dev", "best of its steps", "seconds")
    for run in _runs("rates", found):
        row = found[run.name]
        stage = row["stages"][0]
        steps = f"{stage['step_kept']} of {stage['steps']}"
        yield _row(
            f"{stage['rate']:g}", _hundred(row["dev"]), steps,
            f"{row['seconds']:.0f}",
        )  # fmt: skip


def _alone(found: _Found, scores: Path, data: Data) -> Iterator[str]:
    yield "### STS Benchmark by regression"
    yield ""
    yield from _head("seed", "dev", "test before", "test", "change (95 %)", "texts not in train")
    before = _column(scores, "base mean")
    rows = []
    for run in _runs("stsb", found):
        row = found.get(run.name)
        if row is None:
            continue
        rows.append(row)
        change = run_to_end(
            compare(
                data.test.score, before, _column(scores, run.name),
                components(*data.test.columns), figure=spearman,
            )
        )  # fmt: skip
        yield _row(
            run.seed, _hundred(row["dev"]), _hundred(change.before), _hundred(change.after),
            _interval(change.change, change.low, change.high), _hundred(row["test_apart"]),
        )  # fmt: skip
    base = found["base mean"]
    yield _row(
        "as it comes", _hundred(base["dev"]), "", _hundred(base["test"]), "",
        _hundred(base["test_apart"]),
    )  # fmt: skip
    yield _row("mean", _mean(rows, "dev"), "", _mean(rows, "test"), "", _mean(rows, "test_apart"))
    yield _row("paper: SBERT-base", "", "", "84.67 ± 0.19", "", "")


def _gold(found: _Found) -> Iterator[str]:
    yield "### How the score grows with gold pairs"
    yield ""
    yield from _head("gold pairs", "epochs", "steps", "dev", "test", "texts not in train")
    base = found["base mean"]
    yield _row(0, "", 0, *(_hundred(base[side]) for side in ("dev", "test", "test_apart")))
    names = [run.name for one in ("gold-curve", "seeds") for run in _runs(one, found)]
    for count in GOLD:
        own = [name for name in dict.fromkeys(names) if name.startswith(f"gold n={count} ")]
        yield _several(f"{count:,}", [found[name] for name in own if name in found])
    whole = [found[run.name] for run in _runs("stsb", found) if run.name in found]
    yield _several("5,749 (all)", whole)


def _several(name: str, rows: Sequence[Mapping[str, Any]]) -> str:
    if not rows:
        return _row(name, *[_MISSING] * 5)
    stage = rows[0]["stages"][-1]
    figures = (_mean(rows, side) for side in ("dev", "test", "test_apart"))
    return _row(name, stage["epochs"], f"{stage['steps']:,}", *figures)


def _pooling(found: _Found, rate: float) -> Iterator[str]:
    yield "### Pooling"
    yield ""
    yield from _head(
        "pooling", "as it comes, dev / test", f"classification, {SUBSET:,} of SNLI, dev / test",
        "regression, dev / test", "paper: classification / regression",
    )  # fmt: skip
    for pooling in POOLINGS:
        labels, regression = labels_run(rate, pooling=pooling), alone(rate, 0, pooling=pooling)
        names = (f"base {pooling}", labels.name, regression.name)
        told = (_two(found.get(name)) for name in names)
        published = " / ".join(f"{figure:.2f}" for figure in _POOLED[pooling])
        yield _row(pooling.upper(), *told, published)


def _concatenation(found: _Found, rate: float) -> Iterator[str]:
    yield "### What the classifier sees"
    yield ""
    yield from _head("sees", "dev", "test", "SNLI: average precision", "paper")
    sides = ("dev", "test", "snli_average_precision")
    base = found["base mean"]
    yield _row("nothing: as it comes", *(_hundred(base[side]) for side in sides), "")
    for concatenation, shown in CONCATENATIONS.items():
        row = found.get(labels_run(rate, concatenation=concatenation).name)
        told = [_MISSING] * 3 if row is None else [_hundred(row[side]) for side in sides]
        yield _row(shown.replace("|", "\\|"), *told, f"{_CONCATENATED[concatenation]:.2f}")


def _together(found: _Found, scores: Path, data: Data) -> Iterator[str]:
    yield "### Labels and scores"
    yield ""
    yield from _head("taught by", "seeds", "dev", "test", "against scores alone (95 %)", "paper")
    only = [run for run in _runs("stsb", found) if run.name in found]
    if not only:
        return
    rows = [found[run.name] for run in only]
    yield _row("STSb alone", len(rows), _mean(rows, "dev"), _mean(rows, "test"), "", "84.67 ± 0.19")
    before = [_column(scores, run.name) for run in only]
    runs = [*_runs("two-stage", found), *_runs("joint", found), *_runs("seeds", found)]
    for kind, title, published in (
        ("two-stage", "SNLI, then STSb", "85.35 ± 0.17"), ("joint", "both side by side", "–"),
    ):  # fmt: skip
        own = [run for run in runs if run.name.startswith(kind) and run.name in found]
        if not own:
            yield _row(title, *[_MISSING] * 4, published)
            continue
        rows = [found[run.name] for run in own]
        after = [_column(scores, run.name) for run in own]
        change = run_to_end(
            compare_runs(
                data.test.score, before, after, components(*data.test.columns), figure=spearman
            )
        )
        told = _interval(change.change, change.low, change.high)
        yield _row(title, len(rows), _mean(rows, "dev"), _mean(rows, "test"), told, published)


def _runs(experiment: str, found: _Found) -> Iterator[Run]:
    for run in runs_of(experiment, found):
        if isinstance(run, Run):
            yield run


def _column(scores: Path, name: str) -> NDArray[np.float64]:
    found: NDArray[np.float64] = np.load(scores / f"{name} test.npy").astype(np.float64)
    return found


def _head(*cells: str) -> Iterator[str]:
    yield _row(*cells)
    yield "|---" * len(cells) + "|"


def _row(*cells: object) -> str:
    return f"| {' | '.join(str(cell) for cell in cells)} |"


def _hundred(value: float) -> str:
    return f"{value * 100:.2f}"


def _two(row: Mapping[str, Any] | None) -> str:
    return _MISSING if row is None else f"{_hundred(row['dev'])} / {_hundred(row['test'])}"


def _mean(rows: Sequence[Mapping[str, Any]], side: str) -> str:
    return aggregated([row[side] for row in rows]).words() if rows else _MISSING


def _interval(change: float, low: float, high: float) -> str:
    told = (f"{value * 100:+.2f}" for value in (change, low, high))
    first, *ends = (text.replace("-", "−") for text in told)
    return f"{first} ({' to '.join(ends)})"
