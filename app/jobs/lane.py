"""A lane: one thread of the window that drives one worker process, one job at a time."""

import itertools
import queue
import threading
import traceback
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from PySide6.QtCore import QObject, QThread, Signal

from app.jobs.worker_process import WorkerProcess, worker_command
from core.progress import Progress
from core.records import Changes

CANCEL_PATIENCE_S = 2.0


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
    outcome: dict[str, Any] = field(default_factory=dict)
    changes: Changes = field(default_factory=Changes)
    what: str = ""
    remedy: str = ""
    details: str = ""
    worker_lost: bool = False  # its process ended with it, so nothing was tidied up


class Lane(QThread):
    """Runs jobs in a worker process and tells of them by signals.

    Every job ends exactly once, also when the lane is stopped. A worker that does not heed
    Cancel within two seconds is killed; the next job gets a new one. The worker ends when this
    process ends. `numbers` gives tickets their numbers, so that several lanes can share them.
    """

    started_job = Signal(object)  # Ticket
    progressed = Signal(object, object)  # Ticket, Progress
    ended = Signal(object, object)  # Ticket, JobEnd
    worker_priority = ""  # against those of other lanes: "lowest", or as usual

    def __init__(
        self,
        *,
        threads: int | None = None,
        command: Sequence[str] | None = None,
        numbers: Iterator[int] | None = None,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._command = command or worker_command()
        self._threads = threads
        self._numbers = numbers or itertools.count(1)
        self._wanted: queue.Queue[tuple[Ticket, dict[str, Any]] | None] = queue.Queue()
        self._guard = threading.Lock()  # over everything below
        self._process: WorkerProcess | None = None
        self._pending: dict[int, Ticket] = {}  # asked for and not ended
        self._current: Ticket | None = None
        self._current_is_over = threading.Event()
        self._cancelled: set[int] = set()
        self._stopping = False

    def ask(self, wish: str, values: dict[str, Any], *, title: str) -> Ticket:
        """Queue a job; on a lane that was stopped it ends at once, cancelled."""
        ticket = Ticket(next(self._numbers), wish, title)
        with self._guard:
            refusal = self._refusal()
            self._pending[ticket.number] = ticket
        if refusal is not None:
            self._finish(ticket, refusal)
        else:
            self._wanted.put((ticket, values))
        return ticket

    def cancel(self, ticket: Ticket) -> None:
        """Ask a job to end; one that still waits ends at once, without running."""
        with self._guard:
            if ticket.number not in self._pending or ticket.number in self._cancelled:
                return
            runs = self._current == ticket
            if runs:
                self._cancelled.add(ticket.number)
            else:
                del self._pending[ticket.number]  # now, so that it is not begun meanwhile
        if not runs:
            self.ended.emit(ticket, JobEnd("cancelled"))
            return
        # A thread of its own, since a pipe to a busy worker may be full.
        threading.Thread(target=self._see_it_end, args=(ticket,), daemon=True).start()

    @property
    def is_busy(self) -> bool:
        """Whether a job runs or waits."""
        return bool(self._pending)

    @property
    def worker_pid(self) -> int | None:
        """The worker's process id, None while there is none."""
        process = self._process
        return process.pid if process is not None and process.is_alive else None

    def stop(self) -> None:
        """End the worker and this thread; jobs are cut off, which is always safe."""
        with self._guard:
            self._stopping = True
            if self._process is not None:
                self._process.kill()
        self._wanted.put(None)
        self.wait()
        for ticket in list(self._pending.values()):
            self._finish(ticket, JobEnd("cancelled"))

    def run(self) -> None:
        """Serve jobs one after the other (the thread's body)."""
        while (item := self._wanted.get()) is not None and not self._stopping:
            self._serve(*item)
        if self._process is not None:
            self._process.close()

    def _refusal(self) -> JobEnd | None:
        """Why a job asked for now ends at once; called with the guard held."""
        return JobEnd("cancelled") if self._stopping else None

    def _serve(self, ticket: Ticket, values: dict[str, Any]) -> None:
        with self._guard:
            if ticket.number not in self._pending:
                return  # it was cancelled while it waited
            self._current = ticket
            self._current_is_over.clear()
        self.started_job.emit(ticket)
        try:
            end = self._work(ticket, values)
        except Exception as fault:  # noqa: BLE001 - a job ends once, whatever its fault; the window tells it
            if self._process is not None:
                self._process.kill()
            end = JobEnd(
                "failed", changes=Changes.everything(),
                what=f"Something went wrong inside the program: {fault}",
                remedy="Everything stored before is safe. Please report it with the details.",
                details=traceback.format_exc(), worker_lost=True,
            )  # fmt: skip
        self._rest()
        self._finish(ticket, end)

    def _rest(self) -> None:
        """Called on the lane's thread after every job, before its end is told."""

    def _work(self, ticket: Ticket, values: dict[str, Any]) -> JobEnd:
        try:
            process = self._worker()
        except OSError as fault:
            return JobEnd(
                "failed",
                what=f"The background process could not be started ({fault.strerror or fault}).",
                remedy="Close other programs and try again; if it stays so, install Samesense "
                "again.",
            )
        if process is None:
            return self._lost(ticket, "could not be started")
        if ticket.number in self._cancelled:
            return JobEnd("cancelled")
        self._begin(process)
        process.send({"job": ticket.number, "wish": ticket.wish, "values": values})
        while (message := process.read()) is not None:
            if message.get("job") != ticket.number:
                continue
            if not self._hear(ticket, message):
                return _end_told(message)
        return self._lost(ticket, "stopped unexpectedly")

    def _begin(self, process: WorkerProcess) -> None:
        """Called just before the worker is told of a job."""

    def _hear(self, ticket: Ticket, message: dict[str, Any]) -> bool:
        """Tell what the worker says of a job on its way; False when it is the job's end."""
        if "progress" not in message:
            return False
        self.progressed.emit(ticket, _progress_told(message["progress"]))
        return True

    def _lost(self, ticket: Ticket, how: str) -> JobEnd:
        process = self._process
        if process is None or self._stopping or ticket.number in self._cancelled:
            return JobEnd("cancelled", changes=Changes.everything(), worker_lost=True)
        return JobEnd(
            "failed", changes=Changes.everything(), worker_lost=True,
            what=f"The background process {how} ({process.cause_of_death()}). "
            "Everything stored before is safe.",
            remedy="Start the step again; it goes on where it was.",
            details=process.last_words(),
        )  # fmt: skip

    def _worker(self) -> WorkerProcess | None:
        """A worker that is ready; None when it ended before it was."""
        process = self._process
        if process is not None and process.is_alive:
            return process
        if process is not None:
            process.close()
        # One thread is for what a person waits for, and goes first.
        priority = self.worker_priority or ("prompt" if self._threads == 1 else "low")
        process = WorkerProcess(self._command, threads=self._threads, priority=priority)
        with self._guard:
            # Known from the start, so that `stop` and `cancel` need not wait for a slow one.
            self._process = process
            if self._stopping:
                process.kill()
        return process if process.wait_until_ready() else None

    def _finish(self, ticket: Ticket, end: JobEnd) -> None:
        """Tell a job's end, once; a second end of the same job is nothing."""
        with self._guard:
            if self._pending.pop(ticket.number, None) is None:
                return
            self._cancelled.discard(ticket.number)
            if self._current == ticket:
                self._current = None
                self._current_is_over.set()
        self.ended.emit(ticket, end)

    def _see_it_end(self, ticket: Ticket) -> None:
        with self._guard:
            process = self._process if self._current == ticket else None
        if process is not None:
            process.send({"cancel": ticket.number})
        if self._current_is_over.wait(CANCEL_PATIENCE_S):
            return
        with self._guard:
            if self._current == ticket and self._process is not None:
                self._process.kill()


def _progress_told(told: dict[str, Any]) -> Progress:
    figures = tuple((str(name), float(value)) for name, value in told.pop("figures", ()))
    return Progress(**told, figures=figures)


def _end_told(message: dict[str, Any]) -> JobEnd:
    if "finished" in message:
        return JobEnd("finished", message["finished"], Changes(**message["changes"]))
    # What was done before Cancel or a fault is kept, so pages had better look again.
    if "cancelled" in message:
        return JobEnd("cancelled", changes=Changes.everything())
    return JobEnd("failed", changes=Changes.everything(), **message["failed"])
