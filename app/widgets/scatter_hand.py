"""What mouse, fingers and keys want of a map."""

from collections.abc import Callable
from typing import Literal

from PySide6.QtCore import QObject, QPointF, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QNativeGestureEvent, QWheelEvent
from PySide6.QtWidgets import QGestureEvent, QPinchGesture

from app.widgets.scatter_camera import Camera
from app.widgets.scatter_trace import Joining, Shape, Trace

Tool = Literal["pan", "lasso", "rectangle"]
_SLIP = 4  # pixels that a click may move
_NOTCH = 1 / 360  # doublings for an eighth of a degree of the wheel
_KEY_ZOOM = 1.5
_KEY_PAN = 0.12  # of the view
_ALT = Qt.KeyboardModifier.AltModifier


class ScatterHand(QObject):
    """Turns events into wishes; knows which button is down and what has been drawn so far."""

    pan_wanted = Signal(float, float)  # pixels the map moves right and down
    zoom_wanted = Signal(float, QPointF)  # factor, and the spot that stays
    step_zoom_wanted = Signal(float)  # factor, about the middle
    fit_wanted = Signal()
    outlined = Signal(object, str)  # corners (m, 2) on the map, and a Joining
    clicked = Signal(QPointF, str)  # spot, and a Joining
    clear_wanted = Signal()
    changed = Signal()  # the trace or the grip

    def __init__(self, parent: QObject, camera: Callable[[], Camera]) -> None:
        super().__init__(parent)
        self._camera = camera
        self._tool: Tool = "pan"
        self._pressed: QPointF | None = None
        self._held: QPointF | None = None  # where a moving map was last
        self._joining: Joining = "replace"
        self.trace: Trace | None = None

    @property
    def tool(self) -> Tool:
        return self._tool

    @property
    def is_down(self) -> bool:
        return self._pressed is not None

    @property
    def is_moving(self) -> bool:
        """Whether the map is being dragged."""
        return self._held is not None

    def set_tool(self, tool: Tool) -> None:
        self._tool = tool
        self.let_go()

    def let_go(self) -> None:
        """Forget what was begun."""
        self.trace = self._pressed = self._held = None
        self.changed.emit()

    def press(self, event: QMouseEvent) -> None:
        moves = event.button() == Qt.MouseButton.MiddleButton
        if moves or event.button() == Qt.MouseButton.LeftButton:
            self._pressed = event.position()
            self._joining = _joining(event.modifiers())
            self._held = event.position() if moves else None
            self.changed.emit()

    def move(self, event: QMouseEvent) -> None:
        spot = event.position()
        if self._pressed is None:
            return
        if self.trace is None and self._held is None:
            if (spot - self._pressed).manhattanLength() < _SLIP:
                return
            self._begin(event.modifiers())
        if self.trace is not None:
            self.trace.draw_to(spot, self._camera())
            self.changed.emit()
        elif self._held is not None:
            step = spot - self._held
            self._held = spot
            self.pan_wanted.emit(step.x(), step.y())

    def release(self, event: QMouseEvent) -> None:
        trace, pressed, moved = self.trace, self._pressed, self._held is not None
        joining = self._joining
        self.let_go()
        if trace is not None and trace.is_meant(self._camera()):
            self.outlined.emit(trace.outline(), trace.joining)
        elif pressed is not None and not moved and event.button() == Qt.MouseButton.LeftButton:
            self.clicked.emit(pressed, joining)

    def double_click(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self.let_go()
            self.zoom_wanted.emit(2.0, event.position())

    def wheel(self, event: QWheelEvent) -> None:
        turned = event.angleDelta().y()
        if turned:
            self.zoom_wanted.emit(2.0 ** (turned * _NOTCH), event.position())
        event.accept()

    def native_gesture(self, event: QNativeGestureEvent) -> bool:
        """A trackpad's pinch; others are left alone."""
        if event.gestureType() != Qt.NativeGestureType.ZoomNativeGesture:
            return False
        self.zoom_wanted.emit(max(1.0 + event.value(), 0.2), event.position())
        return True

    def pinch(self, event: QGestureEvent) -> bool:
        """Two fingers on a screen."""
        gesture = event.gesture(Qt.GestureType.PinchGesture)
        if not isinstance(gesture, QPinchGesture):
            return False
        self.let_go()
        widget = event.widget()
        middle = gesture.centerPoint().toPoint()
        self.zoom_wanted.emit(gesture.scaleFactor(), QPointF(widget.mapFromGlobal(middle)))
        event.accept(gesture)
        return True

    def key(self, event: QKeyEvent) -> bool:
        """Do what the key says; False if it says nothing to a map."""
        key = Qt.Key(event.key())
        camera = self._camera()
        across, down = _KEY_PAN * camera.width, _KEY_PAN * camera.height
        pans = {
            Qt.Key.Key_Left: (across, 0.0),
            Qt.Key.Key_Right: (-across, 0.0),
            Qt.Key.Key_Up: (0.0, down),
            Qt.Key.Key_Down: (0.0, -down),
        }
        if event.modifiers() & (Qt.KeyboardModifier.ControlModifier | _ALT):
            return False
        if key in pans:
            right, below = pans[key]
            self.pan_wanted.emit(round(right), round(below))
        elif key in (Qt.Key.Key_Plus, Qt.Key.Key_Equal):
            self.step_zoom_wanted.emit(_KEY_ZOOM)
        elif key in (Qt.Key.Key_Minus, Qt.Key.Key_Underscore):
            self.step_zoom_wanted.emit(1 / _KEY_ZOOM)
        elif key == Qt.Key.Key_0:
            self.fit_wanted.emit()
        elif key == Qt.Key.Key_Escape and self.is_down:
            self.let_go()
        elif key == Qt.Key.Key_Escape:
            self.clear_wanted.emit()
        else:
            return False
        return True

    def _begin(self, modifiers: Qt.KeyboardModifier) -> None:
        """A press has become a drag: of a lasso, a rectangle, or the map."""
        pressed = self._pressed
        if pressed is None:
            return
        shape: Shape | None = None if self._tool == "pan" else self._tool
        if modifiers & Qt.KeyboardModifier.ShiftModifier:
            shape = "lasso"
        if shape is None:
            self._held = pressed
        else:
            self.trace = Trace(shape, self._joining, pressed, self._camera())


def _joining(modifiers: Qt.KeyboardModifier) -> Joining:
    if modifiers & _ALT:
        return "remove"
    adding = Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.ControlModifier
    return "add" if modifiers & adding else "replace"
