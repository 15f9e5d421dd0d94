"""Jaccard index of words: what merely sharing words gives.

Nothing is counted twice and no word weighs more than another.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from core.evaluation.similarities import Places
from core.pairs import WordTable


def jaccard(texts: Sequence[str], left: Places, right: Places) -> NDArray[np.float64]:
    """Return shared words / all words of the pairs (`left[i]`, `right[i]`) of texts, 0 to 1.

    Words are distinct and as `core.pairs.words.words_of` cuts them; computed in float32.
    """
    return WordTable.of(texts).overlap(left, right).astype(np.float64)
