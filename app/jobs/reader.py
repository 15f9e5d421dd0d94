"""A thread that reads the store for the pages, so that no query holds up the window."""

import queue
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, QThread, QTimer, Signal

from core.store import Project


class Reader(QThread):
    """Runs `function(project)` on a read-only project and hands the value to `receive`.

    Requests carry a key: a newer one with the same key drops an older one, also while its
    query is under way. A fault is told once by `failed`, on the window's thread, unless
    nobody waits for the answer any more.
    """

    failed = Signal(object)  # the exception of a request
    _answered = Signal(str, int, object)
    _met_fault = Signal(str, int, object)

    def __init__(self, folder: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._folder = folder
        self._wanted: queue.Queue[tuple[str, int, Callable[[Project], Any]] | None] = queue.Queue()
        self._newest: dict[str, int] = {}
        self._receivers: dict[str, Callable[[Any], None]] = {}
        self._stopping = False
        self._answers: deque[tuple[str, int, object]] = deque()
        # One answer in a turn of the event loop: several pages that show what they asked for
        # at one moment would hold up the window together.
        self._turn = QTimer(self)
        self._turn.setSingleShot(True)
        self._turn.timeout.connect(self._deliver)
        self._answered.connect(self._take_in)
        self._met_fault.connect(self._fail)

    def ask(
        self, key: str, function: Callable[[Project], Any], receive: Callable[[Any], None]
    ) -> None:
        """Ask for a value; `receive` is called on the window's thread."""
        number = self._newest.get(key, 0) + 1
        self._newest[key] = number
        self._receivers[key] = receive
        self._wanted.put((key, number, function))

    def forget(self, key: str) -> None:
        """Drop the answer still under way for this key."""
        self._newest[key] = self._newest.get(key, 0) + 1

    def stop(self) -> None:
        """End the thread; a query under way is broken off and no answer is given any more."""
        self._stopping = True
        self._turn.stop()
        self._wanted.put(None)
        self.wait()

    def run(self) -> None:
        """Answer requests (the thread's body)."""
        try:
            project = Project.open_read_only(self._folder)
        except Exception as fault:  # noqa: BLE001 - handed to the window's thread, which raises it
            self._met_fault.emit("", 0, fault)
            return
        with project:
            while (item := self._wanted.get()) is not None and not self._stopping:
                self._answer(project, *item)

    def _answer(
        self, project: Project, key: str, number: int, function: Callable[[Project], Any]
    ) -> None:
        if not self._is_wanted(key, number):
            return
        project.break_off_when(lambda: not self._is_wanted(key, number))
        try:
            value = function(project)
        except Exception as fault:  # noqa: BLE001 - handed to the window's thread, which raises it
            self._met_fault.emit(key, number, fault)
        else:
            self._answered.emit(key, number, value)

    def _is_wanted(self, key: str, number: int) -> bool:
        return not self._stopping and self._newest.get(key) == number

    def _take_in(self, key: str, number: int, value: object) -> None:
        if self._stopping:
            return
        self._answers.append((key, number, value))
        if not self._turn.isActive():
            self._turn.start()

    def _deliver(self) -> None:
        key, number, value = self._answers.popleft()
        if self._answers:
            self._turn.start()
        if self._is_wanted(key, number):
            self._receivers.pop(key)(value)

    def _fail(self, key: str, number: int, fault: object) -> None:
        if not self._stopping and (key == "" or self._is_wanted(key, number)):
            self.failed.emit(fault)
