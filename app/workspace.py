"""The open project as the window knows it: what pages ask for, and what they are told."""

import itertools
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from filelock import FileLock
from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt, Signal

from app.jobs import JobEnd, Lane, Reader, Ticket, TrainingThread
from core.errors import UserError
from core.progress import Progress
from core.records import Changes
from core.store import DATABASE, Project, ProjectState
from core.store.lock import LOCK, refuse_network_folder, take_lock

Then = Callable[[JobEnd], None]

# Threads of each lane's worker; None: as many as there are.
_LANES = {"work": None, "live": 1, "search": 1, "training": None}
_LONG_LANES = ("work", "training")  # whose jobs are told before they start
# When the worker of a lane is lost, these workflows may still run in that of the other one.
_ALIVE_BESIDE = {
    "work": ["train", "train-cross", "augment-measure", "augment-label", "augment-learn"],
    "training": [
        "import",
        "encode",
        "pairs",
        "groups",
        "clusters",
        "map",
        "export",
        "recheck",
    ],
}
_READING_WISHES = (
    "counts", "forecast", "export", "export-rows", "certificate", "judge", "warm", "search",
    "train-forecast", "recipes", "check-examples", "augment-look",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Job:
    lane: str
    then: Then | None
    is_of_project: bool = True  # unlike a look into a file
    opens: bool = False  # it opens a project
    is_told: bool = True  # whether the window hears of it


class Workspace(QObject):
    """One open project, its lanes of background work, and one broadcast of what moved.

    Wishes go to a lane: `work` for long jobs, `live` for short ones that must answer while a
    long one runs, `search` for searches, `training` for one training at a time. Facts are read
    through `read`, on a thread of their own. Every job's end comes in this order, after the
    call that asked for it has returned: `changed`, the job's `then`, `job_ended`.
    """

    opening = Signal()  # a worker has been asked to open a project
    opened = Signal()
    closed = Signal()
    changed = Signal(object)  # Changes
    state_changed = Signal(object)  # ProjectState
    job_queued = Signal(object)  # Ticket
    job_started = Signal(object)  # Ticket
    job_progressed = Signal(object, object)  # Ticket, Progress
    job_measured = Signal(object, object)  # Ticket of a training, tuple of dict[str, float]
    job_paused = Signal(object, bool)  # Ticket of a training, whether it is paused now
    job_ended = Signal(object, object)  # Ticket, JobEnd

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.folder: Path | None = None
        self.read_only = False
        self.state: ProjectState | None = None
        self._lock: FileLock | None = None
        self._reader: Reader | None = None
        self._jobs: dict[int, _Job] = {}
        self._numbers = itertools.count(1)
        self._is_closing = False
        self._lanes = {name: self._new_lane(name) for name in _LANES}

    def open(self, folder: Path, *, then: Then | None = None, create: bool = False) -> Ticket:
        """Open a project, for reading only when another program writes to it.

        Upgrades and tidying after a hard stop run in the worker; `then` gets the job's end,
        whose outcome has the keys `interrupted` and `dropped_imports`. A project that was open
        is closed first. Raises `UserError` for a network folder and where nothing can be
        written.
        """
        self.close()
        refuse_network_folder(folder)
        if create:
            _make_folder(folder)
        is_new = not (folder / DATABASE).is_file()
        self._lock = take_lock(folder) if create or not is_new else None
        self.read_only = self._lock is None and not is_new

        def settle(end: JobEnd) -> None:
            if end.kind == "finished":
                self._begin_reading(folder)
            elif not self._is_closing:
                self._release()
                if is_new and not (folder / DATABASE).is_file():
                    (folder / LOCK).unlink(missing_ok=True)
            if then is not None:
                then(end)

        values = {"folder": str(folder), "create": create, "read_only": self.read_only}
        job = _Job("live", settle, opens=True)
        ticket = self._ask("open", values, title="Opening the project", job=job)
        self.opening.emit()
        return ticket

    def start(
        self,
        wish: str,
        values: dict[str, Any] | None = None,
        *,
        title: str,
        lane: str = "work",
        then: Then | None = None,
    ) -> Ticket:
        """Ask for a job on the open project; `then` is called once, with its end."""
        if self.folder is None:
            raise RuntimeError("no project is open")
        if self.read_only and wish not in _READING_WISHES:
            raise RuntimeError(f"the project is open for reading only, which {wish} is not")
        told = {"project": str(self.folder), "read_only": self.read_only, **(values or {})}
        job = _Job(lane, then)
        return self._ask(wish, told, title=title, job=job)

    def start_without_project(
        self, wish: str, values: dict[str, Any], *, title: str, then: Then | None = None
    ) -> Ticket:
        """Ask for a job that needs no project, such as looking into a file."""
        job = _Job("live", then, is_of_project=False)
        return self._ask(wish, values, title=title, job=job)

    def cancel(self, ticket: Ticket) -> None:
        """Ask a job to end; one that has ended already is left alone."""
        job = self._jobs.get(ticket.number)
        if job is not None:
            self._lanes[job.lane].cancel(ticket)

    def finish_early(self, ticket: Ticket) -> None:
        """Ask a training to end now and keep the best so far."""
        self._trainings.finish_early(ticket)

    def pause(self, ticket: Ticket) -> None:
        """Ask a training to hold at its next step; `job_paused` tells when it does."""
        self._trainings.pause(ticket)

    def resume(self, ticket: Ticket) -> None:
        """Ask a paused training to go on."""
        self._trainings.resume(ticket)

    def read(
        self, key: str, function: Callable[[Project], Any], receive: Callable[[Any], None]
    ) -> None:
        """Read from the store off the window's thread; a newer request replaces an older one.

        A fault of `function` rises on the window's thread. Without a project nothing is read.
        """
        if self._reader is not None:
            self._reader.ask(key, function, receive)

    @property
    def is_busy(self) -> bool:
        """Whether a long job runs or waits."""
        return self._lanes["work"].is_busy

    @property
    def is_training(self) -> bool:
        """Whether a training runs or waits."""
        return self._lanes["training"].is_busy

    @property
    def worker_pids(self) -> list[int]:
        """Process ids of the workers that live now."""
        pids = [lane.worker_pid for lane in self._lanes.values()]
        return [pid for pid in pids if pid is not None]

    def refresh_state(self) -> None:
        """Read the project's state again and tell of it."""
        self.read("workspace.state", lambda project: project.state(), self._note_state)

    def close(self) -> None:
        """Close the project, or give up one that is being opened.

        Jobs on it are cut off, which is always safe, and have ended when this returns.
        """
        was_open = self.folder is not None
        busy = {job.lane for job in self._jobs.values() if job.is_of_project}
        if not was_open and not busy:
            return
        self._leave(busy)
        for name in _LANES:
            if name in busy:
                self._lanes[name].deleteLater()
                self._lanes[name] = self._new_lane(name)
            elif self._lanes[name].worker_pid is not None:
                # So that the folder is whole, without the database's side files.
                job = _Job(name, None, is_of_project=False, is_told=False)
                self._ask("close", {}, title="Closing the project", job=job)
        self._release()
        if was_open:
            self.closed.emit()

    def stop(self) -> None:
        """Close the project and end all background work; the window is going away."""
        self._leave(set(_LANES))
        self._release()

    def _leave(self, lanes: set[str]) -> None:
        """Forget the project, stop these lanes, and hear the ends of all their jobs."""
        self.folder = None
        self._is_closing = True
        try:
            for name in lanes:
                self._lanes[name].stop()
            # The lanes' last words wait in this thread's queue.
            QCoreApplication.sendPostedEvents(self, QEvent.Type.MetaCall.value)
        finally:
            self._is_closing = False

    def _ask(self, wish: str, values: dict[str, Any], *, title: str, job: _Job) -> Ticket:
        ticket = self._lanes[job.lane].ask(wish, values, title=title)
        self._jobs[ticket.number] = job
        if job.lane in _LONG_LANES and job.is_told:
            self.job_queued.emit(ticket)
        return ticket

    @property
    def _trainings(self) -> TrainingThread:
        lane = self._lanes["training"]
        if not isinstance(lane, TrainingThread):
            raise TypeError(type(lane).__name__)
        return lane

    def _new_lane(self, name: str) -> Lane:
        kind = TrainingThread if name == "training" else Lane
        lane = kind(threads=_LANES[name], numbers=self._numbers, parent=self)
        queued = Qt.ConnectionType.QueuedConnection
        if isinstance(lane, TrainingThread):
            lane.measured.connect(self._note_figures, queued)
            lane.pause_changed.connect(self._note_pause, queued)
        lane.started_job.connect(self._note_start, queued)
        lane.progressed.connect(self._note_progress, queued)
        lane.ended.connect(self._end, queued)
        lane.start()
        return lane

    def _begin_reading(self, folder: Path) -> None:
        self.folder = folder
        self._reader = Reader(folder, self)
        self._reader.failed.connect(self._raise)
        self._reader.start()
        self.opened.emit()
        self.refresh_state()
        self.changed.emit(Changes.everything())

    def _release(self) -> None:
        if self._reader is not None:
            self._reader.stop()
            self._reader.deleteLater()
            self._reader = None
        if self._lock is not None:
            self._lock.release()
            self._lock = None
        self.folder = None
        self.state = None
        self.read_only = False

    def _note_start(self, ticket: Ticket) -> None:
        if self._jobs[ticket.number].is_told:
            self.job_started.emit(ticket)

    def _note_progress(self, ticket: Ticket, progress: Progress) -> None:
        if self._jobs[ticket.number].is_told:
            self.job_progressed.emit(ticket, progress)

    def _note_figures(self, ticket: Ticket, points: tuple[dict[str, float], ...]) -> None:
        if self._jobs[ticket.number].is_told:
            self.job_measured.emit(ticket, points)

    def _note_pause(self, ticket: Ticket, is_paused: bool) -> None:
        if self._jobs[ticket.number].is_told:
            self.job_paused.emit(ticket, is_paused)

    def _note_state(self, state: ProjectState) -> None:
        self.state = state
        self.state_changed.emit(state)

    def _end(self, ticket: Ticket, end: JobEnd) -> None:
        job = self._jobs.pop(ticket.number)
        if self._is_closing and (job.opens or not job.is_of_project):
            # Nothing may be built on what comes of it any more.
            end = JobEnd("cancelled")
        if job.is_of_project and not job.opens and self.folder is not None:
            self._tell_changes(ticket, job, end)
        try:
            if job.then is not None:
                job.then(end)
        finally:
            if job.is_told:
                self.job_ended.emit(ticket, end)

    def _tell_changes(self, ticket: Ticket, job: _Job, end: JobEnd) -> None:
        if end.worker_lost and job.lane in _ALIVE_BESIDE and not self.read_only:
            # What is half done of this lane's workflows now is nobody's work any more.
            then = self._tell_cut_off if job.lane == "training" else None
            tidy = _Job("work", then, is_told=False)
            values = {"project": str(self.folder), "but": _ALIVE_BESIDE[job.lane]}
            self._ask("recover", values, title="Tidying up", job=tidy)
        # What only reads has moved nothing, however it ended: asked again at each failure of its
        # own, a page would never come to rest.
        has_only_read = ticket.wish in _READING_WISHES and end.kind != "finished"
        if end.changes != Changes() and not has_only_read:
            self.refresh_state()
            self.changed.emit(end.changes)

    def _tell_cut_off(self, _end: JobEnd) -> None:
        """A training that lost its worker is on the list of those that can go on, from now on."""
        if self.folder is not None:
            self.changed.emit(Changes(trainings=True))

    def _raise(self, fault: Exception) -> None:
        raise fault


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as fault:
        raise UserError(
            f"The folder {folder} cannot be made ({fault.strerror}).",
            "Choose a place you have the right to write in.",
        ) from fault
