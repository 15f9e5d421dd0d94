"""Hard negatives are near, and never what is known or likely to be the same."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import UserError
from core.examples import Guards, apart_mask, as_triplets, hard_negatives, same_texts

LOOSE = Guards(ceiling=1.0, ratio=1.0)
INDEX = np.array([[1, 2, 3, 4], [0, 2, 3, 4], [0, 1, 3, -1], [4, 0, 1, 2], [3, 0, 1, -1]], np.int32)
COSINE = np.array(
    [[0.98, 0.90, 0.80, 0.70], [0.98, 0.85, 0.6, 0.5], [0.90, 0.85, 0.4, 0.0],
     [0.99, 0.80, 0.6, 0.4], [0.99, 0.70, 0.5, 0.0]], np.float32
)  # fmt: skip  # a matrix


def places(*numbers):
    return np.array(numbers, np.int64)


def mined(groups=None, positive=0.9, most=5, guards=LOOSE, anchor=0, to=2):
    groups = same_texts(5, places(anchor, to).reshape(1, 2)) if groups is None else groups
    given_cosine = None if positive is None else np.array([positive])
    return hard_negatives(
        INDEX, COSINE, places(anchor), places(to), groups,
        positive_cosine=given_cosine, most=most, guards=guards,
    )  # fmt: skip  # positional, then named


def removed(found):
    return {words: count for words, count in found.removed if count}


def test_the_positive_is_no_negative_and_nor_is_what_is_nearer_than_it():
    found = mined()
    assert found.negative.tolist() == [3, 4]
    assert removed(found) == {
        "known to be the same": 1, "not far enough behind the positive": 1
    }  # fmt: skip  # one dictionary


def test_neighbours_bound_to_anchor_or_positive_are_known():
    groups = same_texts(5, places(0, 2).reshape(1, 2), places(2, 3, 3, 1).reshape(2, 2))
    assert mined(groups).negative.tolist() == [4]


def test_a_positive_outside_the_groups_is_still_no_negative():
    found = mined(groups=np.arange(5), positive=1.0)
    assert 2 not in found.negative.tolist()


@pytest.mark.parametrize(
    ("guards", "expected"),
    [
        (Guards(ceiling=1.0, ratio=0.95), [3, 4]),  # at most 0.855
        (Guards(ceiling=1.0, ratio=0.85), [4]),  # at most 0.765
        (Guards(ceiling=1.0, ratio=1.0, margin=0.15), [4]),  # at most 0.75
        (Guards(ceiling=0.75, ratio=1.0), [4]),
        (Guards(ceiling=1.0, ratio=1.0, first=3), [4]),
        (Guards(ceiling=1.0, ratio=1.0, last=3), [3]),
        (Guards(ceiling=1.0, ratio=1.0, margin=0.5), []),
    ],
)
def test_every_guard_removes_what_it_should(guards, expected):
    found = mined(guards=guards)
    assert found.negative.tolist() == expected
    assert found.without == (not expected)


def test_a_cosine_at_the_bound_stays():
    guards = Guards(ceiling=0.80, ratio=1.0)
    assert mined(guards=guards).negative.tolist() == [3, 4]


def test_only_the_nearest_are_taken():
    assert mined(most=1).negative.tolist() == [3]


def test_of_negatives_that_are_the_same_the_nearest_is_taken():
    groups = same_texts(5, places(0, 2, 3, 4).reshape(2, 2))
    found = mined(groups)
    assert found.negative.tolist() == [3]
    assert removed(found)["the same as a nearer negative"] == 1


def test_the_cosine_of_a_positive_is_looked_up_among_the_neighbours():
    assert mined(positive=None).negative.tolist() == [3, 4]


def test_a_positive_that_is_no_neighbour_leaves_none_far_enough():
    found = mined(positive=None, anchor=4, to=2)
    assert (len(found.negative), found.without) == (0, 1)


def test_a_positive_below_zero_bounds_from_below():
    index, cosine = np.array([[1, 2], [0, 2], [0, 1]]), np.array([[-0.1, -0.3]] * 3)
    found = hard_negatives(
        index, cosine, places(0), places(1), same_texts(3, places(0, 1).reshape(1, 2)),
        positive_cosine=np.array([-0.2]), guards=Guards(ratio=0.5),
    )  # fmt: skip  # positional, then named
    assert found.negative.tolist() == [2]


def test_what_was_found_and_removed_is_said_in_figures():
    assert mined().sentence() == (
        "2 hard negatives were found. Left out: known to be the same 1; not far enough behind the "
        "positive 1."
    )


def test_negatives_become_triplets_of_their_pairs():
    texts = ("zero", "one", "two", "three", "four")
    triplets = as_triplets(mined(), texts, places(0), places(2))
    assert triplets.columns == (("zero", "zero"), ("two", "two"), ("three", "four"))


@pytest.mark.parametrize(
    "wrong", [{"first": 3, "last": 3}, {"ratio": 0.0}, {"margin": -0.1}, {"ceiling": 2.0}]
)
def test_guards_that_make_no_sense_are_refused(wrong):
    with pytest.raises(UserError):
        Guards(**wrong)


def test_no_pair_finds_nothing():
    none = places()
    found = hard_negatives(INDEX, COSINE, none, none, np.arange(5))
    assert (len(found.negative), found.without) == (0, 0)


def test_copies_and_links_and_chains_are_of_one_group():
    groups = same_texts(6, places(1, 2).reshape(1, 2), copies=places(7, 7, 8, 9, 8, 3))
    assert groups.tolist() == [0, 0, 0, 3, 0, 5]


def test_the_mask_of_a_batch_holds_copies_and_all_that_is_bound():
    groups = same_texts(6, places(0, 3).reshape(1, 2))
    mask = apart_mask(places(0, 1, 3, 1), groups)
    assert mask.tolist() == [
        [True, False, True, False],
        [False, True, False, True],
        [True, False, True, False],
        [False, True, False, True],
    ]


def test_the_mask_of_anchors_and_positives_is_true_at_each_own_positive():
    groups = same_texts(6, places(0, 1, 2, 3, 4, 1).reshape(3, 2))
    mask = apart_mask(places(0, 2, 4), groups, places(1, 3, 1))
    assert mask.tolist() == [[True, False, True], [False, True, False], [True, False, True]]


@given(
    st.integers(0, 1_000),
    st.lists(st.tuples(st.integers(0, 11), st.integers(0, 11)), min_size=1, max_size=12),
    st.integers(1, 4),
)
def test_negatives_are_those_a_plain_loop_finds(seed, pairs, most):
    random = np.random.default_rng(seed)
    index = np.array(
        [random.permutation([x for x in range(12) if x != at])[:6] for at in range(12)]
    )
    cosine = -np.sort(-random.uniform(-0.2, 1, (12, 6)).astype(np.float32), axis=1)
    anchors, positives = (np.array(column, np.int64) for column in zip(*pairs, strict=True))
    groups = same_texts(12, np.column_stack((anchors, positives)))
    positive = random.uniform(-0.2, 1, len(pairs)).astype(np.float32)
    guards = Guards(first=1, last=5, ceiling=0.9, margin=0.05, ratio=0.9)
    found = hard_negatives(
        index, cosine, anchors, positives, groups,
        positive_cosine=positive, most=most, guards=guards,
    )  # fmt: skip  # positional, then named
    expected = []
    for pair, anchor in enumerate(anchors.tolist()):
        limit = float(positive[pair]) * (0.9 if positive[pair] > 0 else 1)
        limit = np.float32(min(limit, float(positive[pair]) - 0.05))
        taken = []
        for rank in range(1, 5):
            near, close = int(index[anchor, rank]), cosine[anchor, rank]
            if groups[near] in [groups[anchor], *(groups[one] for one in taken)]:
                continue
            if close <= np.float32(0.9) and close <= limit and len(taken) < most:
                taken.append(near)
                expected.append((pair, near))
    assert list(zip(found.pair.tolist(), found.negative.tolist(), strict=True)) == expected
