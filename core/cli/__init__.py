"""The other door of the engine: the `samesense` command."""

from core.cli.program import main

__all__ = ["main"]
