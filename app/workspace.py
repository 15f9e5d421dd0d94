"""The open project as the window knows it: what pages ask for, and what they are told."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from filelock import FileLock
from PySide6.QtCore import QObject, Signal

from app.jobs import JobEnd, Lane, Reader, Ticket
from core.progress import Progress
from core.records import Changes
from core.store import DATABASE, Project, ProjectState
from core.store.lock import refuse_network_folder, take_lock

Then = Callable[[JobEnd], None]


class Workspace(QObject):
    """One open project, its lanes of background work, and one broadcast of what moved.

    Wishes go to a lane: `work` for long jobs, `live` for short ones that must answer while a
    long one runs. Facts are read through `read`, on a thread of their own.
    """

    opened = Signal()
    closed = Signal()
    changed = Signal(object)  # Changes
    state_changed = Signal(object)  # ProjectState
    job_queued = Signal(object)  # Ticket
    job_started = Signal(object)  # Ticket
    job_progressed = Signal(object, object)  # Ticket, Progress
    job_ended = Signal(object, object)  # Ticket, JobEnd

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.folder: Path | None = None
        self.read_only = False
        self.state: ProjectState | None = None
        self._lock: FileLock | None = None
        self._reader: Reader | None = None
        self._then: dict[int, Then] = {}
        self._lanes = {"work": Lane(parent=self), "live": Lane(threads=1, parent=self)}
        for lane in self._lanes.values():
            lane.started_job.connect(self.job_started)
            lane.progressed.connect(self._note_progress)
            lane.ended.connect(self._end)
            lane.start()

    def open(self, folder: Path, *, then: Then | None = None, create: bool = False) -> Ticket:
        """Open a project, for reading only when another program writes to it.

        Upgrades and tidying after a hard stop run in the worker; `then` gets the job's end,
        whose outcome has the keys `interrupted` and `dropped_imports`.
        Raises `UserError` for a network folder.
        """
        self.close()
        refuse_network_folder(folder)
        if create:
            folder.mkdir(parents=True, exist_ok=True)
        is_project = create or (folder / DATABASE).is_file()
        lock = take_lock(folder) if is_project else None
        self.read_only = lock is None and is_project
        self._lock = lock

        def settle(end: JobEnd) -> None:
            if end.kind == "finished":
                self._begin_reading(folder)
            else:
                self._release()
            if then is not None:
                then(end)

        values = {"folder": str(folder), "create": create, "read_only": self.read_only}
        return self._ask("open", values, title="Opening the project", lane="live", then=settle)

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
        told = {"project": str(self.folder), **(values or {})}
        return self._ask(wish, told, title=title, lane=lane, then=then)

    def start_without_project(
        self, wish: str, values: dict[str, Any], *, title: str, then: Then | None = None
    ) -> Ticket:
        """Ask for a job that needs no project, such as looking into a file."""
        return self._ask(wish, values, title=title, lane="live", then=then)

    def cancel(self, ticket: Ticket) -> None:
        """Ask a job to end, whichever lane it is on."""
        for lane in self._lanes.values():
            lane.cancel(ticket)

    def read(
        self, key: str, function: Callable[[Project], Any], receive: Callable[[Any], None]
    ) -> None:
        """Read from the store off the window's thread; a newer request replaces an older one."""
        if self._reader is not None:
            self._reader.ask(key, function, receive)

    @property
    def is_busy(self) -> bool:
        """Whether a long job runs or waits."""
        return self._lanes["work"].is_busy

    @property
    def worker_pids(self) -> list[int]:
        """Process ids of the workers that live now."""
        pids = [lane.worker_pid for lane in self._lanes.values()]
        return [pid for pid in pids if pid is not None]

    def refresh_state(self) -> None:
        """Read the project's state again and tell of it."""
        self.read("workspace.state", lambda project: project.state(), self._note_state)

    def close(self) -> None:
        """Close the project; jobs on it are cut off, which is always safe."""
        if self.folder is None:
            return
        for name, lane in list(self._lanes.items()):
            if lane.is_busy:
                self._restart(name)
        self._release()
        self.closed.emit()

    def stop(self) -> None:
        """Close the project and end all background work; the window is going away."""
        for lane in self._lanes.values():
            lane.stop()
        self._release()

    def _ask(
        self, wish: str, values: dict[str, Any], *, title: str, lane: str, then: Then | None
    ) -> Ticket:
        ticket = self._lanes[lane].ask(wish, values, title=title)
        if then is not None:
            self._then[ticket.number] = then
        if lane == "work":
            self.job_queued.emit(ticket)
        return ticket

    def _restart(self, name: str) -> None:
        old = self._lanes[name]
        old.stop()
        lane = Lane(threads=1 if name == "live" else None, parent=self)
        lane.started_job.connect(self.job_started)
        lane.progressed.connect(self._note_progress)
        lane.ended.connect(self._end)
        lane.start()
        self._lanes[name] = lane

    def _begin_reading(self, folder: Path) -> None:
        self.folder = folder
        self._reader = Reader(folder, self)
        self._reader.start()
        self.opened.emit()
        self.refresh_state()
        self.changed.emit(Changes.everything())

    def _release(self) -> None:
        if self._reader is not None:
            self._reader.stop()
            self._reader = None
        if self._lock is not None:
            self._lock.release()
            self._lock = None
        self.folder = None
        self.state = None

    def _note_progress(self, ticket: Ticket, progress: Progress) -> None:
        self.job_progressed.emit(ticket, progress)

    def _note_state(self, state: ProjectState) -> None:
        self.state = state
        self.state_changed.emit(state)

    def _end(self, ticket: Ticket, end: JobEnd) -> None:
        then = self._then.pop(ticket.number, None)
        if end.changes != Changes():
            self.refresh_state()
            self.changed.emit(end.changes)
        if then is not None:
            then(end)
        self.job_ended.emit(ticket, end)
