"""What a page says while it has nothing to show."""

from PySide6.QtCore import QEvent, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from app.look.icons import paint_icon
from app.look.theme import current_theme, set_role
from app.look.tokens import XL, L, S

_DISC = 72
_TEXT_WIDTH = 420


class EmptyState(QWidget):
    """An icon, a sentence, one button and perhaps a second, in the middle of the page."""

    wanted = Signal()
    second_wanted = Signal()

    def __init__(self, icon: str = "info", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._disc = _Disc(icon, self)
        self._sentence = QLabel()
        set_role(self._sentence, "reading")
        self._note = QLabel()
        set_role(self._note, "muted")
        self._button = QPushButton()
        set_role(self._button, "primary")
        self._button.clicked.connect(self.wanted)
        self._second = QPushButton()
        self._second.clicked.connect(self.second_wanted)
        self._lay_out()
        self.show_state(icon, "")

    @property
    def sentence(self) -> str:
        return self._sentence.text()

    def show_state(
        self, icon: str, sentence: str, *, note: str = "", button: str = "", second: str = ""
    ) -> None:
        """Say what is missing and what to do; buttons without words are hidden."""
        self._disc.show_icon(icon)
        self._sentence.setText(sentence)
        self.setAccessibleName(sentence)
        for part, words in (
            (self._note, note),
            (self._button, button),
            (self._second, second),
        ):
            part.setText(words)
            part.setAccessibleName(words)
            part.setVisible(bool(words))
        self._fit()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._fit()

    def _fit(self) -> None:
        """Give the words their lines: a centred label is not asked for its height by width."""
        for label in (self._sentence, self._note):
            label.setMinimumHeight(max(0, label.heightForWidth(_TEXT_WIDTH)))

    def _lay_out(self) -> None:
        centre = Qt.AlignmentFlag.AlignHCenter
        for label in (self._sentence, self._note):
            label.setWordWrap(True)
            label.setAlignment(Qt.AlignmentFlag.AlignCenter)
            label.setFixedWidth(_TEXT_WIDTH)
        buttons = QHBoxLayout()
        buttons.setSpacing(S)
        buttons.addStretch(1)
        buttons.addWidget(self._button)
        buttons.addWidget(self._second)
        buttons.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(XL, XL, XL, XL)
        column.setSpacing(S)
        column.addStretch(2)
        column.addWidget(self._disc, 0, centre)
        column.addSpacing(S)
        column.addWidget(self._sentence, 0, centre)
        column.addWidget(self._note, 0, centre)
        column.addSpacing(L)
        column.addLayout(buttons)
        column.addStretch(3)


class _Disc(QWidget):
    def __init__(self, icon: str, parent: QWidget) -> None:
        super().__init__(parent)
        self._icon = icon
        self.setFixedSize(_DISC, _DISC)

    def show_icon(self, icon: str) -> None:
        self._icon = icon
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        colours = current_theme().colours
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(colours.hover))
        painter.drawEllipse(QRectF(self.rect()))
        edge = (_DISC - 32) / 2
        paint_icon(painter, QRectF(edge, edge, 32, 32), self._icon, colours.muted)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self.update()
