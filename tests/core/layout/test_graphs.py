import numpy as np
import pytest

from core.layout import fuzzy_graph
from core.progress import run_to_end


def test_a_graph_without_equal_vectors_is_the_one_umap_makes(vectors_of, case_of):
    from umap.umap_ import fuzzy_simplicial_set

    case = case_of(vectors_of(300))
    itself = np.arange(300, dtype=np.int32)[:, None]
    near = np.hstack([itself, case.index[:, :14]])
    far = np.hstack([np.zeros((300, 1)), 1 - case.cosine[:, :14]]).astype(np.float32)
    expected, _, _ = fuzzy_simplicial_set(near, 15, None, "cosine", knn_indices=near, knn_dists=far)
    assert abs(case.graph.matrix - expected).max() < 1e-5


def test_the_graph_is_symmetric_and_names_no_text_its_own_neighbour(vectors_of, case_of):
    matrix = case_of(vectors_of(200)).graph.matrix
    assert (abs(matrix - matrix.T).max(), matrix.diagonal().max()) == (0, 0)


def test_texts_of_equal_vectors_share_a_place_numbered_by_the_first(vectors_of, case_of):
    vectors = vectors_of(60)
    vectors[[7, 30, 41]] = vectors[3]
    graph = case_of(vectors).graph
    assert graph.place[[7, 30, 41]].tolist() == [3, 3, 3]
    assert graph.first.tolist() == [row for row in range(60) if row not in (7, 30, 41)]


def test_a_pile_larger_than_the_neighbour_lists_is_one_place(vectors_of, case_of):
    vectors = vectors_of(400)
    vectors[:240] = vectors[0]
    graph = case_of(vectors).graph
    assert len(graph.first) == 161
    assert np.isfinite(graph.matrix.data).all()


def test_texts_without_neighbours_have_no_links(vectors_of, case_of):
    vectors = vectors_of(50)
    vectors[4], vectors[9] = 0, np.nan
    matrix = case_of(vectors).graph.matrix
    degrees = np.diff(matrix.indptr)
    assert set(np.flatnonzero(degrees == 0)) == {4, 9}


def test_a_text_with_fewer_neighbours_than_the_rest_keeps_those_it_has(vectors_of, case_of):
    case = case_of(vectors_of(80))
    case.index[5, 2:], case.cosine[5, 2:] = -1, -2
    matrix = run_to_end(fuzzy_graph(case.index, case.cosine)).matrix
    assert matrix[5, case.index[5, 0]] == pytest.approx(1)
    assert np.isfinite(matrix.data).all()


@pytest.mark.parametrize("n", [0, 1, 2, 3])
def test_the_smallest_corpora_have_a_graph(n, vectors_of, case_of):
    graph = case_of(vectors_of(3)[:n]).graph
    assert graph.matrix.shape == (n, n)
    assert graph.matrix.nnz == n * (n - 1)


def test_fewer_neighbours_can_be_asked_for(vectors_of, case_of):
    case = case_of(vectors_of(200))
    few = run_to_end(fuzzy_graph(case.index, case.cosine, neighbours=4))
    assert few.matrix.nnz < case.graph.matrix.nnz / 2
