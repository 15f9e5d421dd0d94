"""The doors that need none of the sub-commands: the window, the worker, one part of a bench.

The sub-commands import every workflow, a third of a second that a start of the window, and each
worker of it, would wait for.
"""

import importlib
import json
import os
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from core.bench.fresh import COMMAND, TASKS, run_task
from core.errors import UserError

Door = Callable[[], None]
_PROJECT = ".samesense"  # how the folder of a project ends, as no sub-command does


def door_of(given: Sequence[str]) -> Door | None:
    """Return what these arguments ask for; None where they are for the sub-commands."""
    match list(given):
        case []:
            return partial(open_window, None)
        case [folder] if folder.endswith(_PROJECT) and Path(folder).is_dir():
            return partial(open_window, Path(folder))
        case ["--worker", *_]:
            return importlib.import_module("core.worker.door").main  # type: ignore[no-any-return]  # by name, as it is only started
        case [word, task, told] if word == COMMAND and task in TASKS:
            return partial(_do_part, task, told)
    return None


def open_window(project: Path | None) -> None:
    """Open the window and end with its exit status; raises `UserError` without a display."""
    if not has_display() and not os.environ.get("QT_QPA_PLATFORM"):
        raise UserError(
            "There is no display to open a window on.",
            "Work by command (samesense --help), or run samesense demo, which needs none.",
        )
    # By name: the engine never imports the window, it only starts it.
    sys.exit(importlib.import_module("app.main").main(project))


def has_display() -> bool:
    """Whether a window can be shown."""
    if sys.platform in ("win32", "darwin"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def _do_part(task: str, told: str) -> None:
    sys.stdout.write(json.dumps(run_task(task, json.loads(told))) + "\n")
