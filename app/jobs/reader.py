"""A thread that reads the store for the pages, so that no query holds up the window."""

import queue
from collections.abc import Callable
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, QThread, Signal

from core.store import Project


class Reader(QThread):
    """Runs `function(project)` on a read-only project and hands the value to `receive`.

    Requests carry a key: a newer one with the same key drops the answer of an older one.
    """

    _answered = Signal(str, int, object)
    failed = Signal(object)  # the exception of a request

    def __init__(self, folder: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._folder = folder
        self._wanted: queue.Queue[tuple[str, int, Callable[[Project], Any]] | None] = queue.Queue()
        self._newest: dict[str, int] = {}
        self._receivers: dict[str, Callable[[Any], None]] = {}
        self._answered.connect(self._deliver)

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
        """End the thread after the request it is at."""
        self._wanted.put(None)
        self.wait()

    def run(self) -> None:
        """Answer requests (the thread's body)."""
        with Project.open_read_only(self._folder) as project:
            while (item := self._wanted.get()) is not None:
                key, number, function = item
                if self._newest.get(key) != number:
                    continue
                try:
                    value = function(project)
                except Exception as fault:  # noqa: BLE001 - handed to the window's thread, which raises it
                    self.failed.emit(fault)
                else:
                    self._answered.emit(key, number, value)

    def _deliver(self, key: str, number: int, value: object) -> None:
        if self._newest.get(key) == number:
            self._receivers[key](value)
