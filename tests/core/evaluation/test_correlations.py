"""Correlations under every similarity, against scipy."""

import numpy as np
import pytest
import scipy.stats

from core.evaluation import SIMILARITIES, correlations


@pytest.fixture
def pairs():
    random = np.random.default_rng(0)
    left = random.normal(size=(50, 6)).astype(np.float32)
    noise = random.uniform(0.1, 3, (50, 1))
    right = (left + noise * random.normal(size=(50, 6))).astype(np.float32)
    return -noise[:, 0], left, right


def test_each_similarity_is_correlated_as_scipy_does(pairs):
    gold, left, right = pairs
    found = correlations(gold, left, right)
    assert list(found) == ["cosine", "dot", "euclidean", "manhattan"]
    for name, told in found.items():
        scores = SIMILARITIES[name](left, right)
        assert told.spearman == pytest.approx(scipy.stats.spearmanr(gold, scores).statistic)
        assert told.pearson == pytest.approx(scipy.stats.pearsonr(gold, scores).statistic)


def test_on_vectors_of_length_one_three_similarities_rank_alike(pairs):
    gold, left, right = pairs
    left, right = (side / np.linalg.norm(side, axis=1, keepdims=True) for side in (left, right))
    found = correlations(gold, left, right)
    assert found["dot"].spearman == pytest.approx(found["cosine"].spearman, abs=1e-3)
    assert found["euclidean"].spearman == pytest.approx(found["cosine"].spearman, abs=1e-3)


def test_gold_that_never_varies_says_nothing(pairs):
    _, left, right = pairs
    assert np.isnan(correlations(np.full(50, 0.3), left, right)["cosine"].pearson)
