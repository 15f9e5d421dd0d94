"""Shared words counted with sets."""

import numpy as np
import pytest

from core.evaluation.baselines import jaccard

TEXTS = ["The red dog", "a RED dog runs", "nothing else", "red"]


def test_shared_words_are_counted_over_all_words():
    left, right = (side.ravel() for side in np.indices((4, 4)))
    sets = [set(text.lower().split()) for text in TEXTS]
    wanted = [
        len(sets[a] & sets[b]) / len(sets[a] | sets[b]) for a, b in zip(left, right, strict=True)
    ]
    assert jaccard(TEXTS, left, right) == pytest.approx(wanted, abs=1e-6)
