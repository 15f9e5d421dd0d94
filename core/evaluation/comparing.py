"""Two encoders on the same pairs: how sure a difference is, and which thresholds match."""

import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from core.progress import Progress, Steps

Figure: TypeAlias = Callable[[NDArray[np.float64], NDArray[np.float64]], float]

_MOST_IN_ONE = 0.5  # of the pairs in one component: resampling components would tell nothing
_FEWEST_GROUPS = 10
_SILENCE_S = 0.3


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


def compare(
    gold: ArrayLike,
    before: ArrayLike,
    after: ArrayLike,
    groups: ArrayLike,
    *,
    figure: Figure,
    resamples: int = 1_000,
    seed: int = 0,
) -> Steps[Difference]:
    """Compare two columns of cosines by a paired bootstrap over components.

    Each resample draws whole components (`groups`, one number per pair) with replacement and
    takes `figure` of both columns on the same pairs; the interval is that of the percentiles 2.5
    and 97.5. Resamples where the figure cannot be had (no positive left) are left out.
    """
    truth, old, new = (np.asarray(column, np.float64) for column in (gold, before, after))
    numbers = np.unique(np.asarray(groups), return_inverse=True)[1]
    counts = np.bincount(numbers)
    whole = len(counts) >= _FEWEST_GROUPS and counts.max() <= _MOST_IN_ONE * len(truth)
    if not whole:
        numbers, counts = np.arange(len(truth)), np.ones(len(truth), np.int64)
    members = np.split(np.argsort(numbers, kind="stable"), np.cumsum(counts)[:-1])
    random = np.random.default_rng(seed)
    changes: list[float] = []
    spoken = time.monotonic()
    for done in range(resamples):
        drawn = random.integers(0, len(members), len(members))
        rows = np.concatenate([members[group] for group in drawn])
        with suppress(ValueError):
            changes.append(figure(truth[rows], new[rows]) - figure(truth[rows], old[rows]))
        if time.monotonic() - spoken > _SILENCE_S:
            yield Progress("Measuring the difference", done, resamples, "resamples")
            spoken = time.monotonic()
    usable = np.array(changes)[np.isfinite(changes)] if changes else np.empty(0)
    low, high = np.percentile(usable, (2.5, 97.5)) if len(usable) else (np.nan, np.nan)
    return Difference(
        before=figure(truth, old),
        after=figure(truth, new),
        low=float(low),
        high=float(high),
        pairs=len(truth),
        resampled="components" if whole else "pairs",
    )


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
