"""Every piece of work leaves a run record, however it ends."""

from collections.abc import Callable, Mapping
from dataclasses import asdict, is_dataclass
from typing import Any, TypeVar

from core.errors import UserError
from core.progress import Steps
from core.store import Project

T = TypeVar("T")


def recorded(
    project: Project,
    workflow: str,
    options: Mapping[str, Any],
    work: Callable[[int], Steps[T]],
    *,
    inputs: Mapping[str, Any] | None = None,
    seed: int | None = None,
) -> Steps[T]:
    """Run `work(run)` under a run record that says finished, cancelled or failed in the end."""
    run = project.runs.begin(workflow, options, inputs=inputs, seed=seed)
    try:
        outcome = yield from work(run)
    except (GeneratorExit, KeyboardInterrupt):
        project.runs.end(run, "cancelled")
        raise
    except BaseException as fault:
        try:
            project.runs.end(run, "failed", error=str(fault) or type(fault).__name__)
        except UserError:
            # A full disk cannot take the record either; the first fault is the one to tell.
            raise fault from None
        raise
    told = asdict(outcome) if is_dataclass(outcome) and not isinstance(outcome, type) else {}
    project.runs.end(run, "finished", outcome=told)
    return outcome
