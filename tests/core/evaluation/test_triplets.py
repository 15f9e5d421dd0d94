"""Triplets counted by hand."""

import math

import numpy as np
import pytest

from core.evaluation import triplet_accuracy


def vectors(*rows):
    return np.array(rows, np.float32)


def test_triplets_are_counted_and_ties_count_half():
    anchors = vectors([0, 0], [0, 0], [0, 0], [0, 0])
    positives = vectors([1, 0], [0, 2], [1, 1], [0, 1])
    negatives = vectors([2, 0], [1, 0], [1, -1], [0, 3])
    found = triplet_accuracy(anchors, positives, negatives)
    assert (found.accuracy, found.triplets, found.ties) == (2.5 / 4, 4, 1)


def test_a_loop_over_distances_finds_the_same():
    random = np.random.default_rng(3)
    a, p, n = (random.normal(size=(40, 4)).astype(np.float32) for _ in range(3))
    right = sum(math.dist(u, v) < math.dist(u, w) for u, v, w in zip(a, p, n, strict=True))
    assert triplet_accuracy(a, p, n).accuracy == right / 40


def test_another_similarity_may_judge_otherwise():
    anchor, positive, negative = vectors([1, 0]), vectors([9, 0]), vectors([1, 1])
    assert triplet_accuracy(anchor, positive, negative).accuracy == 0
    assert triplet_accuracy(anchor, positive, negative, similarity="cosine").accuracy == 1


def test_a_collapsed_encoder_is_half_right():
    same = np.ones((6, 3), np.float32)
    assert triplet_accuracy(same, same, same).accuracy == 0.5


def test_without_triplets_there_is_no_accuracy():
    none = np.empty((0, 3), np.float32)
    with pytest.raises(ValueError, match="at least one triplet"):
        triplet_accuracy(none, none, none)
