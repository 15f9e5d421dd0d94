"""What this program is and what it is made of."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QDialog,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from app.look.icons import paint_icon
from app.look.theme import set_role
from app.look.tokens import XL, XS, L, M, S

_LOGO = 56


@dataclass(frozen=True, slots=True)
class Licence:
    """A part that others made, and what it does here."""

    name: str
    licence: str
    what: str = ""


class AboutDialog(QDialog):
    """Version, promise and licences."""

    def __init__(
        self, version: str, licences: Sequence[Licence], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle("About Samesense")
        self.resize(520, 520)
        close = QPushButton("Close")
        close.setDefault(True)
        close.clicked.connect(self.accept)
        foot = QHBoxLayout()
        foot.addStretch(1)
        foot.addWidget(close)
        made_of = QLabel("Made with")
        set_role(made_of, "heading")
        column = QVBoxLayout(self)
        column.setContentsMargins(XL, XL, XL, L)
        column.setSpacing(M)
        column.addLayout(_head(version))
        column.addWidget(_promise())
        column.addSpacing(S)
        column.addWidget(made_of)
        column.addWidget(_licences(licences), 1)
        column.addLayout(foot)


def _head(version: str) -> QHBoxLayout:
    name = QLabel("Samesense")
    set_role(name, "title")
    about = QLabel(f"Version {version}")
    set_role(about, "muted")
    about.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    words = QVBoxLayout()
    words.setSpacing(XS)
    words.addWidget(name)
    words.addWidget(about)
    row = QHBoxLayout()
    row.setSpacing(L)
    row.addWidget(_Logo())
    row.addLayout(words, 1)
    return row


def _promise() -> QLabel:
    promise = QLabel(
        "Nothing leaves this machine. Texts, decisions and trained encoders stay in your "
        "project folder, and the program never opens a connection."
    )
    promise.setWordWrap(True)
    set_role(promise, "reading")
    return promise


def _licences(licences: Sequence[Licence]) -> QScrollArea:
    inside = QWidget()
    set_role(inside, "clear")
    grid = QGridLayout(inside)
    grid.setContentsMargins(0, 0, M, 0)
    grid.setHorizontalSpacing(L)
    grid.setVerticalSpacing(S)
    for row, part in enumerate(licences):
        cells = ((part.name, "strong"), (part.what, "muted"), (part.licence, "muted"))
        for place, (words, role) in enumerate(cells):
            label = QLabel(words)
            label.setWordWrap(place == 1)
            set_role(label, role)
            grid.addWidget(label, row, place, Qt.AlignmentFlag.AlignTop)
    grid.setColumnStretch(1, 1)
    grid.setRowStretch(len(licences), 1)
    area = QScrollArea()
    area.setAccessibleName("Licences")
    area.setWidgetResizable(True)
    area.setWidget(inside)
    return area


class _Logo(QWidget):
    def __init__(self) -> None:
        super().__init__()
        self.setFixedSize(_LOGO, _LOGO)

    def paintEvent(self, event: QPaintEvent) -> None:
        paint_icon(QPainter(self), QRectF(self.rect()), "logo", None)
