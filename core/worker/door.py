"""The worker's door: wishes come in on stdin, progress and outcomes go out on stdout.

Run as `python -m core.worker`, or by the program's own `--worker` flag in a bundle. The
process ends when its input ends, so it never outlives the window.
"""

import os
import queue
import sys
import threading
import time
import traceback
from dataclasses import asdict
from typing import Any, BinaryIO

import psutil

from core.errors import UserError
from core.worker.frames import read_frame, write_frame
from core.workflows.catalogue import WISHES, Answer, Desk

_REPORT_EVERY_S = 0.1


def main() -> None:
    """Serve wishes until the input ends."""
    output = _private_output()
    _lower_priority()
    inbox: queue.Queue[dict[str, Any]] = queue.Queue()
    cancelled: set[int] = set()
    threading.Thread(target=_listen, args=(inbox, cancelled), daemon=True).start()
    desk = Desk()
    write_frame(output, {"ready": os.getpid()})
    while True:
        message = inbox.get()
        _serve(output, desk, message, cancelled)


def _serve(output: BinaryIO, desk: Desk, message: dict[str, Any], cancelled: set[int]) -> None:
    job = int(message["job"])
    try:
        answer = _run(output, desk, message, cancelled)
    except UserError as fault:
        _tell(output, job, "failed", {"what": fault.what, "remedy": fault.remedy, "details": ""})
    except MemoryError:
        _tell(output, job, "failed", {
            "what": "The machine ran out of memory; everything stored before is safe.",
            "remedy": "Close other programs and start the step again.",
            "details": traceback.format_exc(),
        })  # fmt: skip
    except Exception as fault:  # noqa: BLE001 - a job ends once, whatever its fault; the window tells it
        _tell(output, job, "failed", {
            "what": f"Something went wrong inside the program: {fault}",
            "remedy": "Everything stored before is safe. Please report it with the details.",
            "details": traceback.format_exc(),
        })  # fmt: skip
    else:
        if answer is None:
            _tell(output, job, "cancelled", {})
        else:
            write_frame(
                output,
                {"job": job, "finished": answer.outcome, "changes": asdict(answer.changes)},
            )


def _run(
    output: BinaryIO, desk: Desk, message: dict[str, Any], cancelled: set[int]
) -> Answer | None:
    job = int(message["job"])
    steps = WISHES[message["wish"]](desk, message["values"])
    last = 0.0
    try:
        while True:
            progress = next(steps)
            if job in cancelled:
                steps.close()
                return None
            now = time.monotonic()
            if now - last >= _REPORT_EVERY_S:
                last = now
                _tell(output, job, "progress", asdict(progress))
    except StopIteration as stop:
        answer: Answer = stop.value
        return answer


def _tell(output: BinaryIO, job: int, kind: str, value: dict[str, Any]) -> None:
    write_frame(output, {"job": job, kind: value})


def _listen(inbox: "queue.Queue[dict[str, Any]]", cancelled: set[int]) -> None:
    while True:
        message = read_frame(sys.stdin.buffer)
        if message is None:
            # The window is gone. What is stored is safe at every moment, so no farewell.
            os._exit(0)
        if "cancel" in message:
            cancelled.add(int(message["cancel"]))
        else:
            inbox.put(message)


def _private_output() -> BinaryIO:
    """Keep stdout for frames; whatever a library prints goes to stderr instead."""
    private = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    return private


def _lower_priority() -> None:
    process = psutil.Process()
    # Windows names a priority class where other systems count; only there psutil has the name.
    below_normal = getattr(psutil, "BELOW_NORMAL_PRIORITY_CLASS", 10)
    try:
        process.nice(below_normal)
    except psutil.AccessDenied:
        return
