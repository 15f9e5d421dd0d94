"""Figures against definitions worked out by hand or by scipy."""

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from core.evaluation import average_precision, best_f1, pair_scores, pearson, spearman

judged = st.lists(st.tuples(st.integers(0, 1), st.integers(0, 6)), min_size=1, max_size=40).filter(
    lambda rows: any(label for label, _ in rows)
)


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=2, max_size=40))
def test_correlations_equal_those_of_scipy(rows):
    a, b = np.array(rows, float).T
    if len(set(a)) < 2 or len(set(b)) < 2:
        assert np.isnan(spearman(a, b))
        return
    assert spearman(a, b) == pytest.approx(scipy.stats.spearmanr(a, b).statistic)
    assert pearson(a, b) == pytest.approx(scipy.stats.pearsonr(a, b).statistic)


def test_average_precision_of_a_worked_example():
    assert average_precision([1, 0, 1, 0], [0.9, 0.8, 0.7, 0.1]) == pytest.approx((1 + 2 / 3) / 2)


def test_tied_scores_share_one_step():
    assert average_precision([1, 0], [0.5, 0.5]) == pytest.approx(0.5)


@given(judged, st.randoms())
def test_no_figure_depends_on_the_order_of_rows(rows, random):
    shuffled = random.sample(rows, len(rows))
    for figure in (average_precision, best_f1):
        assert figure(*np.array(rows).T) == pytest.approx(figure(*np.array(shuffled).T))


@given(judged)
def test_the_threshold_gives_the_f1_that_is_promised(rows):
    labels, scores = np.array(rows).T
    best = best_f1(labels, scores)
    taken = scores >= best.threshold
    hits = (labels[taken] > 0).sum()
    assert best.f1 == pytest.approx(2 * hits / (taken.sum() + labels.sum()))
    assert best.precision == pytest.approx(hits / taken.sum())
    assert best.recall == pytest.approx(hits / labels.sum())


@given(judged)
def test_no_threshold_gives_a_better_f1(rows):
    labels, scores = np.array(rows).T
    for threshold in set(scores):
        taken = scores >= threshold
        f1 = 2 * labels[taken].sum() / (taken.sum() + labels.sum())
        assert f1 <= best_f1(labels, scores).f1 + 1e-12


def test_without_a_positive_there_is_no_average_precision():
    with pytest.raises(ValueError, match="no label is positive"):
        average_precision([0, 0], [1, 2])


def test_columns_of_different_length_are_refused():
    with pytest.raises(ValueError, match="one length"):
        spearman([1, 2], [1])


def test_pair_scores_are_cosines_of_rows():
    left = np.array([[1, 0], [0, 1]], np.float32)
    assert pair_scores(left, np.array([[1, 0], [1, 0]], np.float32)).tolist() == [1, 0]
