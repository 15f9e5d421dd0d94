"""Examples keep their columns together and refuse what cannot be."""

import numpy as np
import pytest

from core.errors import UserError
from core.examples import (
    DECISIONS,
    LabelledPairs,
    LabelledTexts,
    ScoredPairs,
    Triplets,
    as_scores,
    score_bands,
    with_names,
)


def scores(*numbers):
    return np.array(numbers, np.float32)


def labels(*numbers):
    return np.array(numbers, np.int64)


KINDS = [
    ScoredPairs(("a", "b", "c"), ("x", "y", "z"), scores(0, 0.5, 1), scores(1, 2, 3)),
    LabelledPairs(("a", "b", "c"), ("x", "y", "z"), labels(0, 1, 0), DECISIONS),
    Triplets(("a", "b", "c"), ("x", "y", "z"), ("1", "2", "3")),
    LabelledTexts(("a", "b", "c"), labels(1, 0, 1), ("red", "blue")),
]


@pytest.mark.parametrize("examples", KINDS, ids=lambda one: one.kind.value)
def test_rows_are_taken_in_the_order_asked_for_from_every_column(examples):
    taken = examples.rows(np.array([2, 0]))
    assert taken.columns == tuple((column[2], column[0]) for column in examples.columns)
    assert taken.bands.tolist() == [examples.bands[2], examples.bands[0]]


@pytest.mark.parametrize("examples", KINDS, ids=lambda one: one.kind.value)
def test_every_kind_names_its_columns_and_bands(examples):
    assert len(examples) == 3 == len(examples.columns[0])
    assert len(examples.column_names) == len(examples.columns)
    assert examples.bands.max() < len(examples.band_names)


@pytest.mark.parametrize("examples", KINDS, ids=lambda one: one.kind.value)
def test_a_mask_is_no_list_of_places(examples):
    with pytest.raises(ValueError, match="places are integers"):
        examples.rows(np.array([True, False, True]))


def test_weights_go_with_their_pairs():
    assert KINDS[0].rows(np.array([1])).weight.tolist() == [2]


@pytest.mark.parametrize(
    "make",
    [
        lambda: ScoredPairs(("a",), ("b", "c"), scores(1)),
        lambda: ScoredPairs(("a",), ("b",), scores(1, 1)),
        lambda: ScoredPairs(("a",), ("b",), scores(1), scores(1, 1)),
        lambda: ScoredPairs(("a",), ("b",), scores(1), scores(-1)),
        lambda: Triplets(("a",), ("b",), ()),
        lambda: LabelledTexts(("a",), labels(2), ("x", "y")),
        lambda: LabelledTexts(("a",), labels(-1), ("x", "y")),
        lambda: LabelledTexts(("a",), scores(1), ("x", "y")),
        lambda: LabelledPairs(("a",), ("b",), labels(0), ("x", "x")),
    ],
)
def test_columns_that_do_not_fit_are_a_fault_of_the_program(make):
    with pytest.raises(ValueError):
        make()


@pytest.mark.parametrize("score", [-0.1, 1.1, np.nan])
def test_a_score_out_of_range_is_told_with_a_remedy(score):
    with pytest.raises(UserError, match="from 0 to 1") as told:
        ScoredPairs(("a",), ("b",), scores(score))
    assert told.value.remedy


def test_scores_fall_into_fifths_and_one_into_the_last():
    assert score_bands(scores(0, 0.19, 0.21, 0.5, 0.99, 1)).tolist() == [0, 0, 1, 2, 4, 4]


def test_decisions_become_scores():
    assert as_scores(KINDS[1]).score.tolist() == [0, 1, 0]


def test_labels_that_say_no_yes_or_no_are_no_scores():
    pairs = LabelledPairs(("a",), ("b",), labels(0), ("entailment", "neutral"))
    with pytest.raises(UserError, match="entailment, neutral"):
        as_scores(pairs)


def test_labels_of_two_files_are_brought_to_one_numbering():
    renamed = with_names(KINDS[3], ("green", "blue", "red"))
    assert [renamed.names[at] for at in renamed.label] == ["blue", "red", "blue"]


def test_a_label_that_is_not_known_is_named():
    with pytest.raises(UserError, match="“blue” is not among red"):
        with_names(KINDS[3], ("red",))


def test_a_name_that_no_example_carries_may_be_missing():
    texts = LabelledTexts(("a",), labels(0), ("red", "blue"))
    assert with_names(texts, ("red",)).label.tolist() == [0]
