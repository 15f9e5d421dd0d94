"""Silver pairs as a person leaves them, and the sheet that shows them."""

import numpy as np
import pytest

from core.augmentation import joined, rebalanced, sheet_of
from core.augmentation.silver import Silver, new_silver
from core.examples import ScoredPairs


def silver_of(scores, word="silver") -> Silver:
    count = len(scores)
    return new_silver(
        tuple(f"{word} left {at}" for at in range(count)),
        tuple(f"{word} right {at}" for at in range(count)),
        np.array(scores, np.float32),
    )


def gold_of(scores) -> ScoredPairs:
    return silver_of(scores, "gold").pairs


def test_a_correction_counts_instead_of_the_label_and_dropped_ones_are_not_taught():
    silver = silver_of([0.2, 0.8, 0.5])
    silver.corrected[1] = 0.0
    silver.dropped[2] = True
    assert silver.pairs.score == pytest.approx([0.2, 0.0, 0.5])
    assert silver.taught.left == ("silver left 0", "silver left 1")


def test_keeping_drops_all_others_but_those_a_person_corrected():
    silver = silver_of([0.1, 0.2, 0.3, 0.4])
    silver.corrected[3] = 1.0
    kept = silver.keeping(np.array([0]))
    assert kept.dropped.tolist() == [False, True, True, False]


def test_gold_comes_first_and_keeps_its_scores():
    both = joined(gold_of([1, 0]), silver_of([0.25]).pairs)
    assert both.left == ("gold left 0", "gold left 1", "silver left 0")
    assert both.score == pytest.approx([1, 0, 0.25])


def test_rebalancing_by_decisions_keeps_all_the_same_and_the_gold_ratio():
    labels = np.array([0.9] * 10 + [0.1] * 90, np.float32)
    rows = rebalanced(np.array([1, 0, 0], np.float32), labels, most=None, seed=0)
    assert (labels[rows] >= 0.5).sum() == 10
    assert (labels[rows] < 0.5).sum() == 20


def test_rebalancing_by_scores_brings_silver_near_the_gold():
    random = np.random.default_rng(0)
    gold = random.beta(2, 2, 2_000).astype(np.float32)
    silver = random.beta(1, 3, 20_000).astype(np.float32)
    rows = rebalanced(gold, silver, most=500, seed=0)
    before = sheet_of(gold_of(gold), silver_of(silver)).distance
    after = sheet_of(gold_of(gold), silver_of(silver[rows])).distance
    assert before > 0.3
    assert after < 0.1


def test_bands_count_both_and_the_last_holds_one():
    sheet = sheet_of(gold_of([0, 0.05, 1.0]), silver_of([0.1, 0.95, 1.0, 0.99]))
    assert [band.gold for band in sheet.bands] == [2, 0, 0, 0, 0, 0, 0, 0, 0, 1]
    assert [band.silver for band in sheet.bands] == [0, 1, 0, 0, 0, 0, 0, 0, 0, 3]
    assert sheet.pairs == 4
    assert sheet.gold == 3


def test_the_densities_integrate_to_one_over_the_grid():
    random = np.random.default_rng(1)
    sheet = sheet_of(gold_of(random.random(200)), silver_of(random.random(200)))
    for curve in (sheet.gold_density, sheet.silver_density):
        assert np.trapezoid(curve, sheet.grid) == pytest.approx(1, abs=0.02)


def warnings(gold, silver) -> str:
    return " ".join(one["sentence"] for one in sheet_of(gold, silver).warnings)


def test_labels_nearly_all_near_0_are_warned_of_unless_the_gold_is_so_too():
    low = [0.01] * 95 + [0.9] * 5
    assert "95% of the labels are near 0" in warnings(gold_of([0, 1] * 50), silver_of(low))
    assert "near 0" not in warnings(gold_of([0] * 97 + [1] * 3), silver_of(low))


def test_pairs_that_only_repeat_the_gold_are_warned_of():
    gold = ScoredPairs(
        ("The card", "a", "b"), ("was charged", "b", "c"), np.array([1, 1, 1], np.float32)
    )
    silver = new_silver(  # the same words otherwise written, and what two links say together
        ("the CARD!", "c"), ("was charged.", "a"), np.array([0.9, 0.8], np.float32)
    )
    assert "100% of the silver pairs only repeat" in warnings(gold, silver)
    other = new_silver(("a", "x"), ("y", "z"), np.array([0.9, 0.8], np.float32))
    assert "repeat" not in warnings(gold, other)


def test_a_chain_through_a_pair_that_differs_repeats_nothing():
    gold = ScoredPairs(("a", "b"), ("b", "c"), np.array([1, 0], np.float32))
    sheet = sheet_of(gold, new_silver(("a",), ("c",), np.array([0.9], np.float32)))
    assert sheet.repeats == 0


def test_nothing_left_is_said_and_draws_no_curve():
    silver = silver_of([0.3])
    silver.dropped[0] = True
    sheet = sheet_of(gold_of([0, 1]), silver)
    assert sheet.pairs == 0
    assert set(sheet.silver_density) == {0.0}
    assert "No silver pair is left" in sheet.warnings[0]["sentence"]


def test_few_silver_pairs_are_warned_of():
    assert "fewer silver pairs (1)" in warnings(gold_of([0, 1, 1, 0]), silver_of([0.5]))
