"""The worker's door: wishes come in on stdin, progress and outcomes go out on stdout.

Run as `python -m core.worker`, or by the program's own `--worker` flag in a bundle. The
process ends when its input ends, so it never outlives the window.
"""

import importlib
import os
import queue
import signal
import sqlite3
import threading
import time
import traceback
from collections.abc import Callable
from dataclasses import asdict
from typing import Any, BinaryIO

import psutil

from core.errors import UserError
from core.progress import Steps
from core.worker.frames import read_frame, write_frame

REPORT_EVERY_S = 0.1

# What torch says where Python would raise MemoryError; its errors have no class of their own.
_OUT_OF_MEMORY = ("not enough memory", "can't allocate memory", "out of memory")


def main() -> None:
    """Serve wishes until the input ends."""
    source, output = _private_pipes()
    # Ctrl+C in a terminal reaches the whole family; the window decides what comes of it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _lower_priority()
    inbox: queue.Queue[dict[str, Any]] = queue.Queue()
    cancelled: set[int] = set()
    threading.Thread(target=_listen, args=(source, inbox, cancelled), daemon=True).start()
    # Only now, so that loading the workflows is done at low priority and ends with the window.
    catalogue: Any = importlib.import_module("core.workflows.catalogue")
    desk = catalogue.Desk()
    write_frame(output, {"ready": os.getpid()})
    while True:
        message = inbox.get()
        serve(output, desk, message, catalogue.WISHES, cancelled)


def serve(
    output: BinaryIO,
    desk: Any,
    message: dict[str, Any],
    wishes: dict[str, Callable[[Any, dict[str, Any]], Steps[Any]]],
    cancelled: set[int],
) -> None:
    """Run one job and tell its end, exactly once, whatever happens in it."""
    job = int(message["job"])
    try:
        write_frame(output, {"job": job, **_run(output, desk, message, wishes, cancelled)})
    except Exception as fault:  # noqa: BLE001 - a job ends once, whatever its fault; the window tells it
        if _is_memory(fault):
            desk.close()
        write_frame(output, {"job": job, "failed": _told(fault)})
    cancelled.discard(job)


def _run(
    output: BinaryIO,
    desk: Any,
    message: dict[str, Any],
    wishes: dict[str, Callable[[Any, dict[str, Any]], Steps[Any]]],
    cancelled: set[int],
) -> dict[str, Any]:
    """The job's end as a message, reporting on the way."""
    job = int(message["job"])
    if job in cancelled:
        return {"cancelled": {}}
    steps = wishes[message["wish"]](desk, message["values"])
    last = 0.0
    try:
        while True:
            progress = next(steps)
            if job in cancelled:
                steps.close()
                return {"cancelled": {}}
            now = time.monotonic()
            if now - last >= REPORT_EVERY_S:
                last = now
                write_frame(output, {"job": job, "progress": asdict(progress)})
    except StopIteration as stop:
        answer = stop.value
        return {"finished": answer.outcome, "changes": asdict(answer.changes)}


def _in_words(fault: sqlite3.DatabaseError) -> Exception:
    """A damaged file or a full disk met while reading, as the store tells it."""
    try:
        importlib.import_module("core.store.database").tell(fault)
    except UserError as told:
        return told
    return fault


def _told(fault: Exception) -> dict[str, str]:
    if isinstance(fault, sqlite3.DatabaseError):
        fault = _in_words(fault)
    if isinstance(fault, UserError):
        return {"what": fault.what, "remedy": fault.remedy, "details": ""}
    details = "".join(traceback.format_exception(fault))
    if _is_memory(fault):
        return {
            "what": "The machine ran out of memory; everything stored before is safe.",
            "remedy": "Close other programs and start the step again.",
            "details": details,
        }
    return {
        "what": f"Something went wrong inside the program: {fault or type(fault).__name__}",
        "remedy": "Everything stored before is safe. Please report it with the details.",
        "details": details,
    }


def _is_memory(fault: Exception) -> bool:
    if isinstance(fault, RuntimeError):
        return any(words in str(fault).lower() for words in _OUT_OF_MEMORY)
    return isinstance(fault, MemoryError)


def _listen(source: BinaryIO, inbox: "queue.Queue[dict[str, Any]]", cancelled: set[int]) -> None:
    try:
        while (message := read_frame(source)) is not None:
            if "cancel" in message:
                cancelled.add(int(message["cancel"]))
            else:
                inbox.put(message)
    finally:
        # The window is gone, or speaks no frames. What is stored is safe at every moment, so
        # there is no farewell, and a job in the middle of a C call need not be waited for.
        os._exit(0)


def _private_pipes() -> tuple[BinaryIO, BinaryIO]:
    """Keep stdin and stdout for frames: libraries print to stderr and read nothing."""
    source = os.fdopen(os.dup(0), "rb")
    output = os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDWR)
    try:
        os.fstat(2)
    except OSError:
        os.dup2(nothing, 2)  # a program without a console may have been started without one
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    os.close(nothing)
    return source, output


def _lower_priority() -> None:
    process = psutil.Process()
    # Windows names a priority class where other systems count; only there psutil has the name.
    below_normal = getattr(psutil, "BELOW_NORMAL_PRIORITY_CLASS", 10)
    try:
        process.nice(below_normal)
    except psutil.AccessDenied:
        return
