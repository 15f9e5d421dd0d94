"""What it means to use another encoder, before it is done."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from app.look.theme import set_role
from app.look.tokens import XL, L, M, S
from app.widgets.icon_label import IconLabel

_WIDTH = 520


class UseTrainingSheet(QDialog):
    """Says in a few lines what will happen and what stays; one button does it."""

    def __init__(
        self, title: str, lines: Sequence[tuple[str, str]], *, button: str, parent: QWidget
    ) -> None:
        """`lines` are pairs of an icon's name and a sentence."""
        super().__init__(parent)
        self.setWindowTitle(title)
        head = QLabel(title)
        head.setWordWrap(True)
        set_role(head, "title")
        cancel = QPushButton("Cancel")
        cancel.setAutoDefault(False)
        cancel.clicked.connect(self.reject)
        self.use = QPushButton(button)
        set_role(self.use, "primary")
        self.use.setDefault(True)
        self.use.clicked.connect(self.accept)
        foot = QHBoxLayout()
        foot.setSpacing(S)
        foot.addStretch(1)
        foot.addWidget(cancel)
        foot.addWidget(self.use)
        column = QVBoxLayout(self)
        column.setContentsMargins(XL, L, XL, L)
        column.setSpacing(M)
        column.addWidget(head)
        self.lines = [words for _, words in lines]
        for icon, words in lines:
            column.addLayout(_line(icon, words))
        column.addSpacing(S)
        column.addStretch(1)
        column.addLayout(foot)
        self.setFixedSize(_WIDTH, column.heightForWidth(_WIDTH))


def _line(icon: str, words: str) -> QHBoxLayout:
    label = QLabel(words)
    label.setWordWrap(True)
    label.setAlignment(Qt.AlignmentFlag.AlignTop)
    row = QHBoxLayout()
    row.setSpacing(M)
    row.addWidget(IconLabel(icon), 0, Qt.AlignmentFlag.AlignTop)
    row.addWidget(label, 1)
    return row
