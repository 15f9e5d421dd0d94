"""The worker's door: wishes come in on stdin, progress and outcomes go out on stdout.

Run as `python -m core.worker`, or by the program's own `--worker` flag in a bundle. The
process ends when its input ends, so it never outlives the window.
"""

import importlib
import os
import queue
import signal
import sqlite3
import sys
import threading
import time
import traceback
from collections.abc import Callable
from dataclasses import asdict
from typing import Any, BinaryIO

import psutil

from core.errors import UserError
from core.progress import Enough, Progress, Steps
from core.worker.frames import read_frame, write_frame
from core.worker.orders import Orders

REPORT_EVERY_S = 0.1
_LOOK_EVERY_S = 0.05
_IDLE_S = 5.0  # without a wish, after the first, until the machine is made ready for a map

# What torch says where Python would raise MemoryError; its errors have no class of their own.
_OUT_OF_MEMORY = ("not enough memory", "can't allocate memory", "out of memory")


def main() -> None:
    """Serve wishes until the input ends; with `--warm` make the machine ready for a map."""
    if sys.argv[-1:] == ["--warm"]:
        _lower_priority()
        importlib.import_module("core.worker.warming").warm()
        return
    source, output = _private_pipes()
    # Ctrl+C in a terminal reaches the whole family; the window decides what comes of it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _lower_priority()
    inbox: queue.Queue[dict[str, Any]] = queue.Queue()
    orders = Orders()
    threading.Thread(target=_listen, args=(source, inbox, orders), daemon=True).start()
    # Only now, so that loading the workflows is done at low priority and ends with the window.
    catalogue: Any = importlib.import_module("core.workflows.catalogue")
    desk = importlib.import_module("core.workflows.desk").Desk()
    write_frame(output, {"ready": os.getpid()})
    # Only in the lane of long work: one process does for the machine.
    warming = _start_warming if os.environ.get("SAMESENSE_PRIORITY") == "low" else None
    while True:
        message = inbox.get()
        serve(output, desk, message, catalogue.WISHES, orders)
        if warming is not None and when_idle(inbox, warming, after_s=_IDLE_S):
            warming = None


def when_idle(
    inbox: "queue.Queue[dict[str, Any]]", call: Callable[[], None], *, after_s: float
) -> bool:
    """Make the call if no wish comes for so long; one that comes is not waited past."""
    deadline = time.monotonic() + after_s
    while inbox.empty():
        if time.monotonic() >= deadline:
            call()
            return True
        time.sleep(_LOOK_EVERY_S)
    return False


def serve(
    output: BinaryIO,
    desk: Any,
    message: dict[str, Any],
    wishes: dict[str, Callable[[Any, dict[str, Any]], Steps[Any]]],
    orders: Orders,
) -> None:
    """Run one job and tell its end, exactly once, whatever happens in it."""
    job = int(message["job"])
    try:
        write_frame(output, {"job": job, **_run(output, desk, message, wishes, orders)})
    except Exception as fault:  # noqa: BLE001 - a job ends once, whatever its fault; the window tells it
        if _is_memory(fault):
            desk.close()
        write_frame(output, {"job": job, "failed": _told(fault)})
    orders.forget(job)


def _run(
    output: BinaryIO,
    desk: Any,
    message: dict[str, Any],
    wishes: dict[str, Callable[[Any, dict[str, Any]], Steps[Any]]],
    orders: Orders,
) -> dict[str, Any]:
    """The job's end as a message, reporting on the way."""
    job = int(message["job"])
    if orders.is_cancelled(job):
        return {"cancelled": {}}
    steps = wishes[message["wish"]](desk, message["values"])
    report = _Report(output, job)
    try:
        progress = next(steps)
        while True:
            report.take(progress)
            orders.wait_while_paused(job, report.tell_paused)
            if orders.is_cancelled(job):
                steps.close()
                return {"cancelled": {}}
            progress = steps.throw(Enough()) if orders.take_stop(job) else next(steps)
    except StopIteration as stop:
        report.flush()
        answer = stop.value
        return {"finished": answer.outcome, "changes": asdict(answer.changes)}
    except Enough:
        return {"cancelled": {}}  # this wish makes nothing that half of it would be good for


def _start_warming() -> None:
    importlib.import_module("core.worker.warming").start_warming()


class _Report:
    """Tells progress ten times a second at most, and of figures every one."""

    def __init__(self, output: BinaryIO, job: int) -> None:
        self._output = output
        self._job = job
        self._last = 0.0
        self._untold: Progress | None = None
        self._points: list[dict[str, float]] = []

    def take(self, progress: Progress) -> None:
        self._untold = progress
        if progress.figures:
            self._points.append(dict(progress.figures))
        if time.monotonic() - self._last >= REPORT_EVERY_S:
            self._write(progress)

    def flush(self) -> None:
        """Tell the figures that came since the last message."""
        if self._points and self._untold is not None:
            self._write(self._untold)

    def tell_paused(self, is_paused: bool) -> None:
        self.flush()
        write_frame(self._output, {"job": self._job, "paused": is_paused})

    def _write(self, progress: Progress) -> None:
        points = {"points": self._points} if self._points else {}
        told = asdict(progress)
        if not progress.sketch:
            del told["sketch"]
        write_frame(self._output, {"job": self._job, "progress": told, **points})
        self._last = time.monotonic()
        self._points = []


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


def _listen(source: BinaryIO, inbox: "queue.Queue[dict[str, Any]]", orders: Orders) -> None:
    try:
        while (message := read_frame(source)) is not None:
            if not orders.take(message):
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


# Niceness, and the priority class of Windows, which has no niceness.
_PRIORITIES = {
    "prompt": (4, "NORMAL_PRIORITY_CLASS"),
    "low": (10, "BELOW_NORMAL_PRIORITY_CLASS"),
    "lowest": (19, "IDLE_PRIORITY_CLASS"),
}


def _lower_priority() -> None:
    told = os.environ.get("SAMESENSE_PRIORITY", "")
    niceness, name = _PRIORITIES.get(told, _PRIORITIES["low"])
    try:
        # Only on Windows psutil has the names.
        psutil.Process().nice(getattr(psutil, name, niceness))
    except psutil.AccessDenied:
        return
