"""Pairs and triplets from labelled texts: no self, no twin, no more than was asked for."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import UserError
from core.examples import (
    DECISIONS,
    LabelledTexts,
    pairs_from_texts,
    triplets_from_texts,
)


def texts_of(labels, copies=()):
    """One text a label given, named after its place and label; then copies of some places."""
    names = tuple("abcdefghij")
    text = [f"{names[label]}{at}" for at, label in enumerate(labels)]
    text += [text[at] for at in copies]
    label = [*labels, *(labels[at] for at in copies)]
    return LabelledTexts(tuple(text), np.array(label, np.int64), names)


labelled = st.lists(st.integers(0, 4), min_size=2, max_size=25)


@given(labelled, st.integers(0, 120), st.integers(0, 120), st.integers(0, 3), st.data())
def test_pairs_have_no_self_no_twin_and_the_label_of_their_texts(labels, same, other, seed, data):
    copies = data.draw(st.lists(st.integers(0, len(labels) - 1), max_size=4))
    sizes = Counter(labels)
    all_same = sum(size * (size - 1) // 2 for size in sizes.values())
    all_other = len(labels) * (len(labels) - 1) // 2 - all_same
    expected = [min(other, all_other), min(same, all_same)]
    if not sum(expected):
        with pytest.raises(UserError, match="No pair can be made"):
            pairs_from_texts(texts_of(labels, copies), same=same, different=other, seed=seed)
        return
    made = pairs_from_texts(texts_of(labels, copies), same=same, different=other, seed=seed).pairs
    rows = list(zip(made.left, made.right, made.label.tolist(), strict=True))
    assert made.names == DECISIONS
    assert np.bincount(made.label, minlength=2).tolist() == expected
    assert all(left != right for left, right, _ in rows)
    assert len({frozenset((left, right)) for left, right, _ in rows}) == len(rows)
    assert all((left[0] == right[0]) == bool(label) for left, right, label in rows)


@given(labelled, st.integers(1, 200), st.integers(0, 3))
def test_triplets_have_three_texts_two_of_one_label_and_never_come_twice(labels, count, seed):
    sizes = Counter(labels)
    most = sum(size * (size - 1) // 2 * (len(labels) - size) for size in sizes.values())
    if not most:
        with pytest.raises(UserError, match="No triplet can be made"):
            triplets_from_texts(texts_of(labels), count=count, seed=seed)
        return
    made = triplets_from_texts(texts_of(labels), count=count, seed=seed).triplets
    rows = list(zip(*made.columns, strict=True))
    assert len(rows) == min(count, most)
    assert all(a != p and a[0] == p[0] != n[0] for a, p, n in rows)
    assert len({(frozenset((a, p)), n) for a, p, n in rows}) == len(rows)


def test_same_pairs_are_dealt_evenly_over_labels_as_far_as_they_reach():
    made = pairs_from_texts(texts_of([0] * 200 + [1] * 50 + [2] * 3), same=101, different=0).pairs
    counts = Counter(left[0] for left in made.left)
    assert (counts["c"], sorted((counts["a"], counts["b"]))) == (3, [49, 49])


def test_different_pairs_take_each_label_about_as_often():
    made = pairs_from_texts(
        texts_of([0] * 900 + [1] * 30 + [2] * 30 + [3] * 30), same=0, different=600
    ).pairs
    counts = Counter(text[0] for pair in zip(made.left, made.right, strict=True) for text in pair)
    assert set(counts) == set("abcd")
    assert all(230 < counts[label] < 370 for label in "abcd")


def test_triplets_are_dealt_evenly_over_labels():
    made = triplets_from_texts(texts_of([0] * 500 + [1] * 20 + [2] * 20), count=300).triplets
    assert set(Counter(anchor[0] for anchor in made.anchor).values()) == {100}


def test_a_label_of_very_many_texts_is_no_burden():
    label = np.repeat(np.array([0, 1]), [200_000, 2])
    texts = LabelledTexts(tuple(f"t{at}" for at in range(len(label))), label, ("x", "y"))
    made = pairs_from_texts(texts, same=100, different=100)
    assert (len(made.pairs), made.notes) == (200, ())


def test_the_same_seed_makes_the_same_and_another_other_pairs():
    texts = texts_of([0] * 20 + [1] * 20)
    first, again, other = (
        pairs_from_texts(texts, same=20, different=20, seed=seed).pairs.left for seed in (1, 1, 2)
    )
    assert first == again != other


def test_either_text_may_come_first_and_kinds_are_mixed():
    made = pairs_from_texts(texts_of([0] * 20 + [1] * 20), same=40, different=40).pairs
    first = Counter(left[0] for left, label in zip(made.left, made.label, strict=True) if not label)
    assert min(first.values()) > 5
    assert 5 < made.label[:40].sum() < 35


def test_fewer_than_asked_for_is_told():
    made = pairs_from_texts(texts_of([0, 0, 1]), same=5, different=1)
    assert made.notes == ("5 same pairs were asked for; the texts make only 1.",)


def test_a_text_under_two_labels_is_left_out_and_told():
    texts = LabelledTexts(("x", "y", "z", "x"), np.array([0, 0, 0, 1]), ("a", "b"))
    made = pairs_from_texts(texts, same=1, different=0)
    assert {*made.pairs.left, *made.pairs.right} == {"y", "z"}
    assert "more than one label were left out: 1" in made.notes[0]
