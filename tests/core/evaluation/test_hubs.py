"""Hubs counted by hand, against scipy, and found among vectors."""

import numpy as np
import pytest
import scipy.stats

from core.evaluation import hubness, hubness_of_vectors
from core.progress import run_to_end


def test_a_star_has_one_hub_and_the_rest_are_never_found():
    graph = np.array([[1], [0], [0], [0]])
    found = hubness(graph)
    assert (found.largest, found.never_found, found.neighbours, found.texts) == (3, 0.5, 1, 4)


def test_the_skewness_is_that_of_how_often_each_is_found():
    random = np.random.default_rng(0)
    graph = random.integers(0, 50, (50, 6)) // 2
    counts = [int((graph == row).sum()) for row in range(50)]
    assert hubness(graph).skewness == pytest.approx(scipy.stats.skew(counts))


def test_a_ring_has_no_hubs():
    found = hubness(np.array([[1], [2], [0]]))
    assert (found.skewness, found.largest, found.never_found) == (0, 1, 0)


def test_nobody_is_not_counted():
    assert hubness(np.array([[1, -1], [0, -1], [0, 1]])).largest == 2


def test_the_order_of_rows_does_not_matter():
    random = np.random.default_rng(1)
    graph = random.integers(0, 30, (30, 4))
    order = random.permutation(30)
    moved = np.argsort(order)[graph[order]]
    first, other = hubness(graph), hubness(moved)
    assert other.skewness == pytest.approx(first.skewness)
    assert (other.largest, other.never_found) == (first.largest, first.never_found)


def test_vectors_are_compared_one_with_all():
    vectors = np.random.default_rng(2).normal(size=(60, 8)).astype(np.float32)
    unit = vectors.astype(float) / np.linalg.norm(vectors, axis=1, keepdims=True)
    cosines = unit @ unit.T
    np.fill_diagonal(cosines, -2)
    wanted = hubness(np.argsort(-cosines, axis=1)[:, :5])
    assert run_to_end(hubness_of_vectors(vectors, k=5)) == wanted


@pytest.mark.parametrize("graph", [np.empty((0, 3), int), np.array([[5]]), np.array([1, 0])])
def test_what_is_no_graph_is_refused(graph):
    with pytest.raises(ValueError, match="a graph"):
        hubness(graph)


def test_one_vector_has_no_neighbours():
    with pytest.raises(ValueError, match="two vectors"):
        run_to_end(hubness_of_vectors(np.ones((1, 3), np.float32)))
