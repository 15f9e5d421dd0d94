"""The silver sheet: what silver labels look like beside the gold, before they are trusted."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.augmentation.silver import Silver
from core.examples import ScoredPairs
from core.pairs import words_of
from core.sampling import density

BANDS = 10
_CURVE = 101  # points of a density
_NEAR_0 = 0.1
_NEARLY_ALL = 0.9
_REPEATS = 0.5
_FAR_APART = 0.5  # Kolmogorov–Smirnov distance
_FEWER = 0.5  # silver pairs for each gold one
_SAME = 0.5


@dataclass(frozen=True, slots=True)
class Band:
    """A tenth of the labels: how many gold and how many silver pairs lie in it."""

    low: float
    high: float
    gold: int
    silver: int


@dataclass(frozen=True, slots=True)
class Sheet:
    """All that is shown of silver pairs at one look, in plain values."""

    pairs: int  # that would be learnt from
    dropped: int
    corrected: int
    gold: int
    bands: tuple[Band, ...]
    grid: tuple[float, ...]  # labels from 0 to 1
    gold_density: tuple[float, ...]  # over the grid
    silver_density: tuple[float, ...]
    distance: float  # Kolmogorov–Smirnov, 0 alike to 1
    near_zero: float  # share of silver labels below 0.1
    repeats: float  # share that says nothing the gold does not say
    warnings: tuple[Mapping[str, str], ...]  # sentence, remedy


def sheet_of(gold: ScoredPairs, silver: Silver) -> Sheet:
    """Describe the silver pairs that would be learnt from beside the gold ones."""
    taught = silver.taught
    edges = np.linspace(0, 1, BANDS + 1)
    of_gold, of_silver = (_counts(one.score) for one in (gold, taught))
    bands = tuple(
        Band(float(edges[at]), float(edges[at + 1]), int(of_gold[at]), int(of_silver[at]))
        for at in range(BANDS)
    )
    near = float((taught.score < _NEAR_0).mean()) if len(taught) else 0.0
    repeats = _repeats(gold, taught)
    distance = _distance(gold.score, taught.score)
    grid = np.linspace(0, 1, _CURVE)
    return Sheet(
        len(taught), int(silver.dropped.sum()), int((~np.isnan(silver.corrected)).sum()), len(gold),
        bands, tuple(grid.tolist()), _curve(gold.score, grid), _curve(taught.score, grid), distance,
        near, repeats, tuple(_warnings(gold, taught, near, repeats, distance)),
    )  # fmt: skip  # in the order of the fields


def _counts(scores: NDArray[np.float32]) -> NDArray[np.int64]:
    place = np.minimum((np.clip(scores, 0, 1) * BANDS).astype(np.int64), BANDS - 1)
    return np.bincount(place, minlength=BANDS)


def _curve(scores: NDArray[np.float32], grid: NDArray[np.float64]) -> tuple[float, ...]:
    if not len(scores):
        return (0.0,) * len(grid)
    return tuple(density(np.clip(scores, 0, 1)).at(grid).tolist())


def _distance(gold: NDArray[np.float32], silver: NDArray[np.float32]) -> float:
    if not len(gold) or not len(silver):
        return 1.0
    every = np.concatenate((gold, silver))
    shares = [np.searchsorted(np.sort(one), every, "right") / len(one) for one in (gold, silver)]
    return float(np.abs(shares[0] - shares[1]).max())


def _repeats(gold: ScoredPairs, silver: ScoredPairs) -> float:
    """The share of silver pairs that a gold pair says in the same words, or that follow from it.

    Two texts follow from the gold where a chain of pairs that mean the same joins them.
    """
    if not len(silver):
        return 0.0
    known = {_words(*pair) for pair in zip(*gold.columns, strict=True)}
    group = _groups(gold)
    said = 0
    for left, right in zip(*silver.columns, strict=True):
        bound = left in group and group[left] == group.get(right)
        said += bound or _words(left, right) in known
    return said / len(silver)


def _words(left: str, right: str) -> frozenset[tuple[str, ...]]:
    return frozenset((tuple(words_of(left)), tuple(words_of(right))))


def _groups(gold: ScoredPairs) -> dict[str, str]:
    """Return, for each text that means the same as another, one text of all that hang together."""
    first: dict[str, str] = {}

    def root(text: str) -> str:
        first.setdefault(text, text)
        while first[text] != text:
            first[text] = first[first[text]]
            text = first[text]
        return text

    for row in np.flatnonzero(gold.score >= _SAME).tolist():
        first[root(gold.left[row])] = root(gold.right[row])
    return {text: root(text) for text in list(first)}


def _warnings(
    gold: ScoredPairs, silver: ScoredPairs, near: float, repeats: float, distance: float
) -> list[dict[str, str]]:
    found: list[dict[str, str]] = []

    def warn(sentence: str, remedy: str) -> None:
        found.append({"sentence": sentence, "remedy": remedy})

    if not len(silver):
        warn(
            "No silver pair is left to learn from.",
            "Take more texts, or more texts for each text.",
        )
        return found
    of_gold = float((gold.score < _NEAR_0).mean())
    if near >= _NEARLY_ALL and near > of_gold:
        warn(
            f"{near:.0%} of the labels are near 0: such pairs teach that texts differ, and little "
            "else.",
            "Rebalance, or choose new pairs by words or by meaning.",
        )
    elif distance > _FAR_APART:
        warn(
            f"The labels are spread quite unlike those of the gold (distance {distance:.2f} of 1).",
            "Rebalance, which keeps those that bring them together.",
        )
    if repeats >= _REPEATS:
        warn(
            f"{repeats:.0%} of the silver pairs only repeat what the gold says.",
            "Take the whole corpus instead of the texts of the gold, or another way to choose.",
        )
    if len(silver) < _FEWER * len(gold):
        warn(
            f"There are fewer silver pairs ({len(silver):,}) than half the gold ones "
            f"({len(gold):,}).",
            "Take more texts for each text, or the whole corpus.",
        )
    return found
