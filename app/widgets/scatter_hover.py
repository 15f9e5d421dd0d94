"""The point under a pointer that rests."""

from collections.abc import Callable

from PySide6.QtCore import QObject, QPointF, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QPainter, QPen

from app.look.theme import Theme

_REST_MS = 150
_RING = 6.5  # radius of the mark


def paint_ring(painter: QPainter, spot: QPointF, theme: Theme) -> None:
    """Mark the point under the pointer."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for color, width in ((theme.colours.paper, 4.5), (theme.colours.ink, 2.0)):
        painter.setPen(QPen(QColor(color), width))
        painter.drawEllipse(spot, _RING, _RING)


class ScatterHover(QObject):
    """Tells which point the pointer rests on, and when it has left it."""

    hovered = Signal(int)  # -1: none any more

    def __init__(self, parent: QObject, find: Callable[[QPointF], int]) -> None:
        super().__init__(parent)
        self._find = find
        self._spot = QPointF()
        self._point = -1
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.setInterval(_REST_MS)
        self._rest.timeout.connect(self._settle)

    @property
    def spot(self) -> QPointF:
        """Where the pointer was last."""
        return self._spot

    @property
    def point(self) -> int:
        return self._point

    def move(self, spot: QPointF) -> None:
        """The pointer is at `spot`; what it hovers over is looked up once it rests."""
        self._spot = spot
        if self._point >= 0 and self._find(spot) != self._point:
            self._set(-1)
        if self._point < 0:
            self._rest.start()

    def leave(self) -> None:
        """The pointer is gone, or busy with something else."""
        self._rest.stop()
        self._set(-1)

    def _settle(self) -> None:
        self._set(self._find(self._spot))

    def _set(self, point: int) -> None:
        if point != self._point:
            self._point = point
            self.hovered.emit(point)
