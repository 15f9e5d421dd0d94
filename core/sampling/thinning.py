"""Which scored pairs stay, so that the silver scores are spread as the gold ones are.

"KDE sampling" of Augmented SBERT (arXiv 2010.08240, section 3.1).
"""

import numpy as np
from numpy.typing import NDArray

from core.sampling.densities import Density, density

_HALVINGS = 60
Scores = NDArray[np.floating]


def thin(gold: Scores, silver: Scores, *, most: int | None = None, seed: int) -> NDArray[np.int64]:
    """Return which silver pairs stay (k,), ascending; scores (n,) are from 0 to 1.

    A pair with the score s stays with the probability Q(s) = min(1, c · gold density / silver
    density), c = 1 as in the paper. Where that leaves more than `most`, c is smaller: the pairs
    then follow the gold the closer, as fewer scores are wanted more often than the pool has them.
    """
    if not len(silver):
        return np.empty(0, np.int64)
    ratio = _ratio(density(gold), density(silver), silver)
    scale = 1.0 if most is None else _scale(ratio, most)
    chance = np.random.default_rng(seed).random(len(silver))
    kept = np.flatnonzero(chance < np.minimum(1, scale * ratio))
    if most is not None and len(kept) > most:
        order = np.argsort(chance[kept] / np.maximum(scale * ratio[kept], 1e-300), kind="stable")
        kept = np.sort(kept[order[:most]])
    return kept


def keep_ratio(
    gold: NDArray[np.integer], silver: NDArray[np.integer], *, most: int | None = None, seed: int
) -> NDArray[np.int64]:
    """Return which silver pairs with labels 0 and 1 stay (k,), ascending.

    All positives stay, and as many negatives, at random, as the gold has for each of its own;
    with `most`, so many of both. Gold without one of the two labels says nothing: all stay.
    """
    random = np.random.default_rng(seed)
    positive, negative = np.flatnonzero(silver == 1), np.flatnonzero(silver == 0)
    of_gold = int((gold == 1).sum()), int((gold == 0).sum())
    if all(of_gold):
        wanted = round(len(positive) * of_gold[1] / of_gold[0])
        negative = random.permutation(negative)[:wanted]
    kept = np.concatenate((positive, negative))
    if most is not None and len(kept) > most:
        share = most / len(kept)
        some = round(len(positive) * share)
        kept = np.concatenate(
            (random.permutation(positive)[:some], random.permutation(negative)[: most - some])
        )
    return np.sort(kept)


def _ratio(gold: Density, silver: Density, scores: Scores) -> NDArray[np.float64]:
    return gold.at(scores) / np.maximum(silver.at(scores), 1e-12)


def _scale(ratio: NDArray[np.float64], most: int) -> float:
    """Return the largest c up to 1 by which at most `most` pairs are expected to stay."""
    if np.minimum(1, ratio).sum() <= most:
        return 1.0
    low, high = 0.0, 1.0
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if np.minimum(1, middle * ratio).sum() > most:
            high = middle
        else:
            low = middle
    return low
