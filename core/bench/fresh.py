"""Work in a process of its own, where nothing is loaded, compiled or warm yet."""

import importlib
import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import core

COMMAND = "bench-side"
# By name, so that neither the engine nor another task loads what one task needs. The window is
# measured by its own code, which the engine only starts.
TASKS = {
    "layout": "core.bench.layout_sides:run_side",
    "map": "app.bench.map:measure_map",
    "start": "app.bench.start:watch_start",
    "bare": "app.bench.start:bare_window",
}


def in_fresh_process(
    task: str, told: Mapping[str, Any], *, environment: Mapping[str, str] | None = None
) -> dict[str, Any]:
    """Run a task with plain values in a new process of this program; return its answer.

    Raises `RuntimeError` with the end of what it wrote to its standard error where it fails.
    """
    done = subprocess.run(
        fresh_command(task, told),
        env={**fresh_environment(), **(environment or {})},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    if done.returncode:
        raise RuntimeError(f"{task} ended with {done.returncode}: {done.stderr[-2_000:]}")
    answer: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return answer


def fresh_command(task: str, told: Mapping[str, Any]) -> list[str]:
    """The line that starts a task: by module in a clone or wheel, by itself in a bundle."""
    # Without -P a package called "core" in the working folder would be taken for ours.
    door = [] if getattr(sys, "frozen", False) else ["-P", "-m", "core.cli"]
    return [sys.executable, *door, COMMAND, task, json.dumps(told)]


def fresh_environment() -> dict[str, str]:
    """This process's environment, with the way to our packages."""
    told = dict(os.environ)
    home = str(Path(core.__file__).resolve().parent.parent)
    told["PYTHONPATH"] = os.pathsep.join([home, *filter(None, [told.get("PYTHONPATH")])])
    return told


def run_task(task: str, told: Mapping[str, Any]) -> dict[str, Any]:
    """Do in this process what `in_fresh_process` asked for."""
    module, _, name = TASKS[task].partition(":")
    call: Callable[[Mapping[str, Any]], dict[str, Any]] = getattr(
        importlib.import_module(module), name
    )
    return call(told)
