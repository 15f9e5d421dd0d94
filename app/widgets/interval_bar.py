"""A difference with its interval, drawn to be read at a glance."""

from PySide6.QtCore import QEvent, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.look.theme import current_theme, font
from app.look.tokens import M
from app.widgets.tags import ToneName, tone_of

_HEIGHT = 38
_LEAST_REACH = 0.05  # of the scale to either side of no change
_ROOM = 1.15  # beyond the far end


class IntervalBar(QWidget):
    """Possible differences around no change: the bar is the interval, the dot the best guess.

    It is green where all of the interval is better, vermilion where all is worse, grey between.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._figures: tuple[float, float, float] | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_difference(self, difference: float, low: float, high: float) -> None:
        """Show a difference between `low` and `high`."""
        self._figures = (difference, low, high)
        self.setAccessibleName(f"Change {difference:+.2f}, from {low:+.2f} to {high:+.2f}")
        self.update()

    @property
    def tone(self) -> ToneName:
        """What the interval says: better, worse or not told."""
        if self._figures is None:
            return "plain"
        _, low, high = self._figures
        return "same" if low > 0 else "different" if high < 0 else "plain"

    def sizeHint(self) -> QSize:
        return QSize(200, _HEIGHT)

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._figures is None:
            return
        difference, low, high = self._figures
        theme = current_theme()
        colours, tone = theme.colours, tone_of(theme, self.tone)
        reach = max(_LEAST_REACH, abs(low), abs(high), abs(difference)) * _ROOM
        left, width = float(M), self.width() - 2.0 * M

        def x(value: float) -> float:
            return left + width * (value + reach) / (2 * reach)

        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        middle = 12.0
        painter.setPen(QPen(QColor(colours.line), 1))
        painter.drawLine(round(left), round(middle), round(left + width), round(middle))
        painter.setPen(QPen(QColor(colours.plain.mark), 1))
        painter.drawLine(round(x(0)), 3, round(x(0)), 21)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(tone.mark))
        painter.setOpacity(0.35)
        painter.drawRoundedRect(QRectF(x(low), middle - 4, max(2.0, x(high) - x(low)), 8), 4, 4)
        painter.setOpacity(1)
        painter.setPen(QPen(QColor(colours.surface), 1.5))
        painter.drawEllipse(QRectF(x(difference) - 5.5, middle - 5.5, 11, 11))
        painter.setFont(font(theme, "meta"))
        painter.setPen(QColor(colours.muted))
        below = QRectF(left, 22, width, 16)
        painter.drawText(below, int(Qt.AlignmentFlag.AlignLeft), "worse")
        painter.drawText(below, int(Qt.AlignmentFlag.AlignHCenter), "no change")
        painter.drawText(below, int(Qt.AlignmentFlag.AlignRight), "better")

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self.update()
