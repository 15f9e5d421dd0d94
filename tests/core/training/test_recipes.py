"""Recipes are proposed by what is there, and refused with the reason."""

import subprocess
import sys

import numpy as np
import pytest

from core.errors import UserError
from core.examples import LabelledPairs, LabelledTexts, ScoredPairs, Triplets
from core.training import RECIPES, Material, Part, misfit, propose
from core.training.objectives import OBJECTIVES
from core.training.recipes import main_of, objective_of, recipe_named

NLI = ("contrary", "related", "same")


def scored(*scores: float) -> Part[ScoredPairs]:
    names = tuple(f"text {n}" for n in range(len(scores)))
    others = tuple(f"other {n}" for n in range(len(scores)))
    return Part(ScoredPairs(names, others, np.array(scores, np.float32)))


def labelled() -> tuple[Part[LabelledPairs], ...]:
    return (Part(LabelledPairs(("a", "b"), ("c", "d"), np.array([0, 2]), NLI)),)


TRIPLETS = Part(Triplets(("a",), ("b",), ("c",)))
TEXTS = (Part(LabelledTexts(("a", "b", "c"), np.array([0, 0, 1]), ("x", "y"))),)


@pytest.mark.parametrize(
    ("material", "recipe"),
    [
        (Material(), ""),
        (Material(scored(1, 0, 1)), "decisions"),
        (Material(scored(1, 0.4, 0)), "scores"),
        (Material(scored(*[1] * 1_000)), "search"),
        (Material(scored(1, 1)), "decisions"),
        (Material(labelled=labelled()), "labels"),
        (Material(triplets=TRIPLETS), "triplets"),
        (Material(texts=TEXTS), "decisions"),
        (Material(scored(1, 0), labelled()), "two-stage"),
        (Material(scored(1, 0), triplets=TRIPLETS), "side-by-side"),
        (Material(triplets=TRIPLETS, texts=TEXTS), "side-by-side"),
    ],
)
def test_the_recipe_that_fits_is_proposed_with_a_reason(material: Material, recipe: str):
    told = propose(material)
    assert told.recipe == recipe
    assert told.reason.endswith(".")
    if recipe:
        assert misfit(RECIPES[recipe], material) == ""
        assert recipe_named("auto", material) is RECIPES[recipe]


@pytest.mark.parametrize(
    ("recipe", "material", "why"),
    [
        ("two-stage", Material(scored(1, 0)), "no pairs with labels"),
        ("two-stage", Material(labelled=labelled()), "no pairs with scores"),
        ("labels", Material(scored(1, 0)), "no such examples"),
        ("decisions", Material(scored(1, 0.5)), "scored and not decided"),
        ("search", Material(scored(0, 0.2)), "no pair means the same"),
        ("side-by-side", Material(scored(1, 0)), "of one kind"),
    ],
)
def test_a_recipe_that_does_not_fit_says_why(recipe: str, material: Material, why: str):
    assert why in misfit(RECIPES[recipe], material)
    with pytest.raises(UserError, match=why):
        recipe_named(recipe, material)


def test_nothing_to_learn_from_is_refused_whatever_the_recipe():
    with pytest.raises(UserError, match="no judged pairs"):
        recipe_named("auto", Material())


def test_an_unknown_recipe_names_those_there_are():
    with pytest.raises(UserError, match="side-by-side"):
        recipe_named("magic", Material(scored(1, 0)))


def test_an_objective_of_another_recipe_is_refused():
    assert objective_of(RECIPES["decisions"], "auto") == "regression"
    assert objective_of(RECIPES["decisions"], "contrastive") == "contrastive"
    with pytest.raises(UserError, match="does not learn by"):
        objective_of(RECIPES["decisions"], "triplet")


def test_the_judging_part_is_the_first_that_is_there():
    assert main_of(RECIPES["triplets"], Material(scored(1, 0))) == "scored"
    assert main_of(RECIPES["triplets"], Material(scored(1, 0), triplets=TRIPLETS)) == "triplets"


def test_every_objective_of_a_recipe_can_be_learnt_by():
    for recipe in RECIPES.values():
        assert recipe.objectives
        assert all(OBJECTIVES[name].alone for name in recipe.objectives)


def test_recipes_load_no_torch():
    code = "import sys, core.training.courses; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
