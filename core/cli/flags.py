"""Command flags made from the declared options."""

from collections.abc import Callable
from dataclasses import MISSING, fields
from typing import Any

import click

from core.options import Choice, options_from


def flags(kind: type[Any], *names: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Add a flag for each named option of an options class."""

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        for name in reversed(names):
            function = _flag(kind, name)(function)
        return function

    return decorate


def options(kind: type[Any], **values: Any) -> Any:
    """Options of `kind` from flag values; None means the declared default."""
    return options_from(kind, {name: value for name, value in values.items() if value is not None})


def _flag(kind: type[Any], name: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    found = next(one for one in fields(kind) if one.name == name)
    choice: Choice = found.metadata["choice"]
    default = found.default if found.default is not MISSING else None
    told: dict[str, Any] = {"help": choice.help, "default": None}
    if isinstance(default, bool):
        return click.option(f"--{name.replace('_', '-')}/--no-{name.replace('_', '-')}", **told)
    if choice.choices:
        told["type"] = click.Choice(choice.choices)
    elif found.type in (int, int | None):
        told["type"] = click.IntRange(_whole(choice.low), _whole(choice.high))
    elif isinstance(default, float) or choice.low is not None:
        told["type"] = click.FloatRange(choice.low, choice.high)
    if default is not None:
        told["help"] += f"  [default: {default}]"
    return click.option(f"--{name.replace('_', '-')}", name, **told)


def _whole(bound: float | None) -> int | None:
    return None if bound is None else int(bound)
