"""The examples are those that moved most."""

import numpy as np

from core.examples import LabelledPairs, ScoredPairs, Triplets
from core.training import Judged, telling_pairs


def judged(gold, before, after):
    names = tuple(str(row) for row in range(len(gold)))
    columns = (np.array(column, np.float32) for column in (gold, before, after))
    gold, before, after = columns
    return Judged(ScoredPairs(names, names, gold), before, after, np.arange(len(gold)))


def test_the_largest_move_towards_gold_comes_first():
    told = telling_pairs(judged([1, 1, 0], [0.5, 0.5, 0.5], [0.6, 0.9, 0.3]))
    assert [pair.left for pair in told.better] == ["1", "2", "0"]


def test_moves_away_from_gold_are_worse():
    told = telling_pairs(judged([1, 0, 0], [0.5, 0.5, 0.5], [0.4, 0.9, 0.1]))
    assert [pair.left for pair in told.worse] == ["1", "0"]


def test_a_pair_that_did_not_move_is_on_neither_side():
    told = telling_pairs(judged([1], [0.5], [0.5]))
    assert (told.better, told.worse) == ((), ())


def test_no_more_are_told_than_wanted():
    told = telling_pairs(judged([1] * 9, [0.1] * 9, [0.9] * 9), count=4)
    assert len(told.better) == 4


def test_a_triplet_tells_its_counter_example():
    triplets = Triplets(("a",), ("b",), ("c",))
    before, after = np.array([0.1], np.float32), np.array([0.4], np.float32)
    (pair,) = telling_pairs(Judged(triplets, before, after, np.zeros(1, np.int64))).better
    assert (pair.left, pair.right, pair.third, pair.gold) == ("a", "b", "c", 1.0)


def test_a_labelled_pair_tells_its_label_and_how_sure_the_probe_is_of_it():
    pairs = LabelledPairs(("a",), ("b",), np.array([2]), ("x", "y", "z"))
    before, after = np.array([0.5], np.float32), np.array([0.25], np.float32)
    (pair,) = telling_pairs(Judged(pairs, before, after, np.zeros(1, np.int64))).worse
    assert (pair.label, pair.gold, pair.after) == ("z", 1.0, 0.25)
