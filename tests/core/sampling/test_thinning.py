"""Densities of scores, and silver pairs thinned to the gold's."""

import numpy as np
import pytest
from scipy.stats import gaussian_kde, ks_2samp

from core.sampling import density, keep_ratio, thin

RANDOM = np.random.default_rng(7)
SILVER = RANDOM.beta(1.2, 6, 60_000)  # most texts have little to do with each other
GOLD = RANDOM.beta(2, 4, 2_000)


def test_a_density_integrates_to_one_and_stays_within_the_ends():
    found = density(RANDOM.beta(0.5, 0.5, 500))
    assert np.trapezoid(found.values, found.grid) == pytest.approx(1, abs=1e-9)
    assert (found.values > 0).all()
    assert found.grid[[0, -1]].tolist() == [0, 1]


def test_a_density_agrees_with_another_of_the_same_kernel_away_from_the_ends():
    scores = np.clip(RANDOM.normal(0.5, 0.08, 400), 0, 1)
    found = density(scores, bandwidth=0.03)
    other = gaussian_kde(scores, bw_method=0.03 / scores.std(ddof=1))
    inner = np.linspace(0.2, 0.8, 61)
    assert found.at(inner) == pytest.approx(other(inner), rel=2e-3, abs=2e-3)


def test_a_flat_spread_is_flat_up_to_the_ends():
    found = density(np.linspace(0, 1, 20_001))
    assert found.values == pytest.approx(np.ones(1_001), abs=0.02)


@pytest.mark.parametrize("scores", [[], [0.2, 1.5], [float("nan")]])
def test_scores_out_of_range_have_no_density(scores: list[float]):
    with pytest.raises(ValueError, match="0 to 1"):
        density(np.array(scores))


@pytest.mark.parametrize(("most", "distance"), [(2_000, 0.04), (10_000, 0.08), (None, 0.3)])
def test_what_stays_is_spread_as_the_gold(most: int | None, distance: float):
    """The Kolmogorov–Smirnov distance, 0.40 before; fewer follow the gold the closer."""
    assert ks_2samp(GOLD, SILVER).statistic > 0.38
    kept = thin(GOLD, SILVER, most=most, seed=1)
    assert ks_2samp(GOLD, SILVER[kept]).statistic < distance
    assert most is None or 0.95 * most < len(kept) <= most
    assert (np.diff(kept) > 0).all()


def test_each_score_stays_as_often_as_the_densities_say():
    kept = thin(GOLD, SILVER, seed=2)
    gold, silver = density(GOLD), density(SILVER)
    for low in np.arange(0.05, 0.6, 0.1):
        inside = (low <= SILVER) & (low + 0.1 > SILVER)
        chance = np.minimum(1, gold.at(SILVER[inside]) / silver.at(SILVER[inside]))
        stayed = np.isin(np.flatnonzero(inside), kept).mean()
        assert stayed == pytest.approx(chance.mean(), abs=5 * (0.25 / inside.sum()) ** 0.5)


def test_thinning_follows_the_seed():
    assert (thin(GOLD, SILVER, seed=3) == thin(GOLD, SILVER, seed=3)).all()
    assert len(thin(GOLD, np.empty(0), seed=0)) == 0


def test_scores_that_are_all_alike_are_thinned_without_a_fault():
    assert 25 < len(thin(np.ones(30), np.ones(200), most=50, seed=0)) <= 50


def test_labels_keep_their_positives_and_the_ratio_of_the_gold():
    gold = np.array([1] * 30 + [0] * 60)
    silver = np.array([0] * 900 + [1] * 100)
    kept = keep_ratio(gold, silver, seed=0)
    assert (silver[kept] == 1).sum() == 100
    assert (silver[kept] == 0).sum() == 200
    some = keep_ratio(gold, silver, most=90, seed=0)
    assert len(some) == 90
    assert (silver[some] == 1).sum() == 30


def test_too_few_negatives_all_stay_and_one_sided_gold_says_nothing():
    assert len(keep_ratio(np.array([1, 0, 0]), np.array([1, 1, 1, 0]), seed=0)) == 4
    assert len(keep_ratio(np.array([1, 1]), np.array([1, 0, 0, 0]), seed=0)) == 4
