"""Areas under the curve against pairs counted one by one, and against scikit-learn."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import roc_auc_score

from core.evaluation import area_under_roc, roc_curve

judged = st.lists(st.tuples(st.integers(0, 1), st.integers(0, 6)), min_size=2, max_size=40).filter(
    lambda rows: len({label for label, _ in rows}) == 2
)


def counted(labels, scores):
    """The share of positives above negatives, ties half."""
    above = [s for label, s in zip(labels, scores, strict=True) if label]
    below = [s for label, s in zip(labels, scores, strict=True) if not label]
    return sum((a > b) + (a == b) / 2 for a in above for b in below) / len(above) / len(below)


def raw_partial(labels, scores, most):
    """scikit-learn's area up to a rate, its standardisation after McClish undone."""
    told = roc_auc_score(labels, scores, max_fpr=most)
    least = most**2 / 2
    return (least + (2 * told - 1) * (most - least)) / most


@given(judged)
def test_the_whole_area_is_the_share_of_pairs_in_the_right_order(rows):
    labels, scores = np.array(rows).T
    assert area_under_roc(labels, scores) == pytest.approx(counted(labels, scores))


@given(judged, st.sampled_from([0.05, 0.2, 0.5]))
def test_the_area_up_to_a_rate_equals_that_of_another_library(rows, most):
    labels, scores = np.array(rows).T
    found = area_under_roc(labels, scores, most_false=most)
    assert found == pytest.approx(raw_partial(labels, scores, most))


def test_perfect_scores_fill_the_area():
    assert area_under_roc([1, 1, 0, 0], [4, 3, 2, 1], most_false=0.05) == pytest.approx(1)


def test_scores_that_are_all_equal_give_chance():
    assert area_under_roc([1, 0, 0], [5, 5, 5], most_false=0.05) == pytest.approx(0.025)


def test_a_worked_example():
    # 20 negatives: the rate is reached at the first. One positive above it, one below.
    labels, scores = [1, 0, 1, *[0] * 19], [9, 8, 7, *range(-19, 0)]
    assert area_under_roc(labels, scores, most_false=0.05) == pytest.approx(0.5)


def test_a_tie_that_crosses_the_rate_is_cut_along_its_line():
    # A step of 2 negatives of 10 and both positives: at the rate 0.1 half of the way is gone.
    labels, scores = [1, 1, 0, 0, *[0] * 8], [5, 5, 5, 5, *range(-8, 0)]
    assert area_under_roc(labels, scores, most_false=0.1) == pytest.approx((0.1 * 0.5 / 2) / 0.1)


@given(judged, st.randoms())
def test_the_order_of_rows_does_not_matter(rows, random):
    shuffled = random.sample(rows, len(rows))
    for most in (0.05, 1.0):
        found = [area_under_roc(*np.array(some).T, most_false=most) for some in (rows, shuffled)]
        assert found[0] == pytest.approx(found[1])


@given(judged)
def test_only_the_order_of_scores_matters(rows):
    labels, scores = np.array(rows).T
    for most in (0.05, 1.0):
        found = area_under_roc(labels, np.exp(scores / 3) - 7, most_false=most)
        assert found == pytest.approx(area_under_roc(labels, scores, most_false=most))


def test_the_curve_runs_from_corner_to_corner():
    false, true = roc_curve([1, 0, 1], [3, 2, 1])
    assert (false.tolist(), true.tolist()) == ([0, 0, 1, 1], [0, 0.5, 0.5, 1])


@pytest.mark.parametrize(("label", "message"), [(1, "no label is negative"), (0, "positive")])
def test_one_label_alone_has_no_curve(label, message):
    with pytest.raises(ValueError, match=message):
        area_under_roc([label] * 3, [1, 2, 3])


@pytest.mark.parametrize("most", [0, -0.1, 1.1, float("nan")])
def test_a_rate_outside_of_its_range_is_refused(most):
    with pytest.raises(ValueError, match="rate above 0"):
        area_under_roc([1, 0], [1, 0], most_false=most)


def test_scores_that_are_not_finite_are_refused():
    with pytest.raises(ValueError, match="finite"):
        area_under_roc([1, 0], [1, np.nan])
