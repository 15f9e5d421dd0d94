"""Start the command: `python -m core.cli`."""

from core.cli.program import main

main()
