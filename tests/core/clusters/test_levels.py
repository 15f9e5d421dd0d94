"""Levels are nested, few, and the first one is where the texts lie close."""

from itertools import pairwise

import numpy as np
import pytest

from core.clusters import cluster, first_level, labels_at, levels
from core.progress import run_to_end


@pytest.fixture
def tree(two_pairs):
    return run_to_end(cluster(two_pairs, np.ones(120, np.int64), min_size=10))


@pytest.fixture
def deep_tree():
    """A tree of many clusters: 200 small ones at random places."""
    noise = np.random.default_rng(5)
    centres = noise.uniform(0, 60, (200, 3))
    places = np.repeat(centres, 12, axis=0) + 0.4 * noise.standard_normal((2_400, 3))
    copies = np.ones(2_400, np.int64)
    return run_to_end(cluster(places.astype(np.float32), copies, min_size=6))


def test_far_clusters_part_before_near_ones(tree):
    coarse = labels_at(tree, levels(tree)[0]).cluster
    assert len(levels(tree)[0]) == 2
    assert coarse[0] == coarse[45] != coarse[75] == coarse[110]


def test_each_level_has_more_clusters_than_the_one_before(deep_tree):
    counts = [len(nodes) for nodes in levels(deep_tree)]
    assert counts == sorted(set(counts))


def test_a_slider_has_at_most_24_steps(deep_tree):
    cuts = levels(deep_tree)
    assert 10 < len(cuts) <= 24
    assert len(cuts[-1]) > 50


def test_each_cluster_lies_whole_in_one_cluster_of_the_level_before(deep_tree):
    cuts = [labels_at(deep_tree, nodes).cluster for nodes in levels(deep_tree)]
    for coarse, fine in pairwise(cuts):
        for number in range(fine.max() + 1):
            around = np.unique(coarse[fine == number])
            assert len(around) == 1
            assert around[0] >= 0


def test_no_text_is_in_two_clusters(deep_tree):
    ends = deep_tree.ends()
    for nodes in levels(deep_tree):
        assert (nodes[1:] >= ends[nodes[:-1]]).all()


def test_strength_is_a_share_and_nothing_where_unclustered(deep_tree):
    found = labels_at(deep_tree, levels(deep_tree)[-1])
    assert (found.cluster < 0).any()
    assert (found.strength[found.cluster < 0] == 0).all()
    assert (found.strength[found.cluster >= 0] > 0).all()
    assert found.strength.max() == 1


def test_the_middle_of_a_cluster_is_stronger_than_its_edge(blobs):
    places = blobs([200, 200], [[0, 0], [30, 0]])
    tree = run_to_end(cluster(places, np.ones(400, np.int64), min_size=50))
    found = labels_at(tree, levels(tree)[0])
    distance = np.linalg.norm(places[:200], axis=1)
    order = np.argsort(distance)
    assert found.strength[order[:30]].mean() > found.strength[order[-30:]].mean() + 0.2


def test_the_first_level_is_that_of_the_links(tree, two_pairs, graph):
    """Links within each of the four clusters, or only from one of a pair to the other."""
    cuts = levels(tree)
    index, cosine = graph(two_pairs)
    assert len(cuts[first_level(tree, cuts, index, cosine)]) == 4
    partner = np.array([30, 0, 90, 60])[np.arange(120) // 30]
    across = partner[:, None] + np.random.default_rng(3).integers(0, 30, (120, 12))
    alike = np.full(across.shape, 0.8, np.float32)
    assert len(cuts[first_level(tree, cuts, across.astype(np.int32), alike)]) == 2


def test_texts_without_neighbours_do_not_disturb_the_first_level(tree, two_pairs, graph):
    index, cosine = graph(two_pairs)
    index[::7], cosine[::7] = -1, -2
    cuts = levels(tree)
    assert len(cuts[first_level(tree, cuts, index, cosine)]) == 4


def test_a_graph_without_links_still_has_a_first_level(tree):
    nobody = np.full((120, 4), -1, np.int32), np.full((120, 4), -2, np.float32)
    place = first_level(tree, levels(tree), *nobody)
    assert 0 <= place < len(levels(tree))
