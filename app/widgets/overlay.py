"""A sheet over the window."""

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QApplication, QFrame, QVBoxLayout, QWidget

from app.look.theme import current_theme, set_role
from app.look.tokens import L

_TOP_SHARE = 8  # the card starts at a part in so many of the height


class Overlay(QWidget):
    """Covers its parent with a veil and a card; Escape or a click beside the card closes it.

    The focus goes back to where it was. Content goes into `body`.
    """

    closed = Signal()

    def __init__(self, parent: QWidget, *, width: int) -> None:
        super().__init__(parent)
        self.card = QFrame(self)
        set_role(self.card, "card")
        self.body = QVBoxLayout(self.card)
        self.body.setContentsMargins(L, L, L, L)
        self._card_width = width
        self._under = parent
        self._focus_before: QWidget | None = None
        parent.installEventFilter(self)
        self.hide()

    def open_sheet(self) -> None:
        """Show the sheet over all of the parent and take the keys."""
        self._focus_before = QApplication.focusWidget()
        self.setGeometry(self._under.rect())
        self._place_card()
        self.show()
        self.raise_()
        self.setFocus()

    def close_sheet(self) -> None:
        if self.isHidden():
            return
        self.hide()
        if self._focus_before is not None and self._focus_before.isVisible():
            self._focus_before.setFocus()
        self._focus_before = None
        self.closed.emit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize and self.isVisible():
            self.setGeometry(self._under.rect())
            self._place_card()
        return super().eventFilter(watched, event)

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Tab stays inside the sheet."""
        return True

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.close_sheet()
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if not self.card.geometry().contains(event.position().toPoint()):
            self.close_sheet()

    def paintEvent(self, event: QPaintEvent) -> None:
        veil = QColor("#000000" if current_theme().is_dark else current_theme().colours.ink)
        veil.setAlphaF(0.55 if current_theme().is_dark else 0.32)
        QPainter(self).fillRect(self.rect(), veil)

    def _place_card(self) -> None:
        width = min(self._card_width, self.width() - 2 * L)
        top = max(L, self.height() // _TOP_SHARE)
        self.card.setFixedWidth(width)
        height = min(self.card.sizeHint().height(), self.height() - top - L)
        self.card.setGeometry((self.width() - width) // 2, top, width, height)
