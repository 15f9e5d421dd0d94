"""Silver pairs in a project: what a person makes of them outlives the augmentation."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.store import Project
from core.store.augmentations import Augmentations

PAIRS = [("a", "b", 0.05), ("c", "d", 0.5), ("e", "f", 0.95), ("g", "h", 1.0)]


@pytest.fixture
def kept(tmp_path: Path) -> Iterator[Augmentations]:
    with Project.create(tmp_path / "p.samesense") as project:
        yield project.augmentations


def labelled(kept: Augmentations) -> int:
    number = kept.add(run=None, options={"seeds": 2}, gold={"learn": 4}, teachers={"best": 0})
    kept.label(number, PAIRS, options={"sampling": "bm25"}, sheet={"pairs": 4})
    return number


def test_it_is_measured_first_and_labelled_then(kept: Augmentations):
    number = kept.add(run=None, options={"seeds": 2}, gold={"learn": 4}, teachers={"best": 0})
    record = kept.get(number)
    assert (record.state, record.options, record.sheet) == ("measured", {"seeds": 2}, {})
    assert kept.silver(number) == []
    kept.label(number, PAIRS, options={"sampling": "bm25"}, sheet={"pairs": 4})
    record = kept.get(number)
    assert (record.state, record.gold, record.sheet) == ("labelled", {"learn": 4}, {"pairs": 4})
    assert [row.left for row in kept.silver(number)] == ["a", "c", "e", "g"]


def test_labelling_anew_replaces_all_but_what_a_person_said(kept: Augmentations):
    number = labelled(kept)
    kept.correct(number, 0, 1.0)
    kept.label(number, PAIRS[2:], options={}, sheet={})
    told = [(row.left, row.corrected) for row in kept.silver(number)]
    assert told == [("e", None), ("g", None), ("a", 1.0)]
    assert kept.corrections() == [("a", "b", 1.0)]


def test_a_band_ends_below_its_upper_bound_and_the_last_one_holds_it(kept: Augmentations):
    number = labelled(kept)
    assert [row.left for row in kept.silver(number, low=0.0, high=0.5)] == ["a"]
    assert [row.left for row in kept.silver(number, low=0.5, high=0.9)] == ["c"]
    assert [row.left for row in kept.silver(number, low=0.9, high=1.0)] == ["e", "g"]
    assert [row.left for row in kept.silver(number, offset=1, count=2)] == ["c", "e"]


def test_corrections_are_gold_and_can_be_taken_back(kept: Augmentations):
    number = labelled(kept)
    kept.correct(number, 1, 1.0)
    kept.correct(number, 2, 0.0)
    assert kept.corrections() == [("c", "d", 1.0), ("e", "f", 0.0)]
    kept.correct(number, 2, None)
    assert kept.corrections() == [("c", "d", 1.0)]
    with pytest.raises(KeyError):
        kept.correct(number, 99, 1.0)


def test_pairs_are_left_out_and_taken_in_again(kept: Augmentations):
    number = labelled(kept)
    kept.drop(number, [0, 3])
    assert [row.dropped for row in kept.silver(number)] == [True, False, False, True]
    kept.drop(number, [3], dropped=False)
    assert [row.dropped for row in kept.silver(number)] == [True, False, False, False]


def test_rebalancing_leaves_alone_what_a_person_said(kept: Augmentations):
    number = labelled(kept)
    kept.drop(number, [0])
    kept.correct(number, 1, 1.0)
    kept.rebalance(number, {3})
    told = [(row.dropped, row.by_hand) for row in kept.silver(number)]
    assert told == [(True, True), (False, False), (True, False), (False, False)]
    kept.rebalance(number, {2})
    told = [(row.dropped, row.by_hand) for row in kept.silver(number)]
    assert told == [(True, True), (False, False), (False, False), (True, False)]


def test_dropping_all_keeps_what_a_person_said(kept: Augmentations):
    number = labelled(kept)
    kept.correct(number, 1, 1.0)
    kept.remove(number)
    assert kept.listed() == []
    assert kept.corrections() == [("c", "d", 1.0)]


def test_the_newest_is_listed_first_and_marked_with_its_training(kept: Augmentations):
    first, second = labelled(kept), labelled(kept)
    kept.mark(first, "trained", training=7)
    kept.retell(second, {"pairs": 3})
    assert [(one.id, one.state, one.training) for one in kept.listed()] == [
        (second, "labelled", None),
        (first, "trained", 7),
    ]
    assert kept.get(second).sheet == {"pairs": 3}
    with pytest.raises(KeyError):
        kept.get(99)
