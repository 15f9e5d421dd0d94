"""What came of an import or was found on opening, in sentences and lines."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QPushButton,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from app.look.theme import set_role
from app.look.tokens import ROW_HEIGHT, XL, L, M
from app.look.words import count, counted, relative_date
from core.records import ImportReport

_WORK_WORDS = {"encode": "Encoding", "pairs": "Finding pairs", "groups": "Grouping",
               "import": "An import", "remove-import": "Removing an import",
               "export": "An export", "certificate": "Writing a certificate"}  # fmt: skip


def report_words(report: ImportReport) -> str:
    """What an import brought, in numbers that add up."""
    if report.already_known:
        return f"{report.name} was imported before; nothing was added."
    words = [f"{report.name}: {counted(report.rows, 'row')} read"]
    for number, said in (
        (report.unchanged, "unchanged"),
        (report.updated, "updated"),
        (report.copied, "with a text the project already held"),
        (report.blank, "without a text"),
        (report.odd, "unusual"),
    ):
        if number:
            words.append(f"{count(number)} {said}")
    return " · ".join(words)


def interruption_words(told: Mapping[str, Any], now: datetime) -> str:
    """What a program that was stopped hard left behind; empty if nothing."""
    said = []
    for run in told.get("interrupted", ()):
        if run["workflow"] == "import":
            continue  # told below, by the name of its file
        then = datetime.fromisoformat(run["started"]).astimezone().replace(tzinfo=None)
        what = _WORK_WORDS.get(run["workflow"], run["workflow"].capitalize())
        said.append(
            f"{what} was interrupted ({relative_date(then, now)}); what was done is kept."
        )
    for name in told.get("dropped_imports", ()):
        said.append(
            f"The import of {name} was interrupted and left nothing behind; import it again."
        )
    return " ".join(said)


def notes_dialog(
    report: ImportReport, notes: Sequence[tuple[int, str]], parent: QWidget
) -> QDialog:
    """A list of what was unusual in a file, by line."""
    dialog = QDialog(parent)
    dialog.setWindowTitle(f"Unusual lines of {report.name}")
    dialog.resize(640, 480)
    title = QLabel(report.name)
    set_role(title, "title")
    about = QLabel(f"{counted(len(notes), 'line')} to look at; every row was imported.")
    set_role(about, "muted")
    table = QTableWidget(len(notes), 2)
    table.setAccessibleName("Unusual lines")
    table.setHorizontalHeaderLabels(["Line", "What was unusual"])
    table.verticalHeader().hide()
    table.verticalHeader().setDefaultSectionSize(ROW_HEIGHT)
    table.setShowGrid(False)
    table.setEditTriggers(QTableWidget.EditTrigger.NoEditTriggers)
    table.setSelectionBehavior(QTableWidget.SelectionBehavior.SelectRows)
    table.horizontalHeader().setSectionResizeMode(1, QHeaderView.ResizeMode.Stretch)
    for row, (line, sentence) in enumerate(notes):
        table.setItem(row, 0, QTableWidgetItem(count(line)))
        table.setItem(row, 1, QTableWidgetItem(sentence))
    close = QPushButton("Close")
    close.setDefault(True)
    close.clicked.connect(dialog.accept)
    foot = QHBoxLayout()
    foot.addStretch(1)
    foot.addWidget(close)
    column = QVBoxLayout(dialog)
    column.setContentsMargins(XL, L, XL, L)
    column.setSpacing(M)
    column.addWidget(title)
    column.addWidget(about)
    column.addWidget(table, 1)
    column.addLayout(foot)
    return dialog
