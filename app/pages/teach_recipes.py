"""Recipes as the engine tells them, as values."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from app.widgets.option_fields import Declared, declared_from

AUTO = "auto"
_CHOSEN_ELSEWHERE = ("recipe", "objective")


@dataclass(frozen=True, slots=True)
class Objective:
    """What vectors are drawn to, and what may be chosen of it."""

    name: str
    title: str
    prefer: str  # when
    choices: tuple[Declared, ...] = ()


@dataclass(frozen=True, slots=True)
class Recipe:
    """A way to learn, and whether the examples at hand suit it."""

    name: str
    title: str
    sentence: str  # when to take it
    data: str  # what it needs
    fits: bool
    why_not: str
    objectives: tuple[Objective, ...] = ()  # the first is usual
    usual: Mapping[str, Any] = field(default_factory=dict)  # settings it has otherwise
    hard_negatives: bool = False
    made_from_texts: bool = False


@dataclass(frozen=True, slots=True)
class Recipes:
    """All of them, and the one proposed, with the reason."""

    all: tuple[Recipe, ...]
    proposed: str
    reason: str
    options: tuple[Declared, ...]  # of every recipe

    def named(self, name: str) -> Recipe | None:
        """A recipe by its name; `auto` is the one proposed."""
        wanted = self.proposed if name == AUTO else name
        return next((one for one in self.all if one.name == wanted), None)


def recipes_of(outcome: Mapping[str, Any]) -> Recipes:
    """What the engine said, as values."""
    options = [one for one in outcome["options"] if one["name"] not in _CHOSEN_ELSEWHERE]
    return Recipes(
        tuple(map(_recipe, outcome["recipes"])),
        outcome["proposed"],
        outcome["reason"],
        tuple(map(declared_from, options)),
    )


def _recipe(told: Mapping[str, Any]) -> Recipe:
    usual = {"hold": told["hold"], **(told.get("usual") or {})}
    return Recipe(
        told["name"], told["title"], told["sentence"], told["data"], bool(told["fits"]),
        told["why_not"], tuple(map(_objective, told["objectives"])), usual,
        bool(told["hard_negatives"]), bool(told["made_from_texts"]),
    )  # fmt: skip  # one value after the other


def _objective(told: Mapping[str, Any]) -> Objective:
    return Objective(
        told["name"], told["title"], told["prefer"], tuple(map(declared_from, told["choices"]))
    )
