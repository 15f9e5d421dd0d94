"""A map of points to move about in and to select from."""

from collections.abc import Hashable

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QHideEvent,
    QKeyEvent,
    QMouseEvent,
    QNativeGestureEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QWheelEvent,
)
from PySide6.QtWidgets import QGestureEvent, QWidget

from app.look.theme import current_theme
from app.look.words import counted
from app.widgets.scatter_card import ScatterCard
from app.widgets.scatter_hand import ScatterHand, Tool
from app.widgets.scatter_hover import ScatterHover, paint_ring
from app.widgets.scatter_points import Floats, Truths
from app.widgets.scatter_stage import ScatterStage
from app.widgets.scatter_trace import Joining, joined

_BY_KEYS = (
    Qt.FocusReason.TabFocusReason,
    Qt.FocusReason.BacktabFocusReason,
    Qt.FocusReason.ShortcutFocusReason,
)


class ScatterView(ScatterStage):
    """Points in colours, with names; selected in the map's coordinates, whatever is in sight.

    Drag moves the map (or draws, with another tool), Shift+drag draws a lasso with any tool,
    the wheel zooms about the pointer, arrows move, plus and minus zoom, 0 shows all, Escape
    clears the selection. While drawing or clicking, Shift or Ctrl adds and Alt takes away.
    Arrays lie in the order of `show_points`. Signals tell what a hand did, never what a call did.
    """

    selection_changed = Signal(object)  # (n,) bool, or None
    hovered = Signal(int)  # the point under the resting pointer, -1 when it leaves
    point_clicked = Signal(int)
    label_clicked = Signal(object)  # key

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.grabGesture(Qt.GestureType.PinchGesture)
        self._keys_lead = False
        self.card = ScatterCard(self)
        self._hover = ScatterHover(self, self._bare_point_at)
        self._hover.hovered.connect(self._take_hover)
        self.view_changed.connect(self._hover.leave)
        self._hand = ScatterHand(self, lambda: self._sight.camera)
        self._obey_hand()
        self.setAccessibleName("Map of texts")
        self._tell()

    @property
    def tool(self) -> Tool:
        return self._hand.tool

    @property
    def selected(self) -> Truths | None:
        """Which points are selected (n,); None: nothing is."""
        return self._scene.selected

    def show_points(self, xy: Floats, *, keep_view: bool = False) -> None:
        """Show points (n, 2), finite, y upwards: in one colour, unselected, without names."""
        self._hover.leave()
        self._hand.let_go()
        super().show_points(xy, keep_view=keep_view)
        self._tell()

    def select(self, mask: Truths | None, *, reveal: bool = False) -> None:
        """Select the points of `mask` (n,), without a signal; `reveal` moves them into sight."""
        self._scene.select(mask)
        self._tell()
        if reveal and self.selected is not None and not self._sight.sees(self.selected):
            self.fit_to(self.selected)

    def clear_selection(self) -> None:
        """As Escape does, with a signal."""
        if self.selected is not None:
            self.select(None)
            self.selection_changed.emit(None)

    def set_tool(self, tool: Tool) -> None:
        """Choose what dragging does; the selection stays."""
        self._hand.set_tool(tool)

    def show_card(self, title: str, body: str, meta: str) -> None:
        """Tell what the hovered point is, beside it; it goes when the pointer leaves."""
        if self._hover.point >= 0:
            self.card.show_content(title, body, meta)
            self.card.place_by(self._hover.spot.toPoint(), self.rect())

    def hide_card(self) -> None:
        self.card.hide()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        painter, camera, theme = QPainter(self), self._sight.camera, current_theme()
        if self._hover.point >= 0:
            x, y = self._scene.points.spot(self._hover.point)
            paint_ring(painter, camera.to_view(x, y), theme)
        if self._hand.trace is not None:
            self._hand.trace.paint(painter, camera, theme)
        if self.hasFocus() and self._keys_lead:
            painter.setPen(QPen(QColor(theme.colours.accent), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(QRectF(self.rect()).adjusted(1, 1, -1, -1))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._hover.leave()
        self._hand.press(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._hand.move(event)
        if not self._hand.is_down:
            self._hover.move(event.position())
            label = self.label_at(event.position())
            self._warm(None if label is None else label.key)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._hand.release(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self._hand.double_click(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        self._hand.wheel(event)

    def leaveEvent(self, event: QEvent) -> None:
        self._hover.leave()
        self._warm(None)

    def hideEvent(self, event: QHideEvent) -> None:
        self._hover.leave()
        self._hand.let_go()
        self._scene.canvas.rest()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not self._hand.key(event):
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        self._keys_lead = event.reason() in _BY_KEYS
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self.update()

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QNativeGestureEvent) and self._hand.native_gesture(event):
            return True
        if isinstance(event, QGestureEvent) and self._hand.pinch(event):
            return True
        return super().event(event)

    def _obey_hand(self) -> None:
        hand = self._hand
        hand.pan_wanted.connect(self._sight.pan)
        hand.zoom_wanted.connect(self._sight.zoom)
        hand.step_zoom_wanted.connect(self._sight.zoom)
        hand.fit_wanted.connect(self.fit)
        hand.outlined.connect(self._take_outline)
        hand.clicked.connect(self._take_click)
        hand.clear_wanted.connect(self.clear_selection)
        hand.changed.connect(self._follow_hand)

    def _bare_point_at(self, spot: QPointF) -> int:
        """The point at a spot that no name covers."""
        return -1 if self.label_at(spot) is not None else self.point_at(spot)

    def _take_outline(self, outline: npt.NDArray[np.float64], joining: Joining) -> None:
        self._join(self._scene.points.inside(outline), joining)

    def _take_click(self, spot: QPointF, joining: Joining) -> None:
        label, point = self.label_at(spot), self.point_at(spot)
        if label is not None:
            self.label_clicked.emit(label.key)
        elif point >= 0 and joining == "replace":
            self.point_clicked.emit(point)
        elif point >= 0:
            self._join_one(point, joining)
        elif self.tool != "pan" and joining == "replace":
            self.clear_selection()

    def _join_one(self, point: int, joining: Joining) -> None:
        """Add a point, or take it out again: with a modifier a click goes to and fro."""
        mask = np.zeros(self._scene.count, np.bool_)
        mask[point] = True
        is_in = self.selected is not None and bool(self.selected[point])
        self._join(mask, "remove" if is_in else joining)

    def _join(self, mask: Truths, joining: Joining) -> None:
        self.select(joined(self.selected, mask, joining))
        self.selection_changed.emit(self.selected)

    def _take_hover(self, point: int) -> None:
        if point < 0:
            self.card.hide()
        self.update()
        self.hovered.emit(point)

    def _warm(self, key: Hashable | None) -> None:
        """Light up the name under the pointer."""
        if key != self._scene.hot:
            self._scene.hot = key
            self.update()
        self._follow_hand()

    def _follow_hand(self) -> None:
        shapes = {"pan": Qt.CursorShape.OpenHandCursor}
        shape = shapes.get(self.tool, Qt.CursorShape.CrossCursor)
        if self._hand.is_moving:
            shape = Qt.CursorShape.ClosedHandCursor
        elif self._scene.hot is not None and not self._hand.is_down:
            shape = Qt.CursorShape.PointingHandCursor
        if self.cursor().shape() != shape:
            self.setCursor(shape)
        self.update()

    def _tell(self) -> None:
        """Say to a screen reader what a look would show."""
        chosen = 0 if self.selected is None else int(np.count_nonzero(self.selected))
        self.setAccessibleDescription(
            f"{counted(self._scene.count, 'point')}, {chosen:,} selected. Arrow keys move, plus "
            "and minus zoom, 0 shows all, Escape clears the selection."
        )
