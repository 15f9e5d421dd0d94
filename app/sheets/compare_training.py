"""A training beside another encoder: their figures in a table."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QComboBox,
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

_SIZE = (680, 560)


@dataclass(frozen=True, slots=True)
class Comparison:
    """Rows of a name and two figures, and a sentence on how far they may be compared."""

    rows: tuple[tuple[str, str, str], ...]
    sentence: str


class CompareTrainingSheet(QDialog):
    """Asks what to compare with, and shows both side by side."""

    def __init__(
        self,
        name: str,
        others: Sequence[str],
        compare: Callable[[int], Comparison],
        *,
        parent: QWidget,
    ) -> None:
        """`others` are names to choose from; `compare` tells of the one at a place."""
        super().__init__(parent)
        self.setWindowTitle(f"Compare {name}")
        self._name = name
        self._compare = compare
        self.shown = Comparison((), "")
        self.other = QComboBox()
        self.other.setAccessibleName("Compare with")
        self.other.addItems(list(others))
        self.other.currentIndexChanged.connect(self._show)
        self._sentence = QLabel()
        self._sentence.setWordWrap(True)
        self._area = QScrollArea()
        self._lay_out(name)
        self._show(0)
        self.resize(min(_SIZE[0], parent.width()), min(_SIZE[1], parent.height()))

    def _show(self, at: int) -> None:
        self.shown = self._compare(at)
        self._sentence.setText(self.shown.sentence)
        self._area.setWidget(_table((self._name, self.other.itemText(at)), self.shown.rows))

    def _lay_out(self, name: str) -> None:
        head = QLabel(f"{name} beside")
        head.setWordWrap(True)
        set_role(head, "title")
        top = QHBoxLayout()
        top.setSpacing(M)
        top.addWidget(head)
        top.addWidget(self.other, 1)
        set_role(self._sentence, "muted")
        self._area.setWidgetResizable(True)
        self._area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        close = QPushButton("Close")
        close.clicked.connect(self.accept)
        foot = QHBoxLayout()
        foot.addStretch(1)
        foot.addWidget(close)
        column = QVBoxLayout(self)
        column.setContentsMargins(XL, L, XL, L)
        column.setSpacing(M)
        column.addLayout(top)
        column.addWidget(self._sentence)
        column.addWidget(self._area, 1)
        column.addLayout(foot)


def _table(names: tuple[str, str], rows: Sequence[tuple[str, str, str]]) -> QWidget:
    inside = QWidget()
    set_role(inside, "clear")
    grid = QGridLayout(inside)
    grid.setContentsMargins(0, S, M, M)
    grid.setHorizontalSpacing(L)
    grid.setVerticalSpacing(M)
    for column, stretch in ((0, 2), (1, 3), (2, 3)):
        grid.setColumnStretch(column, stretch)
    for column, name in enumerate(names, start=1):
        grid.addWidget(_cell(name, "strong"), 0, column, Qt.AlignmentFlag.AlignTop)
    for at, (title, *told) in enumerate(rows, start=1):
        grid.addWidget(_cell(title, "muted"), at, 0, Qt.AlignmentFlag.AlignTop)
        for column, words in enumerate(told, start=1):
            cell = _cell(words, "body")
            cell.setAccessibleName(f"{title}, {names[column - 1]}: {words}")
            grid.addWidget(cell, at, column, Qt.AlignmentFlag.AlignTop)
    grid.setRowStretch(len(rows) + 1, 1)
    return inside


def _cell(words: str, role: str) -> QLabel:
    label = QLabel(words)
    label.setWordWrap(True)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    set_role(label, role)
    return label
