"""What is learnt from is checked, and random pairs are random."""

import numpy as np
import pytest

from core.errors import UserError
from core.examples import ScoredPairs
from core.training import random_pairs


def test_a_score_that_is_no_number_is_refused():
    with pytest.raises(UserError, match="no number from 0 to 1"):
        ScoredPairs(("a",), ("b",), np.array([np.nan], np.float32))


def test_a_score_beyond_a_cosine_is_refused():
    with pytest.raises(UserError, match="no number from 0 to 1"):
        ScoredPairs(("a",), ("b",), np.array([4.5], np.float32))


def test_columns_of_different_length_are_a_bug():
    with pytest.raises(ValueError, match="one length"):
        ScoredPairs(("a",), (), np.array([1], np.float32))


def test_random_pairs_never_pair_a_text_with_itself():
    pairs = random_pairs([f"t{row}" for row in range(5)], count=1_000)
    assert all(left != right for left, right in zip(pairs.left, pairs.right, strict=True))


def test_random_pairs_reach_every_pair_about_equally_often():
    pairs = random_pairs([f"t{row}" for row in range(4)], count=12_000)
    both = [f"{left}{right}" for left, right in zip(pairs.left, pairs.right, strict=True)]
    counts = np.unique(both, return_counts=True)[1]
    assert len(counts) == 12 and counts.min() > 800 and counts.max() < 1_200


def test_neighbouring_random_pairs_share_a_text():
    pairs = random_pairs([f"t{row}" for row in range(50)], count=100)
    assert pairs.left[1:] == pairs.right[:-1]


def test_the_cosines_are_those_of_the_vectors():
    vectors = np.eye(3, dtype=np.float32)
    vectors[2] = vectors[1]
    pairs = random_pairs("abc", vectors, count=50)
    alike = {"b", "c"}
    wanted = [
        float({left, right} == alike) for left, right in zip(pairs.left, pairs.right, strict=True)
    ]
    assert pairs.cosine.tolist() == wanted


def test_pairs_of_texts_without_a_vector_are_left_out():
    vectors = np.array([[1, 0], [0, 1], [np.nan, 0]], np.float32)
    pairs = random_pairs("abc", vectors, count=60)
    assert "c" not in (*pairs.left, *pairs.right) and len(pairs) > 0


def test_one_text_gives_no_pair():
    assert len(random_pairs(["alone"])) == 0
