"""The legend over the map: what the colours mean, each entry to be clicked."""

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QEnterEvent,
    QFontMetricsF,
    QLinearGradient,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QAbstractButton, QFrame, QLabel, QVBoxLayout, QWidget

from app.look.cluster_colors import value_ramp
from app.look.theme import current_theme, font, set_role
from app.look.tokens import RADIUS_SMALL, XS, M, S
from app.look.words import count
from app.pages.map_colours import Colouring, LegendEntry
from app.widgets.shown_text import visible

_SWATCH = 9
_WIDEST = 190  # pixels of words
_RAMP_HEIGHT = 8


class Legend(QFrame):
    """A small card; hidden where the colours need no words."""

    part_wanted = Signal(int)  # the code of an entry that was clicked

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        set_role(self, "card")
        self.setAccessibleName("Legend")
        self._title = QLabel()
        set_role(self._title, "heading")
        self._ramp = _Ramp()
        self._entries: list[LegendButton] = []
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(S, S - 1, S, S - 1)
        self._column.setSpacing(0)
        self._column.addWidget(self._title)
        self._column.addWidget(self._ramp)
        self.hide()

    @property
    def entries(self) -> "list[LegendButton]":
        return self._entries

    def show_colouring(self, colouring: Colouring | None) -> None:
        """Show what these colours mean."""
        entries = () if colouring is None else colouring.entries
        ends = None if colouring is None else colouring.ends
        for button in self._entries:
            self._column.removeWidget(button)
            button.hide()
            button.deleteLater()
        self._entries = []
        for entry in entries:
            button = LegendButton(entry)
            button.clicked.connect(lambda _on=False, code=entry.code: self.part_wanted.emit(code))
            self._column.addWidget(button)
            button.show()
            self._entries.append(button)
        title = "" if colouring is None else colouring.title
        self._title.setText(visible(title))
        self._title.setVisible(bool(title))
        self._ramp.show_ends(ends)
        self.setVisible(bool(entries or ends))
        self._column.activate()
        self.adjustSize()


class LegendButton(QAbstractButton):
    """One kind: its dot, its name and its rows."""

    def __init__(self, entry: LegendEntry) -> None:
        super().__init__()
        self.entry = entry
        self.setAccessibleName(f"Select {entry.words}, {count(entry.rows)} rows")
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)

    def sizeHint(self) -> QSize:
        metrics = QFontMetricsF(font(current_theme(), "meta"))
        words = min(metrics.horizontalAdvance(visible(self.entry.words)), _WIDEST)
        rows = metrics.horizontalAdvance(count(self.entry.rows))
        return QSize(round(words + rows) + _SWATCH + 5 * S, round(metrics.height()) + 7)

    def enterEvent(self, event: QEnterEvent) -> None:
        super().enterEvent(event)
        self.update()

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = current_theme()
        colours = theme.colours
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        area = QRectF(self.rect())
        painter.setPen(Qt.PenStyle.NoPen)
        if self.underMouse() or self.isDown():
            painter.setBrush(QColor(colours.hover))
            painter.drawRoundedRect(area, RADIUS_SMALL, RADIUS_SMALL)
        if self.hasFocus():
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(QColor(colours.accent), 2))
            painter.drawRoundedRect(area.adjusted(1, 1, -1, -1), RADIUS_SMALL, RADIUS_SMALL)
        dot = QRectF(S, area.center().y() - _SWATCH / 2, _SWATCH, _SWATCH)
        if self.entry.hollow:
            painter.setPen(QPen(self.entry.colour, 1.5))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawEllipse(dot.adjusted(0.75, 0.75, -0.75, -0.75))
        else:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self.entry.colour)
            painter.drawEllipse(dot)
        inside = area.adjusted(dot.right() + S, 0, -S, 0)
        painter.setFont(font(theme, "meta"))
        metrics = QFontMetricsF(painter.font())
        rows = count(self.entry.rows)
        middle = Qt.AlignmentFlag.AlignVCenter
        painter.setPen(QColor(colours.muted))
        painter.drawText(inside, middle | Qt.AlignmentFlag.AlignRight, rows)
        inside.setRight(inside.right() - metrics.horizontalAdvance(rows) - M)
        painter.setPen(QColor(colours.ink))
        words = metrics.elidedText(
            visible(self.entry.words), Qt.TextElideMode.ElideRight, inside.width() + 1
        )
        painter.drawText(inside, middle, words)


class _Ramp(QWidget):
    """The scale from low to high."""

    def __init__(self) -> None:
        super().__init__()
        self._ends: tuple[str, str] | None = None
        self.hide()

    def show_ends(self, ends: tuple[str, str] | None) -> None:
        self._ends = ends
        self.setVisible(ends is not None)
        self.setAccessibleName("" if ends is None else f"From {ends[0]} to {ends[1]}")
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        metrics = QFontMetricsF(font(current_theme(), "meta"))
        words = sum(metrics.horizontalAdvance(end) for end in self._ends or ())
        height = _RAMP_HEIGHT + round(metrics.height()) + 2 * XS + 2
        return QSize(max(round(words) + 40, 180), height)

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._ends is None:
            return
        theme = current_theme()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        bar = QRectF(S, XS, self.width() - 2 * S, _RAMP_HEIGHT)
        gradient = QLinearGradient(bar.topLeft(), bar.topRight())
        ramp = value_ramp(theme)
        for step in range(9):
            gradient.setColorAt(step / 8, ramp[min(step * 32, len(ramp) - 1)])
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(gradient)
        painter.drawRoundedRect(bar, RADIUS_SMALL, RADIUS_SMALL)
        painter.setFont(font(theme, "meta"))
        painter.setPen(QColor(theme.colours.muted))
        below = QRectF(bar.left(), bar.bottom() + 2, bar.width(), self.height() - bar.bottom() - 2)
        painter.drawText(below, Qt.AlignmentFlag.AlignLeft, self._ends[0])
        painter.drawText(below, Qt.AlignmentFlag.AlignRight, self._ends[1])
