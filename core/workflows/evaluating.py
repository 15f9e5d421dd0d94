"""Evaluate: how well an encoder agrees with judged pairs, alone or against another."""

import math
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from core.evaluation import Difference, Measured, compare_measured, evaluate_scorer
from core.examples import PairSet, read_pairs
from core.progress import Steps
from core.workflows.scorers import NamedScorer, open_scorer


def evaluate(
    encoder: str,
    pairs: Path,
    *,
    against: str | None = None,
    dev: Path | None = None,
    metrics: Sequence[str] = (),
    device: str = "auto",
    precision: str = "fp32",
) -> Steps[dict[str, Any]]:
    """Score every pair of a file and compare with what it says of them.

    With `against`, the outcome also holds the figures of that other encoder or baseline under
    "against", and under "differences" how much better `encoder` is, each with an interval.
    `dev` chooses the thresholds of labelled pairs. Numbers that cannot be had are None.
    """
    judged = read_pairs(pairs)
    chosen = None if dev is None else read_pairs(dev)
    names = (encoder,) if against is None else (encoder, against)
    opened = [open_scorer(name, device=device, precision=precision) for name in names]
    measured: list[Measured] = []
    for one in opened:
        measured.append(
            (
                yield from evaluate_scorer(
                    one.scorer, judged, dev=chosen, metrics=metrics, name=one.name
                )
            )
        )
    told = {
        **_told(opened[0], measured[0]),
        "notes": [*_left_out(pairs, judged), *_left_out(dev, chosen), *measured[0].notes],
        "file": str(pairs),
        "dev": None if dev is None else str(dev),
    }
    if against is None:
        return told
    compared = yield from compare_measured(judged, before=measured[1], after=measured[0])
    return {
        **told,
        "against": _told(opened[1], measured[1]),
        "differences": {name: _difference(one) for name, one in compared.differences.items()},
    }


def _left_out(file: Path | None, pairs: PairSet | None) -> list[str]:
    """Say which rows of a file could not be read."""
    if file is None or pairs is None or not pairs.skipped:
        return []
    count, (line, why) = len(pairs.skipped), pairs.skipped[0]
    rows = "1 row" if count == 1 else f"{count:,} rows"
    were = "was" if count == 1 else "were"
    return [f"{rows} of {file.name} {were} left out, such as line {line}: {why.rstrip('.')}."]


def _told(scorer: NamedScorer, measured: Measured) -> dict[str, Any]:
    return {
        "encoder": scorer.name,
        "fingerprint": scorer.fingerprint,
        "arithmetic": scorer.arithmetic,
        **{name: _finite(value) for name, value in measured.figures.items()},
        "notes": list(measured.notes),
    }


def _difference(difference: Difference) -> dict[str, Any]:
    whole = asdict(difference) | {"change": difference.change}
    return {name: _finite(value) for name, value in whole.items()}


def _finite(value: float | str) -> float | str | None:
    return value if isinstance(value, str) or math.isfinite(value) else None
