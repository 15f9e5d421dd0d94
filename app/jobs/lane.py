"""A lane: one thread of the window that drives one worker process, one job at a time."""

import itertools
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, BinaryIO

from PySide6.QtCore import QObject, QThread, Signal

from core.worker.frames import read_frame, write_frame
from core.progress import Progress
from core.records import Changes

CANCEL_PATIENCE_S = 2.0
_numbers = itertools.count(1)


@dataclass(frozen=True, slots=True)
class Ticket:
    """A job that was asked for."""

    number: int
    wish: str
    title: str


@dataclass(frozen=True, slots=True)
class JobEnd:
    """How a job ended: kind is finished, cancelled or failed."""

    kind: str
    outcome: dict[str, Any]
    changes: Changes
    what: str = ""
    remedy: str = ""
    details: str = ""


class Lane(QThread):
    """Runs jobs in a worker process and tells of them by signals.

    Every job ends exactly once. A worker that does not heed Cancel within two seconds is
    killed; the next job gets a new one. The worker ends when this process ends.
    """

    started_job = Signal(object)  # Ticket
    progressed = Signal(object, object)  # Ticket, Progress
    ended = Signal(object, object)  # Ticket, JobEnd

    def __init__(
        self,
        *,
        threads: int | None = None,
        command: list[str] | None = None,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._command = command or worker_command()
        self._threads = threads
        self._wanted: queue.Queue[tuple[Ticket, dict[str, Any]] | None] = queue.Queue()
        self._guard = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._current: Ticket | None = None
        self._cancelled: set[int] = set()
        self._stopping = False

    def ask(self, wish: str, values: dict[str, Any], *, title: str) -> Ticket:
        """Queue a job; the lane must have been started."""
        ticket = Ticket(next(_numbers), wish, title)
        self._wanted.put((ticket, values))
        return ticket

    def cancel(self, ticket: Ticket) -> None:
        """Ask a job to end; one that still waits ends at its turn, without running."""
        with self._guard:
            self._cancelled.add(ticket.number)
            if self._current != ticket or self._process is None:
                return
            self._send(self._process, {"cancel": ticket.number})
        timer = threading.Timer(CANCEL_PATIENCE_S, self._kill_if_still_at, (ticket,))
        timer.daemon = True
        timer.start()

    @property
    def is_busy(self) -> bool:
        """Whether a job runs or waits."""
        return self._current is not None or not self._wanted.empty()

    @property
    def worker_pid(self) -> int | None:
        """The worker's process id, None while there is none."""
        process = self._process
        return None if process is None else process.pid

    def stop(self) -> None:
        """End the worker and this thread; a running job is cut off, which is always safe."""
        with self._guard:
            self._stopping = True
            process = self._process
        self._wanted.put(None)
        if process is not None:
            _end(process)
        self.wait()

    def run(self) -> None:
        """Serve jobs one after the other (the thread's body)."""
        while True:
            item = self._wanted.get()
            if item is None or self._stopping:
                break
            ticket, values = item
            if ticket.number in self._cancelled:
                self.ended.emit(ticket, JobEnd("cancelled", {}, Changes()))
                continue
            self._serve(ticket, values)
        if self._process is not None:
            _end(self._process)

    def _serve(self, ticket: Ticket, values: dict[str, Any]) -> None:
        process = self._worker()
        with self._guard:
            self._current = ticket
            self._send(process, {"job": ticket.number, "wish": ticket.wish, "values": values})
        self.started_job.emit(ticket)
        end = self._follow(process, ticket)
        with self._guard:
            self._current = None
        if not self._stopping:
            self.ended.emit(ticket, end)

    def _follow(self, process: subprocess.Popen[bytes], ticket: Ticket) -> JobEnd:
        stream = _pipe(process.stdout)
        while True:
            message = read_frame(stream)
            if message is None:
                return self._lost(process, ticket)
            if message.get("job") != ticket.number:
                continue
            if "progress" in message:
                self.progressed.emit(ticket, Progress(**message["progress"]))
            elif "finished" in message:
                return JobEnd("finished", message["finished"], Changes(**message["changes"]))
            elif "cancelled" in message:
                # What was done before Cancel is kept, so pages had better look again.
                return JobEnd("cancelled", {}, Changes.everything())
            else:
                return JobEnd("failed", {}, Changes.everything(), **message["failed"])

    def _lost(self, process: subprocess.Popen[bytes], ticket: Ticket) -> JobEnd:
        code = process.wait()
        with self._guard:
            self._process = None
        if ticket.number in self._cancelled:
            return JobEnd("cancelled", {}, Changes.everything())
        return JobEnd(
            "failed",
            {},
            Changes.everything(),
            what=f"The background process stopped unexpectedly ({_cause(code)}). "
            "Everything stored before is safe.",
            remedy="Start the step again; it goes on where it was.",
        )

    def _worker(self) -> subprocess.Popen[bytes]:
        process = self._process
        if process is not None and process.poll() is None:
            return process
        environment = dict(os.environ)
        if self._threads is not None:
            for name in ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "SAMESENSE_THREADS"):
                environment[name] = str(self._threads)
        process = subprocess.Popen(
            self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment
        )
        read_frame(_pipe(process.stdout))
        with self._guard:
            self._process = process
        return process

    def _kill_if_still_at(self, ticket: Ticket) -> None:
        with self._guard:
            if self._current == ticket and self._process is not None:
                self._process.kill()

    @staticmethod
    def _send(process: subprocess.Popen[bytes], message: dict[str, Any]) -> None:
        try:
            write_frame(_pipe(process.stdin), message)
        except OSError:
            # The worker is gone already; `_follow` meets the end of its output and says so.
            return


def worker_command() -> list[str]:
    """How this program starts its worker: by module in a clone or wheel, by flag in a bundle."""
    if getattr(sys, "frozen", False):
        return [sys.executable, "--worker"]
    return [sys.executable, "-m", "core.worker"]



def _pipe(stream: Any) -> BinaryIO:
    pipe: BinaryIO = stream
    return pipe


def _end(process: subprocess.Popen[bytes]) -> None:
    if process.stdin is not None:
        try:
            process.stdin.close()
        except OSError:
            pass  # it was gone already
    try:
        process.wait(timeout=1)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _cause(code: int) -> str:
    if code in (-9, 137):
        return "it was killed, perhaps because memory ran short"
    return f"exit status {code}"
