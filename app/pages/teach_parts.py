"""Small parts that the columns of the teach page share."""

from PySide6.QtCore import QEvent, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QLayout,
    QScrollArea,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.look.icons import set_icon
from app.look.theme import current_theme, set_role
from app.look.tokens import ICON_SMALL, RADIUS, XL, XS, L, M, S
from app.pages.teach_plan import Said
from app.widgets.icon_label import IconLabel
from app.widgets.tags import ToneName, tone_of


class ToneCard(QFrame):
    """A verdict on a soft ground: icon, title and a sentence."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._tone: ToneName = "plain"
        self._icon = IconLabel("info")
        self.title, self.words = QLabel(), QLabel()
        set_role(self.title, "strong")
        for label in (self.title, self.words):
            label.setWordWrap(True)
        head = QHBoxLayout()
        head.setSpacing(S)
        head.addWidget(self._icon, 0, Qt.AlignmentFlag.AlignTop)
        head.addWidget(self.title, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(M, M, M, M)
        column.setSpacing(XS)
        column.addLayout(head)
        column.addWidget(self.words)

    def show_said(self, said: Said) -> None:
        """Show a verdict."""
        self._tone = said.tone
        tone = "muted" if said.tone == "plain" else said.tone
        self._icon.show_icon(said.icon, tone)
        self.title.setText(said.title)
        self.words.setText(said.words)
        self.setAccessibleName(f"{said.title}. {said.words}")
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(tone_of(current_theme(), self._tone).soft))
        painter.drawRoundedRect(QRectF(self.rect()), RADIUS, RADIUS)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self.update()


class Column(QScrollArea):
    """A column of the page that scrolls when the window is low."""

    def __init__(self, name: str, *, spacing: int = M) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        inside = QWidget()
        set_role(inside, "clear")
        self.body = QVBoxLayout(inside)
        self.body.setContentsMargins(L, L, L, XL)
        self.body.setSpacing(spacing)
        self.setWidget(inside)


class IconLine(QWidget):
    """An icon and a sentence that wraps beside it."""

    def __init__(self, icon: str = "info", words: str = "", *, role: str = "body") -> None:
        super().__init__()
        self._icon = IconLabel(icon)
        self.label = QLabel()
        self.label.setWordWrap(True)
        self.label.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        set_role(self.label, role)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(M)
        row.addWidget(self._icon, 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(self.label, 1)
        self.show_words(icon, words)

    def show_words(self, icon: str, words: str, tone: str = "muted") -> None:
        """Say something else."""
        self._icon.show_icon(icon, tone)
        self.label.setText(words)


def heading(words: str) -> QLabel:
    """The title of a column or of a part of it."""
    label = QLabel(words)
    set_role(label, "strong")
    return label


def note(words: str = "", *, role: str = "muted") -> QLabel:
    """A second-rank sentence that wraps."""
    label = QLabel(words)
    label.setWordWrap(True)
    set_role(label, role)
    return label


def line(role: str = "line") -> QFrame:
    """A thin line across (`line`) or upright (`upright`)."""
    made = QFrame()
    set_role(made, role)
    return made


def emptied(layout: QLayout) -> None:
    """Take every widget out of a layout, and delete it."""
    while (item := layout.takeAt(0)) is not None:
        widget = item.widget()
        if widget is not None:
            widget.hide()
            widget.deleteLater()


def icon_button(icon: str, name: str) -> QToolButton:
    """A button of an icon alone, with its name for the pointer and the screen reader."""
    button = QToolButton()
    button.setIconSize(QSize(ICON_SMALL, ICON_SMALL))
    button.setAccessibleName(name)
    button.setToolTip(name)
    set_icon(button, icon, current_theme().colours)
    return button
