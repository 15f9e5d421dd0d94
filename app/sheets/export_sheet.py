"""Writing results to a file: what, in which format, and where."""

from pathlib import Path

from PySide6.QtCore import Qt, QUrl, Signal
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import (
    QAbstractButton,
    QButtonGroup,
    QCheckBox,
    QComboBox,
    QDialog,
    QFileDialog,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
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
    with_suffix,
)
from app.widgets.banner import Banner
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
        self._is_path_chosen = False
        self._asked_over: Path | None = None
        self._path_written: Path | None = None
        self.choices: dict[str, QRadioButton] = {}
        self._figures: dict[str, QLabel] = {}
        self._group = QButtonGroup(self)
        self.format = QComboBox()
        self.path = QLineEdit()
        self._choose = QPushButton("Choose…")
        self._choose.setAutoDefault(False)
        self.raw = QCheckBox("Write the cells exactly as they are")
        self._safe = QLabel()
        self.banner = Banner()
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

    @property
    def target(self) -> Path:
        """Where the file goes, with the suffix of the format."""
        return with_suffix(Path(self.path.text().strip()).expanduser(), self._suffix)

    @property
    def _suffix(self) -> str:
        return str(self.format.currentData())

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
        formats = CERTIFICATE_FORMATS if self.what == "certificate" else FORMATS
        if [self.format.itemData(at) for at in range(self.format.count())] != [
            suffix for _, suffix in formats
        ]:
            self.format.blockSignals(True)
            self.format.clear()
            for words, suffix in formats:
                self.format.addItem(f"{words} ({suffix})", suffix)
            self.format.blockSignals(False)
        if not self._is_path_chosen:
            self.path.setText(str(self._proposed()))
        self._update()

    def _proposed(self) -> Path:
        state = self._workspace.state
        name = state.name if state is not None else "export"
        return Path.home() / f"{name}-{self.what}{self._suffix}"

    def _take_what(self, _button: QAbstractButton, on: bool) -> None:
        if on:
            self._show_formats()

    def _take_format(self) -> None:
        self.path.setText(str(self.target))
        self._update()

    def _update(self) -> None:
        guarded = self._suffix in GUARDED and self.what != "certificate"
        self.raw.setVisible(guarded)
        rows = self._counts.get(self.what, 0)
        self._safe.setText(self._note(guarded, rows))
        too_many = self._suffix == ".xlsx" and rows > XLSX_ROWS
        self.export_button.setText(self._button_words(rows))
        self.export_button.setEnabled(
            self.what in self._counts and bool(self.path.text().strip()) and not too_many
        )

    def _note(self, guarded: bool, rows: int) -> str:
        if self._suffix == ".xlsx" and rows > XLSX_ROWS:
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

    def _browse(self) -> None:
        words = self.format.currentText()
        chosen, _ = QFileDialog.getSaveFileName(
            self, "Export to", str(self.target), f"{words} (*{self._suffix})"
        )
        if chosen:
            self.path.setText(str(with_suffix(Path(chosen), self._suffix)))
            self._is_path_chosen = True
            # The file dialog has asked already.
            self._asked_over = self.target
            self._update()

    def _export(self) -> None:
        target = self.target
        if target.is_dir():
            self.banner.show_message("error", f"{target} is a folder; add a file name.")
            return
        if target.exists() and self._asked_over != target:
            self.banner.show_message(
                "warning", f"{target.name} is there already.",
                buttons=(("replace", "Replace it"),), closable=True,
            )  # fmt: skip
            return
        self._start(target)

    def _start(self, target: Path) -> None:
        self.export_button.setEnabled(False)
        self.banner.show_message("info", f"Writing {target.name}…", closable=False)
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
        if end.kind == "finished":
            path = Path(end.outcome["path"])
            self._path_written = path
            self._asked_over = None
            rows = end.outcome.get("rows")
            told = "Written" if rows is None else f"{counted(int(rows), 'line')} written"
            self.banner.show_message(
                "done", f"{told} to {path}", buttons=(("open", "Open folder"),)
            )
            self.exported.emit(str(path))
        elif end.kind == "failed":
            self.banner.show_message("error", f"{end.what} {end.remedy}".strip())
        else:
            self.banner.show_message("info", "Cancelled; nothing was written.")

    def _press_banner(self, key: str) -> None:
        if key == "replace":
            self._start(self.target)
        elif self._path_written is not None:
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(self._path_written.parent)))

    def _edit_path(self) -> None:
        self._is_path_chosen = True
        self._asked_over = None
        self._update()

    def _connect(self) -> None:
        self._group.buttonToggled.connect(self._take_what)
        self.format.currentIndexChanged.connect(self._take_format)
        self.path.textEdited.connect(self._edit_path)
        self._choose.clicked.connect(self._browse)
        self.raw.toggled.connect(self._update)
        self.banner.button_clicked.connect(self._press_banner)
        self.export_button.clicked.connect(self._export)
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
        column.addLayout(self._where())
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

    def _where(self) -> QGridLayout:
        grid = QGridLayout()
        grid.setHorizontalSpacing(M)
        grid.setVerticalSpacing(S)
        grid.setColumnStretch(1, 1)
        self.format.setAccessibleName("Format")
        self.path.setAccessibleName("Where to")
        grid.addWidget(QLabel("Format"), 0, 0)
        grid.addWidget(self.format, 0, 1, Qt.AlignmentFlag.AlignLeft)
        grid.addWidget(QLabel("Where to"), 1, 0)
        grid.addWidget(self.path, 1, 1)
        grid.addWidget(self._choose, 1, 2)
        return grid
