"""One choice out of a few that stand side by side."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QEnterEvent, QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QButtonGroup, QHBoxLayout, QSizePolicy, QWidget

from app.look.theme import current_theme, font
from app.look.tokens import CONTROL_HEIGHT, RADIUS, RADIUS_SMALL, M


class Segments(QWidget):
    """A control with one part for each choice; the arrows go from part to part."""

    chosen = Signal(str)  # a key, by a person

    def __init__(
        self,
        choices: Sequence[tuple[str, str]],
        *,
        name: str,
        height: int = CONTROL_HEIGHT,
        parent: QWidget | None = None,
    ) -> None:
        """`choices` are (key, words)."""
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setFixedHeight(height)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._group = QButtonGroup(self)
        self._parts: dict[str, _Segment] = {}
        row = QHBoxLayout(self)
        row.setContentsMargins(3, 3, 3, 3)
        row.setSpacing(2)
        for key, words in choices:
            part = _Segment(words, height - 6)
            part.clicked.connect(lambda _checked=False, key=key: self.chosen.emit(key))
            self._group.addButton(part)
            self._parts[key] = part
            row.addWidget(part)
        self.choose(choices[0][0])

    @property
    def key(self) -> str:
        """The choice made."""
        return next(key for key, part in self._parts.items() if part.isChecked())

    def choose(self, key: str) -> None:
        """Make a choice without telling."""
        self._parts[key].setChecked(True)

    def allow(self, key: str, allowed: bool) -> None:
        """Turn one part on or off."""
        self._parts[key].setEnabled(allowed)

    def explain(self, key: str, words: str) -> None:
        """Say more of one part when the mouse rests on it."""
        self._parts[key].setToolTip(words)

    def paintEvent(self, event: QPaintEvent) -> None:
        colours = current_theme().colours
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(colours.outline), 1))
        painter.setBrush(QColor(colours.sunken))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), RADIUS, RADIUS)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self.update()


class _Segment(QAbstractButton):
    def __init__(self, words: str, height: int) -> None:
        super().__init__()
        self.setText(words)
        self.setAccessibleName(words)
        self.setCheckable(True)
        self.setFixedHeight(height)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)

    def sizeHint(self) -> QSize:
        metrics = QFontMetricsF(font(current_theme(), "body", bold=True))
        return QSize(round(metrics.horizontalAdvance(self.text())) + 2 * M, self.height())

    def enterEvent(self, event: QEnterEvent) -> None:
        super().enterEvent(event)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = current_theme()
        colours = theme.colours
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        body = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        painter.setPen(Qt.PenStyle.NoPen)
        if self.isChecked():
            painter.setPen(QPen(QColor(colours.outline), 1))
            painter.setBrush(QColor(colours.surface))
            painter.drawRoundedRect(body, RADIUS_SMALL, RADIUS_SMALL)
        elif self.underMouse() and self.isEnabled():
            painter.setBrush(QColor(colours.hover))
            painter.drawRoundedRect(body, RADIUS_SMALL, RADIUS_SMALL)
        if self.hasFocus():
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(QColor(colours.accent), 2))
            painter.drawRoundedRect(body.adjusted(0.5, 0.5, -0.5, -0.5), RADIUS_SMALL, RADIUS_SMALL)
        painter.setFont(font(theme, "body", bold=self.isChecked()))
        ink = colours.ink if self.isChecked() else colours.muted
        painter.setPen(QColor(ink if self.isEnabled() else colours.disabled))
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, self.text())
