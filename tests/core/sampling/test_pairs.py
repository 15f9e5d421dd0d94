"""No gold, no twins, no text with itself: what every way of sampling keeps to."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.progress import run_to_end
from core.sampling import fresh, sample_bm25, sample_both, sample_random, sample_semantic

NONE = np.empty((0, 2), np.int64)
WORDS = st.lists(
    st.sampled_from(["card", "parcel", "refund", "late", "login", "the", "my"]), max_size=5
)
TEXTS = st.lists(WORDS.map(" ".join), min_size=1, max_size=14)


def known_among(texts: int):
    pair = st.tuples(st.integers(0, texts - 1), st.integers(0, texts - 1))
    return st.lists(pair, max_size=12).map(lambda found: np.array(found, np.int64).reshape(-1, 2))


def check(pairs: np.ndarray, known: np.ndarray, texts: int) -> None:
    told = [frozenset(pair) for pair in pairs.tolist()]
    assert pairs.shape == (len(told), 2)
    assert pairs.dtype == np.int64
    assert all(0 <= left < right < texts for left, right in pairs.tolist())
    assert len(set(told)) == len(told)
    assert not set(told) & {frozenset(pair) for pair in known.tolist()}


@settings(max_examples=80, deadline=None)
@given(data=st.data(), texts=TEXTS, top_k=st.integers(1, 4), seed=st.integers(0, 99))
def test_no_gold_no_twins_and_no_text_with_itself(data, texts: list[str], top_k: int, seed: int):
    count = len(texts)
    known = data.draw(known_among(count))
    places = st.lists(st.integers(-1, count - 1), min_size=3, max_size=3)
    rows = data.draw(st.lists(places, min_size=count, max_size=count))
    words = run_to_end(sample_bm25(texts, known, top_k=top_k))
    near = sample_semantic(np.array(rows, np.int32), known, top_k=top_k)
    drawn = sample_random(count, known, count=7, seed=seed)
    for pairs in (words, near, drawn, sample_both(words, near, count)):
        check(pairs, known, count)


def test_the_first_of_a_pair_and_its_twin_keeps_its_place():
    pairs = np.array([(3, 1), (0, 2), (1, 3), (2, 2), (4, 0)])
    assert fresh(pairs, np.array([(2, 0)]), 5).tolist() == [[1, 3], [0, 4]]


def test_both_ways_together_tell_a_pair_once():
    words, near = np.array([(0, 1), (2, 3)]), np.array([(2, 3), (1, 4)])
    assert sample_both(words, near, 5).tolist() == [[0, 1], [2, 3], [1, 4]]


def test_nearest_texts_by_hand():
    graph = np.array([(1, 2, 3), (0, 3, 2), (3, 0, -1), (2, 1, 0)])
    found = sample_semantic(graph, np.array([(1, 0)]), top_k=2)
    assert found.tolist() == [[0, 2], [1, 3], [2, 3]]


@pytest.mark.parametrize("texts", [0, 1])
def test_fewer_than_two_texts_make_no_pair(texts: int):
    assert len(sample_random(texts, NONE, count=5, seed=0)) == 0


@pytest.mark.parametrize("count", [1, 9, 40, 45, 100])
def test_random_pairs_are_as_many_as_are_asked_for_or_all(count: int):
    found = sample_random(10, np.array([(0, 1), (1, 0), (4, 9)]), count=count, seed=3)
    assert len(found) == min(count, 45 - 2)


def test_random_pairs_follow_the_seed_and_nothing_else():
    one, again = (sample_random(5_000, NONE, count=900, seed=5) for _ in range(2))
    assert (one == again).all()
    assert not (one == sample_random(5_000, NONE, count=900, seed=6)).all()


@pytest.mark.parametrize(("texts", "count"), [(6, 4), (60, 20)])
def test_every_new_pair_is_as_likely_as_every_other(texts: int, count: int):
    known = np.array([(0, 1), (2, 3)])
    seen = np.zeros((texts, texts), np.int64)
    for seed in range(4_000):
        drawn = sample_random(texts, known, count=count, seed=seed)
        seen[drawn[:, 0], drawn[:, 1]] += 1
    assert seen[0, 1] == seen[2, 3] == 0
    possible = np.triu(np.ones((texts, texts), bool), 1)
    possible[[0, 2], [1, 3]] = False
    expected = 4_000 * count / possible.sum()
    # Pearson's chi-squared over the pairs: its mean is their number, its s.d. about sqrt(2 of it).
    statistic = float(((seen[possible] - expected) ** 2 / expected).sum())
    cells = int(possible.sum())
    assert statistic < cells + 5 * (2 * cells) ** 0.5
