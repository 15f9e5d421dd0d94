"""What follows from decisions, and where they contradict each other."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import UserError
from core.examples import DECISIONS, LabelledPairs, contradictions, spread_decisions


def decisions(*rows):
    """Pairs told as `a=b` or `a!b`."""
    split = [row.replace("!", "=").split("=") for row in rows]
    label = np.array(["=" in row for row in rows], np.int64)
    return LabelledPairs(
        tuple(one for one, _ in split), tuple(two for _, two in split), label, DECISIONS
    )


def said(pairs):
    marks = "!="
    rows = zip(pairs.left, pairs.right, pairs.label.tolist(), strict=True)
    return {marks[label].join(sorted((left, right))) for left, right, label in rows}


def test_a_chain_of_sames_makes_its_ends_the_same():
    spread = spread_decisions(decisions("a=b", "b=c"))
    assert said(spread.pairs) == {"a=b", "b=c", "a=c"}
    assert spread.follows.tolist() == [False, False, True]


def test_what_differs_from_one_differs_from_all_it_is_bound_to():
    spread = spread_decisions(decisions("a=b", "x=y", "b!x"))
    assert said(spread.pairs) == {"a=b", "x=y", "b!x", "a!x", "a!y", "b!y"}


def test_different_does_not_go_on_to_a_third():
    assert said(spread_decisions(decisions("a!b", "b!c")).pairs) == {"a!b", "b!c"}


def test_a_contradicted_chain_implies_nothing_and_is_told():
    spread = spread_decisions(decisions("a=b", "b=c", "a!c", "c!z"))
    assert said(spread.pairs) == {"a=b", "b=c", "c!z"}
    assert spread.contradictions.tolist() == [2]
    assert "1, such as “a” and “c”" in spread.notes[0]


def test_a_pair_judged_both_ways_is_left_out_in_both():
    spread = spread_decisions(decisions("a=b", "b!a", "c=d"))
    assert (said(spread.pairs), spread.contradictions.tolist()) == ({"c=d"}, [1])


def test_pairs_come_once_and_none_of_a_text_with_itself():
    assert len(spread_decisions(decisions("a=b", "b=a", "c=c", "d!e", "e!d")).pairs) == 2


def test_no_more_follow_than_asked_for():
    star = decisions(*(f"hub=t{at}" for at in range(50)), "hub!x", "x=y")
    spread = spread_decisions(star, most=10)
    implied = spread.pairs.label[spread.follows]
    assert np.bincount(implied).tolist() == [10, 10]


def test_what_follows_is_chosen_among_all_groups_alike():
    groups = decisions(*(f"{name}0={name}{at}" for name in "abcd" for at in range(1, 6)))
    follows = spread_decisions(groups, most=12)
    left = [text for text, new in zip(follows.pairs.left, follows.follows, strict=True) if new]
    assert {text[0] for text in left} == set("abcd")


def test_other_labels_do_not_spread():
    pairs = LabelledPairs(("a",), ("b",), np.array([0]), ("entailment", "neutral"))
    with pytest.raises(UserError, match="do not say the same or different"):
        spread_decisions(pairs)


def test_contradictions_are_found_through_a_chain_in_any_order():
    assert contradictions(decisions("a!d", "c=d", "a=b", "c=b", "a!x")).tolist() == [0]


def test_nothing_implies_nothing():
    assert len(spread_decisions(decisions()).pairs) == 0


@given(
    st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9), st.sampled_from("=!")), max_size=14)
)
def test_what_follows_is_what_a_search_finds(rows):
    pairs = decisions(*(f"t{a}{mark}t{b}" for a, b, mark in rows))
    bound = np.eye(10, dtype=bool)
    for a, b, mark in rows:
        if mark == "=":
            bound[a, b] = bound[b, a] = True
    for _ in range(4):  # chains of 16 links are longer than any among 10
        bound = (bound.astype(int) @ bound.astype(int)) > 0
    against = [at for at, (a, b, mark) in enumerate(rows) if mark == "!" and bound[a, b]]
    spoilt = {text for at in against for text in np.flatnonzero(bound[rows[at][0]]).tolist()}
    denied = {frozenset(rows[at][:2]) for at in against}
    kept = {
        (min(a, b), max(a, b), mark) for a, b, mark in rows
        if a != b and frozenset((a, b)) not in denied
    }  # fmt: skip  # one set
    expected = set(kept)
    sound = [text for text in range(10) if text not in spoilt]
    for a in sound:
        for b in sound:
            if a < b and bound[a, b]:
                expected.add((a, b, "="))
    for a, b, mark in kept:
        if mark == "!" and not {a, b} & spoilt:
            for one in np.flatnonzero(bound[a]).tolist():
                for two in np.flatnonzero(bound[b]).tolist():
                    expected.add((min(one, two), max(one, two), "!"))
    spread = spread_decisions(pairs)
    assert spread.contradictions.tolist() == against
    assert said(spread.pairs) == {f"t{a}{mark}t{b}" for a, b, mark in expected}
    assert len(spread.pairs) == len(expected)
