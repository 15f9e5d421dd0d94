"""The card that tells what the point under the pointer is."""

from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QFrame, QLabel, QVBoxLayout, QWidget

from app.look.theme import set_role
from app.look.tokens import XS, M, S
from app.widgets.shown_text import is_right_to_left, visible

_WIDTH = 320
_LINES = 5
_AWAY = 14  # pixels from the point
_LOOKED_AT = 600  # characters that could ever be seen


class ScatterCard(QFrame):
    """A title, the start of a text, and a line of facts beside a point; lets the mouse through."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        set_role(self, "card")
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._title, self._body, self._meta = (_label(role) for role in ("strong", "", "meta"))
        lines = QVBoxLayout(self)
        lines.setContentsMargins(M, S, M, S)
        lines.setSpacing(XS)
        for label in (self._title, self._body, self._meta):
            lines.addWidget(label)
        self.hide()

    def show_content(self, title: str, body: str, meta: str) -> None:
        """Fill the card; empty parts take no room."""
        for label, words in ((self._title, title), (self._meta, meta)):
            label.setText(visible(words))
            label.setVisible(bool(words))
        self._body.setText(_shortened(visible(body[:_LOOKED_AT]), self._body))
        self._body.setVisible(bool(body.strip()))
        right_to_left = is_right_to_left(body)
        side = Qt.AlignmentFlag.AlignRight if right_to_left else Qt.AlignmentFlag.AlignLeft
        self._body.setAlignment(side | Qt.AlignmentFlag.AlignAbsolute)

    def place_by(self, spot: QPoint, within: QRect) -> None:
        """Stand to the lower right of `spot`, or to another side where there is no room."""
        self.setFixedWidth(min(_WIDTH, max(within.width() - 2 * S, 120)))
        height = self.heightForWidth(self.width())
        self.resize(self.width(), height)
        x, y = spot.x() + _AWAY, spot.y() + _AWAY
        if x + self.width() > within.right() - S:
            x = spot.x() - _AWAY - self.width()
        if y + height > within.bottom() - S:
            y = spot.y() - _AWAY - height
        x = min(max(x, within.left() + S), max(within.right() - S - self.width(), S))
        self.move(x, max(y, within.top() + S))
        self.show()
        self.raise_()


def _label(role: str) -> QLabel:
    label = QLabel()
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    if role:
        set_role(label, role)
    return label


def _shortened(text: str, label: QLabel) -> str:
    """As much of `text` as a few lines hold, with a mark where it goes on."""
    metrics = QFontMetrics(label.font())
    room = QRect(0, 0, _WIDTH - 2 * M, metrics.lineSpacing() * _LINES + 2)
    flags = int(Qt.TextFlag.TextWordWrap) | int(Qt.TextFlag.TextWrapAnywhere)
    words = " ".join(text.split())
    low, high = 0, len(words)
    while low < high:
        middle = (low + high + 1) // 2
        tried = words if middle == len(words) else words[:middle].rstrip() + "…"
        if metrics.boundingRect(room, flags, tried).height() <= room.height():
            low = middle
        else:
            high = middle - 1
    return words if low == len(words) else words[:low].rstrip() + "…"
