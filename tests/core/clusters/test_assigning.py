"""Fewer unclustered texts: how many, which first, and what it says of them."""

import numpy as np
import pytest

from core.clusters import How, Labels, assign


def labels_of(cluster) -> Labels:
    cluster = np.array(cluster, np.int32)
    strength = (cluster >= 0).astype(np.float32)
    return Labels(cluster, strength, np.zeros(len(cluster), np.uint8))


@pytest.fixture
def line(graph):
    """20 texts in a row, each linked to the four nearest."""
    return graph(np.arange(20, dtype=np.float32)[:, None], k=4)


def test_a_share_that_holds_already_changes_nothing(line):
    labels = labels_of([0] * 18 + [-1] * 2)
    assert assign(labels, *line, np.ones(20, np.int64), most_unclustered=0.1) is labels


def test_assignment_spreads_through_the_neighbours(line):
    labels = labels_of([0] * 5 + [-1] * 10 + [1] * 5)
    found = assign(labels, *line, np.ones(20, np.int64), most_unclustered=0)
    assert found.cluster[:9].tolist() == [0] * 9
    assert found.cluster[11:].tolist() == [1] * 9


def test_no_more_texts_are_assigned_than_it_takes(line):
    labels = labels_of([0] * 5 + [-1] * 10 + [1] * 5)
    found = assign(labels, *line, np.ones(20, np.int64), most_unclustered=0.2)
    assert np.count_nonzero(found.cluster < 0) == 4


def test_the_surest_go_first(line):
    labels = labels_of([0] * 8 + [-1] + [0] * 4 + [-1] * 7)
    found = assign(labels, *line, np.ones(20, np.int64), most_unclustered=7 / 20)
    assert found.cluster[8] == 0


def test_copies_count_as_rows(line):
    copies = np.ones(20, np.int64)
    copies[8] = 81
    labels = labels_of([0] * 8 + [-1] + [0] * 8 + [-1] * 3)
    found = assign(labels, *line, copies, most_unclustered=0.03)
    assert np.flatnonzero(found.cluster < 0).tolist() == [17, 18, 19]


def test_assigned_texts_are_told_from_the_others(line):
    labels = labels_of([0] * 5 + [-1] * 10 + [1] * 5)
    found = assign(labels, *line, np.ones(20, np.int64), most_unclustered=0)
    assert (found.how == np.where(labels.cluster < 0, How.ASSIGNED, How.ALGORITHM)).all()
    assert (found.strength[5:15] > 0).all()
    assert (found.strength[5:15] <= 1).all()


def test_the_given_labels_stay_as_they_were(line):
    labels = labels_of([0] * 5 + [-1] * 15)
    assign(labels, *line, np.ones(20, np.int64), most_unclustered=0)
    assert np.count_nonzero(labels.cluster < 0) == 15


def test_texts_that_no_link_reaches_stay_unclustered(line):
    index, cosine = line
    index[15:], cosine[15:] = -1, -2
    labels = labels_of([0] * 10 + [-1] * 10)
    found = assign(labels, index, cosine, np.ones(20, np.int64), most_unclustered=0)
    assert found.cluster[15:].tolist() == [-1] * 5


def test_without_any_cluster_all_stay_unclustered(line):
    labels = labels_of([-1] * 20)
    found = assign(labels, *line, np.ones(20, np.int64), most_unclustered=0)
    assert (found.cluster == -1).all()


def test_nothing_to_assign_is_no_error():
    nothing = labels_of([])
    index, cosine = np.empty((0, 4), np.int32), np.empty((0, 4), np.float32)
    found = assign(nothing, index, cosine, np.empty(0, np.int64), most_unclustered=0)
    assert len(found.cluster) == 0
