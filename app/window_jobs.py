"""The jobs of the work lane as lines for the strip: what runs, how fast, what ran before."""

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime

from PySide6.QtCore import QObject, Signal

from app.jobs import JobEnd, Ticket
from app.look.words import counted
from app.widgets.job_strip import JobLine
from app.workspace import Workspace
from core.progress import Progress

_REMEMBERED = 40
_SETTLED_S = 1.5  # before that a rate says nothing
_HALF_LIFE_S = 4.0  # of what an old rate counts for
_NO_RATE = ("comparisons", "bytes")  # units whose figures mean nothing to people


@dataclass(slots=True)
class _Pace:
    """A rate, smoothed so that the time left does not jump."""

    phase: str
    begun: float
    seen: float
    done: int
    rate: float | None = None

    def take(self, progress: Progress, now: float) -> None:
        passed = now - self.seen
        if passed < 0.2:
            return
        fresh = (progress.done - self.done) / passed
        weight = 1.0 if self.rate is None else 1 - 0.5 ** (passed / _HALF_LIFE_S)
        before = fresh if self.rate is None else self.rate
        self.rate = before + weight * (fresh - before)
        self.seen, self.done = now, progress.done


class JobBook(QObject):
    """Follows the workspace's jobs and keeps a line for each."""

    changed = Signal()
    failed = Signal(object, object)  # Ticket, JobEnd

    def __init__(
        self, workspace: Workspace, *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        super().__init__(workspace)
        self._clock = clock
        self._workspace = workspace
        self._lines: dict[int, JobLine] = {}  # the oldest first
        self._tickets: dict[int, Ticket] = {}
        self._paces: dict[int, _Pace] = {}
        workspace.job_queued.connect(self._queue)
        workspace.job_started.connect(self._start)
        workspace.job_progressed.connect(self._progress)
        workspace.job_paused.connect(self._pause)
        workspace.job_ended.connect(self._end)
        workspace.closed.connect(self._forget_project)

    @property
    def current(self) -> JobLine | None:
        """The job that runs, else the one that ended last."""
        lines = list(self._lines.values())
        running = next((line for line in lines if line.state == "running"), None)
        ended = [line for line in lines if line.state not in ("running", "waiting")]
        return running or (ended[-1] if ended else None)

    @property
    def history(self) -> tuple[JobLine, ...]:
        """Every line, the newest first."""
        return tuple(reversed(self._lines.values()))

    def running(self) -> list[Ticket]:
        """The jobs that run or wait."""
        return [
            self._tickets[number]
            for number, line in self._lines.items()
            if line.state in ("running", "waiting")
        ]

    def cancel(self, key: str) -> None:
        """Cancel the job of a line."""
        ticket = self._tickets.get(int(key))
        if ticket is not None:
            self._workspace.cancel(ticket)

    def details(self, key: str) -> str:
        """The cause of a failure, at length."""
        line = self._lines.get(int(key))
        return "" if line is None else line.details

    def _queue(self, ticket: Ticket) -> None:
        self._tickets[ticket.number] = ticket
        self._lines[ticket.number] = JobLine(str(ticket.number), ticket.title, "waiting")
        self.changed.emit()

    def _start(self, ticket: Ticket) -> None:
        if ticket.number in self._lines:
            self._lines[ticket.number] = replace(self._lines[ticket.number], state="running")
            self.changed.emit()

    def _progress(self, ticket: Ticket, progress: Progress) -> None:
        if ticket.number not in self._lines:
            return
        now = self._clock()
        pace = self._paces.get(ticket.number)
        if pace is None or pace.phase != progress.title:
            pace = _Pace(progress.title, now, now, progress.done)
            self._paces[ticket.number] = pace
        pace.take(progress, now)
        settled = pace.rate is not None and now - pace.begun >= _SETTLED_S and pace.rate > 0
        rate = pace.rate if settled else None
        # A job that forecasts its own end knows better than its pace of the moment.
        left = dict(progress.figures).get("seconds")
        if left is None and rate and progress.total:
            left = max(progress.total - progress.done, 0) / rate
        self._lines[ticket.number] = JobLine(
            str(ticket.number), progress.title, "running",
            0 if progress.unit in _NO_RATE and not progress.total else progress.done,
            progress.total, None if progress.unit in _NO_RATE else rate, left,
        )  # fmt: skip
        self.changed.emit()

    def _pause(self, ticket: Ticket, is_paused: bool) -> None:
        self._paces.pop(ticket.number, None)  # the rest is no part of its pace
        line = self._lines.get(ticket.number)
        if is_paused and line is not None:
            self._lines[ticket.number] = replace(
                line, title=f"{line.title} (paused)", rate=None, remaining_s=None
            )
            self.changed.emit()

    def _end(self, ticket: Ticket, end: JobEnd) -> None:
        if ticket.number not in self._lines:
            return
        self._paces.pop(ticket.number, None)
        state = {"finished": "finished", "cancelled": "cancelled"}.get(end.kind, "failed")
        self._lines.pop(ticket.number)
        self._lines[ticket.number] = JobLine(
            str(ticket.number), ticket.title, state,  # type: ignore[arg-type]  # one of its words
            message=outcome_words(ticket.wish, end), details=end.details,
            when=f"{datetime.now():%H:%M}",
        )  # fmt: skip
        self._forget_all_but(_REMEMBERED)
        if state == "failed":
            self.failed.emit(ticket, end)
        self.changed.emit()

    def _forget_project(self) -> None:
        """What ended in a project that was closed is no news of the next one."""
        self._forget_all_but(0)
        self.changed.emit()

    def _forget_all_but(self, newest: int) -> None:
        ended = [n for n, line in self._lines.items() if line.state not in ("running", "waiting")]
        for number in ended[: len(ended) - min(newest, len(ended))]:
            del self._lines[number]
            del self._tickets[number]


def outcome_words(wish: str, end: JobEnd) -> str:
    """How a job ended, in a few words."""
    if end.kind == "cancelled":
        return "cancelled; what was done is kept" if wish in _KEPT else "cancelled"
    if end.kind == "failed":
        return end.what
    told = end.outcome
    if wish == "prepare":
        told = {**told["encode"], **told["pairs"], **told["groups"]}
    if told.get("already_known"):
        return "nothing new; this file was imported before"
    words = []
    for key, one in (("rows", "row"), ("added", "text"), ("pairs", "pair")):
        if told.get(key):
            words.append(counted(told[key], one))
    counts = told.get("counts")
    if isinstance(counts, dict) and "groups" in counts:
        words.append(counted(int(counts["groups"]), "group"))
    return ", ".join(words)


_KEPT = ("encode", "pairs", "prepare", "recheck-pairs", "augment-label", "augment-learn")
