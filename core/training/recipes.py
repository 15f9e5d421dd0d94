"""Recipes in plain words: what to take when, and which one fits the examples at hand.

Nothing here loads torch. How a recipe becomes stages is told in `courses`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from core.errors import UserError
from core.training.material import Material
from core.training.recipe_options import AUTO

_MANY_SAME = 1_000  # pairs that mean the same, enough for negatives out of the batch to teach


@dataclass(frozen=True, slots=True)
class Recipe:
    """A way to learn, as an analyst would choose it.

    The first part of `mains` that is there judges; of `objectives`, those of the last stage, the
    first is usual. `usual` are settings of the loop that differ from those of other recipes.
    """

    name: str
    title: str
    sentence: str  # when to take it
    data: str  # what it learns from
    mains: tuple[str, ...]  # of `material.MAINS`
    needs: tuple[str, ...] = ()  # parts that must all be there
    objectives: tuple[str, ...] = ()
    usual: Mapping[str, Any] = field(default_factory=dict)
    takes_hard_negatives: bool = False
    stages: int = 1

    @property
    def makes_from_texts(self) -> bool:
        """Whether labelled texts are made into its examples where nothing else is there."""
        return "texts" in self.mains


@dataclass(frozen=True, slots=True)
class Proposal:
    """A recipe for the examples at hand, and why; no name where nothing can be learnt from."""

    recipe: str
    reason: str


_ALL = (
    Recipe(
        name="decisions",
        title="My decisions are yes or no",
        sentence="Take it when pairs were decided the same or different, here or elsewhere; one "
        "threshold then parts them better.",
        data="pairs decided the same or different; or labelled texts, of which pairs are made",
        mains=("scored", "texts"),
        objectives=("regression", "contrastive", "cosent"),
        takes_hard_negatives=False,
    ),
    Recipe(
        name="scores",
        title="I have scores",
        sentence="Take it when each pair has a score for how alike its texts are; the cosine then "
        "comes to mean that score.",
        data="pairs with a score",
        mains=("scored",),
        objectives=("regression", "cosent"),
    ),
    Recipe(
        name="labels",
        title="Labels of three or more kinds",
        sentence="Take it when pairs carry labels that are no steps of one scale, such as same, "
        "related and contrary; follow it with scores where cosines are to be compared with a "
        "threshold.",
        data="pairs with one of several labels",
        mains=("labelled",),
        objectives=("classification",),
        usual={"hold": 0.2},
    ),
    Recipe(
        name="triplets",
        title="Examples and counter-examples",
        sentence="Take it when people can say which of two texts is nearer to a third, and no "
        "more.",
        data="a text, one that means the same and one that does not; or pairs or labelled texts, "
        "of which triplets are made",
        mains=("triplets", "scored", "texts"),
        objectives=("triplet", "ranking"),
        takes_hard_negatives=True,
    ),
    Recipe(
        name="search",
        title="Pairs that mean the same",
        sentence="Take it for search, when there are many pairs that mean the same and next to "
        "none that differ: the other texts of a batch stand against each pair.",
        data="pairs that mean the same, a thousand or more; or triplets",
        mains=("scored", "triplets"),
        objectives=("ranking",),
        usual={"batch": 64, "hold": 0.2},
        takes_hard_negatives=True,
    ),
    Recipe(
        name="two-stage",
        title="Labels first, then scores",
        sentence="Take it when there are labelled pairs as well as scores or decisions: labels "
        "teach what kinds of pairs there are, scores then set the cosine.",
        data="pairs with one of several labels, and pairs with a score or a decision",
        mains=("scored",),
        needs=("labelled", "scored"),
        objectives=("regression", "cosent", "contrastive"),
        stages=2,
    ),
    Recipe(
        name="side-by-side",
        title="Side by side",
        sentence="Take it when there are examples of several kinds and none should be forgotten "
        "for another: their batches take turns.",
        data="examples of two or more kinds",
        mains=("scored", "triplets", "labelled", "texts"),
        objectives=("regression", "cosent", "contrastive"),
    ),
)
RECIPES = {recipe.name: recipe for recipe in _ALL}


def recipe_named(name: str, material: Material) -> Recipe:
    """Return a recipe that fits, by its name or `auto`; raises `UserError` where none does."""
    if name == AUTO:
        proposed = propose(material)
        if not proposed.recipe:
            raise UserError(
                "There are no judged pairs to learn from.",
                "Decide some pairs as same or different, or import judged examples.",
            )
        return RECIPES[proposed.recipe]
    if name not in RECIPES:
        raise UserError(f"There is no recipe `{name}`.", f"Use one of {', '.join(RECIPES)}.")
    recipe = RECIPES[name]
    why_not = misfit(recipe, material)
    if why_not:
        raise UserError(f"“{recipe.title}” does not fit: {why_not}", f"It needs {recipe.data}.")
    return recipe


def objective_of(recipe: Recipe, name: str) -> str:
    """Return the objective of a recipe's last stage; raises `UserError` for one it has not."""
    if name == AUTO:
        return recipe.objectives[0]
    if name not in recipe.objectives:
        raise UserError(
            f"“{recipe.title}” does not learn by `{name}`.",
            f"Use one of {', '.join(recipe.objectives)}, or another recipe.",
        )
    return name


def main_of(recipe: Recipe, material: Material) -> str:
    """Return the name of the part that judges a recipe; the first where all are empty."""
    found = (name for name in recipe.mains if len(material.main(name)))
    return next(found, recipe.mains[0])


def misfit(recipe: Recipe, material: Material) -> str:
    """Say why a recipe cannot learn from these examples; nothing where it can."""
    missing = [name for name in recipe.needs if not len(material.main(name))]
    if missing:
        words = {"labelled": "pairs with labels", "scored": "pairs with scores or decisions"}
        return f"there are no {words[missing[0]]}."
    if not any(len(material.main(name)) for name in recipe.mains):
        return "there are no such examples."
    main = main_of(recipe, material)
    if recipe.name == "side-by-side" and len(material.counts()) < 2:
        return "all examples are of one kind."
    if main != "scored":
        return ""
    scored = material.scored.examples
    if recipe.name == "decisions" and not scored.is_labelled:
        return "some pairs are scored and not decided."
    if recipe.name == "search" and not (scored.score >= 0.5).any():
        return "no pair means the same."
    return ""


def propose(material: Material) -> Proposal:
    """Propose the recipe that fits the examples, with the reason."""
    scored, counts = material.scored.examples, material.counts()
    if not counts:
        return Proposal("", "There is nothing to learn from yet.")
    if material.labelled and len(scored) and len(counts) == 2:
        return Proposal(
            "two-stage",
            "There are labelled pairs, which teach kinds of pairs, and scores or decisions, which "
            "set the cosine.",
        )
    if len(counts) > 1:
        kinds = " and ".join(counts)
        return Proposal("side-by-side", f"There are {kinds}; all teach in turns.")
    if material.labelled:
        return Proposal("labels", "All examples are pairs with one of several labels.")
    if len(material.triplets):
        return Proposal("triplets", "All examples are a text, one that is the same and one not.")
    if material.texts:
        return Proposal(
            "decisions", "There are labelled texts: two of one label count as the same, two of "
            "different labels as different.",
        )  # fmt: skip  # one sentence
    if not scored.is_labelled:
        return Proposal("scores", "Pairs have scores, not only yes and no.")
    if len(scored) >= _MANY_SAME and not np.any(scored.score < 0.5):
        return Proposal("search", "Many pairs mean the same, and none was judged different.")
    return Proposal("decisions", "Every pair was decided the same or different.")
