"""Texts that show what a cluster is about."""

import numpy as np
import pytest

from core.clusters import exemplars, flat_tree


@pytest.fixture
def fan():
    """Vectors of two clusters: a fan of directions around one axis each, text 3 in the middle."""
    angles = np.deg2rad([-40, -20, 10, 0, 20, 40, 90, 100, 110])
    return np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)


@pytest.fixture
def tree():
    return flat_tree(np.array([0] * 6 + [1] * 3, np.int32), np.ones(9, np.int64))


def test_the_most_typical_text_comes_first(fan, tree):
    found = exemplars(fan, tree, count=1)
    assert [own.tolist() for own in found[1:]] == [[3], [7]]


def test_alike_texts_come_only_where_others_run_out(fan, tree):
    assert exemplars(fan, tree, count=3)[1].tolist()[:2] != [3, 2]
    assert sorted(exemplars(fan, tree, count=9)[1].tolist()) == [0, 1, 2, 3, 4, 5]


def test_vectors_that_are_not_usable_do_no_harm(fan, tree):
    fan[0], fan[6] = np.nan, 0
    found = exemplars(fan, tree, count=1)
    assert found[1].tolist() == [2]
    assert found[2].tolist() in ([7], [8])  # as near to the mean of the two


def test_an_empty_corpus_has_none():
    nothing = flat_tree(np.empty(0, np.int32), np.empty(0, np.int64))
    assert exemplars(np.empty((0, 4), np.float32), nothing)[0].tolist() == []
