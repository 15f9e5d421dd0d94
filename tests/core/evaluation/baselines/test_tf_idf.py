"""Weighted words against scikit-learn's."""

import numpy as np
import pytest
from sklearn.feature_extraction.text import TfidfVectorizer

from core.evaluation.baselines import tf_idf, tf_idf_cosines
from core.pairs import words_of

TEXTS = ["The dog runs", "the dog, the dog sleeps", "markets fell", "", "Märkte fielen ab", "..."]


def wanted():
    weigh = TfidfVectorizer(analyzer=words_of, smooth_idf=True, sublinear_tf=False, norm="l2")
    return weigh.fit_transform(TEXTS).toarray()


def test_cosines_equal_those_of_another_library():
    rows = wanted()
    left, right = (side.ravel() for side in np.indices((len(TEXTS), len(TEXTS))))
    found = tf_idf_cosines(TEXTS, left, right)
    assert found == pytest.approx((rows @ rows.T)[left, right], abs=1e-12)


def test_rows_have_length_one_or_none():
    lengths = np.sqrt((tf_idf(TEXTS).toarray() ** 2).sum(axis=1))
    assert lengths == pytest.approx([1, 1, 1, 0, 1, 1])


def test_a_rare_word_weighs_more_than_a_common_one():
    left, right = np.array([0, 0]), np.array([1, 2])
    common, rare = tf_idf_cosines(["red bus", "red car", "old bus", "red hat"], left, right)
    assert rare > common


def test_no_texts_have_no_rows():
    assert tf_idf([]).shape[0] == 0
