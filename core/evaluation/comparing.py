"""Two encoders on the same pairs: how sure a difference is, and which thresholds match."""

import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from core.evaluation.aggregating import Aggregate, aggregated
from core.evaluation.similarities import Places
from core.progress import Progress, Steps

Figure: TypeAlias = Callable[[NDArray[np.float64], NDArray[np.float64]], float]

_MOST_IN_ONE = 0.5  # of the pairs in one component: resampling components would tell nothing
_FEWEST_GROUPS = 10
_SILENCE_S = 0.3
_INTERVAL = (2.5, 97.5)


@dataclass(frozen=True, slots=True)
class Difference:
    """A figure before and after on the same pairs, with a 95 % interval of the difference."""

    before: float
    after: float
    low: float  # of after - before; nan where no resample gave a figure
    high: float
    pairs: int
    resampled: str  # "components", or "pairs" where the components are too few or too large

    @property
    def change(self) -> float:
        return self.after - self.before


@dataclass(frozen=True, slots=True)
class RunDifference:
    """A figure over several runs before and after, with a 95 % interval of their means' difference.

    `low` and `high` are nan where no resample gave a figure.
    """

    before: Aggregate
    after: Aggregate
    low: float
    high: float
    resampled: str  # what was drawn: "runs", or "runs and" as in `Difference`

    @property
    def change(self) -> float:
        return self.after.mean - self.before.mean


def compare(
    gold: ArrayLike,
    before: ArrayLike,
    after: ArrayLike,
    groups: ArrayLike,
    *,
    figure: Figure,
    after_figure: Figure | None = None,
    resamples: int = 1_000,
    seed: int = 0,
) -> Steps[Difference]:
    """Compare two columns of scores by a paired bootstrap over components.

    Each resample draws whole components (`groups`, one number per pair) with replacement and
    takes `figure` of both columns on the same pairs; the interval is that of the percentiles 2.5
    and 97.5. Resamples where the figure cannot be had (no positive left) are left out.

    `after_figure` is the figure of `after` where it is not that of `before`: F1 at a threshold
    that dev chose for each encoder, say. Such a threshold stays as it is in every resample, so
    the interval speaks of these pairs and not of how lucky dev was.
    """
    truth, old, new = (np.asarray(column, np.float64) for column in (gold, before, after))
    of_new = figure if after_figure is None else after_figure
    members, resampled = _members(groups, len(truth))
    changes: list[float] = []
    for rows, done in _drawn(members, resamples, np.random.default_rng(seed)):
        with suppress(ValueError):
            changes.append(of_new(truth[rows], new[rows]) - figure(truth[rows], old[rows]))
        if done is not None:
            yield Progress("Measuring the difference", done, resamples, "resamples")
    low, high = interval_of(changes)
    return Difference(
        before=figure(truth, old),
        after=of_new(truth, new),
        low=low,
        high=high,
        pairs=len(truth),
        resampled=resampled,
    )


def compare_runs(
    gold: ArrayLike,
    before: ArrayLike,
    after: ArrayLike,
    groups: ArrayLike,
    *,
    figure: Figure,
    resamples: int = 1_000,
    seed: int = 0,
) -> Steps[RunDifference]:
    """Compare two ways of training, each run with several seeds, on the same pairs.

    `before` (r, n) and `after` (s, n) hold the scores of every run. A resample draws runs of
    each side with replacement, and components as `compare` does, and takes the difference of
    the mean figures; so the interval allows for other seeds and for other pairs.
    """
    truth = np.asarray(gold, np.float64)
    old, new = (np.atleast_2d(np.asarray(runs, np.float64)) for runs in (before, after))
    members, resampled = _members(groups, len(truth))
    random = np.random.default_rng(seed)
    changes: list[float] = []
    for rows, done in _drawn(members, resamples, random):
        means = []
        for runs in (old, new):
            drawn, counts = np.unique(random.integers(0, len(runs), len(runs)), return_counts=True)
            with suppress(ValueError):
                values = [figure(truth[rows], runs[run][rows]) for run in drawn]
                means.append(float(np.average(values, weights=counts)))
        if len(means) == 2:
            changes.append(means[1] - means[0])
        if done is not None:
            yield Progress("Measuring the difference", done, resamples, "resamples")
    low, high = interval_of(changes)
    return RunDifference(
        before=aggregated([figure(truth, run) for run in old]),
        after=aggregated([figure(truth, run) for run in new]),
        low=low,
        high=high,
        resampled=f"runs and {resampled}",
    )


