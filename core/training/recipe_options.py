"""What a person may choose of a recipe, beside how the loop runs."""

from dataclasses import dataclass

from core.options import option

AUTO = "auto"
SPLITS = ("texts", "topic")


@dataclass(frozen=True, slots=True)
class RecipeOptions:
    """How examples become lessons, and what is kept aside to judge by."""

    recipe: str = option(
        AUTO,
        title="Recipe",
        help="`auto` takes the one that fits the examples; `samesense train --recipes` lists them.",
    )
    objective: str = option(
        AUTO,
        title="Objective",
        help="What the vectors are drawn to; `auto` takes the recipe's usual one.",
    )
    hard_negatives: int = option(
        0,
        title="Hard negatives",
        help="Near texts of the project that stand against each pair as different; 0 means none.",
        low=0,
        high=8,
        step=1,
    )
    made: int = option(
        10_000,
        title="Most made examples",
        help="How many pairs or triplets are drawn where labelled texts have to be made into some.",
        low=20,
        high=1_000_000,
        step=1_000,
    )
    split: str = option(
        "texts",
        title="Held out by",
        help="`texts`: what judges shares no text with what is learnt; `topic`: nor a topic.",
        choices=SPLITS,
    )
