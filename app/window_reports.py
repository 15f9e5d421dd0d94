"""What came of an import or was found on opening, in sentences and lines."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from PySide6.QtCore import Qt
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
from core.store import Project

_MOST_NOTES = 10_000

_MULTIPLYING = {
    "augment-measure": ("A comparison of teachers", "begin it again on the Multiply page"),
    "augment-label": ("Labelling new pairs", "it goes on where it was on the Multiply page"),
    "augment-learn": ("Teaching by silver", "it goes on where it was on the Multiply page"),
}
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
        if run["workflow"] == "train":
            said.append(
                f"A training was interrupted ({relative_date(then, now)}); resume or discard it on "
                "the Teach page."
            )
            continue
        if run["workflow"] in _MULTIPLYING:
            what, after = _MULTIPLYING[run["workflow"]]
            said.append(f"{what} was interrupted ({relative_date(then, now)}); {after}.")
            continue
        what = _WORK_WORDS.get(run["workflow"], run["workflow"].capitalize())
        said.append(f"{what} was interrupted ({relative_date(then, now)}); what was done is kept.")
    for name in told.get("dropped_imports", ()):
        said.append(
            f"The import of {name} was interrupted and left nothing behind; import it again."
        )
    return " ".join(said)


def read_notes(project: Project, reports: Sequence[ImportReport]) -> list[tuple[str, int, str]]:
    """What was unusual in these imports: (file, line, sentence)."""
    return [
        (report.name, line, sentence)
        for report in reports
        for line, sentence in project.sources.notes(report.source, count=_MOST_NOTES)
    ]


def notes_dialog(notes: Sequence[tuple[str, int, str]], parent: QWidget) -> QDialog:
    """A list of what was unusual in imported files, by file and line."""
    dialog = QDialog(parent)
    dialog.setWindowTitle("Unusual lines")
    dialog.resize(680, 480)
    title = QLabel("Unusual lines")
    set_role(title, "title")
    about = QLabel(f"{counted(len(notes), 'line')} to look at; every row was imported.")
    set_role(about, "muted")
    several = len({name for name, _, _ in notes}) > 1
    table = QTableWidget(len(notes), 3)
    table.setAccessibleName("Unusual lines")
    table.setHorizontalHeaderLabels(["File", "Line", "What was unusual"])
    table.setColumnHidden(0, not several)
    table.verticalHeader().hide()
    table.verticalHeader().setDefaultSectionSize(ROW_HEIGHT)
    table.setShowGrid(False)
    table.setEditTriggers(QTableWidget.EditTrigger.NoEditTriggers)
    table.setSelectionBehavior(QTableWidget.SelectionBehavior.SelectRows)
    table.horizontalHeader().setSectionResizeMode(2, QHeaderView.ResizeMode.Stretch)
    table.horizontalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignLeft)
    for row, (name, line, sentence) in enumerate(notes):
        for at, words in enumerate((name, count(line), sentence)):
            table.setItem(row, at, QTableWidgetItem(words))
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
