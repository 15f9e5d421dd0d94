"""Encoders, and whatever else scores pairs, measured on judged pairs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.encoders import Encoder
from core.errors import UserError
from core.evaluation.comparing import Difference, compare
from core.evaluation.figures import (
    FOR_SCORES,
    METRICS,
    Dev,
    NamedFigure,
    named_figures,
    usual_metrics,
)
from core.evaluation.scoring import PairScorer, Scored, by_encoder
from core.examples import PairSet, components
from core.progress import Steps


@dataclass(frozen=True, slots=True)
class Measured:
    """One scorer on some pairs."""

    figures: Mapping[str, int | float | str]  # `pairs`, `kind` and every figure by its name
    scored: Scored  # the pairs, dev left out
    named: tuple[NamedFigure, ...]  # the figures as functions, thresholds of dev held fast

    @property
    def notes(self) -> tuple[str, ...]:
        return self.scored.notes


@dataclass(frozen=True, slots=True)
class ComparedScorers:
    """Two scorers on the same pairs, and each difference with its interval."""

    before: Measured
    after: Measured
    differences: Mapping[str, Difference]  # of the figures that both have


def evaluate_encoder(
    encoder: Encoder,
    pairs: PairSet,
    *,
    dev: PairSet | None = None,
    metrics: Sequence[str] = (),
) -> Steps[dict[str, int | float | str]]:
    """Compare the cosines of `pairs` with what people said of them.

    The outcome always holds `pairs` and `kind`; without `metrics` (names out of `METRICS`) for
    scores `spearman` and `pearson` (-1 to 1), for labels `average_precision`, `f1`, `threshold`,
    `precision` and `recall`. Thresholds are chosen on `dev`, or, without it, on these very
    pairs. Raises `UserError` where nothing can be measured, as `evaluate_scorer` says.
    """
    measured = yield from evaluate_scorer(by_encoder(encoder), pairs, dev=dev, metrics=metrics)
    return dict(measured.figures)


def evaluate_scorer(
    scorer: PairScorer,
    pairs: PairSet,
    *,
    dev: PairSet | None = None,
    metrics: Sequence[str] = (),
    name: str = "The encoder",
) -> Steps[Measured]:
    """Measure any scorer; `name` begins the sentence where it fails.

    Raises `UserError` where all pairs were judged the same or got the same score, where a metric
    wants labels and gets scores, and where dev cannot choose a threshold.
    """
    asked = tuple(dict.fromkeys(metrics)) or usual_metrics(pairs.kind)
    _require(pairs, dev, asked)
    sets = (pairs,) if dev is None else (pairs, dev)
    texts = list(dict.fromkeys(text for own in sets for text in (*own.left, *own.right)))
    places = {text: place for place, text in enumerate(texts)}
    left, right = (
        np.array([places[text] for own in sets for text in getattr(own, side)], np.int64)
        for side in ("left", "right")
    )
    whole = yield from scorer(texts, left, right)
    here = slice(0, len(pairs.gold))
    scored = Scored(
        {column: scores[here] for column, scores in whole.columns.items()},
        (*whole.notes, *_shared(pairs, dev)),
    )
    if scored.main.min() == scored.main.max():
        raise UserError(
            f"{name} gives all {len(pairs.gold):,} pairs the same score, "
            "so nothing can be measured.",
            "Use pairs of more varied texts, or another encoder.",
        )
    chosen = None if dev is None else Dev(dev.gold, whole.main[len(pairs.gold) :])
    named = named_figures(asked, scored, chosen)
    figures: dict[str, int | float | str] = {"pairs": len(pairs.gold), "kind": pairs.kind}
    for one in named:
        figures[one.name] = one.figure(pairs.gold, _column(scored, one))
    return Measured(figures, scored, named)


def compare_measured(
    pairs: PairSet, before: Measured, after: Measured, *, resamples: int = 1_000, seed: int = 0
) -> Steps[ComparedScorers]:
    """Compare two scorers that were measured on the same `pairs`, by a paired bootstrap.

    Pairs that hang together by the texts they share are drawn together (`compare`). Thresholds
    that dev chose stay as they are; those chosen on these pairs are chosen anew each time.
    """
    groups = components(pairs.left, pairs.right)
    old = {one.name: one for one in before.named if one.is_compared}
    differences: dict[str, Difference] = {}
    for new in after.named:
        if new.name not in old:
            continue
        one = old[new.name]
        differences[new.name] = yield from compare(
            pairs.gold,
            _column(before.scored, one),
            _column(after.scored, new),
            groups,
            figure=one.figure,
            after_figure=new.figure,
            resamples=resamples,
            seed=seed,
        )
    return ComparedScorers(before, after, differences)


def _column(scored: Scored, figure: NamedFigure) -> NDArray[np.float64]:
    return scored.columns[figure.column] if figure.column else scored.main


def _require(pairs: PairSet, dev: PairSet | None, metrics: Sequence[str]) -> None:
    for metric in metrics:
        if metric not in METRICS:
            raise UserError(f"There is no metric {metric}.", f"Use {', '.join(METRICS)}.")
        if metric not in FOR_SCORES and pairs.kind != "label":
            raise UserError(
                f"The metric {metric} wants labels, same or different; these pairs have scores.",
                f"Use {', '.join(FOR_SCORES)}, or a file with labels of 0 and 1.",
            )
    _require_both(pairs, "pairs")
    if dev is None:
        return
    if pairs.kind != "label" or dev.kind != "label":
        raise UserError(
            "Dev pairs choose a threshold, which scores do not have.",
            "Leave the dev file out, or use files with labels of 0 and 1.",
        )
    _require_both(dev, "dev pairs")


def _require_both(pairs: PairSet, what: str) -> None:
    if len(np.unique(pairs.gold)) < 2:
        raise UserError(
            f"All {len(pairs.gold)} {what} carry the same judgement, so nothing can be measured.",
            "Use pairs of which some mean the same and some do not.",
        )


def _shared(pairs: PairSet, dev: PairSet | None) -> tuple[str, ...]:
    """Say how many pairs chose the threshold that they are judged by."""
    if dev is None:
        return ()
    seen = {frozenset(pair) for pair in zip(dev.left, dev.right, strict=True)}
    count = sum(frozenset(pair) in seen for pair in zip(pairs.left, pairs.right, strict=True))
    if not count:
        return ()
    told = "1 pair is" if count == 1 else f"{count:,} pairs are"
    return (f"{told} among the dev pairs too, so figures at dev's threshold flatter.",)
