"""The other door of the engine: the `samesense` command."""

import sys
from collections.abc import Callable, Sequence

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command; Ctrl+C ends it with a sentence even while its libraries still load."""
    try:
        from core.cli.doors import door_of

        given = list(sys.argv[1:] if arguments is None else arguments)
        door = door_of(given)
        if door is None:
            from core.cli.program import main as run

            run(given)
        else:
            _go_through(door)
    except KeyboardInterrupt:
        sys.stderr.write("Stopped before anything was done.\n")
        sys.exit(130)


def _go_through(door: Callable[[], None]) -> None:
    from core.errors import UserError

    try:
        door()
    except UserError as fault:
        sys.stderr.write(f"{fault}\n")
        sys.exit(1)
