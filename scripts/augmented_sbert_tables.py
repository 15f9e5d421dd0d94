"""The tables of Augmented SBERT's experiments, in Markdown, with the published figures beside.

Spearman × 100 of the cosine on argument pairs; average precision, F1 and AUC(0.05) on labels.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.evaluation import aggregated, compare_runs, spearman
from core.examples import ScoredPairs, components
from core.progress import run_to_end
from scripts.augmented_sbert_data import load_sides
from scripts.augmented_sbert_plan import (
    FEW,
    FOLDS,
    GOLD,
    SAMPLINGS,
    SEEDS,
    Run,
    arm,
    pupil_settings,
    runs_of,
    teachers,
)
from scripts.augmented_sbert_runs import TEACHERS, best_teacher, teacher_scores

_PAPER = {  # BWS in-topic and cross-topic, arXiv 2010.08240, table 5
    "cross-encoder": (66.54, 65.78), "gold alone": (63.77, 60.54), "random": (64.54, 59.95),
    "kde": (69.76, 61.49), "bm25": (68.63, 61.48), "semantic": (68.06, 61.05),
}  # fmt: skip  # one row a way
_ADAPTED = (
    "Paper, Quora to AskUbuntu: 0.501, 0.602, 0.715; AskUbuntu to Quora: 0.496, 0.496, 0.504."
)
_MISSING = "…"
_Found = Mapping[str, Any]


def tables(found: _Found, scores: Path, data: Path, *, quick: bool) -> str:
    """Return every table; what has not been run yet is a gap."""
    sections: list[Iterable[str]] = [_settings(found)]
    try:
        pupil_settings("bws-0", found)
    except KeyError:
        return "\n".join(_settings(found)) + "\n"
    folds = [f"bws-{fold}" for fold in range(FOLDS)]
    sections += [
        _arguments("In-topic, five folds over all pairs", folds, 0, found, scores, data, quick),
        _arguments("Across topics", ["bws-topics"], 1, found, scores, data, quick),
        _teachers([*folds, "bws-topics"], found, scores, data, quick),
        _curve(found, scores, data, quick),
        _adaptation(found),
        _labels_of_cross(found),
    ]
    return "\n\n".join("\n".join(lines) for lines in sections) + "\n"


def _settings(found: _Found) -> Iterator[str]:
    yield "### Epochs and rates, chosen on dev of the first fold"
    yield ""
    yield from _head("", "epochs", "rate", "dev", "best of its steps")
    for run in runs_of("settings", found):
        row = found.get(run.name)
        if row is not None:
            steps = f"{row['step_kept']} of {row['steps']}"
            yield _row(run.kind, run.epochs, f"{run.rate:g}", _hundred(row["dev"]), steps)


def _arguments(
    title: str, splits: Sequence[str], place: int, found: _Found, scores: Path, data: Path,
    quick: bool,
) -> Iterator[str]:  # fmt: skip  # which splits, and where all lies
    yield f"### {title}"
    yield ""
    whole = [split for split in splits if _is_whole(split, found)]
    yield f"Folds that are through: {len(whole)} of {len(splits)}."
    yield ""
    if not whole:
        return
    sides = [load_sides(data, split, quick=quick) for split in whole]
    gold = np.concatenate([one.test.score for one in sides])
    groups = _groups([one.test for one in sides])
    alone = _pooled(whole, found, scores, "pupil")
    yield from _head("", "test", "against gold alone (95 %)", "silver pairs", "paper")
    base = np.concatenate([np.load(scores / f"{Run(one, 'base', 0, 0.0).name} test.npy")
                           for one in whole])  # fmt: skip  # one column
    yield _row("as it comes", _hundred(spearman(gold, base)), "", "", "")
    mean = aggregated([spearman(gold, one) for one in alone])
    yield _row(
        f"gold alone, {len(SEEDS)} seeds", mean.words(), "", "", _published("gold alone", place)
    )
    for name in TEACHERS:
        columns = [teacher_scores(split, "test", found, scores)[name] for split in whole]
        change = _change(gold, alone, np.concatenate(columns)[None], groups)
        yield _row(f"teacher: {name}", *change, "", _published(name, place))
    for sampling in SAMPLINGS:
        runs = [[arm(split, sampling, found, seed=seed) for split in whole] for seed in SEEDS]
        through = [some for some in runs if all(run.name in found for run in some)]
        if not through:
            continue
        columns = [
            np.concatenate([np.load(scores / f"{run.name} test.npy") for run in some])
            for some in through
        ]
        silver = np.mean([found[run.name]["silver"] for run in through[0]])
        change = _change(gold, alone, np.stack(columns), groups)
        count = f"{silver:,.0f}"
        yield _row(f"gold and silver: {sampling}", *change, count, _published(sampling, place))


def _teachers(
    splits: Sequence[str], found: _Found, scores: Path, data: Path, quick: bool
) -> Iterator[str]:
    yield "### Teacher and pupil on dev"
    yield ""
    yield from _head("split", "pupil", *TEACHERS, "who labels")
    for split in splits:
        if not all(run.name in found for run in teachers(split, found)):
            continue
        sides = load_sides(data, split, quick=quick)
        best, figures = best_teacher(split, sides, found, scores)
        told = (_hundred(figures[name]) for name in ("pupil", *TEACHERS))
        yield _row(split, *told, best)


def _curve(found: _Found, scores: Path, data: Path, quick: bool) -> Iterator[str]:
    yield "### Few gold pairs with labels: average precision, F1 behind the stroke"
    yield ""
    yield from _head(
        "data", "gold pairs", "as it comes", "gold alone", "teacher", "bm25", "change (95 %)",
        "kde", "change (95 %)", "Jaccard",
    )  # fmt: skip  # one row
    for name in FEW:
        for count in GOLD:
            split = f"{name}-{count}"
            runs = list(teachers(split, found))
            base = found.get(Run(split, "base", 0, 0.0).name)
            if base is None or not all(run.name in found for run in runs):
                continue
            sides = load_sides(data, split, quick=quick)
            best, _ = best_teacher(split, sides, found, scores)
            figures = _of_column(sides, teacher_scores(split, "test", found, scores)[best])
            pupils = [found[run.name] for run in runs if run.kind == "pupil"]
            mean = aggregated([row["test"] for row in pupils])
            alone = f"{mean.words()} / {_hundred(float(np.mean([row['f1'] for row in pupils])))}"
            yield _row(
                name, f"{count:,}", f"{_hundred(base['test'])} / {_hundred(base['f1'])}", alone,
                f"{best}: {_hundred(figures)}",
                *_arm_of_labels(split, "bm25", found, scores, sides.test),
                *_arm_of_labels(split, "kde", found, scores, sides.test),
                _hundred(base["jaccard"]),
            )  # fmt: skip  # one cell after the other


def _arm_of_labels(
    split: str, sampling: str, found: _Found, scores: Path, test: ScoredPairs
) -> tuple[str, str]:
    run = arm(split, sampling, found)
    row = found.get(run.name)
    if row is None:
        return _MISSING, _MISSING
    pupils = [one for one in teachers(split, found) if one.kind == "pupil"]
    alone = np.stack([np.load(scores / f"{one.name} test.npy") for one in pupils])
    own = np.load(scores / f"{run.name} test.npy")[None]
    change = run_to_end(
        compare_runs(test.score, alone, own, components(*test.columns), figure=_precision)
    )
    told = _interval(change.change, change.low, change.high)
    return f"{_hundred(row['test'])} / {_hundred(row['f1'])}", told


def _adaptation(found: _Found) -> Iterator[str]:
    yield "### From one set to another: AUC(0.05)"
    yield ""
    yield from _head("from, to", "as it comes", "source alone", "teacher labels, bm25", "in-domain")
    for split in ("qqp-to-mrpc", "mrpc-to-qqp"):
        base = found.get(Run(split, "base", 0, 0.0).name)
        source = [found[run.name] for run in teachers(split, found) if run.name in found
                  and run.kind == "pupil"]  # fmt: skip  # one a seed
        adapted = found.get(arm(split, "bm25", found).name)
        own = found.get(Run(split, "in-domain", *pupil_settings(split, found)).name)
        if base is None or not source:
            continue
        alone = aggregated([row["auc_005"] for row in source])
        yield _row(
            split.replace("-to-", ", "), f"{base['auc_005']:.3f}",
            alone.words(scale=1, places=3),
            *(_MISSING if row is None else f"{row['auc_005']:.3f}" for row in (adapted, own)),
        )  # fmt: skip  # one cell after the other
    yield ""
    yield _ADAPTED


def _labels_of_cross(found: _Found) -> Iterator[str]:
    yield "### The same silver pairs with the labels of the cross-encoder, first fold"
    yield ""
    yield from _head("sampling", "test by the best teacher", "test by the cross-encoder")
    for run in runs_of("cross-labels", found):
        best, cross = found.get(arm(run.split, run.kind, found).name), found.get(run.name)
        if best is not None and cross is not None:
            yield _row(run.kind, _hundred(best["test"]), _hundred(cross["test"]))


def _is_whole(split: str, found: _Found) -> bool:
    runs = [Run(split, "base", 0, 0.0), *teachers(split, found)]
    runs += [arm(split, sampling, found) for sampling in SAMPLINGS]
    return all(run.name in found for run in runs)


def _pooled(splits: Sequence[str], found: _Found, scores: Path, kind: str) -> NDArray[np.float32]:
    columns = []
    for place in range(len(SEEDS)):
        runs = [[one for one in teachers(split, found) if one.kind == kind][place]
                for split in splits]  # fmt: skip  # one a split
        columns.append(np.concatenate([np.load(scores / f"{run.name} test.npy") for run in runs]))
    return np.stack(columns)


def _groups(tests: Sequence[ScoredPairs]) -> NDArray[np.int64]:
    left = [text for test in tests for text in test.left]
    right = [text for test in tests for text in test.right]
    return components(left, right)


def _change(
    gold: NDArray[np.float32], alone: NDArray[np.float32], own: NDArray[np.float32],
    groups: NDArray[np.int64],
) -> tuple[str, str]:  # fmt: skip  # the pairs, before and after
    found = run_to_end(compare_runs(gold, alone, own, groups, figure=spearman))
    return _hundred(found.after.mean), _interval(found.change, found.low, found.high)


def _of_column(sides: Any, column: NDArray[np.float32]) -> float:
    return _precision(sides.test.score, column)


def _precision(gold: NDArray[Any], scores: NDArray[Any]) -> float:
    from core.evaluation import average_precision

    return float(average_precision(gold, scores))


def _published(name: str, place: int) -> str:
    return f"{_PAPER[name][place]:.2f}" if name in _PAPER else ""


def _hundred(figure: float) -> str:
    return f"{100 * figure:.2f}"


def _interval(change: float, low: float, high: float) -> str:
    return f"{_signed(change)} ({_signed(low)} to {_signed(high)})"


def _signed(number: float) -> str:
    return f"{100 * number:+.2f}".replace("-", "−")


def _head(*names: str) -> Iterator[str]:
    yield _row(*names)
    yield "|" + "---|" * len(names)


def _row(*cells: object) -> str:
    return "| " + " | ".join(map(str, cells)) + " |"
