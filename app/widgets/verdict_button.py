"""A big button with its key on it."""

from PySide6.QtCore import QEvent, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from app.look.theme import Theme, current_theme, font
from app.look.tokens import RADIUS, RADIUS_SMALL
from app.widgets.tags import ToneName, tone_of

_HEIGHT = 44
_CAP = 24


class VerdictButton(QAbstractButton):
    """Says a verdict; stays marked while it is the one that was given."""

    def __init__(
        self,
        words: str,
        key: str,
        tone: ToneName,
        *,
        quiet: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        """`quiet` draws no edge until the mouse is over it, for what stands beside a verdict."""
        super().__init__(parent)
        self._quiet = quiet
        self._key, self._tone = key, tone
        self.setText(words)
        self.setCheckable(not quiet)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(_HEIGHT)

    def setText(self, words: str) -> None:
        super().setText(words)
        self.setAccessibleName(f"{words}, key {self._key}")
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        return self.minimumSizeHint() if self._quiet else QSize(156, _HEIGHT)

    def minimumSizeHint(self) -> QSize:
        words = QFontMetricsF(font(current_theme(), "body", bold=True))
        return QSize(
            round(words.horizontalAdvance(self.text())) + _CAP + 9 + 2 * (6 if self._quiet else 8),
            _HEIGHT,
        )

    def nextCheckState(self) -> None:
        """A click gives the verdict; whether it is marked is for the owner to say."""

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = current_theme()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if not self.isEnabled():
            painter.setOpacity(0.45)
        self._paint_body(painter, theme)
        words = font(theme, "body", bold=not self._quiet)
        advance = QFontMetricsF(words).horizontalAdvance(self.text())
        left = (self.width() - _CAP - 9 - advance) / 2
        cap = QRectF(left, (self.height() - _CAP) / 2, _CAP, _CAP)
        self._paint_cap(painter, theme, cap)
        painter.setFont(words)
        tone = tone_of(theme, self._tone)
        painter.setPen(QColor(tone.text if self.isChecked() else theme.colours.ink))
        spot = QRectF(cap.right() + 9, 0, advance + 4, self.height())
        painter.drawText(spot, Qt.AlignmentFlag.AlignVCenter, self.text())

    def _paint_body(self, painter: QPainter, theme: Theme) -> None:
        colours, tone = theme.colours, tone_of(theme, self._tone)
        body = QRectF(self.rect()).adjusted(1, 1, -1, -1)
        edge, fill, width = colours.outline, colours.surface, 1.0
        if self._quiet:
            edge = fill = "transparent"
        if self.underMouse() and self.isEnabled():
            edge, fill = tone.mark, tone.soft
        if self.isChecked() or self.isDown():
            edge, fill, width = tone.mark, tone.soft, 1.5
        if self.hasFocus():
            edge, width = colours.accent, 2.0
        painter.setPen(QPen(QColor(edge), width))
        painter.setBrush(QColor(fill))
        painter.drawRoundedRect(body, RADIUS + 2, RADIUS + 2)

    def _paint_cap(self, painter: QPainter, theme: Theme, cap: QRectF) -> None:
        tone = tone_of(theme, self._tone)
        strong = self.isChecked()
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(tone.text if strong else tone.soft))
        painter.drawRoundedRect(cap, RADIUS_SMALL + 1, RADIUS_SMALL + 1)
        painter.setFont(font(theme, "body", bold=True))
        painter.setPen(QColor(theme.colours.surface if strong else tone.text))
        painter.drawText(cap, Qt.AlignmentFlag.AlignCenter, self._key)
