"""The group of sub-commands and what each of them is made with."""

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any

import click

from core import __version__
from core.cli.console import follow, stopped
from core.progress import Steps
from core.store import Project

FOLDER = click.Path(path_type=Path, file_okay=False)
FILE = click.Path(path_type=Path)


class _Program(click.Group):
    """Sub-commands in the order of the work, not of the alphabet."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.commands)


@click.group(cls=_Program, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="samesense")
def program() -> None:
    """Find, decide and remove duplicate and paraphrased texts by meaning, offline.

    `samesense` opens the window, `samesense PROJECT` opens it on a project. The sub-commands
    do the same work without a window; each takes --json.
    """


def command(name: str) -> Callable[[Callable[..., Any]], click.Command]:
    """Register a sub-command that also takes --json."""

    def decorate(function: Callable[..., Any]) -> click.Command:
        @wraps(function)
        def call(**values: Any) -> Any:
            try:
                return function(**values)
            except KeyboardInterrupt:  # outside `follow`: before or after the work itself
                stopped()

        told = click.option("--json", "as_json", is_flag=True, help="One JSON document on stdout.")
        return program.command(name)(told(call))

    return decorate


def on_project(
    project: Path, work: Callable[[Project], Steps[Any]], *, reading: bool = False
) -> Any:
    """Open a project, do the work, close it; a reader gets by beside an open window."""
    with Project.open_read_only(project) if reading else Project.open(project) as opened:
        tell_recovery(opened)
        return follow(work(opened))


def tell_recovery(project: Project) -> None:
    """Say what opening found left over from a program that was stopped hard."""
    for run in project.recovery.runs:
        click.echo(
            f"The last “{run.workflow}” (started {run.started}) was cut off; what it had done is "
            "kept, and it goes on from there.",
            err=True,
        )
    for name in project.recovery.dropped_imports:
        click.echo(f"The import of {name} was cut off and left nothing; import it again.", err=True)
