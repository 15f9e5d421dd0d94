"""Whether gold pairs suffice, and how they are parted."""

import numpy as np
import pytest

from core.augmentation import FEWEST_GOLD, gold_sides, look_at_gold
from core.errors import UserError
from core.examples import ScoredPairs


def decided(same: int, different: int) -> ScoredPairs:
    """Pairs that share no text with one another."""
    count = same + different
    scores = np.array([1.0] * same + [0.0] * different, np.float32)
    return ScoredPairs(
        tuple(f"left {at}" for at in range(count)),
        tuple(f"right {at}" for at in range(count)),
        scores,
    )


def severities(pairs: ScoredPairs) -> list[str]:
    return [str(one.severity) for one in look_at_gold(pairs)]


def test_fewer_than_fifty_are_refused_with_how_many_are_missing():
    found = look_at_gold(decided(20, 29))
    assert [str(one.severity) for one in found] == ["stops"]
    assert f"{FEWEST_GOLD}" in found[0].sentence
    assert "1 more pairs" in found[0].remedy
    with pytest.raises(UserError, match="49 judged pairs"):
        gold_sides(decided(20, 29), held_out=0.3, seed=0)


@pytest.mark.parametrize(("same", "different", "kind"), [(9, 200, "same"), (200, 9, "different")])
def test_one_sided_gold_is_refused_by_the_kind_that_lacks(same: int, different: int, kind: str):
    pairs = decided(same, different)
    assert severities(pairs) == ["stops"]
    with pytest.raises(UserError, match=kind):
        gold_sides(pairs, held_out=0.3, seed=0)


def test_a_rare_kind_and_few_pairs_are_warned_of():
    assert severities(decided(60, 60)) == ["warns"]
    assert severities(decided(12, 400)) == ["warns"]
    assert severities(decided(200, 300)) == []


def test_with_few_pairs_the_same_ones_compare_and_judge_and_choose_nothing():
    sides = gold_sides(decided(60, 60), held_out=0.3, seed=0)
    assert sides.dev is sides.test
    assert not sides.chooses
    assert any("same 36 held-out pairs" in note for note in sides.notes)
    assert len(sides.learn) + len(sides.dev) == 120


def test_with_many_pairs_other_ones_judge_and_no_text_stands_on_two_sides():
    sides = gold_sides(decided(300, 300), held_out=0.3, seed=0)
    assert sides.chooses
    assert len(sides.learn) + len(sides.dev) + len(sides.test) == 600
    texts = [{*side.left, *side.right} for side in (sides.learn, sides.dev, sides.test)]
    assert not texts[0] & texts[1]
    assert not texts[0] & texts[2]
    assert not texts[1] & texts[2]
    assert sides.held_texts == texts[1] | texts[2]


def test_pairs_that_hang_together_are_told():
    chain = ScoredPairs(
        tuple(f"text {at}" for at in range(120)),
        tuple(f"text {at + 1}" for at in range(120)),
        np.tile(np.array([0, 1], np.float32), 60),
    )
    sides = gold_sides(chain, held_out=0.3, seed=0)
    assert any("share texts" in note for note in sides.notes)


def test_given_sides_are_kept_and_leaks_are_told():
    gold, other = decided(100, 100), decided(20, 20)
    sides = gold_sides(gold, held_out=0.3, seed=0, dev=other, test=other)
    assert len(sides.learn) == 200
    assert sides.dev is other
    assert any("share a text" in note for note in sides.notes)


def test_a_given_test_alone_still_holds_out_some_gold_to_compare_by():
    test = ScoredPairs(
        tuple(f"a {at}" for at in range(40)), tuple(f"b {at}" for at in range(40)),
        np.tile(np.array([0, 1], np.float32), 20),
    )  # fmt: skip  # two columns and the scores
    sides = gold_sides(decided(100, 100), held_out=0.3, seed=0, test=test)
    assert sides.test is test
    assert len(sides.learn) + len(sides.dev) == 200
    assert sides.chooses


def test_a_given_side_that_can_tell_nothing_is_refused():
    with pytest.raises(UserError, match="dev pairs are too few"):
        gold_sides(decided(100, 100), held_out=0.3, seed=0, dev=decided(30, 2))


def test_scores_count_as_the_same_from_a_half_on():
    scores = np.linspace(0, 1, 200, dtype=np.float32)
    pairs = ScoredPairs(
        tuple(f"l {at}" for at in range(200)), tuple(f"r {at}" for at in range(200)), scores
    )
    sides = gold_sides(pairs, held_out=0.2, seed=1)
    assert len(sides.learn) == pytest.approx(160, abs=3)
