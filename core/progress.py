"""How long work speaks: a plain generator of `Progress` that returns its outcome.

A workflow is cancelled by closing it; it keeps what is done and leaves nothing half made.
"""

from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import TypeAlias, TypeVar


@dataclass(frozen=True, slots=True)
class Progress:
    """Where a job stands; `total` is None while it is not known."""

    title: str
    done: int = 0
    total: int | None = None
    unit: str = ""
    figures: tuple[tuple[str, float], ...] = ()  # measured on the way, such as ("loss", 0.02)
    sketch: int = 0  # pictures of the unfinished outcome left in the project's cache so far


class Enough(Exception):  # noqa: N818 - a wish and no error
    """Thrown into steps at a yield: end early with the best so far, and return as usual."""


Outcome = TypeVar("Outcome")
Item = TypeVar("Item")
Steps: TypeAlias = Generator[Progress, None, Outcome]


def telling(
    steps: Generator[Item, None, Outcome], tell: Callable[[Item], Progress]
) -> Steps[Outcome]:
    """Carry steps through that hand on something else than progress; `tell` takes it in."""
    while True:
        try:
            item = next(steps)
        except StopIteration as stop:
            outcome: Outcome = stop.value
            return outcome
        yield tell(item)


def run_to_end(steps: Steps[Outcome], report: Callable[[Progress], None] | None = None) -> Outcome:
    """Run `steps` here and now, give every progress to `report`, and return the outcome."""
    try:
        while True:
            progress = next(steps)
            if report is not None:
                report(progress)
    except StopIteration as stop:
        outcome: Outcome = stop.value
        return outcome
