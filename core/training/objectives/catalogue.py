"""The objectives by name: what each needs, its choices, and when to prefer it; without torch."""

import importlib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from core.errors import UserError
from core.options import Choice, options_from
from core.training.objectives.choices import (
    ClassificationChoices,
    ContrastiveChoices,
    CosentChoices,
    NoChoices,
    RankingChoices,
    TripletChoices,
)

if TYPE_CHECKING:
    from core.training.objectives.objective import Objective

# What stands beside the texts of an example: a number from 0 to 1, the number of a label, 0
# (different) or 1 (same), or nothing.
Target: TypeAlias = Literal["score", "label", "same", "none"]


@dataclass(frozen=True, slots=True)
class Declared:
    """What a command or a dialog needs to know of an objective before torch is loaded."""

    name: str
    title: str
    data: str  # what every row of the data holds
    prefer: str  # when to take it
    target: Target
    columns: tuple[int, ...]  # how many texts an example may have
    choices: type[Any]
    place: str  # module:class
    alone: bool = True  # False: goes beside another objective only

    def parameters(self) -> Mapping[str, tuple[Choice, Any]]:
        """The declaration and the default of each choice, by name."""
        return {one.name: (one.metadata["choice"], one.default) for one in fields(self.choices)}


_ALL = (
    Declared(
        name="classification",
        title="Kinds of pairs",
        data="two texts and a label, such as same, related or contrary",
        prefer="Take it for pairs with three or more labels that are no steps of one scale; where "
        "cosines are to mean something too, follow it with an objective over scores.",
        target="label",
        columns=(2,),
        choices=ClassificationChoices,
        place="core.training.objectives.classification:Classification",
    ),
    Declared(
        name="regression",
        title="Scores",
        data="two texts and a score from 0 (different) to 1 (the same)",
        prefer="Take it where each pair has a score and the cosine itself should mean that score, "
        "as it must where one threshold decides.",
        target="score",
        columns=(2,),
        choices=NoChoices,
        place="core.training.objectives.regression:Regression",
    ),
    Declared(
        name="triplet",
        title="Examples and counter-examples",
        data="a text, one that means the same, and one that does not",
        prefer="Take it where people can say which of two texts is nearer to a third, and no more.",
        target="none",
        columns=(3,),
        choices=TripletChoices,
        place="core.training.objectives.triplet:Triplet",
    ),
    Declared(
        name="ranking",
        title="Pairs that mean the same",
        data="two texts that mean the same, and perhaps a third that does not",
        prefer="Take it for search, with thousands of pairs that mean the same and next to no "
        "judged differences; larger batches teach more.",
        target="none",
        columns=(2, 3),
        choices=RankingChoices,
        place="core.training.objectives.ranking:Ranking",
    ),
    Declared(
        name="cosent",
        title="Order of scores",
        data="two texts and a score from 0 (different) to 1 (the same)",
        prefer="Take it where the order of the scores is to be trusted but not their size, as with "
        "several judges or grades; cosines keep their order and lose their scale.",
        target="score",
        columns=(2,),
        choices=CosentChoices,
        place="core.training.objectives.cosent:Cosent",
    ),
    Declared(
        name="contrastive",
        title="Yes or no",
        data="two texts and 1 (the same) or 0 (different)",
        prefer="Take it for yes/no decisions where a threshold should part same from different and "
        "nothing is said of how alike they are.",
        target="same",
        columns=(2,),
        choices=ContrastiveChoices,
        place="core.training.objectives.contrastive:Contrastive",
    ),
    Declared(
        name="hold",
        title="Held still",
        data="two texts and the cosine that the old encoder gives them",
        prefer="Put it beside any objective when few judged pairs teach: it keeps what nobody "
        "judged, and with it the meaning of thresholds, where it was.",
        target="score",
        columns=(2,),
        choices=NoChoices,
        place="core.training.objectives.hold:Hold",
        alone=False,
    ),
)
OBJECTIVES = {declared.name: declared for declared in _ALL}


def make_objective(name: str, /, **values: Any) -> "Objective":
    """Make an objective; loads torch. `values` are its choices, the others stay at their defaults.

    Raises `UserError` on a name or a choice that does not exist, and on a value out of bounds.
    """
    if name not in OBJECTIVES:
        raise UserError(f"There is no objective `{name}`.", f"Use one of {', '.join(OBJECTIVES)}.")
    declared = OBJECTIVES[name]
    known = declared.parameters()
    for unknown in values.keys() - known.keys():
        raise UserError(
            f"The objective `{name}` has no choice `{unknown}`.",
            f"Its choices are {', '.join(known)}." if known else "It has none; leave it out.",
        )
    choices = options_from(declared.choices, values)
    module, _, kind = declared.place.partition(":")
    made: Objective = getattr(importlib.import_module(module), kind)(choices)
    return made
