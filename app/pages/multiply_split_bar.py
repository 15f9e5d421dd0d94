"""How the judged pairs are parted, as one bar."""

from PySide6.QtCore import QEvent, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.look.theme import current_theme, font
from app.look.tokens import RADIUS_SMALL, XS, S
from app.look.words import count
from app.pages.multiply_scene import Gold
from app.pages.multiply_words import split_said
from app.widgets.tags import ToneName, tone_of

_BAR = 26
_LEAST = 6.0  # pixels of a part, however few it holds
_WORDS = 18


class SplitBar(QWidget):
    """Parts as wide as they hold pairs; each is named below, so that none is told by colour."""

    def __init__(self) -> None:
        super().__init__()
        self._parts: tuple[tuple[int, str, ToneName], ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_gold(self, gold: Gold) -> None:
        """Show how these pairs are parted."""
        if gold.is_shared:
            rest: tuple[tuple[int, str, ToneName], ...] = (
                (gold.dev, "compare and judge", "unsure"),
            )
        else:
            rest = ((gold.dev, "compare", "unsure"), (gold.test, "judge", "same"))
        self._parts = ((gold.learn, "teach", "note"), *rest)
        self.setAccessibleName(split_said(gold))
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(320, _BAR + XS + _WORDS)

    def paintEvent(self, event: QPaintEvent) -> None:
        whole = sum(number for number, _, _ in self._parts)
        if not whole:
            return
        theme = current_theme()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        bold, plain = font(theme, "body", bold=True), font(theme, "meta")
        metrics = QFontMetricsF(plain)
        room = self.width() - XS * (len(self._parts) - 1)
        widths = _shares([max(_LEAST, room * one / whole) for one, _, _ in self._parts], room)
        x, free = 0.0, 0.0
        for (number, words, name), width in zip(self._parts, widths, strict=True):
            tone = tone_of(theme, name)
            spot = QRectF(x, 0, width, _BAR)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(tone.soft))
            painter.drawRoundedRect(spot, RADIUS_SMALL, RADIUS_SMALL)
            painter.setPen(QColor(tone.text))
            painter.setFont(bold)
            if QFontMetricsF(bold).horizontalAdvance(count(number)) + S <= width:
                painter.drawText(spot, Qt.AlignmentFlag.AlignCenter, count(number))
            painter.setFont(plain)
            told = metrics.horizontalAdvance(words)
            left = max(free, min(x + 2, self.width() - told))
            below = QRectF(left, _BAR + XS, told + 2, _WORDS)
            painter.drawText(below, Qt.AlignmentFlag.AlignLeft, words)
            free = left + told + S
            x += width + XS

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self.update()


def _shares(widths: list[float], room: float) -> list[float]:
    """Widths that fill the room, the widest giving way."""
    widest = widths.index(max(widths))
    widths[widest] -= sum(widths) - room
    return widths
