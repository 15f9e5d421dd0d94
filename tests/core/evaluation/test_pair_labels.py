"""Labels that the vectors tell are found, and labels that they do not tell are not."""

import numpy as np

from core.evaluation import label_features, label_probabilities


def test_features_are_both_vectors_and_how_far_they_are_apart():
    left, right = np.array([[1.0, 2.0]]), np.array([[4.0, 0.0]])
    assert label_features(left, right).tolist() == [[1, 2, 4, 0, 3, 2]]


def test_a_label_that_hangs_on_the_difference_is_told():
    random = np.random.default_rng(0)
    left = random.normal(size=(600, 4))
    label = random.integers(0, 3, 600)
    right = left + label[:, None] * np.array([1.0, 0, 0, 0])
    features = label_features(left, right)
    found = label_probabilities(features[:400], label[:400], features[400:], count=3)
    assert (found.argmax(axis=1) == label[400:]).mean() > 0.95
    assert np.allclose(found.sum(axis=1), 1)


def test_random_labels_are_told_no_better_than_by_chance():
    random = np.random.default_rng(1)
    features = label_features(random.normal(size=(900, 4)), random.normal(size=(900, 4)))
    label = random.integers(0, 3, 900)
    found = label_probabilities(features[:600], label[:600], features[600:], count=3)
    assert (found.argmax(axis=1) == label[600:]).mean() < 0.45


def test_a_label_that_nobody_learnt_is_never_likely():
    features = np.array([[0.0], [1.0], [0.1], [0.9]])
    found = label_probabilities(features, np.array([0, 2, 0, 2]), features, count=4)
    assert found[:, (1, 3)].tolist() == [[0, 0]] * 4
