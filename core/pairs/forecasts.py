"""How many pairs a pass will find and how long it will take, told before it is run."""

import time
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.pairs.comparing import MANY, pairs_to_compare
from core.pairs.rounding import WORTH_IT, bfloat16_gain, unusable
from core.processor import has_bf16

_OTHERS = 16_384  # vectors that the sample is compared with
_SLICE = 2_048
_BESIDE = 1.2  # the whole pass, when the products alone take 1
_SCORING_S = 1.5e-6  # for one pair found, beside the products


@dataclass(frozen=True, slots=True)
class Forecast:
    """Expected numbers of pairs; exact where the corpus is no larger than the sample."""

    thresholds: NDArray[np.float64]  # ascending
    pairs: NDArray[np.float64]  # expected at or above each threshold
    seen: NDArray[np.int64]  # met in the sample: few of them make a rough forecast
    compare_s: float  # for comparing all pairs on this processor; accelerators need less
    n: int

    def seconds(self, floor: float) -> float:
        """Estimate how long the pass at `floor` takes."""
        found = float(np.interp(floor, self.thresholds, self.pairs))
        return self.compare_s + found * _SCORING_S


def forecast(
    vectors: NDArray[np.float32],
    *,
    sample: int = 2_048,
    seed: int = 0,
    thresholds: NDArray[np.float64] | None = None,
) -> Forecast:
    """Estimate the pairs of `vectors` (n, d) at each of `thresholds` from a random sample.

    Compares `sample` vectors with up to 16,384 others, which takes about 0.3 s. By default
    the thresholds are 0.50, 0.51 … 1.00.
    """
    import torch

    thresholds = np.linspace(0.5, 1, 51) if thresholds is None else np.sort(thresholds)
    n = len(vectors)
    shuffled = np.random.default_rng(seed).permutation(n)[: max(sample, _OTHERS)]
    some = _usable(vectors, shuffled[:sample])
    some_rows = torch.from_numpy(some)
    seen = np.zeros(len(thresholds), np.int64)
    others = 0
    gain = bfloat16_gain(vectors.shape[1]) if n >= MANY and has_bf16() else 1.0
    quicker = gain if gain > WORTH_IT else 1.0
    elapsed = 0.0
    for start in range(0, len(shuffled), _SLICE):
        block = _usable(vectors, shuffled[start : start + _SLICE])
        begun = time.perf_counter()
        products = (some_rows @ torch.from_numpy(block).T).numpy()
        elapsed += time.perf_counter() - begun
        # The sample is the first of the others: each vector meets itself once.
        own = np.arange(start, min(start + _SLICE, len(some)))
        products[own, own - start] = -1
        # Rounding must not push equal vectors below a threshold of 1.
        high = np.sort(products[products >= np.float32(thresholds[0] - 1e-6)]) + 1e-6
        seen += len(high) - np.searchsorted(high, thresholds, side="left")
        others += len(block)
    tested = len(some) * (others - 1)
    every = pairs_to_compare(n)
    share = every / tested if tested > 0 else 0.0
    return Forecast(
        thresholds=thresholds,
        pairs=seen.astype(np.float64) * share,
        seen=seen,
        compare_s=_BESIDE * elapsed / quicker * every / max(len(some) * others, 1),
        n=n,
    )


def floor_for(expected: Forecast, *, most: int = 5_000_000, least: float = 0.70) -> float:
    """Choose the lowest floor from `least` on that is expected to give at most `most` pairs.

    Where even the highest threshold gives more, that one is returned: ask the user first.
    """
    fits = expected.thresholds[expected.pairs <= most]
    lowest = fits[0] if len(fits) else expected.thresholds[-1]
    return float(max(least, lowest))


def _usable(vectors: NDArray[np.float32], rows: NDArray[np.intp]) -> NDArray[np.float32]:
    block = np.array(vectors[rows], np.float32)
    block[unusable(block)] = 0
    return block
