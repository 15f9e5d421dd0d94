"""Which pairs of some texts are to be labelled, by the sampling that was asked for."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from core.augment_options import AugmentOptions
from core.errors import UserError
from core.progress import Steps
from core.sampling import Pairs, sample_bm25, sample_both, sample_random, sample_semantic

# How many neighbours of each text are wanted -> (n, k) their places, the nearest first.
Neighbours = Callable[[int], Steps[NDArray[np.int64]]]


def most_kept(gold: int, options: AugmentOptions) -> int:
    """Return how many silver pairs stay at most beside so many gold pairs."""
    return max(1, round(options.most * gold))


def refuse_top_k(texts: int, options: AugmentOptions) -> None:
    """Raise `UserError` where more others are asked for than there are, or there are no two."""
    if texts < 2:
        raise UserError(
            "There are fewer than two texts to make new pairs of.",
            "Take the whole corpus, or name a file of texts.",
        )
    if options.sampling in ("bm25", "semantic", "both") and options.top_k > texts - 1:
        raise UserError(
            f"Each of {texts:,} texts has {texts - 1:,} others; {options.top_k} were asked for.",
            f"Take at most {texts - 1:,} texts for each text.",
        )


def candidates(
    texts: Sequence[str],
    known: Pairs,
    options: AugmentOptions,
    *,
    gold: int,
    neighbours: Neighbours,
) -> Steps[Pairs]:
    """Return (p, 2) places of texts: no known pair, no pair twice, no text with itself.

    Of random ones as many as may stay beside `gold` pairs; for kde its whole pool. By words and by
    meaning all that are found come, best of each text; what is more than may stay is drawn evenly.
    Raises as `refuse_top_k`.
    """
    refuse_top_k(len(texts), options)
    most = most_kept(gold, options)
    if options.sampling in ("random", "kde"):
        count = max(options.pool, most) if options.sampling == "kde" else most
        return sample_random(len(texts), known, count=count, seed=options.seed)
    found = np.empty((0, 2), np.int64)
    if options.sampling in ("bm25", "both"):
        found = yield from sample_bm25(texts, known, top_k=options.top_k)
    if options.sampling in ("semantic", "both"):
        near = yield from neighbours(options.top_k)
        semantic = sample_semantic(near, known, top_k=options.top_k)
        found = sample_both(found, semantic, len(texts))
    if len(found) > most:
        rows = np.random.default_rng(options.seed).permutation(len(found))[:most]
        found = found[np.sort(rows)]
    return found
