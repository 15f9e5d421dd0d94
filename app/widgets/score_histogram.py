"""The cosines of all pairs as bars, and two handles that say what happens to them."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Literal

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.look.theme import current_theme
from app.look.words import counted
from app.widgets.score_painting import Picture, draw

Handle = Literal["low", "high"]
_STEP = 0.005
_BIG_STEP = 0.02
_SIDE = 14  # room for half a handle
_REACH = 14  # pixels from a handle that still take it
_TOP = 26  # zone names
_BOTTOM = 22  # the scale


@dataclass(frozen=True, slots=True)
class Scores:
    """Pairs per equal bin from `floor` to 1; `stale` once the texts have moved on."""

    counts: tuple[int, ...]
    floor: float = 0.70
    stale: bool = False

    @property
    def pairs(self) -> int:
        return sum(self.counts)


class ScoreHistogram(QWidget):
    """Two handles on a histogram of cosines: left alone | review | removed automatically.

    Tab goes to the first and then to the second handle; arrows move it by 0.005, with Shift
    by 0.02, Home and End as far as it goes. The low handle never passes the high one.
    """

    moved = Signal(float, float)  # while a handle moves
    settled = Signal(float, float)  # once it rests

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._scores = Scores(())
        self._values: dict[Handle, float] = {"low": 0.86, "high": 0.97}
        self._zone_figures: tuple[str, str, str] | None = None
        self._active: Handle = "low"
        self._held: Handle | None = None
        self._over: Handle | None = None
        self._is_linear = False
        self._name()

    @property
    def low(self) -> float:
        return self._values["low"]

    @property
    def high(self) -> float:
        return self._values["high"]

    @property
    def nothing(self) -> str:
        """What is said in place of bars: nothing before the pairs were counted."""
        if self._scores.pairs or not self._scores.counts:
            return ""
        return f"No two texts are alike by {self._scores.floor:.2f} or more."

    @property
    def active(self) -> Handle:
        """The handle that the keys move."""
        return self._active

    def show_scores(self, scores: Scores) -> None:
        """Show other bars; handles below the new floor come along."""
        self._scores = scores
        self._values["low"] = max(self.low, scores.floor)
        self._values["high"] = max(self.high, self.low)
        self._name()

    def set_thresholds(self, low: float, high: float) -> None:
        """Put the handles there, without a signal."""
        self._values["high"] = self._inside(high)
        self._values["low"] = min(self._inside(low), self.high)
        self._name()

    def show_zone_counts(self, left_alone: int, review: int, removed: int) -> None:
        """Set the figures under the names of the zones: pairs, pairs, and rows removed."""
        self._zone_figures = (
            counted(left_alone, "pair"), counted(review, "pair"), counted(removed, "row")
        )  # fmt: skip
        self._name()

    def set_linear(self, linear: bool) -> None:
        """Make bars as high as their counts; else as their square roots, which show small ones."""
        self._is_linear = linear
        self.update()

    def handle_spot(self, handle: Handle) -> QPointF:
        """Where the handle's grip is, in the widget's coordinates."""
        return QPointF(self._x(self._values[handle]), self._plot().bottom())

    def sizeHint(self) -> QSize:
        return QSize(640, 148)

    def minimumSizeHint(self) -> QSize:
        return QSize(360, 120)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        draw(
            painter,
            Picture(
                plot=self._plot(),
                heights=self._heights(),
                nothing=self.nothing,
                floor=self._scores.floor,
                low=self.low,
                high=self.high,
                low_x=self._x(self.low),
                high_x=self._x(self.high),
                zone_figures=self._zone_figures,
                stale=self._scores.stale,
                active=self._active if self.hasFocus() else "",
                over=self._held or self._over or "",
            ),
            current_theme(),
        )

    def mousePressEvent(self, event: QMouseEvent) -> None:
        near = self._handle_near(event.position())
        if event.button() == Qt.MouseButton.LeftButton and near and self._is_ready():
            self._held = self._active = near
            self.update()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._held is not None:
            self._move(self._held, self._value_at(event.position().x()))
            return
        over = self._handle_near(event.position()) if self._is_ready() else None
        if over != self._over:
            self._over = over
            shape = Qt.CursorShape.SizeHorCursor if over else Qt.CursorShape.ArrowCursor
            self.setCursor(shape)
            self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self._held is not None:
            self._held = None
            self.update()
            self.settled.emit(self.low, self.high)

    def leaveEvent(self, event: QEvent) -> None:
        self._over = None
        self.update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        shifted = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        step = _BIG_STEP if shifted else _STEP
        wanted = {
            Qt.Key.Key_Left: self._values[self._active] - step,
            Qt.Key.Key_Down: self._values[self._active] - step,
            Qt.Key.Key_Right: self._values[self._active] + step,
            Qt.Key.Key_Up: self._values[self._active] + step,
            Qt.Key.Key_Home: self._scores.floor,
            Qt.Key.Key_End: 1.0,
        }.get(key)
        if wanted is None or not self._is_ready():
            super().keyPressEvent(event)
            return
        if self._move(self._active, wanted):
            self.settled.emit(self.low, self.high)

    def focusInEvent(self, event: QFocusEvent) -> None:
        if event.reason() == Qt.FocusReason.TabFocusReason:
            self._active = "low"
        elif event.reason() == Qt.FocusReason.BacktabFocusReason:
            self._active = "high"
        self._name()
        super().focusInEvent(event)

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Tab stops at each handle before it leaves."""
        following: Handle = "high" if forward else "low"
        if self.hasFocus() and self._active != following and self._is_ready():
            self._active = following
            self._name()
            return True
        return super().focusNextPrevChild(forward)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.PaletteChange, QEvent.Type.EnabledChange):
            self.update()

    def _is_ready(self) -> bool:
        return self.isEnabled() and self._scores.pairs > 0

    def _move(self, handle: Handle, wanted: float) -> bool:
        value = round(self._inside(wanted) / _STEP) * _STEP
        value = min(value, self.high) if handle == "low" else max(value, self.low)
        value = round(self._inside(value), 4)
        if value == self._values[handle]:
            return False
        self._values[handle] = value
        self._name()
        self.moved.emit(self.low, self.high)
        return True

    def _inside(self, value: float) -> float:
        return min(max(value, self._scores.floor), 1.0)

    def _handle_near(self, where: QPointF) -> Handle | None:
        """The closer handle within reach; of two in one place, the one on the mouse's side."""
        far: dict[Handle, float] = {
            "low": abs(where.x() - self._x(self.low)),
            "high": abs(where.x() - self._x(self.high)),
        }
        nearest: Handle = "low" if far["low"] < far["high"] else "high"
        if far["low"] == far["high"]:
            nearest = "low" if self.high >= 1.0 or where.x() < self._x(self.low) else "high"
        return nearest if far[nearest] <= _REACH else None

    def _plot(self) -> QRectF:
        return QRectF(self.rect()).adjusted(_SIDE, _TOP + 16, -_SIDE, -_BOTTOM)

    def _x(self, value: float) -> float:
        plot = self._plot()
        span = 1.0 - self._scores.floor
        return plot.left() + plot.width() * (value - self._scores.floor) / span

    def _value_at(self, x: float) -> float:
        plot = self._plot()
        return self._scores.floor + (1.0 - self._scores.floor) * (x - plot.left()) / plot.width()

    def _heights(self) -> Sequence[float]:
        """Bars between 0 and 1."""
        shaped = [n if self._is_linear else sqrt(n) for n in self._scores.counts]
        highest = max(shaped, default=0)
        return [height / highest for height in shaped] if highest else []

    def _name(self) -> None:
        if self.nothing:
            self.setAccessibleName(f"Pairs by cosine. {self.nothing}")
            self.update()
            return
        figures = self._zone_figures or ("", "", "")
        left_alone, review, removed = (f" ({figure})" if figure else "" for figure in figures)
        self.setAccessibleName(
            f"Pairs by cosine. Left alone below {self.low:.3f}{left_alone}, review to "
            f"{self.high:.3f}{review}, removed automatically from there on{removed}. "
            f"The keys move the {'lower' if self._active == 'low' else 'upper'} handle."
        )
        self.update()
