"""Drawing never repeats, deals evenly, and reaches every pair."""

from itertools import combinations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from core.examples.drawing import all_pairs, draw, shares, unordered_pairs


@given(st.integers(0, 500), st.integers(0, 600), st.integers(0, 3))
def test_numbers_are_different_under_the_total_and_as_many_as_can_be(total, count, seed):
    drawn = draw(total, count, np.random.default_rng(seed)).tolist()
    assert len(set(drawn)) == len(drawn) == min(total, count)
    assert all(0 <= number < total for number in drawn)


def test_few_of_a_huge_total_are_drawn_without_writing_it_down():
    drawn = draw(10**17, 1_000, np.random.default_rng(0))
    assert len(set(drawn.tolist())) == 1_000 and drawn.max() > 10**16


def test_every_number_is_drawn_about_as_often():
    random = np.random.default_rng(0)
    counts = np.bincount(np.concatenate([draw(10, 4, random) for _ in range(5_000)]))
    assert abs(counts - 2_000).max() < 200  # six standard deviations are 208


@given(st.lists(st.integers(0, 40), max_size=12), st.integers(0, 300), st.integers(0, 3))
def test_shares_are_even_where_capacities_allow(capacity, count, seed):
    dealt = shares(np.array(capacity, np.int64), count, np.random.default_rng(seed))
    assert dealt.sum() == min(count, sum(capacity))
    assert all(0 <= one <= most for one, most in zip(dealt.tolist(), capacity, strict=True))
    open_ = [one for one, most in zip(dealt.tolist(), capacity, strict=True) if one < most]
    assert not open_ or dealt.max() - min(open_) <= 1


def test_codes_count_every_pair_once():
    left, right = unordered_pairs(np.arange(all_pairs(40)))
    pairs = list(zip(left.tolist(), right.tolist(), strict=True))
    assert sorted(pairs) == sorted(combinations(range(40), 2))


def test_codes_of_very_many_things_are_exact():
    larger = np.array([3_000_000_000, 2_999_999_999, 94_906_266], np.int64)
    smaller = np.array([0, 2_999_999_998, 94_906_265], np.int64)
    left, right = unordered_pairs(larger * (larger - 1) // 2 + smaller)
    assert (left.tolist(), right.tolist()) == (smaller.tolist(), larger.tolist())
