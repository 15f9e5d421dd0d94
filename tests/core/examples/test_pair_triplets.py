"""Triplets from pairs: an anchor needs a text judged the same and one judged different."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import UserError
from core.examples import DECISIONS, LabelledPairs, ScoredPairs, triplets_from_pairs


def decisions(rows):
    left, right, label = zip(*rows, strict=True) if rows else ((), (), ())
    return LabelledPairs(left, right, np.array(label, np.int64), DECISIONS)


def rows_of(made):
    return list(zip(*made.triplets.columns, strict=True))


def test_either_text_of_a_decision_may_be_the_anchor():
    made = triplets_from_pairs(decisions([("a", "b", 1), ("c", "b", 0)]), count=5)
    assert rows_of(made) == [("b", "a", "c")]
    assert made.notes == ("5 triplets were asked for; the pairs make only 1.",)


def test_scores_in_the_middle_make_no_triplet():
    score = np.array([0.9, 0.5, 0.1], np.float32)
    made = triplets_from_pairs(ScoredPairs(("a", "a", "a"), ("b", "c", "d"), score), count=9)
    assert rows_of(made) == [("a", "b", "d")]


def test_labels_are_named_and_their_left_text_is_the_anchor():
    names = ("contradiction", "entailment", "neutral")
    pairs = LabelledPairs(("p", "p", "p", "q"), ("e", "c", "n", "p"), np.array([1, 0, 2, 1]), names)
    made = triplets_from_pairs(pairs, count=9, positive="entailment", negative="contradiction")
    assert rows_of(made) == [("p", "e", "c")]


def test_an_unknown_label_is_named():
    pairs = LabelledPairs(("p",), ("e",), np.array([0]), ("entailment", "neutral"))
    with pytest.raises(UserError, match="no label “same”"):
        triplets_from_pairs(pairs, count=1)


def test_a_pair_judged_both_ways_serves_neither():
    pairs = decisions([("a", "b", 1), ("b", "a", 0), ("a", "c", 1), ("a", "d", 0)])
    assert rows_of(triplets_from_pairs(pairs, count=9)) == [("a", "c", "d")]


def test_anchors_take_even_turns():
    rows = [
        (f"a{one}", f"p{one}-{at}", 1) for one, many in enumerate((30, 6, 6)) for at in range(many)
    ]
    rows += [(f"a{one}", f"n{one}", 0) for one in range(3)]
    made = triplets_from_pairs(decisions(rows), count=6)
    assert len(rows_of(made)) == 6
    assert max(Counter(anchor for anchor, *_ in rows_of(made)).values()) <= 4


def test_no_anchor_with_both_is_refused_with_a_remedy():
    with pytest.raises(UserError, match="same as one text and different"):
        triplets_from_pairs(decisions([("a", "b", 1), ("c", "d", 0)]), count=1)


@given(
    st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6), st.integers(0, 1)), max_size=20),
    st.integers(1, 60),
    st.integers(0, 3),
)
def test_triplets_are_those_the_pairs_allow_each_once(rows, count, seed):
    told = {0: set(), 1: set()}
    for a, b, label in rows:
        if a != b:
            told[label] |= {(a, b), (b, a)}
    both = told[0] & told[1]
    allowed = {
        (frozenset((a, p)), n) for a, p in told[1] - both for x, n in told[0] - both if x == a
    }
    pairs = decisions([(f"t{a}", f"t{b}", label) for a, b, label in rows])
    if not allowed:
        with pytest.raises(UserError):
            triplets_from_pairs(pairs, count=count, seed=seed)
        return
    made = rows_of(triplets_from_pairs(pairs, count=count, seed=seed))
    kinds = {(frozenset((int(a[1:]), int(p[1:]))), int(n[1:])) for a, p, n in made}
    assert len(kinds) == len(made) == min(count, len(allowed))
    assert kinds <= allowed
