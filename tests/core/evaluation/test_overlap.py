"""Errors by overlap against loops over the pairs of each band."""

import numpy as np
import pytest
import scipy.stats
from sklearn.metrics import f1_score

from core.evaluation import content_overlap, errors_by_overlap


@pytest.fixture
def scored():
    random = np.random.default_rng(0)
    gold, overlap = random.random(200), random.random(200)
    scores = {
        "encoder": gold + random.normal(0, 0.4 * (1 - overlap)),
        "cross": gold + random.normal(0, 0.1, 200),
    }
    return gold, scores, overlap


def band_of(overlap, low, high):
    return [at for at in range(len(overlap)) if low <= overlap[at] < high]


def test_the_error_of_scores_is_the_mean_distance_of_ranks(scored):
    gold, scores, overlap = scored
    table = errors_by_overlap(gold, scores, overlap, np.arange(200), labelled=False)
    place = {name: scipy.stats.rankdata(column) for name, column in scores.items()}
    truth = scipy.stats.rankdata(gold)
    for band in table.bands:
        own = band_of(overlap, band.low, band.high)
        assert band.pairs == len(own)
        for told in band.errors:
            apart = [(place[told.scorer][at] - truth[at]) / 199 for at in own]
            assert told.error == pytest.approx(np.mean(np.abs(apart)))
            assert told.bias == pytest.approx(np.mean(apart))
            assert np.isnan(told.f1)


def test_the_error_of_labels_is_the_share_of_wrong_ones(scored):
    gold, scores, overlap = scored
    labels = (gold > 0.6).astype(float)
    thresholds = {"encoder": 0.5, "cross": 0.7}
    table = errors_by_overlap(
        labels, scores, overlap, np.arange(200), labelled=True, thresholds=thresholds
    )
    for band in table.bands:
        own = band_of(overlap, band.low, band.high)
        for told in band.errors:
            called = scores[told.scorer][own] >= thresholds[told.scorer]
            assert told.error == pytest.approx(np.mean(called != labels[own]))
            assert told.bias == pytest.approx(np.mean(called - labels[own]))
            assert told.f1 == pytest.approx(f1_score(labels[own], called))


def test_the_interval_of_a_difference_is_that_of_its_standard_error(scored):
    gold, scores, overlap = scored
    table = errors_by_overlap(gold, scores, overlap, np.arange(200), labelled=False)
    truth = scipy.stats.rankdata(gold)
    residual = {
        name: np.abs(scipy.stats.rankdata(column) - truth) / 199 for name, column in scores.items()
    }
    apart = residual["cross"] - residual["encoder"]
    for band in table.bands:
        own = apart[band_of(overlap, band.low, band.high)]
        error = 1.96 * own.std() / np.sqrt(len(own))
        (told,) = band.differences
        assert told.error == pytest.approx(own.mean())
        assert told.error_low == pytest.approx(own.mean() - error, abs=error / 2)
        assert told.error_high == pytest.approx(own.mean() + error, abs=error / 2)


def test_a_scorer_that_sees_more_where_few_words_are_shared_is_found(scored):
    bands = errors_by_overlap(*scored, np.arange(200), labelled=False).bands
    assert bands[0].differences[0].error_high < 0 < bands[-1].differences[0].error_high


def test_intervals_of_f1_hold_the_difference(scored):
    gold, scores, overlap = scored
    table = errors_by_overlap(gold > 0.5, scores, overlap, np.arange(200), labelled=True)
    told = table.bands[0].differences[0]
    assert told.f1_low < told.f1 < told.f1_high
    assert set(table.thresholds) == {"encoder", "cross"}


def test_the_same_scores_do_not_differ(scored):
    gold, scores, overlap = scored
    twice = {"one": scores["cross"], "two": scores["cross"]}
    for band in errors_by_overlap(gold, twice, overlap, np.arange(200), labelled=False).bands:
        (told,) = band.differences
        assert (told.error, told.error_low, told.error_high) == (0, 0, 0)


def test_only_the_ranks_of_scores_matter(scored):
    gold, scores, overlap = scored
    bent = {name: np.exp(3 * column) for name, column in scores.items()}
    first, other = (
        errors_by_overlap(gold, some, overlap, np.arange(200), labelled=False)
        for some in (scores, bent)
    )
    assert first.bands[2].errors[0].error == pytest.approx(other.bands[2].errors[0].error)


def test_an_empty_band_says_nothing(scored):
    gold, scores, _ = scored
    bands = errors_by_overlap(gold, scores, np.ones(200), np.arange(200), labelled=False).bands
    assert [band.pairs for band in bands] == [0, 0, 0, 0, 200]
    assert np.isnan(bands[0].errors[0].error) and np.isnan(bands[0].differences[0].error_low)


def test_pairs_that_hang_together_are_drawn_together(scored):
    table = errors_by_overlap(*scored, np.arange(200) // 4, labelled=False)
    assert table.resampled == "components"


def test_an_overlap_outside_of_the_bands_is_refused(scored):
    gold, scores, overlap = scored
    with pytest.raises(ValueError, match="overlap must be"):
        errors_by_overlap(gold, scores, overlap + 1, np.arange(200), labelled=False)


def test_words_are_counted_once_and_without_case():
    told = content_overlap(["The red card", "a b"], ["the RED red bus", "c d"])
    assert told == pytest.approx([2 / 4, 0])


def test_words_that_many_texts_hold_are_left_out():
    left = [f"the thing{number} is red{number}" for number in range(20)]
    right = [f"the thing{number} is blue{number}" for number in range(20)]
    assert content_overlap(left, right) == pytest.approx([1 / 3] * 20)


def test_a_text_of_common_words_alone_keeps_them():
    left = ["the is", *(f"the thing{number} is" for number in range(25))]
    right = ["is the", *(f"the other{number} is" for number in range(25))]
    assert content_overlap(left, right)[0] == 1
