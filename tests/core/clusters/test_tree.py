"""The tree of clusters from layouts of all sizes and shapes."""

import numpy as np
import pytest

from core.clusters import (
    ClusterTree,
    Members,
    cluster,
    default_min_size,
    first_level,
    labels_at,
    levels,
)
from core.progress import run_to_end


def tree_of(places, copies=None, *, min_size=15, seed=0) -> ClusterTree:
    places = np.asarray(places, np.float32)
    copies = np.ones(len(places), np.int64) if copies is None else np.asarray(copies)
    return run_to_end(cluster(places, copies, min_size=min_size, seed=seed))


def finest(tree):
    return labels_at(tree, levels(tree)[-1])


def test_clusters_that_lie_apart_are_found(two_pairs):
    found = finest(tree_of(two_pairs)).cluster.reshape(4, 30)
    usual = [np.bincount(own[own >= 0]).argmax() for own in found]
    assert sorted(usual) == [0, 1, 2, 3]
    assert np.mean(found == np.array(usual)[:, None]) > 0.9


def test_the_same_input_gives_the_same_tree(two_pairs):
    copies = np.arange(len(two_pairs)) % 4 + 1
    one, other = tree_of(two_pairs, copies), tree_of(two_pairs, copies)
    assert all(
        np.array_equal(getattr(one, name), getattr(other, name))
        for name in ("parent", "birth", "rows", "persistence", "node_of", "fall")
    )


def test_parents_come_before_the_nodes_below_them(two_pairs):
    tree = tree_of(two_pairs, min_size=5)
    assert (tree.parent < np.arange(len(tree.parent))).all()
    assert (tree.birth[1:] >= tree.birth[tree.parent[1:]]).all()


def test_a_node_holds_the_texts_of_those_below_it(two_pairs):
    tree = tree_of(two_pairs, min_size=5)
    members, ends = Members(tree), tree.ends()
    for node in range(len(tree.parent)):
        expected = np.flatnonzero((tree.node_of >= node) & (tree.node_of < ends[node]))
        assert np.array_equal(np.sort(members.of(node)), expected)


def test_rows_count_all_copies(two_pairs):
    copies = np.ones(len(two_pairs), np.int64)
    copies[3] = 1_000
    tree = tree_of(two_pairs, copies)
    members = Members(tree)
    counted = [copies[members.of(node)].sum() for node in range(len(tree.parent))]
    assert tree.rows.tolist() == counted


@pytest.mark.parametrize("count", [0, 1, 2, 3, 5, 14])
def test_few_texts_are_all_unclustered(count):
    places = np.random.default_rng(0).standard_normal((count, 5))
    tree = tree_of(places)
    assert not tree.has_clusters
    assert finest(tree).cluster.tolist() == [-1] * count


@pytest.mark.parametrize("count", [0, 1, 2, 3, 5, 14])
def test_few_texts_work_with_the_smallest_min_size(count):
    tree = tree_of(np.random.default_rng(0).standard_normal((count, 2)), min_size=1)
    assert len(finest(tree).cluster) == count


def test_a_min_size_above_half_of_the_corpus_leaves_all_unclustered(two_pairs):
    tree = tree_of(two_pairs, min_size=61)
    assert (finest(tree).cluster == -1).all()
    links = np.zeros((120, 1), np.int32), np.ones((120, 1), np.float32)
    assert first_level(tree, levels(tree), *links) == 0


def test_one_text_of_many_copies_is_one_cluster():
    tree = tree_of([[0.5, 0.5]], [40])
    assert finest(tree).cluster.tolist() == [0]
    assert tree.rows.tolist() == [40, 40]


def test_texts_on_one_place_are_one_cluster():
    assert finest(tree_of(np.ones((40, 5)))).cluster.tolist() == [0] * 40


def test_texts_on_one_place_that_are_too_few_are_unclustered():
    assert finest(tree_of(np.ones((14, 5)))).cluster.tolist() == [-1] * 14


def test_the_only_pile_among_unrelated_texts_is_a_cluster():
    places = np.random.default_rng(0).standard_normal((41, 5))
    copies = np.ones(41, np.int64)
    copies[7] = 60
    tree = tree_of(places, copies, min_size=25)
    found = finest(tree)
    assert found.cluster[7] == 0
    assert found.strength[7] == 1


def test_every_pile_has_a_label_at_every_level():
    noise = np.random.default_rng(2)
    places = noise.uniform(0, 10, (300, 3)).astype(np.float32)
    copies = np.ones(300, np.int64)
    piles = noise.choice(300, 25, replace=False)
    copies[piles] = noise.integers(15, 400, 25)
    tree = tree_of(places, copies)
    for nodes in levels(tree):
        assert (labels_at(tree, nodes).cluster[piles] >= 0).all()


def test_three_piles_are_three_clusters():
    found = finest(tree_of([[0, 0], [5, 0], [0, 9]], [100, 20, 50])).cluster
    assert sorted(found.tolist()) == [0, 1, 2]


def test_piles_do_not_outweigh_clusters_of_single_texts(blobs, graph):
    """A pile is infinitely dense; that must not make its split the strongest of all."""
    places = blobs([60, 60], [[0, 0], [30, 0]])
    copies = np.ones(120, np.int64)
    copies[[4, 9]] = 10_000
    tree = tree_of(places, copies)
    coarse = labels_at(tree, levels(tree)[0]).cluster
    assert len(np.unique(coarse[:60])) == 1
    assert coarse[0] != coarse[100]


def test_numbers_that_are_no_places_do_not_crash(two_pairs):
    assert len(tree_of(two_pairs * 1e-30).node_of) == 120


@pytest.mark.parametrize(
    ("rows", "least", "most"),
    [(0, 2, 3), (20, 2, 5), (3_000, 5, 15), (20_000, 10, 30), (1_000_000, 25, 100)],
)
def test_the_usual_min_size_suits_the_corpus(rows, least, most):
    assert least <= default_min_size(rows) <= most


def test_the_work_speaks_before_it_is_over(two_pairs):
    steps = cluster(two_pairs, np.ones(120, np.int64), min_size=15)
    assert next(steps).title == "Finding clusters"
    steps.close()