def compare_results(
    before: ArrayLike,
    after: ArrayLike,
    *,
    paired: bool = False,
    resamples: int = 10_000,
    seed: int = 0,
) -> RunDifference:
    """Compare two ways of training by one figure per seed or fold, where scores are not at hand.

    A bootstrap over the values. `paired` draws the same places on both sides: values of the same
    folds, or of runs that differ in one thing only. With fewer than ten values a side the
    interval is too narrow, and it says nothing of other pairs. Raises
    `ValueError` for values that are not finite, or paired ones of different count.
    """
    old, new = np.asarray(before, np.float64), np.asarray(after, np.float64)
    told = aggregated(old), aggregated(new)
    if paired and len(old) != len(new):
        raise ValueError(f"{len(old)} values cannot be paired with {len(new)}")
    random = np.random.default_rng(seed)
    first = random.integers(0, len(old), (resamples, len(old)))
    second = first if paired else random.integers(0, len(new), (resamples, len(new)))
    low, high = interval_of(new[second].mean(axis=1) - old[first].mean(axis=1))
    return RunDifference(*told, low=low, high=high, resampled="runs")


def matching_threshold(
    gold: ArrayLike, before: ArrayLike, after: ArrayLike, threshold: float
) -> float | None:
    """Return the smallest threshold on `after` that is as precise as the old one on `before`.

    Pairs at or above a threshold count as the same; gold from 0.5 on means the same. It is one of
    the cosines of `after`. None where no pair reaches the old threshold, so that its precision is
    unknown, or where no new threshold is as precise.
    """
    same = np.asarray(gold, np.float64) >= 0.5
    old, new = np.asarray(before, np.float64), np.asarray(after, np.float64)
    reached = old >= threshold
    if not reached.any():
        return None
    wanted = same[reached].mean()
    order = np.argsort(-new, kind="stable")
    values = new[order]
    lasts = np.flatnonzero(np.diff(values, append=-np.inf))
    precision = np.cumsum(same[order])[lasts] / (lasts + 1)
    fitting = np.flatnonzero(precision >= wanted)
    return float(values[lasts[fitting[-1]]]) if len(fitting) else None


def resampled_as(groups: ArrayLike, pairs: int) -> tuple[Places, str]:
    """Return the number of the unit of each pair that is drawn whole, from 0, and what it is.

    Units are the components where there are ten or more and none holds more than half of the
    pairs; else every pair stands alone.
    """
    numbers = np.unique(np.asarray(groups), return_inverse=True)[1]
    counts = np.bincount(numbers)
    if len(counts) >= _FEWEST_GROUPS and counts.max() <= _MOST_IN_ONE * pairs:
        return numbers, "components"
    return np.arange(pairs), "pairs"


def interval_of(values: ArrayLike) -> tuple[float, float]:
    """Return the percentiles 2.5 and 97.5 of the finite values, nan where there is none."""
    found = np.asarray(values, np.float64)
    usable = found[np.isfinite(found)]
    if not len(usable):
        return float("nan"), float("nan")
    low, high = np.percentile(usable, _INTERVAL)
    return float(low), float(high)


def _members(groups: ArrayLike, pairs: int) -> tuple[list[Places], str]:
    numbers, resampled = resampled_as(groups, pairs)
    ends = np.cumsum(np.bincount(numbers))[:-1]
    return np.split(np.argsort(numbers, kind="stable"), ends), resampled


def _drawn(
    members: list[Places], resamples: int, random: np.random.Generator
) -> Iterator[tuple[Places, int | None]]:
    """Yield the pairs of each resample; a number beside them where it is time to speak."""
    spoken = time.monotonic()
    for done in range(resamples):
        drawn = random.integers(0, len(members), len(members))
        is_time = time.monotonic() - spoken > _SILENCE_S
        if is_time:
            spoken = time.monotonic()
        yield np.concatenate([members[group] for group in drawn]), done if is_time else None
