"""Every choice a person can make, declared once; dialogs and command flags are made from it."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, TypeVar

from core.errors import UserError


@dataclass(frozen=True, slots=True)
class Choice:
    """What a dialog or a flag needs to know of one option."""

    title: str
    help: str
    low: float | None = None
    high: float | None = None
    step: float | None = None
    choices: tuple[str, ...] = ()


def option(default: Any, *, title: str, help: str, **bounds: Any) -> Any:  # noqa: A002 - the field's word
    """Declare one option of an options class."""
    return field(default=default, metadata={"choice": Choice(title, help, **bounds)})


@dataclass(frozen=True, slots=True)
class EncodeOptions:
    """How texts become vectors."""

    encoder: str = option(
        "default", title="Encoder", help="`default`, or the folder of an encoder."
    )
    device: str = option(
        "auto",
        title="Device",
        help="Where to compute; `auto` takes a CUDA card when there is one.",
        choices=("auto", "cpu", "cuda"),
    )
    precision: str = option(
        "auto",
        title="Precision",
        help="`auto` takes bf16 where it is fast and changes no cosine by more than 0.005.",
        choices=("auto", "fp32", "bf16", "fp16"),
    )


@dataclass(frozen=True, slots=True)
class PairOptions:
    """Which pairs are found."""

    floor: float | None = option(
        None,
        title="Find pairs from",
        help="Smallest cosine of a pair; nothing means 0.70, or more in a very dense corpus.",
        low=0.3,
        high=1.0,
        step=0.01,
    )
    confirmed: bool = option(
        False,
        title="Find them however many there are",
        help="Go on although the forecast says more than five million pairs.",
    )


KEEP_RULES = ("first", "longest", "central", "newest")


@dataclass(frozen=True, slots=True)
class GroupOptions:
    """What is removed without asking, what is asked, and which row stays."""

    threshold: float = option(
        0.97,
        title="Remove automatically from",
        help="A row goes when its text has this cosine to the text that stays.",
        low=0.3,
        high=1.0,
        step=0.005,
    )
    review: float = option(
        0.86,
        title="Review from",
        help="Pairs between this cosine and the threshold are put before a person.",
        low=0.3,
        high=1.0,
        step=0.005,
    )
    keep: str = option(
        "first",
        title="Keep",
        help="Which row of a group stays: first, longest, central, or newest:COLUMN.",
    )
    hold_back: bool = option(
        True,
        title="Hold back pairs that differ in a number, a negation or a name",
        help="Such pairs are never removed automatically; they are put before a person.",
    )

    def __post_init__(self) -> None:
        rule, _, column = self.keep.partition(":")
        if rule not in KEEP_RULES or (rule == "newest") != bool(column):
            raise UserError(
                f"`{self.keep}` is no rule for the row that stays.",
                "Use first, longest, central, or newest:COLUMN with a date column.",
            )


SEARCH_WAYS = ("both", "meaning", "words")


@dataclass(frozen=True, slots=True)
class SearchOptions:
    """How texts are looked for."""

    by: str = option(
        "both",
        title="Search by",
        help="By the meaning of a text, by its words, or by both.",
        choices=SEARCH_WAYS,
    )
    count: int = option(
        20, title="Results", help="How many texts are shown at most.", low=1, high=10_000, step=10
    )


@dataclass(frozen=True, slots=True)
class ClusterOptions:
    """How texts are put into clusters."""

    min_size: int | None = option(
        None,
        title="Smallest cluster",
        help="Rows that make a cluster; nothing means a size that suits the corpus.",
        low=2,
        high=1_000_000,
        step=1,
    )
    neighbours: int = option(
        15,
        title="Neighbours",
        help="How many nearest texts shape the layout; few show detail, many the large picture.",
        low=2,
        high=16,
        step=1,
    )
    seed: int = option(
        0,
        title="Seed",
        help="The same seed and the same texts give the same clusters.",
        low=0,
        high=2**31 - 1,
        step=1,
    )


@dataclass(frozen=True, slots=True)
class MapOptions:
    """How the map is drawn."""

    neighbours: int = option(
        15,
        title="Neighbours",
        help="How many nearest texts shape the map; few show detail, many the large picture.",
        low=2,
        high=16,
        step=1,
    )
    min_dist: float = option(
        0.1,
        title="Spacing",
        help="How closely alike texts may lie; 0 packs them, 1 spreads them evenly.",
        low=0.0,
        high=1.0,
        step=0.05,
    )
    keep: bool = option(
        True,
        title="Keep the picture",
        help="Texts on the map stay where they are; new ones take places near their neighbours.",
    )
    fast: bool = option(
        False,
        title="Faster, rougher",
        help="Half as many steps: the large picture is the same, its details settle less.",
    )
    seed: int = option(
        0,
        title="Seed",
        help="The same seed and the same texts give the same map.",
        low=0,
        high=2**31 - 1,
        step=1,
    )


# What judged pairs can tell of an encoder, one rule for what is said before and after.
FEWEST_JUDGED = 20  # pairs that can tell anything
FEWEST_OF_A_KIND = 5  # same, and different; also among those that are kept aside
FEWEST_TO_KEEP_ASIDE = 100  # pairs; below, each pair judges once out of fold


@dataclass(frozen=True, slots=True)
class TrainOptions:
    """How an encoder learns from judged pairs."""

    epochs: int | None = option(
        None,
        title="Epochs",
        help="How often every pair is seen; nothing means a number that suits their count.",
        low=1,
        high=100,
        step=1,
    )
    rate: float = option(
        5e-5,
        title="Learning rate",
        help="How far a step goes; small encoders want 0.00005, large ones 0.00002.",
        low=1e-7,
        high=1e-2,
        step=1e-5,
    )
    batch: int = option(
        16, title="Batch", help="Pairs looked at before each step.", low=2, high=1_024, step=2
    )
    schedule: str = option(
        "linear",
        title="Rate over time",
        help="After the warm-up the rate falls to 0 by even steps, or stays constant.",
        choices=("linear", "constant"),
    )
    warm_up: float = option(
        0.1,
        title="Warm-up",
        help="Share of the steps in which the rate climbs to its height.",
        low=0.0,
        high=0.5,
        step=0.05,
    )
    weight_decay: float = option(
        0.01,
        title="Weight decay",
        help="How strongly weights are drawn to 0, times the rate at each step.",
        low=0.0,
        high=0.5,
        step=0.01,
    )
    search_rates: bool = option(
        False,
        title="Try three learning rates first",
        help="Teach shortly at each and go on with the best by the held-out pairs; takes longer.",
    )
    patience: int | None = option(
        None,
        title="Patience",
        help="End after so many looks at the held-out pairs without anything better; "
        "nothing means never.",
        low=1,
        high=100,
        step=1,
    )
    hold: float = option(
        0.5,
        title="Share of pairs held still",
        help="Share of a batch that are random pairs held to the cosine they have now.",
        low=0.0,
        high=0.9,
        step=0.1,
    )
    frozen_layers: int | None = option(
        None,
        title="Frozen layers",
        help="Leave the embeddings and so many of the lowest layers as they are; 0 is the "
        "embeddings alone, nothing freezes none.",
        low=0,
        high=100,
        step=1,
    )
    precision: str = option(
        "auto",
        title="Precision of teaching",
        help="`auto` takes bf16 on a CUDA card that has it, else fp32; fp16 needs a CUDA card.",
        choices=("auto", "fp32", "bf16", "fp16"),
    )
    gradient_checkpointing: str = option(
        "auto",
        title="Compute twice to save memory",
        help="Gradient checkpointing: a third slower, the same result, far less memory; `auto` "
        "does it where memory is short.",
        choices=("auto", "on", "off"),
    )
    seed: int = option(
        0,
        title="Seed",
        help="The same seed and the same pairs give the same encoder on the same processor.",
        low=0,
        high=2**31 - 1,
        step=1,
    )
    held_out: float = option(
        0.2,
        title="Share of pairs held out",
        help="Share of the pairs that is not learnt from but used to judge the new encoder.",
        low=0.05,
        high=0.5,
        step=0.05,
    )


Options = TypeVar("Options")


def choice_of(options: type[Any], name: str) -> Choice:
    """The declaration of one option."""
    return next(found.metadata["choice"] for found in fields(options) if found.name == name)  # type: ignore[no-any-return]  # metadata is untyped by its nature


def options_from(kind: type[Options], values: Mapping[str, Any]) -> Options:
    """Make options from plain values, checking bounds; raises `UserError` on a bad one."""
    known = {found.name: found.metadata["choice"] for found in fields(kind)}  # type: ignore[arg-type]  # always a dataclass
    for name, value in values.items():
        choice: Choice = known[name]
        if choice.choices and value not in choice.choices:
            raise UserError(
                f"`{value}` is no value for “{choice.title}”.",
                f"Use one of {', '.join(choice.choices)}.",
            )
        outside = value is not None and (
            (choice.low is not None and not value >= choice.low)
            or (choice.high is not None and not value <= choice.high)
        )
        if outside:
            raise UserError(
                f"{value} is out of range for “{choice.title}”.",
                f"Use a number from {choice.low} to {choice.high}.",
            )
    return kind(**values)
