import numpy as np
import pytest

from core.pairs import floor_for, forecast, pair_blocks


def count(vectors, floor):
    return sum(len(block.left) for block in pair_blocks(vectors, floor=floor, device="cpu"))


def test_a_small_corpus_is_counted_exactly(make_vectors):
    vectors = make_vectors(900)
    expected = forecast(vectors, thresholds=np.array([0.5, 0.7, 0.9]))
    assert expected.pairs.round().tolist() == [count(vectors, t) for t in (0.5, 0.7, 0.9)]


def test_a_sample_tells_a_large_corpus_within_a_fifth(make_vectors):
    vectors = make_vectors(6_000)
    expected = forecast(vectors, sample=1_000, thresholds=np.array([0.6]))
    assert expected.pairs[0] == pytest.approx(count(vectors, 0.6), rel=0.2)


def test_the_same_seed_gives_the_same_forecast(make_vectors):
    vectors = make_vectors(3_000)
    first, again = (forecast(vectors, sample=200, seed=5) for _ in range(2))
    assert first.seen.tolist() == again.seen.tolist()


def test_equal_vectors_are_expected_at_every_threshold(make_vectors):
    assert forecast(np.tile(make_vectors(1), (50, 1))).pairs[-1] == 50 * 49 / 2


def test_blank_vectors_are_expected_to_pair_with_nothing():
    assert not forecast(np.zeros((100, 8), np.float32)).pairs.any()


@pytest.mark.parametrize("n", [0, 1])
def test_too_few_vectors_have_no_pairs(make_vectors, n):
    assert not forecast(make_vectors(2)[:n]).pairs.any()


def test_the_floor_rises_until_the_pairs_fit(make_vectors):
    vectors = make_vectors(900)
    floor = floor_for(forecast(vectors), most=200)
    assert floor > 0.7
    assert count(vectors, floor) <= 200


def test_the_floor_is_not_below_the_least(make_vectors):
    assert floor_for(forecast(make_vectors(200))) == 0.7


def test_where_nothing_fits_the_highest_threshold_is_told(make_vectors):
    assert floor_for(forecast(np.tile(make_vectors(1), (50, 1))), most=10) == 1


def test_more_pairs_take_longer(make_vectors):
    expected = forecast(make_vectors(900))
    assert expected.seconds(0.5) > expected.seconds(0.9) > 0
