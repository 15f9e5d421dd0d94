"""The shape that a hand draws around points."""

from typing import Literal

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from app.look.theme import Theme
from app.widgets.scatter_camera import Camera

Shape = Literal["lasso", "rectangle"]
Joining = Literal["replace", "add", "remove"]
_STEP = 3.0  # pixels between two corners
_LEAST = 5.0  # pixels to a side from which on it is meant


def joined(
    before: npt.NDArray[np.bool_] | None, drawn: npt.NDArray[np.bool_], joining: Joining
) -> npt.NDArray[np.bool_]:
    """The selection after `drawn` took its place, was added, or was taken away."""
    if joining == "remove":
        return np.zeros_like(drawn) if before is None else before & ~drawn
    return drawn if joining == "replace" or before is None else before | drawn


class Trace:
    """A lasso or a rectangle being drawn; kept in the map's coordinates, so that it may move."""

    def __init__(self, shape: Shape, joining: Joining, spot: QPointF, camera: Camera) -> None:
        self.shape = shape
        self.joining = joining
        self._corners = [camera.to_map(spot)]
        self._last = spot

    def draw_to(self, spot: QPointF, camera: Camera) -> None:
        if self.shape == "rectangle":
            self._corners = [self._corners[0], camera.to_map(spot)]
        elif (spot - self._last).manhattanLength() >= _STEP:
            self._corners.append(camera.to_map(spot))
            self._last = spot

    def outline(self) -> npt.NDArray[np.float64]:
        """The corners (m, 2) in the map's coordinates."""
        if self.shape == "rectangle" and len(self._corners) == 2:
            (x1, y1), (x2, y2) = self._corners
            return np.array([(x1, y1), (x2, y1), (x2, y2), (x1, y2)])
        return np.array(self._corners)

    def is_meant(self, camera: Camera) -> bool:
        """Whether it is more than a slip of the hand."""
        box = self._polygon(camera).boundingRect()
        return max(box.width(), box.height()) >= _LEAST

    def paint(self, painter: QPainter, camera: Camera, theme: Theme) -> None:
        accent = QColor(theme.colours.different.mark if self.joining == "remove" else
                        theme.colours.accent)  # fmt: skip
        fill = QColor(accent)
        fill.setAlphaF(0.12)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(accent, 1.5, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap,
                            Qt.PenJoinStyle.RoundJoin))  # fmt: skip
        painter.setBrush(fill)
        polygon = self._polygon(camera)
        if self.shape == "rectangle":
            painter.drawRect(QRectF(polygon.boundingRect()))
        else:
            painter.drawPolygon(polygon)

    def _polygon(self, camera: Camera) -> QPolygonF:
        return QPolygonF([camera.to_view(x, y) for x, y in self.outline().tolist()])
