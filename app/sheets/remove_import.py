"""Which imported file is to go again."""

from collections.abc import Sequence
from datetime import datetime

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.look.theme import set_role
from app.look.tokens import XL, L, M, S
from app.look.words import counted, relative_date
from core.store.sources import Source


class RemoveImportSheet(QDialog):
    """Lists the files of the project; the chosen one goes with its rows, decisions stay."""

    removal_wanted = Signal(int, str)  # source, name

    def __init__(self, sources: Sequence[Source], parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle("Remove an import")
        self._sources = tuple(sources)
        title = QLabel("Remove an import")
        set_role(title, "title")
        about = QLabel(
            "Its rows leave the project and rows it had replaced come back. Decisions stay, "
            "and the file itself is not touched: it can be imported again."
        )
        about.setWordWrap(True)
        set_role(about, "muted")
        self._list = QListWidget()
        self._list.setAccessibleName("Imported files")
        for source in sources:
            item = QListWidgetItem(f"{source.name}   ·   {_facts(source)}")
            item.setData(Qt.ItemDataRole.UserRole, source.id)
            self._list.addItem(item)
        self._list.currentRowChanged.connect(self._show)
        cancel = QPushButton("Cancel")
        cancel.clicked.connect(self.reject)
        self._remove = QPushButton("Remove")
        set_role(self._remove, "danger")
        self._remove.setAutoDefault(False)
        self._remove.clicked.connect(self._want)
        foot = QHBoxLayout()
        foot.setSpacing(S)
        foot.addStretch(1)
        foot.addWidget(cancel)
        foot.addWidget(self._remove)
        column = QVBoxLayout(self)
        column.setContentsMargins(XL, L, XL, L)
        column.setSpacing(M)
        column.addWidget(title)
        column.addWidget(about)
        column.addWidget(self._list, 1)
        column.addLayout(foot)
        self.resize(560, 380)
        self._list.setCurrentRow(len(self._sources) - 1)
        self._show(self._list.currentRow())

    def _show(self, row: int) -> None:
        self._remove.setEnabled(row >= 0)
        if row >= 0:
            report = self._sources[row].report
            rows = "its rows" if report is None else counted(report.rows, "row")
            self._remove.setText(f"Remove {rows}")

    def _want(self) -> None:
        source = self._sources[self._list.currentRow()]
        self.accept()
        self.removal_wanted.emit(source.id, source.name)


def _facts(source: Source) -> str:
    words = [] if source.report is None else [counted(source.report.rows, "row")]
    if source.imported_at:
        then = datetime.fromisoformat(source.imported_at).astimezone().replace(tzinfo=None)
        words.append(f"imported {relative_date(then, datetime.now())}")
    return " · ".join(words)
