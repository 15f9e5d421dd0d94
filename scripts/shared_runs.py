"""Runs that are written down when they end, shared by processes that work side by side.

Every run has a name. What it found goes to FILE.json; whoever is at a run holds a file with its own
process number, so that a run whose process ended before it was through is taken up by another.
"""

import fcntl
import json
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Protocol, TypeVar

import psutil


class Named(Protocol):
    """What a run must be able to say."""

    @property
    def name(self) -> str: ...


Run = TypeVar("Run", bound=Named)


def read_found(file: Path) -> dict[str, Any]:
    """Return what was found so far, by the names of the runs."""
    found: dict[str, Any] = json.loads(file.read_text("utf-8")) if file.exists() else {}
    return found


def add_found(file: Path, name: str, row: Mapping[str, Any]) -> None:
    """Add one run to the file; another process may be at it too."""
    with file.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        found = {**read_found(file), name: row}
        part = file.with_name(file.name + ".part")
        part.write_text(json.dumps(found, indent=1), "utf-8")
        part.replace(file)


def claimed(runs: Iterable[Run], found: Mapping[str, Any], folder: Path) -> Run | None:
    """Return the first run that is missing and that no other process is at."""
    for run in runs:
        if run.name not in found and _claim(folder / f"{run.name}.claim"):
            return run
    return None


def _claim(file: Path) -> bool:
    try:
        with file.open("x", encoding="utf-8") as held:
            held.write(str(os.getpid()))
    except FileExistsError:
        owner = int(file.read_text("utf-8") or os.getpid())
        if psutil.pid_exists(owner):
            return False
        file.write_text(str(os.getpid()), "utf-8")
    return True
