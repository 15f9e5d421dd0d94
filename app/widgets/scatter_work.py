"""Work on the window's own thread in slices so short that nobody notices."""

from collections.abc import Callable, Generator
from time import perf_counter
from typing import Any, TypeVar

from PySide6.QtCore import QObject, QTimer

T = TypeVar("T")
_SLICE_S = 0.003  # begun work is not broken off, so that less is aimed at
_WAY_MS = 30  # the longest that a paint is waited for


class SlicedWork(QObject):
    """Runs one generator between events; a new one takes the place of the old."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._steps: Generator[None, None, Any] | None = None
        self._then: Callable[[Any], None] | None = None
        self._timer = QTimer(self)
        self._timer.setInterval(0)
        self._timer.timeout.connect(self._work)

    @property
    def is_busy(self) -> bool:
        return self._steps is not None

    def start(self, steps: Generator[None, None, Any], then: Callable[[Any], None]) -> None:
        """Run `steps` and give what it returns to `then`; work under way is dropped."""
        self.stop()
        self._steps, self._then = steps, then
        self._timer.start(0)

    def stop(self) -> None:
        self._timer.stop()
        if self._steps is not None:
            self._steps.close()
        self._steps = self._then = None

    def make_way(self) -> None:
        """Pause for something that is more urgent, until `go_on` says it is done, or for long."""
        if self._steps is not None:
            self._timer.start(_WAY_MS)

    def go_on(self) -> None:
        """Work again after `make_way`."""
        if self._steps is not None and self._timer.interval():
            self._timer.start(0)

    def finish(self) -> None:
        """Do all that is left now, and what follows from it."""
        while self._steps is not None:
            self._advance()

    def _work(self) -> None:
        self.go_on()
        end = perf_counter() + _SLICE_S
        while self._steps is not None and perf_counter() < end:
            self._advance()

    def _advance(self) -> None:
        steps, then = self._steps, self._then
        if steps is None or then is None:
            return
        try:
            next(steps)
        except StopIteration as done:
            self._timer.stop()
            self._steps = self._then = None
            then(done.value)


def finish(steps: Generator[None, None, T]) -> T:
    """Run to the end at once; return what the steps return."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            result: T = end.value
            return result
