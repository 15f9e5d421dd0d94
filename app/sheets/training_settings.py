"""Every setting of a training, to be read, copied, taken over or run again."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal, SignalInstance
from PySide6.QtGui import QGuiApplication
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

from app.look.theme import set_role
from app.look.tokens import XL, L, M, S

_SIZE = (560, 620)


class TrainingSettingsSheet(QDialog):
    """Names and values; `text` is what is copied."""

    use_wanted = Signal()
    repeat_wanted = Signal()

    def __init__(
        self,
        title: str,
        lines: Sequence[tuple[str, str]],
        text: str,
        *,
        may_use: bool,
        may_repeat: bool,
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.lines = list(lines)
        self._text = text
        self.copy = QPushButton("Copy as text")
        self.use = QPushButton("Use these settings")
        self.repeat = QPushButton("Repeat")
        self.use.setEnabled(may_use)
        self.repeat.setEnabled(may_repeat)
        self.copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self._text))
        self.use.clicked.connect(lambda: self._leave(self.use_wanted))
        self.repeat.clicked.connect(lambda: self._leave(self.repeat_wanted))
        self._lay_out(title)
        self.resize(min(_SIZE[0], parent.width()), min(_SIZE[1], parent.height()))

    def _leave(self, wanted: SignalInstance) -> None:
        self.accept()
        wanted.emit()

    def _lay_out(self, title: str) -> None:
        head = QLabel(title)
        head.setWordWrap(True)
        set_role(head, "title")
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setWidget(_table(self.lines))
        close = QPushButton("Close")
        close.setDefault(True)
        close.clicked.connect(self.reject)
        foot = QHBoxLayout()
        foot.setSpacing(S)
        for button in (self.copy, self.use, self.repeat):
            button.setAutoDefault(False)
            foot.addWidget(button)
        foot.addStretch(1)
        foot.addWidget(close)
        column = QVBoxLayout(self)
        column.setContentsMargins(XL, L, XL, L)
        column.setSpacing(M)
        column.addWidget(head)
        column.addWidget(area, 1)
        column.addLayout(foot)


def _table(lines: Sequence[tuple[str, str]]) -> QWidget:
    inside = QWidget()
    set_role(inside, "clear")
    grid = QGridLayout(inside)
    grid.setContentsMargins(0, 0, M, M)
    grid.setHorizontalSpacing(L)
    grid.setVerticalSpacing(S)
    grid.setColumnStretch(1, 1)
    for at, (name, value) in enumerate(lines):
        title, told = QLabel(name), QLabel(value)
        set_role(title, "muted")
        told.setWordWrap(True)
        told.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        told.setAccessibleName(f"{name.strip()}: {value}")
        grid.addWidget(title, at, 0, Qt.AlignmentFlag.AlignTop)
        grid.addWidget(told, at, 1, Qt.AlignmentFlag.AlignTop)
    grid.setRowStretch(len(lines), 1)
    return inside
