"""Differences with their doubt, and thresholds that match."""

import math

import numpy as np
import pytest

from core.evaluation import accuracy_at, average_precision, compare_results, compare_runs, spearman
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


def test_each_side_may_have_its_own_threshold():
    scores = noisy(GOLD, 0.3)
    found = compared(
        GOLD,
        scores,
        scores + 5,
        figure=lambda gold, column: accuracy_at(gold, column, 0.5),
        after_figure=lambda gold, column: accuracy_at(gold, column, 5.5),
    )
    assert (found.change, found.low, found.high) == (0, 0, 0)


def test_the_interval_of_a_mean_is_that_of_its_standard_error():
    # The figure is the mean score: its bootstrap interval is mean ± 1.96 s / √n in the limit.
    after = np.random.default_rng(4).normal(0.3, 1, 400)
    found = compared(np.r_[1, np.zeros(399)], np.zeros(400), after, figure=lambda _, s: s.mean())
    error = 1.96 * after.std() / np.sqrt(400)
    assert found.low == pytest.approx(after.mean() - error, abs=0.03)
    assert found.high == pytest.approx(after.mean() + error, abs=0.03)


def compared_runs(before, after, **named):
    named.setdefault("figure", average_precision)
    return run_to_end(compare_runs(GOLD, before, after, np.arange(300), resamples=300, **named))


def test_runs_are_told_by_their_means():
    before, after = ([noisy(GOLD, 1, seed) for seed in seeds] for seeds in (range(3), range(3, 7)))
    found = compared_runs(before, after)
    assert found.before.n == 3
    assert found.after.mean == pytest.approx(
        np.mean([average_precision(GOLD, run) for run in after])
    )


def test_runs_that_are_clearly_better_have_an_interval_above_nothing():
    found = compared_runs(
        [noisy(GOLD, 2, seed) for seed in range(3)], [noisy(GOLD, 0.3, seed) for seed in range(3)]
    )
    assert 0 < found.low < found.change < found.high


def test_runs_that_scatter_widen_the_interval():
    steady = [noisy(GOLD, 1, 1)] * 4
    mixed = [noisy(GOLD, noise, 1) for noise in (0.1, 0.5, 2, 6)]
    widths = [compared_runs(steady, runs) for runs in (steady, mixed)]
    assert widths[1].high - widths[1].low > 2 * (widths[0].high - widths[0].low)


def test_a_single_run_of_each_is_compared_by_its_pairs():
    before, after = noisy(GOLD, 1, 1), noisy(GOLD, 1, 2)
    runs = compared_runs(before, after)
    pairs = compared(GOLD, before, after, resamples=300)
    assert (runs.low, runs.high) == pytest.approx((pairs.low, pairs.high), abs=0.02)
    assert runs.resampled == "runs and components"


def test_results_alone_are_compared_by_their_values():
    found = compare_results([0.5, 0.52, 0.48], [0.7, 0.71, 0.72])
    assert 0.15 < found.low < found.change < found.high < 0.25
    assert found.change == pytest.approx(0.21)


def test_paired_results_forget_what_folds_have_in_common():
    before = np.array([0.2, 0.5, 0.8, 0.4])
    found = compare_results(before, before + 0.05, paired=True)
    assert (found.low, found.high) == pytest.approx((0.05, 0.05))


def test_paired_results_must_be_as_many():
    with pytest.raises(ValueError, match="cannot be paired"):
        compare_results([1, 2], [1], paired=True)
