"""The plan of an ablation: which examples teach, which judge, what is tried, how long it takes."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from core.encoders.fingerprint import fingerprint_of
from core.encoders.folder import read_folder
from core.errors import UserError
from core.evaluation import average_precision, spearman
from core.examples import (
    Examples,
    LabelledTexts,
    ScoredPairs,
    Triplets,
    disjoint,
    examine,
    read_examples,
    split,
)
from core.examples.findings import Severity
from core.folders import encoder_folder
from core.options import TrainOptions
from core.training.fitted import Cosines, Figure
from core.training.forecast import forecast_seconds
from core.training.grids import Cell, cells_of
from core.training.tasks import gold_of

_SPLIT_SEED = 0  # all trials learn from and are judged by the same examples


@dataclass(frozen=True, slots=True)
class AblationPlan:
    """What will be tried, and how long it takes."""

    folder: Path  # of the base
    grid: str
    cells: tuple[Cell, ...]
    seeds: tuple[int, ...]
    learnt: Examples
    judging: Examples
    figure: str  # in words
    options: TrainOptions
    settings: str  # the same for the same examples, base and settings
    seconds: float  # forecast, to about a factor of two
    notes: tuple[str, ...]

    @property
    def trials(self) -> int:
        return len(self.cells) * len(self.seeds)


def plan_ablation(
    file: Path,
    options: TrainOptions,
    *,
    grid: str,
    base: str = "default",
    seeds: int = 3,
    limit: int | None = None,
    dev: Path | None = None,
) -> AblationPlan:
    """Read the examples, set aside those that judge, and say what the grid will take.

    `dev` judges where it is given, and examples that share a text with it are not learnt from;
    else a part of the examples, split by connected texts. `limit` is the most that are learnt
    from. Raises `UserError` for whatever is wrong with the files, the base or the grid.
    """
    folder = encoder_folder(base)
    described = read_folder(folder)
    read = read_examples(file)
    examples = _no_texts(read.examples, file)
    if dev is None:
        sides = split(examples, share=options.held_out, seed=_SPLIT_SEED)
        learnt, judging = examples.rows(sides.train), examples.rows(sides.held)
        notes = [sides.note] if sides.note else []
    else:
        judging = _no_texts(read_examples(dev).examples, dev)
        learnt = examples.rows(disjoint(judging, examples))
        shared = len(examples) - len(learnt)
        told = f"{shared:,} examples share a text with {dev.name} and are not learnt from."
        notes = [told] if shared else []
    if limit is not None and len(learnt) > limit:
        drawn = np.random.default_rng(_SPLIT_SEED).permutation(len(learnt))[:limit]
        learnt = learnt.rows(np.sort(drawn))
    report = examine(learnt, files=(read,))
    report.refuse()
    notes += [found.sentence for found in report.findings if found.severity is Severity.WARNS]
    figure = figure_of(judging)[0]
    cells, left_out = cells_of(grid, learnt, pooling="+".join(described.poolings))
    own = replace(options, hold=0.0)
    weights = fingerprint_of(described.folder, described.files, precision="fp32")
    return AblationPlan(
        folder=folder,
        grid=grid,
        cells=cells,
        seeds=tuple(range(seeds)),
        learnt=learnt,
        judging=judging,
        figure=figure,
        options=own,
        settings=_settings(own, weights, limit, [file] if dev is None else [file, dev]),
        seconds=_forecast(folder, learnt, own) * len(cells) * seeds,
        notes=(*notes, *left_out),
    )


def figure_of(judging: Examples) -> tuple[str, Figure]:
    """Return the name and the function of the figure that these examples judge by.

    Raises `UserError` where they can judge nothing.
    """
    if isinstance(judging, Triplets):
        if not len(judging):
            raise UserError("No triplet is left to judge by.", "Add triplets of other texts.")
        return "triplet accuracy", _accuracy
    if not isinstance(judging, ScoredPairs) and not getattr(judging, "are_decisions", False):
        raise UserError(
            "Pairs with such labels can teach, but no similarity can be held against them.",
            "Give a file of scored or decided pairs that judges, with --dev.",
        )
    gold = gold_of(judging)
    if len(np.unique(gold)) < 2:
        raise UserError(
            f"The {len(gold):,} pairs held out to judge by are all judged alike.",
            "Add pairs, or give a file of pairs that judges, with --dev.",
        )
    if np.isin(gold, (0, 1)).all():
        return "average precision", average_precision
    return "Spearman", spearman


def _accuracy(gold: Cosines, scores: Cosines) -> float:
    """Return the share of triplets whose positive is nearer; all are in the right order."""
    return float(np.mean((scores > 0) == (gold > 0)))


def _no_texts(examples: Examples, file: Path) -> Examples:
    if isinstance(examples, LabelledTexts):
        raise UserError(
            f"{file.name} holds single texts with labels, and a grid needs pairs or triplets.",
            "Make pairs of them first: two texts and whether they are of one label in each row.",
        )
    return examples


def _forecast(folder: Path, learnt: Examples, options: TrainOptions) -> float:
    left, right = learnt.columns[:2]
    pairs = ScoredPairs(left, right, np.zeros(len(learnt), np.float32))
    return forecast_seconds(folder, pairs, options) * len(learnt.columns) / 2


def _settings(
    options: TrainOptions, fingerprint: str, limit: int | None, files: Sequence[Path]
) -> str:
    told = {
        "files": [hashlib.sha256(file.read_bytes()).hexdigest() for file in files],
        "base": fingerprint,
        "limit": limit,
        "epochs": options.epochs,
        "rate": options.rate,
        "batch": options.batch,
        "held_out": options.held_out,
    }
    return hashlib.sha256(json.dumps(told).encode()).hexdigest()[:16]
