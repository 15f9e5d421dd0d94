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
