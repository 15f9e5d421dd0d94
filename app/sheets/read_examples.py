"""How a file of judged examples is to be read, where it was taken for something else."""

from typing import Any

from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.look.theme import set_role
from app.look.tokens import XL, L, M, S

_KINDS = {
    "": "As it looks",
    "scored pairs": "Two texts and a score",
    "labelled pairs": "Two texts and a label",
    "triplets": "A text, one the same, one not",
    "labelled texts": "A text and a label",
}
_ROLES = {
    "scored pairs": ("left", "right", "score"),
    "labelled pairs": ("left", "right", "label"),
    "triplets": ("anchor", "positive", "negative"),
    "labelled texts": ("text", "label"),
}
_COLUMNS = {
    "left": "First text in",
    "right": "Second text in",
    "score": "Score in",
    "label": "Label in",
    "anchor": "Text in",
    "positive": "The same in",
    "negative": "Not the same in",
    "text": "Text in",
}
_WIDTH = 460
_NOT_A_SCALE = "Give the lowest and the highest score as numbers, the lowest first."


class ReadExamplesSheet(QDialog):
    """Asks for what its rows hold, which column is which, the scale, labels and topics."""

    def __init__(self, name: str, kind: str, *, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(f"Read {name}")
        self.kind = QComboBox()
        for key, words in _KINDS.items():
            self.kind.addItem(words, key)
        self.kind.setCurrentIndex(list(_KINDS).index(kind) if kind in _KINDS else 0)
        self.columns = {
            role: _line(words, "name or number of the column") for role, words in _COLUMNS.items()
        }
        self.low, self.high = _line("Lowest score", "0"), _line("Highest score", "5")
        self.labels = _line("Labels in their order", "contrary, neither, same")
        self.topic = _line("Topic in", "no column")
        self.read = QPushButton("Read it so")
        self._fault = QLabel()
        self._form = QFormLayout()
        self._lay_out(name)
        self.kind.currentIndexChanged.connect(lambda _at: self._follow())
        for field in (self.low, self.high):
            field.textChanged.connect(lambda _words: self._follow())
        self._follow()

    @property
    def values(self) -> dict[str, Any]:
        """What was said, as values of the wish."""
        kind = str(self.kind.currentData())
        said: dict[str, Any] = {"kind": kind} if kind else {}
        columns = {
            role: _place(self.columns[role].text())
            for role in _ROLES.get(kind, ())
            if self.columns[role].text().strip()
        }
        if columns:
            said["columns"] = columns
        if kind == "scored pairs" and self._scale:
            said["scale"] = list(self._scale)
        labels = [one.strip() for one in self.labels.text().split(",") if one.strip()]
        if kind.startswith("labelled") and labels:
            said["labels"] = labels
        if self.topic.text().strip():
            said["topic"] = self.topic.text().strip()
        return said

    @property
    def _scale(self) -> tuple[float, float] | None:
        try:
            low, high = float(self.low.text()), float(self.high.text())
        except ValueError:
            return None
        return (low, high) if low < high else None

    def _follow(self) -> None:
        kind = str(self.kind.currentData())
        shown = {self.columns[role] for role in _ROLES.get(kind, ())}
        if kind == "scored pairs":
            shown |= {self.low, self.high}
        if kind.startswith("labelled"):
            shown.add(self.labels)
        for field in (*self.columns.values(), self.low, self.high, self.labels):
            self._form.setRowVisible(field, field in shown)
        has_words = bool(self.low.text().strip() or self.high.text().strip())
        is_wrong = kind == "scored pairs" and has_words and self._scale is None
        self._fault.setText(_NOT_A_SCALE)
        self._fault.setVisible(is_wrong)
        self.read.setEnabled(not is_wrong)
        self.adjustSize()

    def _lay_out(self, name: str) -> None:
        head = QLabel(f"How is {name} to be read?")
        head.setWordWrap(True)
        set_role(head, "title")
        self.kind.setAccessibleName("What each row holds")
        self._form.setHorizontalSpacing(M)
        self._form.setVerticalSpacing(S)
        self._form.addRow("Each row holds", self.kind)
        for field in (*self.columns.values(), self.low, self.high, self.labels, self.topic):
            self._form.addRow(field.accessibleName(), field)
        set_role(self._fault, "warning")
        self._fault.setWordWrap(True)
        cancel = QPushButton("Cancel")
        cancel.setAutoDefault(False)
        cancel.clicked.connect(self.reject)
        set_role(self.read, "primary")
        self.read.setDefault(True)
        self.read.clicked.connect(self.accept)
        foot = QHBoxLayout()
        foot.setSpacing(S)
        foot.addStretch(1)
        foot.addWidget(cancel)
        foot.addWidget(self.read)
        column = QVBoxLayout(self)
        column.setContentsMargins(XL, L, XL, L)
        column.setSpacing(M)
        column.addWidget(head)
        column.addLayout(self._form)
        column.addWidget(self._fault)
        column.addStretch(1)
        column.addLayout(foot)
        self.setMinimumWidth(_WIDTH)


def _line(name: str, example: str) -> QLineEdit:
    line = QLineEdit()
    line.setAccessibleName(name)
    line.setPlaceholderText(example)
    return line


def _place(words: str) -> str | int:
    """A column by its name, or by its number from 1 as a place from 0."""
    words = words.strip()
    return int(words) - 1 if words.isdigit() and int(words) else words
