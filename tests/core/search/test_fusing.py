import pytest

from core.search import fuse


def test_an_item_high_in_both_rankings_comes_first():
    assert [item for item, _ in fuse([[1, 2, 3], [2, 4, 1]])][:2] == [2, 1]


def test_the_score_is_the_sum_of_reciprocal_ranks():
    assert dict(fuse([[7, 8], [8]], constant=60)) == pytest.approx({7: 1 / 61, 8: 1 / 62 + 1 / 61})


def test_of_equal_scores_the_one_met_first_wins():
    assert [item for item, _ in fuse([[5, 1], [9, 2]])] == [5, 9, 1, 2]


def test_an_item_counts_once_in_a_ranking():
    assert fuse([[3, 3, 4]]) == fuse([[3, 4]])


@pytest.mark.parametrize("rankings", [[], [[]], [[], []]])
def test_nothing_fused_is_nothing(rankings):
    assert fuse(rankings) == []
