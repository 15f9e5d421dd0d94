"""A message that stays at the top of a page until it is dealt with."""

from collections.abc import Sequence
from typing import Literal

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QToolButton, QWidget

from app.look.icons import paint_icon, set_icon
from app.look.theme import current_theme
from app.look.tokens import ICON_SMALL, RADIUS, M, S
from app.widgets.tags import ToneName, tone_of

BannerKind = Literal["info", "done", "warning", "error"]
_TONES: dict[BannerKind, ToneName] = {
    "info": "note",
    "done": "same",
    "warning": "unsure",
    "error": "different",
}
_ICONS = {"info": "info", "done": "check", "warning": "warning", "error": "cross"}


class Banner(QFrame):
    """Says one thing, with its buttons; hidden until it has something to say."""

    button_clicked = Signal(str)
    closed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._kind: BannerKind = "info"
        self._words = QLabel()
        self._words.setWordWrap(True)
        self._words.setTextFormat(Qt.TextFormat.PlainText)
        self._words.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._close = QToolButton()
        self._close.setIconSize(QSize(ICON_SMALL, ICON_SMALL))
        self._close.setAccessibleName("Close this message")
        set_icon(self._close, "close", current_theme().colours)
        self._close.clicked.connect(self._close_self)
        self._buttons: list[QPushButton] = []
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(M + 28, S, S, S)
        self._row.setSpacing(S)
        self._row.addWidget(self._words, 1)
        self._row.addWidget(self._close, 0, Qt.AlignmentFlag.AlignVCenter)
        self.hide()

    @property
    def text(self) -> str:
        return self._words.text()

    def show_message(
        self,
        kind: BannerKind,
        text: str,
        *,
        buttons: Sequence[tuple[str, str]] = (),
        closable: bool = True,
    ) -> None:
        """Show `text` with `buttons` of (key, words), in place of what was shown."""
        self._kind = kind
        self._words.setText(text)
        self.setAccessibleName(f"{kind}: {text}")
        for button in self._buttons:
            self._row.removeWidget(button)
            button.hide()
            button.deleteLater()
        self._buttons = [self._button(key, words) for key, words in buttons]
        self._close.setVisible(closable)
        self.show()
        self.update()

    def clear(self) -> None:
        self.hide()

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = current_theme()
        tone = tone_of(theme, _TONES[self._kind])
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(tone.soft))
        painter.drawRoundedRect(QRectF(self.rect()), RADIUS, RADIUS)
        spot = QRectF(M, self._words.y() + self._first_line_middle() - 9, 18, 18)
        paint_icon(painter, spot, _ICONS[self._kind], tone.text)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self.update()

    def _first_line_middle(self) -> float:
        # Asking the label for its height would lay it out and paint it, and us, again for ever.
        metrics, room = self._words.fontMetrics(), self._words.rect()
        lines = metrics.boundingRect(room, Qt.TextFlag.TextWordWrap, self._words.text()).height()
        top = max(0.0, (room.height() - lines) / 2)
        return top + metrics.height() / 2

    def _button(self, key: str, words: str) -> QPushButton:
        button = QPushButton(words)
        button.setAccessibleName(words)
        button.clicked.connect(lambda: self.button_clicked.emit(key))
        self._row.insertWidget(self._row.count() - 1, button, 0, Qt.AlignmentFlag.AlignVCenter)
        return button

    def _close_self(self) -> None:
        self.hide()
        self.closed.emit()
