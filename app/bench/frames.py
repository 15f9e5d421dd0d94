"""Motions that are due at a steady pace, and how long each takes until it has been painted."""

import time
from collections.abc import Callable, Iterable

from PySide6.QtCore import QCoreApplication, QEvent, QObject
from PySide6.QtWidgets import QWidget

PACE_S = 1 / 60
_PATIENCE_S = 5.0  # for a motion that paints nothing
_NAP_S = 0.0003


class PaintWatch(QObject):
    """Counts the paint events of a widget."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self.count = 0
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint:
            self.count += 1
        return False

    def wait(self, before: int) -> None:
        """Run the event loop until there was another paint than `before`."""
        end = time.perf_counter() + _PATIENCE_S
        while self.count == before and time.perf_counter() < end:
            QCoreApplication.processEvents()


def paced(
    motions: Iterable[Callable[[], None]], watch: PaintWatch, *, most_s: float = 20.0
) -> list[float]:
    """Return for each motion the seconds from when it was due until it had been painted.

    Between motions the event loop runs, as it does under a hand: what the widget does then must
    not delay the next one. A widget that cannot keep the pace gets its motions later, and no
    more of them once `most_s` have passed.
    """
    waits: list[float] = []
    begun = due = time.perf_counter()
    for move in motions:
        while time.perf_counter() < due:
            QCoreApplication.processEvents()
            time.sleep(_NAP_S)
        before = watch.count
        move()
        watch.wait(before)
        now = time.perf_counter()
        waits.append(now - due)
        if now - begun > most_s:
            break
        due = max(due + PACE_S, now)
    return waits


def until(holds: Callable[[], bool], *, most_s: float = 60.0) -> float:
    """Run the event loop until something is true; return the seconds that took."""
    begun = time.perf_counter()
    while not holds() and time.perf_counter() < begun + most_s:
        QCoreApplication.processEvents()
    return time.perf_counter() - begun
