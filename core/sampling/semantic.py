"""The nearest texts of each text, from the graph of neighbours under an encoder taught on gold."""

import numpy as np
from numpy.typing import NDArray

from core.sampling.pairs import Pairs, fresh


def sample_semantic(neighbours: NDArray[np.integer], known: Pairs, *, top_k: int) -> Pairs:
    """Return each text with its `top_k` nearest others.

    `neighbours` (n, k) holds the numbers of the others, the nearest first; negative ones are none.
    """
    nearest = np.asarray(neighbours, np.int64)[:, :top_k]
    texts = len(nearest)
    pairs = np.column_stack((np.repeat(np.arange(texts), nearest.shape[1]), nearest.reshape(-1)))
    return fresh(pairs[pairs[:, 1] >= 0], known, texts)
