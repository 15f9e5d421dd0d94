"""Which cells a grid has for which examples."""

import numpy as np
import pytest

from core.errors import UserError
from core.examples import DECISIONS, LabelledPairs, ScoredPairs, Triplets
from core.training.grids import Cell, cells_of
from core.training.objectives.choices import CONCATENATIONS

LEFT, RIGHT = tuple("abcd"), tuple("efgh")
SCORED = ScoredPairs(LEFT, RIGHT, np.array([0, 0.2, 0.7, 1], np.float32))
DECIDED = LabelledPairs(LEFT, RIGHT, np.array([0, 1, 0, 1]), DECISIONS)
KINDS = LabelledPairs(LEFT, RIGHT, np.array([0, 1, 2, 1]), ("a", "b", "c"))


def test_scores_are_pooled_three_ways_under_regression_alone() -> None:
    cells, left_out = cells_of("pooling", SCORED, pooling="mean")
    assert cells == tuple(Cell(pooling, "regression") for pooling in ("mean", "cls", "max"))
    assert [sentence.split(":")[0] for sentence in left_out] == [
        "Left out, classification",
        "Left out, triplet",
    ]


def test_decisions_are_pooled_under_both_objectives_of_the_paper() -> None:
    cells, _ = cells_of("pooling", DECIDED, pooling="cls")
    assert {(cell.pooling, cell.objective) for cell in cells} == {
        (pooling, objective)
        for pooling in ("mean", "cls", "max")
        for objective in ("classification", "regression")
    }


def test_triplets_are_pooled_under_their_own_objective() -> None:
    cells, _ = cells_of("pooling", Triplets(LEFT, RIGHT, tuple("ijkl")), pooling="mean")
    assert {cell.objective for cell in cells} == {"triplet"}


def test_the_objectives_keep_the_pooling_of_the_encoder() -> None:
    cells, _ = cells_of("objective", DECIDED, pooling="mean+max")
    assert {cell.pooling for cell in cells} == {"mean+max"}
    assert {cell.objective for cell in cells} == {
        "classification", "regression", "ranking", "cosent", "contrastive",
    }  # fmt: skip


def test_an_objective_without_an_example_is_no_cell() -> None:
    different = ScoredPairs(LEFT, RIGHT, np.array([0, 0.1, 0.2, 0.3], np.float32))
    cells, _ = cells_of("objective", different, pooling="mean")
    assert "ranking" not in {cell.objective for cell in cells}


def test_the_concatenations_are_the_seven_of_the_paper() -> None:
    cells, left_out = cells_of("concatenation", KINDS, pooling="mean")
    assert [cell.concatenation for cell in cells] == list(CONCATENATIONS)
    assert len(cells) == 7
    assert left_out == ()


def test_a_grid_that_the_examples_cannot_teach_is_refused_with_the_reason() -> None:
    with pytest.raises(UserError, match="needs two texts and a label"):
        cells_of("concatenation", SCORED, pooling="mean")


def test_a_cell_hands_its_concatenation_to_the_task() -> None:
    task = Cell("mean", "classification", "product").task(KINDS)
    assert (task.objective, dict(task.choices)) == ("classification", {"concatenation": "product"})
