"""Thresholds from other pairs, against scikit-learn and against trying them all."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import accuracy_score, precision_recall_fscore_support

from core.evaluation import (
    accuracy_at,
    apply_threshold,
    best_accuracy,
    best_f1,
    majority,
)

judged = st.lists(st.tuples(st.integers(0, 1), st.integers(0, 6)), min_size=1, max_size=40).filter(
    lambda rows: any(label for label, _ in rows)
)


@given(judged, st.floats(-1, 7))
def test_a_threshold_does_what_another_library_says(rows, threshold):
    labels, scores = np.array(rows).T
    taken = scores >= threshold
    precision, recall, f1, _ = precision_recall_fscore_support(
        labels, taken, average="binary", zero_division=0
    )
    found = apply_threshold(labels, scores, threshold)
    assert (found.f1, found.precision, found.recall) == pytest.approx((f1, precision, recall))
    assert accuracy_at(labels, scores, threshold) == pytest.approx(accuracy_score(labels, taken))


@given(judged)
def test_the_best_threshold_keeps_its_word_on_its_own_pairs(rows):
    labels, scores = np.array(rows).T
    best = best_f1(labels, scores)
    assert apply_threshold(labels, scores, best.threshold).f1 == pytest.approx(best.f1)


@given(judged)
def test_no_threshold_is_more_accurate(rows):
    labels, scores = np.array(rows).T
    best = best_accuracy(labels, scores)
    tried = [accuracy_at(labels, scores, at) for at in (*set(scores), 99)]
    assert best.accuracy == pytest.approx(max(tried))
    assert accuracy_at(labels, scores, best.threshold) == pytest.approx(best.accuracy)


@given(judged, st.randoms())
def test_the_order_of_rows_does_not_matter(rows, random):
    shuffled = random.sample(rows, len(rows))
    assert best_accuracy(*np.array(rows).T) == best_accuracy(*np.array(shuffled).T)


def test_a_threshold_from_elsewhere_may_take_nothing():
    found = apply_threshold([1, 0], [0.5, 0.4], 0.9)
    assert (found.f1, found.precision, found.recall) == (0, 0, 0)


def test_neighbouring_numbers_are_still_told_apart():
    low = 0.5
    high = float(np.nextafter(low, 1))
    for best in (best_f1([1, 0], [high, low]), best_accuracy([1, 0], [high, low])):
        assert low < best.threshold <= high


def test_calling_nothing_the_same_may_be_most_accurate():
    best = best_accuracy([0, 0, 1], [3, 2, 1])
    assert best.accuracy == pytest.approx(2 / 3)
    assert best.threshold > 3


def test_without_a_positive_there_is_no_f1_but_an_accuracy():
    with pytest.raises(ValueError, match="no label is positive"):
        apply_threshold([0, 0], [1, 2], 1.5)
    assert accuracy_at([0, 0], [1, 2], 1.5) == 0.5


def test_the_majority_is_the_most_frequent_label():
    found = majority(["b", "a", "a"])
    assert (found.label, found.accuracy) == ("a", 2 / 3)


def test_the_majority_may_be_learnt_elsewhere():
    found = majority(["b", "a", "a"], learnt_from=["b", "b", "a"])
    assert (found.label, found.accuracy) == ("b", 1 / 3)


def test_no_labels_have_no_majority():
    with pytest.raises(ValueError, match="at least one label"):
        majority([])
