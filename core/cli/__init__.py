"""The other door of the engine: the `samesense` command."""

import sys
from collections.abc import Sequence

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command; Ctrl+C ends it with a sentence even while its libraries still load."""
    try:
        from core.cli.program import main as run

        run(arguments)
    except KeyboardInterrupt:
        sys.stderr.write("Stopped before anything was done.\n")
        sys.exit(130)
