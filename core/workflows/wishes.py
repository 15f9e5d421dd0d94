"""What a wish of the window is: plain values in, steps, and an answer in plain values."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from core.options import options_from
from core.progress import Steps
from core.records import Changes
from core.store import Project
from core.workflows.desk import Desk


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of a wish, in plain values, and what it moved in the project."""

    outcome: dict[str, Any]
    changes: Changes = field(default_factory=Changes)


Wish = Callable[[Desk, Mapping[str, Any]], Steps[Answer]]


def project_of(desk: Desk, values: Mapping[str, Any]) -> Project:
    """The project that a wish is about."""
    return desk.project(values["project"], read_only=bool(values.get("read_only")))


def options_of(kind: type[Any], values: Mapping[str, Any]) -> Any:
    """The options that a wish holds beside its project."""
    place = ("project", "read_only")
    return options_from(kind, {name: value for name, value in values.items() if name not in place})
