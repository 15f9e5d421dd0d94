import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.groups import (
    counts,
    degrees,
    group_texts,
    histogram,
    prepare,
    review_pairs,
)


def reviewed(links, grouping, **decided):
    found = review_pairs(grouping, links, low=0.8, threshold=0.9, **decided)
    return list(zip(links.left[found].tolist(), links.right[found].tolist(), strict=True))


def grouped(n, links, **decided):
    return group_texts(n, links, threshold=0.9, priority=np.arange(n), **decided)


def test_only_the_band_below_the_threshold_is_reviewed(make_table):
    links = make_table((0, 1, 0.95), (0, 2, 0.85), (0, 3, 0.75))
    assert reviewed(links, grouped(4, links)) == [(0, 2)]


def test_removed_texts_are_not_reviewed_again(make_table):
    links = make_table((0, 1, 0.95), (1, 2, 0.85))
    assert reviewed(links, grouped(3, links)) == []


def test_a_held_link_is_reviewed_however_high(make_table):
    links = make_table((0, 1, 0.99), (2, 3, 0.75), held=(0, 1))
    assert reviewed(links, grouped(4, links)) == [(0, 1)]


def test_a_link_between_representatives_is_reviewed(make_table):
    links = make_table((0, 2, 0.99))
    same = np.array([[0, 1], [2, 3]])
    assert reviewed(links, grouped(4, links, same=same), same=same) == [(0, 2)]


def test_the_last_decision_leaves_nothing_to_review(make_table):
    links = make_table((0, 1, 0.85), (0, 2, 0.85), (1, 2, 0.85))
    decided = {
        "same": np.array([[0, 1]]),
        "different": np.array([[2, 0]]),
        "unsure": np.array([[1, 2]]),
    }
    assert reviewed(links, grouped(3, links, **decided), **decided) == []


def test_what_was_decided_of_a_member_is_not_asked_of_its_representative(make_table):
    links = make_table((0, 2, 0.85))
    decided = {"same": np.array([[0, 1]]), "different": np.array([[1, 2]])}
    assert reviewed(links, grouped(3, links, **decided), **decided) == []


@given(seed=st.integers(0, 2**32 - 1))
@settings(max_examples=100, deadline=None)
def test_kept_and_removed_rows_add_up(make_case, seed):
    case = make_case(seed)
    rows = np.random.default_rng(seed).integers(0, 4, case.n)
    found = counts(grouped(case.n, case.links, **case.decided), rows)
    assert found.kept + found.removed == found.rows == rows.sum()


@given(seed=st.integers(0, 2**32 - 1))
@settings(max_examples=100, deadline=None)
def test_every_group_keeps_exactly_one_text(make_case, seed):
    case = make_case(seed)
    grouping = grouped(case.n, case.links, **case.decided)
    assert grouping.is_kept.sum() == len(np.unique(grouping.kept_of))


@pytest.mark.parametrize(
    ("rows", "kept", "copies", "groups"),
    [([300], 1, 299, 1), ([2], 1, 1, 1), ([1, 1], 2, 0, 0), ([1], 1, 0, 0), ([], 0, 0, 0)],
    ids=["300 identical", "2 identical", "2 unrelated", "1 row", "no row"],
)
def test_copies_are_counted_and_none_is_lost(rows, kept, copies, groups):
    nothing = prepare(np.empty(0, np.int32), np.empty(0, np.int32), np.empty(0, np.float32))
    found = counts(grouped(len(rows), nothing), np.array(rows, np.int64))
    assert (found.kept, found.copies, found.groups) == (kept, copies, groups)


def test_counts_name_each_way_of_being_removed(make_table):
    links = make_table((0, 1, 0.95), (0, 3, 0.85))
    grouping = grouped(4, links, same=np.array([[0, 2]]))
    found = counts(grouping, np.array([2, 3, 1, 1]), review=reviewed(links, grouping))
    assert (found.kept, found.copies, found.similar, found.decided) == (2, 3, 1, 1)
    assert (found.rows, found.groups, found.review) == (7, 1, 1)


def test_a_histogram_counts_every_cosine_of_its_range_once():
    cosine = np.float32([1.0000001, 1.0, 0.95, 0.8, 0.75, 0.7, 0.6])
    assert histogram(cosine, 3, low=0.7, high=1.0).counts.tolist() == [2, 1, 3]


def test_degrees_count_free_links_at_the_threshold(make_table):
    links = make_table((0, 1, 0.95), (0, 2, 0.9), (1, 2, 0.99), (0, 3, 0.7), held=(2,))
    assert degrees(4, links, threshold=0.9).tolist() == [2, 1, 1, 0]


def test_preparing_leaves_out_loops_and_what_is_no_number():
    links = prepare(np.array([0, 1, 2]), np.array([1, 1, 0]), np.float32([0.9, 1, np.nan]))
    assert (links.left.tolist(), links.right.tolist()) == ([0], [1])
