"""The real worker's door with wishes that misbehave; run as a program."""

import ctypes
import os
import sqlite3
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from core.errors import UserError
from core.progress import Enough, Progress, Steps
from core.worker.door import main
from core.workflows.catalogue import WISHES, Answer
from core.workflows.desk import Desk


def count(_desk: Desk, values: Mapping[str, Any]) -> Steps[Answer]:
    """Yield `steps` times, `pause` seconds apart; leave a file when it is closed early."""
    done = 0
    try:
        for done in range(values["steps"]):
            yield Progress("Counting", done, values["steps"])
            time.sleep(values.get("pause", 0))
        done = values["steps"]
    finally:
        if "mark" in values:
            Path(values["mark"]).write_text(str(done), encoding="utf-8")
    return Answer({"steps": done})


def learn(_desk: Desk, values: Mapping[str, Any]) -> Steps[Answer]:
    """Measure a loss at every step, as a training does; told it is enough, keep the best."""
    step, reason = 0, "done"
    try:
        for step in range(values["steps"]):
            yield Progress("Learning", step, values["steps"], "steps", (("loss", 1 / (step + 1)),))
            time.sleep(values.get("pause", 0))
    except Enough:
        reason = "enough"
        yield Progress("Writing the best", step, values["steps"])
    finally:
        if "mark" in values:
            Path(values["mark"]).write_text(str(step), encoding="utf-8")
    return Answer({"steps": step, "reason": reason})


def chatter(_desk: Desk, _values: Mapping[str, Any]) -> Steps[Answer]:
    print("a library says hello")  # noqa: T201 - what is tested
    yield Progress("Printing")
    os.write(1, b"a C library says hello\n")
    subprocess.run([sys.executable, "-c", "print('a child says hello')"], check=True)
    return Answer({"read": sys.stdin.read()})


def fault(_desk: Desk, values: Mapping[str, Any]) -> Steps[Answer]:
    yield Progress("Failing")
    raise {
        "user": UserError("The disk is full.", "Free some space."),
        "bug": KeyError("no such thing"),
        "damage": sqlite3.DatabaseError("database disk image is malformed"),
        "memory": MemoryError(),
        "torch": RuntimeError("DefaultCPUAllocator: can't allocate memory: you tried 9 bytes"),
    }[values["kind"]]


def untellable(_desk: Desk, _values: Mapping[str, Any]) -> Steps[Answer]:
    yield Progress("Answering")
    return Answer({"thing": object()})


def sleep_in_c(_desk: Desk, values: Mapping[str, Any]) -> Steps[Answer]:
    """Hold the interpreter's lock through one C call, as some libraries do."""
    yield Progress("Sleeping")
    time.sleep(0.15)
    yield Progress("Sleeping")
    ctypes.PyDLL(None).sleep(values["seconds"])
    return Answer({})


def nice(_desk: Desk, _values: Mapping[str, Any]) -> Steps[Answer]:
    yield Progress("Looking")
    threads = os.environ.get("SAMESENSE_THREADS")
    return Answer({"nice": os.nice(0), "pid": os.getpid(), "threads": threads})


if __name__ == "__main__":
    for wish in (count, learn, chatter, fault, untellable, sleep_in_c, nice):
        WISHES[wish.__name__] = wish
    main()
