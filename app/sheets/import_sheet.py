"""The import sheet: a file as it will be read, and the few things only a person can tell."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QFrame,
    QHBoxLayout,
    QLabel,
    QProgressBar,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.jobs import JobEnd
from app.look.theme import set_role
from app.look.tokens import XL, L, M, S
from app.look.words import counted, file_size
from app.sheets.import_dates import DateQuestions
from app.sheets.import_folder import ProjectFolderRow
from app.sheets.import_plan import (
    Plan,
    carried_over,
    inspected_from,
    problem,
    questions,
    settings_of,
    suggested_plan,
    with_order,
    with_role,
    with_template,
)
from app.sheets.import_reading import ReadingBar
from app.sheets.import_table import ImportTable
from app.sheets.import_text import TextPanel
from app.widgets.banner import Banner
from app.widgets.elided import ElidedLabel
from app.workspace import Workspace
from core.records import ImportSettings

_COMPOSE_AFTER_MS = 150
_WARNINGS = 3  # said in place; the report after the import has them all
_KIND_WORDS = {
    "table": "Table", "jsonl": "JSON", "lines": "A text per line", "folder": "Folder of texts",
    "xlsx": "Spreadsheet", "parquet": "Parquet",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class KnownFile:
    """A file that the project already holds, as far as an import has to know."""

    name: str
    id_column: str | None


class ImportSheet(QDialog):
    """Shows a file, takes roles and corrections, and ends with settings used exactly as shown.

    Look at `settings` and `project_folder` after it was accepted.
    """

    ready = Signal()  # the file has been looked into, or cannot be

    def __init__(
        self,
        path: Path,
        workspace: Workspace,
        *,
        known: Sequence[KnownFile] = (),
        project_folder: Path | None = None,
        parent: QWidget | None = None,
    ) -> None:
        """`project_folder` proposes where a new project is made; None imports into the open one."""
        super().__init__(parent)
        self.setWindowTitle(f"Import {path.name}")
        self.setModal(True)
        self._path = path
        self._workspace = workspace
        self._known = tuple(known)
        self._plan: Plan | None = None
        self._asked = 0
        self._compose_asked = 0
        self._shown_row = 0
        self._template_fault = ""
        self._build(project_folder)
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(_COMPOSE_AFTER_MS)
        self._later.timeout.connect(self._compose)
        room = self.screen().availableGeometry()
        self.resize(min(1080, room.width() - 40), min(780, room.height() - 40))
        self._inspect({})

    @property
    def plan(self) -> Plan | None:
        """The choices so far, None while the file has not been looked into."""
        return self._plan

    @property
    def settings(self) -> ImportSettings:
        """What the import is to use."""
        if self._plan is None:
            raise RuntimeError("the file has not been looked into")
        plan = replace(self._plan, updates=self._updates.isChecked())
        return settings_of(plan)

    @property
    def project_folder(self) -> Path | None:
        """Where the new project is to be made, None for the open one."""
        return None if self._folder is None else self._folder.folder

    def choose(self, column: str, role: str) -> None:
        """Give a column its role."""
        if self._plan is not None:
            self._show(with_role(self._plan, column, role))

    def _inspect(self, given: dict[str, Any]) -> None:
        self._asked += 1
        number = self._asked
        self._busy.show()
        self._import.setEnabled(False)
        self._reason.setText("Looking into the file…")
        self._workspace.start_without_project(
            "inspect",
            {"path": str(self._path), **given},
            title=f"Looking into {self._path.name}",
            then=lambda end: self._take(number, end),
        )

    def _take(self, number: int, end: JobEnd) -> None:
        if number != self._asked:
            return
        self._busy.hide()
        if end.kind != "finished":
            self._reason.setText("Choose another way to read it, or another file.")
            words = f"{end.what} {end.remedy}".strip() or "Looking into the file was cancelled."
            self._banner.show_message("error", words, closable=False)
            self.ready.emit()
            return
        seen = inspected_from(end.outcome)
        plan = suggested_plan(seen) if self._plan is None else carried_over(self._plan, seen)
        self._reading.show_inspected(seen)
        kind = _KIND_WORDS.get(seen.reading.kind, seen.reading.kind)
        self._facts.setText(" · ".join([kind, *self._size_words(), self._rows_words(plan)]))
        self._show_warnings(seen.warnings)
        self._show(plan)
        if self._import.isEnabled():
            self._import.setFocus()
        else:
            self._table.setFocus()
        self.ready.emit()

    def _show(self, plan: Plan) -> None:
        self._plan = plan
        self._table.show_plan(plan)
        several = len(plan.texts) > 1
        self._text.setVisible(several)
        self._text.show_template(plan.template)
        self._dates.show_questions(questions(plan))
        applies = plan.id_column is not None and any(
            file.name == self._path.name and file.id_column == plan.id_column
            for file in self._known
        )
        self._updates.setVisible(applies)
        self._template_fault = "" if not several else self._template_fault
        self._show_state()
        if several:
            self._later.start()

    def _show_state(self) -> None:
        plan = self._plan
        if plan is None:
            return
        missing = problem(plan) or self._template_fault
        if not missing and self._folder is not None:
            missing = self._folder.problem()
        self._reason.setText(missing)
        self._import.setText(f"Import {self._rows_words(plan)}")
        self._import.setEnabled(not missing)

    def _compose(self) -> None:
        plan = self._plan
        if plan is None or len(plan.texts) < 2 or not plan.inspected.sample:
            return
        row = plan.inspected.sample[min(self._shown_row, len(plan.inspected.sample) - 1)]
        self._compose_asked += 1
        number = self._compose_asked
        values = {
            "columns": list(plan.inspected.reading.columns),
            "text_columns": list(plan.texts),
            "template": plan.template,
            "rows": [list(row.cells)],
        }
        self._workspace.start_without_project(
            "compose",
            values,
            title="Composing a text",
            then=lambda end: self._take_text(number, row.line, end),
        )

    def _take_text(self, number: int, line: int, end: JobEnd) -> None:
        if number != self._compose_asked:
            return
        if end.kind == "finished":
            self._template_fault = ""
            self._text.show_text(line, end.outcome["texts"][0])
        elif end.kind == "failed":
            self._template_fault = end.what
            self._text.show_fault(f"{end.what} {end.remedy}".strip())
        self._show_state()

    def _show_warnings(self, warnings: Sequence[str]) -> None:
        if not warnings:
            self._banner.clear()
            return
        said = list(warnings[:_WARNINGS])
        if len(warnings) > _WARNINGS:
            said.append(f"And {len(warnings) - _WARNINGS} more; the report will list them.")
        self._banner.show_message("warning", "\n".join(said), closable=False)

    def _size_words(self) -> list[str]:
        try:
            return [file_size(self._path.stat().st_size)] if self._path.is_file() else []
        except OSError:
            return []  # it went away meanwhile; the look into it says so

    def _rows_words(self, plan: Plan) -> str:
        seen = plan.inspected
        about = "" if seen.rows_exact else "about "
        return about + counted(seen.rows, "row")

    def _show_row(self, row: int) -> None:
        self._shown_row = max(row, 0)
        self._later.start()

    def _edit_template(self, template: str) -> None:
        if self._plan is not None and template != self._plan.template:
            self._show(with_template(self._plan, template))

    def _settle_date(self, column: str, order: str) -> None:
        if self._plan is not None:
            self._show(with_order(self._plan, column, order))

    def _build(self, project_folder: Path | None) -> None:
        title = ElidedLabel(self._path.name)
        set_role(title, "title")
        self._facts = QLabel()
        set_role(self._facts, "muted")
        self._reading = ReadingBar()
        self._reading.changed.connect(self._inspect)
        self._banner = Banner()
        hint = QLabel("Click a column’s header, or press T, I, D or K in it, to say what it holds.")
        set_role(hint, "muted")
        self._table = ImportTable()
        self._table.setMinimumHeight(200)
        self._table.role_wanted.connect(self.choose)
        self._table.row_shown.connect(self._show_row)
        self._text = TextPanel()
        self._text.template_changed.connect(self._edit_template)
        self._text.hide()
        self._dates = DateQuestions()
        self._dates.settled.connect(self._settle_date)
        self._updates = QCheckBox("Rows with a known id replace the earlier row")
        self._updates.setChecked(True)
        self._updates.hide()
        column = QVBoxLayout(self)
        column.setContentsMargins(XL, L, XL, L)
        column.setSpacing(M)
        head = QVBoxLayout()
        head.setSpacing(2)
        head.addWidget(title)
        head.addWidget(self._facts)
        column.addLayout(head)
        column.addWidget(self._reading)
        column.addWidget(self._banner)
        table = QVBoxLayout()
        table.setSpacing(S)
        table.addWidget(hint)
        table.addWidget(self._table, 1)
        column.addLayout(table, 1)
        column.addWidget(self._dates)
        column.addWidget(self._text)
        column.addWidget(self._updates)
        self._folder = None if project_folder is None else ProjectFolderRow(project_folder)
        if self._folder is not None:
            self._folder.changed.connect(self._show_state)
            column.addWidget(self._folder)
        line = QFrame()
        set_role(line, "line")
        column.addWidget(line)
        column.addLayout(self._build_foot())

    def _build_foot(self) -> QHBoxLayout:
        self._busy = QProgressBar()
        self._busy.setRange(0, 0)
        self._busy.setTextVisible(False)
        self._busy.setFixedWidth(120)
        self._busy.setAccessibleName("Looking into the file")
        self._reason = QLabel()
        set_role(self._reason, "muted")
        cancel = QPushButton("Cancel")
        cancel.setAutoDefault(False)
        cancel.clicked.connect(self.reject)
        self._import = QPushButton("Import")
        set_role(self._import, "primary")
        self._import.setDefault(True)
        self._import.setMinimumWidth(150)
        self._import.clicked.connect(self.accept)
        row = QHBoxLayout()
        row.setSpacing(M)
        row.addWidget(self._busy)
        row.addWidget(self._reason, 1)
        row.addWidget(cancel)
        row.addWidget(self._import)
        return row
