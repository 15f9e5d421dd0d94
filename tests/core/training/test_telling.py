"""The examples are those that moved most."""

import numpy as np

from core.examples import ScoredPairs
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
