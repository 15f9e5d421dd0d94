"""Differences with their doubt, and thresholds that match."""

import math

import numpy as np
import pytest

from core.evaluation import average_precision, spearman
from core.evaluation.comparing import compare, matching_threshold
from core.progress import run_to_end


def compared(gold, before, after, groups=None, **named):
    groups = np.arange(len(gold)) if groups is None else groups
    named.setdefault("figure", average_precision)
    return run_to_end(compare(gold, before, after, groups, **named))


def noisy(gold, noise, seed=0):
    return gold + np.random.default_rng(seed).normal(0, noise, len(gold))


GOLD = np.arange(300) % 2


def test_a_clear_gain_has_an_interval_above_nothing():
    found = compared(GOLD, noisy(GOLD, 2), noisy(GOLD, 0.2))
    assert 0 < found.low < found.change < found.high


def test_a_clear_loss_has_an_interval_below_nothing():
    found = compared(GOLD, noisy(GOLD, 0.2), noisy(GOLD, 2))
    assert found.low < found.change < found.high < 0


def test_the_same_cosines_do_not_differ():
    found = compared(GOLD, noisy(GOLD, 1), noisy(GOLD, 1))
    assert (found.change, found.low, found.high) == (0, 0, 0)


def test_before_and_after_are_the_plain_figures():
    before, after = noisy(GOLD, 1, 1), noisy(GOLD, 1, 2)
    found = compared(GOLD, before, after, figure=spearman)
    assert found.before == spearman(GOLD, before)
    assert found.after == spearman(GOLD, after)


def test_bound_pairs_are_drawn_together_and_widen_the_interval():
    # Each judgement ten times over: as good as thirty, though it looks like three hundred.
    gold = np.repeat(GOLD[:30], 10)
    before, after = (np.repeat(noisy(GOLD[:30], 1, seed), 10) for seed in (1, 2))
    bound = compared(gold, before, after, np.repeat(np.arange(30), 10))
    free = compared(gold, before, after)
    assert bound.resampled == "components"
    assert bound.high - bound.low > 2 * (free.high - free.low)


def test_one_component_of_nearly_all_is_resampled_by_pairs():
    groups = np.r_[np.zeros(280, int), np.arange(1, 21)]
    assert compared(GOLD, noisy(GOLD, 1), noisy(GOLD, 1), groups).resampled == "pairs"


def test_the_interval_is_the_same_each_time():
    first, again = (compared(GOLD, noisy(GOLD, 1, 1), noisy(GOLD, 1, 2)) for _ in range(2))
    assert first == again


def test_a_single_positive_still_gives_an_interval():
    gold = np.r_[1, np.zeros(30)]
    found = compared(gold, noisy(gold, 1, 1), noisy(gold, 1, 2), resamples=200)
    assert math.isfinite(found.low) and math.isfinite(found.high)


def test_the_same_cosines_keep_a_threshold_between_the_same_pairs():
    gold, cosines = [1, 1, 0, 1], [0.9, 0.8, 0.7, 0.6]
    assert matching_threshold(gold, cosines, cosines, 0.75) == pytest.approx(0.8)


def test_a_better_encoder_lets_the_threshold_sink_to_the_same_precision():
    gold = [1, 0, 1, 0]
    before, after = [0.9, 0.8, 0.4, 0.3], [0.9, 0.3, 0.6, 0.2]
    assert matching_threshold(gold, before, after, 0.7) == pytest.approx(0.2)


def test_cosines_that_all_rose_raise_the_threshold():
    gold = np.array([1, 1, 0, 0])
    before = np.array([0.8, 0.7, 0.5, 0.4])
    assert matching_threshold(gold, before, before + 0.15, 0.6) == pytest.approx(0.85)


def test_equal_cosines_are_taken_or_left_together():
    gold = [1, 1, 0]
    assert matching_threshold(gold, [0.9, 0.9, 0.1], [0.9, 0.5, 0.5], 0.8) == pytest.approx(0.9)


def test_a_threshold_that_no_pair_reached_cannot_be_matched():
    assert matching_threshold([1, 0], [0.5, 0.4], [0.9, 0.8], 0.6) is None


def test_a_precision_that_the_new_encoder_never_has_is_not_promised():
    assert matching_threshold([1, 0], [0.9, 0.1], [0.1, 0.9], 0.5) is None
