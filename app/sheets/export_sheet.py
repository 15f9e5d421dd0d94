"""Writing results to a file: what, in which format, and where."""

from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QAbstractButton,
    QButtonGroup,
    QCheckBox,
    QDialog,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QRadioButton,
    QVBoxLayout,
    QWidget,
)

from app.jobs import JobEnd
from app.look.theme import set_role
from app.look.tokens import XL, XS, L, M, S
from app.look.words import count, counted
from app.sheets.export_choices import (
    CERTIFICATE_FORMATS,
    FORMATS,
    GUARDED,
    WHAT,
    XLSX_ROWS,
    read_counts,
)
from app.sheets.export_target import ExportTarget
from app.workspace import Workspace


class ExportSheet(QDialog):
    """Asks what, which format and where; writes on the work lane and says where it is."""

    exported = Signal(str)  # the path

    def __init__(
        self, workspace: Workspace, *, what: str = "kept", parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle("Export")
        self._workspace = workspace
        self._counts: dict[str, int] = {}
        self.choices: dict[str, QRadioButton] = {}
        self._figures: dict[str, QLabel] = {}
        self._group = QButtonGroup(self)
        self.where = ExportTarget()
        self.format, self.path = self.where.format, self.where.path
        self.raw = QCheckBox("Write the cells exactly as they are")
        self._safe = QLabel()
        self.banner = self.where.banner
        self.export_button = QPushButton("Export")
        self._close = QPushButton("Close")
        self._lay_out()
        self._connect()
        self.choices[what].setChecked(True)
        self._show_formats()
        self.resize(660, 0)
        self._workspace.read("export.counts", read_counts, self._show_counts)

    @property
    def what(self) -> str:
        return next((key for key, choice in self.choices.items() if choice.isChecked()), "kept")

    def _show_counts(self, counts: dict[str, int]) -> None:
        self._counts = counts
        for what in WHAT:
            known = what.key in counts
            self.choices[what.key].setEnabled(known)
            words = counted(counts[what.key], what.noun) if known and what.noun else ""
            self._figures[what.key].setText(words if known else "not found yet")
        if self.what not in counts:
            self.choices["documents"].setChecked(True)
        self._update()

    def _show_formats(self) -> None:
        self.where.set_formats(CERTIFICATE_FORMATS if self.what == "certificate" else FORMATS)
        state = self._workspace.state
        name = state.name if state is not None else "export"
        self.where.propose(f"{name}-{self.what}")
        self._update()

    def _take_what(self, _button: QAbstractButton, on: bool) -> None:
        if on:
            self._show_formats()

    def _update(self) -> None:
        guarded = self.where.suffix in GUARDED and self.what != "certificate"
        self.raw.setVisible(guarded)
        rows = self._counts.get(self.what, 0)
        self._safe.setText(self._note(guarded, rows))
        too_many = self.where.suffix == ".xlsx" and rows > XLSX_ROWS
        self.export_button.setText(self._button_words(rows))
        self.export_button.setEnabled(
            self.what in self._counts and self.where.is_filled and not too_many
        )

    def _note(self, guarded: bool, rows: int) -> str:
        if self.where.suffix == ".xlsx" and rows > XLSX_ROWS:
            return f"A sheet holds {count(XLSX_ROWS)} rows; choose another format."
        if guarded and not self.raw.isChecked():
            return (
                "Safe in spreadsheets: cells that would run as a formula get an apostrophe in "
                "front, which an import takes away again."
            )
        if guarded:
            return (
                "Nothing is added to the cells; a spreadsheet may run those that begin with "
                "=, +, - or @."
            )
        return ""

    def _button_words(self, rows: int) -> str:
        noun = next(what.noun for what in WHAT if what.key == self.what)
        return f"Export {counted(rows, noun)}" if noun else "Write the certificate"

    def _start(self, target: Path) -> None:
        self.export_button.setEnabled(False)
        certificate = self.what == "certificate"
        values: dict[str, object] = {"to": str(target)}
        if not certificate:
            values |= {"what": self.what, "raw": self.raw.isVisible() and self.raw.isChecked()}
        self._workspace.start(
            "certificate" if certificate else "export",
            values,
            title=f"Exporting {target.name}",
            then=self._take_end,
        )

    def _take_end(self, end: JobEnd) -> None:
        self.export_button.setEnabled(True)
        self.where.take_end(end)

    def _connect(self) -> None:
        self._group.buttonToggled.connect(self._take_what)
        self.where.changed.connect(self._update)
        self.where.agreed.connect(self._start)
        self.where.written.connect(self.exported)
        self.raw.toggled.connect(self._update)
        self.export_button.clicked.connect(self.where.export)
        self._close.clicked.connect(self.reject)

    def _lay_out(self) -> None:
        title = QLabel("Export")
        set_role(title, "title")
        column = QVBoxLayout(self)
        column.setContentsMargins(XL, L, XL, L)
        column.setSpacing(S)
        column.addWidget(title)
        column.addWidget(self.banner)
        column.addSpacing(XS)
        column.addLayout(self._choices())
        column.addSpacing(M)
        column.addWidget(self.where)
        column.addWidget(self.raw)
        self._safe.setWordWrap(True)
        set_role(self._safe, "muted")
        # The note keeps its room, so that the buttons stay where they are.
        self._safe.setMinimumHeight(40)
        self._safe.setAlignment(Qt.AlignmentFlag.AlignTop)
        column.addWidget(self._safe)
        column.addStretch(1)
        foot = QHBoxLayout()
        foot.setSpacing(S)
        foot.addStretch(1)
        foot.addWidget(self._close)
        foot.addWidget(self.export_button)
        set_role(self.export_button, "primary")
        self.export_button.setDefault(True)
        self.export_button.setMinimumWidth(190)
        column.addLayout(foot)

    def _choices(self) -> QGridLayout:
        grid = QGridLayout()
        grid.setHorizontalSpacing(L)
        grid.setVerticalSpacing(XS)
        grid.setColumnStretch(1, 1)
        for row, what in enumerate(WHAT):
            choice = QRadioButton(what.words)
            choice.setAccessibleDescription(what.sentence)
            sentence, figure = QLabel(what.sentence), QLabel()
            set_role(sentence, "muted")
            set_role(figure, "muted")
            self.choices[what.key], self._figures[what.key] = choice, figure
            self._group.addButton(choice)
            grid.addWidget(choice, row, 0)
            grid.addWidget(sentence, row, 1)
            grid.addWidget(figure, row, 2, Qt.AlignmentFlag.AlignRight)
        return grid
