"""Splits of others are kept as they are, and what they share is told."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import UserError
from core.examples import (
    LabelledTexts,
    ScoredPairs,
    Triplets,
    disjoint,
    keep_given,
    overlap,
    random_sides,
    rows_of_topics,
    topic_folds,
    topic_sides,
)


def pairs(*texts):
    left, right = zip(*(pair.split() for pair in texts), strict=True)
    return ScoredPairs(left, right, np.ones(len(left), np.float32))


TRAIN = pairs("a b", "c d", "e f")
TEST = pairs("b a", "c x", "y z", "y w")


def test_shared_texts_and_pairs_are_counted_once_whatever_the_order():
    shared = overlap(TRAIN, TEST)
    assert (shared.texts_a, shared.texts_b, shared.texts) == (6, 7, 3)
    assert (shared.pairs_a, shared.pairs_b, shared.pairs) == (3, 4, 1)
    assert (shared.rows_b, shared.touching) == (4, 2)


def test_overlap_is_said_in_figures():
    assert overlap(TRAIN, TEST).sentence() == (
        "The training and the test examples share 3 of 7 texts and 1 of 4 whole examples; 2 of 4 "
        "test examples hold a text of the training examples."
    )
    assert "share no text" in overlap(TRAIN, pairs("y z")).sentence()


def test_the_part_of_the_test_that_shares_no_text_stands_beside():
    given_split = keep_given(TRAIN, TEST)
    assert given_split.test is TEST
    assert given_split.test_apart.left == ("y", "y")
    assert "2 of 4 test examples share no text" in given_split.sentences()[1]


def test_a_development_side_is_compared_with_both():
    told = keep_given(TRAIN, TEST, pairs("e y")).sentences()
    assert len(told) == 4 and "training and the development" in told[1]


def test_sides_of_different_kinds_are_refused():
    with pytest.raises(UserError, match="different kinds"):
        keep_given(TRAIN, Triplets(("a",), ("b",), ("c",)))


def test_triplets_and_texts_overlap_too():
    one = Triplets(("a",), ("b",), ("c",))
    assert overlap(one, Triplets(("a",), ("c",), ("b",))).pairs == 0
    texts = LabelledTexts(("a", "b"), np.array([0, 1]), ("x", "y"))
    assert overlap(texts, texts.rows(np.array([1]))).texts == 1


@given(
    st.lists(st.tuples(st.integers(0, 15), st.integers(0, 15)), max_size=20),
    st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), max_size=20),
)
def test_the_disjoint_part_leaks_nothing_and_leaves_out_nothing_else(train, test):
    def made(rows):
        return ScoredPairs(
            tuple(f"t{a}" for a, _ in rows), tuple(f"t{b}" for _, b in rows),
            np.zeros(len(rows), np.float32),
        )  # fmt: skip  # left and right in one line

    known = {number for row in train for number in row}
    expected = [at for at, (a, b) in enumerate(test) if a not in known and b not in known]
    assert disjoint(made(train), made(test)).tolist() == expected


def test_random_sides_have_the_sizes_asked_for_and_no_row_twice():
    data = pairs(*(f"l{at} r{at}" for at in range(50)))
    sides = random_sides(data, (30, 12, 8), seed=1)
    assert [len(side) for side in sides] == [30, 12, 8]
    assert sorted(np.concatenate(sides).tolist()) == list(range(50))


def test_random_sides_depend_on_the_seed_alone():
    data = pairs(*(f"l{at} r{at}" for at in range(50)))
    first, again, other = (random_sides(data, (25, 25), seed=seed)[0] for seed in (1, 1, 2))
    assert first.tolist() == again.tolist() != other.tolist()


@given(st.integers(0, 20))
def test_a_pair_and_its_twin_go_to_one_random_side(seed):
    data = pairs(*(f"l{at} r{at}" for at in range(20)), *(f"r{at} l{at}" for at in range(20)))
    train, test = (data.rows(rows) for rows in random_sides(data, (20, 20), seed=seed))
    assert (len(train), len(test), overlap(train, test).pairs) == (20, 20, 0)


def test_copies_that_fit_on_no_side_are_cut_and_the_sizes_kept():
    data = pairs(*["a b"] * 10)
    sides = random_sides(data, (6, 4))
    assert [len(side) for side in sides] == [6, 4]


def test_sides_larger_than_the_examples_are_refused():
    with pytest.raises(UserError, match="too few for sides of 2 \\+ 2"):
        random_sides(TRAIN, (2, 2))


TOPICS = ("red", "blue", "red", "green", "blue", "pink")


def test_whole_topics_go_to_sides_of_so_many_topics():
    sides = topic_sides(TOPICS, (2, 1, 1), seed=3)
    assert sorted(topic for _, names in sides for topic in names) == [
        "blue",
        "green",
        "pink",
        "red",
    ]
    assert sorted(np.concatenate([rows for rows, _ in sides]).tolist()) == list(range(6))
    for rows, names in sides:
        assert {TOPICS[row] for row in rows} == set(names)


def test_more_topics_than_there_are_is_refused():
    with pytest.raises(UserError, match="4 topics, too few"):
        topic_sides(TOPICS, (3, 2))


def test_rows_of_named_topics_and_an_unknown_one():
    assert rows_of_topics(TOPICS, ["blue", "pink"]).tolist() == [1, 4, 5]
    with pytest.raises(UserError, match="no topic “black”"):
        rows_of_topics(TOPICS, ["black"])


def test_every_topic_is_a_fold():
    fold, names = topic_folds(TOPICS)
    assert [names[place] for place in fold] == list(TOPICS)
