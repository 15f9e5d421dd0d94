"""Writing found rows to a file: which of them, and where."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Protocol

from PySide6.QtCore import QUrl, Signal
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import (
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
from app.look.words import counted
from app.sheets.export_choices import FORMATS, with_suffix
from app.widgets.banner import Banner
from app.workspace import Workspace
from core.store import Project


class FoundText(Protocol):
    """What the sheet needs to know of a text."""

    @property
    def text(self) -> int: ...
    @property
    def document(self) -> int: ...
    @property
    def rows(self) -> int: ...
    @property
    def score(self) -> float: ...
    @property
    def cosine(self) -> float | None: ...


class ExportRowsSheet(QDialog):
    """Asks for all texts or the chosen ones, with or without their copies, and for a file."""

    exported = Signal(str)  # the path

    def __init__(
        self,
        workspace: Workspace,
        found: Sequence[FoundText],
        *,
        picked: Sequence[int],
        parent: QWidget | None = None,
    ) -> None:
        """`found` are texts, best first; `picked` the ids of those a person chose."""
        super().__init__(parent)
        self.setWindowTitle("Export the texts found")
        self._workspace = workspace
        self._found = tuple(found)
        self._picked = frozenset(picked)
        self._asked_over: Path | None = None
        self._written: Path | None = None
        self.all = QRadioButton(f"All that are listed: {counted(len(found), 'text')}")
        self.chosen = QRadioButton(f"Only the chosen: {counted(len(self._picked), 'text')}")
        self.copies = QCheckBox("Every row that holds one of these texts")
        self.format = QComboBox()
        self.path = QLineEdit()
        self._choose = QPushButton("Choose…")
        self.banner = Banner()
        self.export_button = QPushButton()
        self._close = QPushButton("Close")
        self._lay_out()
        self._connect()
        (self.chosen if len(self._picked) > 1 else self.all).setChecked(True)
        self.path.setText(str(self._proposed()))
        self._update()
        self.resize(600, 0)

    @property
    def target(self) -> Path:
        """Where the file goes, with the suffix of the format."""
        written = Path(self.path.text().strip()).expanduser()
        return with_suffix(written, str(self.format.currentData()))

    @property
    def wanted(self) -> list[FoundText]:
        """The texts to write, in the order they were found."""
        if self.all.isChecked():
            return list(self._found)
        return [one for one in self._found if one.text in self._picked]

    def _proposed(self) -> Path:
        state = self._workspace.state
        name = state.name if state is not None else "export"
        return Path.home() / f"{name}-found{self.format.currentData()}"

    def _update(self) -> None:
        wanted = self.wanted
        rows = sum(one.rows for one in wanted)
        self.copies.setVisible(any(one.rows > 1 for one in self._found))
        number = rows if self.copies.isChecked() else len(wanted)
        self.export_button.setText(f"Export {counted(number, 'row')}")
        self.export_button.setEnabled(number > 0 and bool(self.path.text().strip()))

    def _browse(self) -> None:
        target = self.target
        words = f"{self.format.currentText()} (*{target.suffix})"
        chosen, _ = QFileDialog.getSaveFileName(self, "Export to", str(target), words)
        if chosen:
            self.path.setText(str(with_suffix(Path(chosen), target.suffix)))
            self._asked_over = self.target  # the file dialog has asked already
            self._update()

    def _export(self) -> None:
        target = self.target
        if target.is_dir():
            self.banner.show_message("error", f"{target} is a folder; add a file name.")
        elif target.exists() and self._asked_over != target:
            self.banner.show_message(
                "warning", f"{target.name} is there already.",
                buttons=(("replace", "Replace it"),), closable=True,
            )  # fmt: skip
        else:
            self._begin(target)

    def _begin(self, target: Path) -> None:
        self.export_button.setEnabled(False)
        self.banner.show_message("info", f"Writing {target.name}…", closable=False)
        wanted = self.wanted
        if not self.copies.isChecked():
            rows = [(one.document, _figure(one)) for one in wanted]
            self._start(target, rows)
            return
        scores = {one.text: _figure(one) for one in wanted}
        self._workspace.read(
            "export.rows",
            lambda project: _all_rows(project, scores),
            lambda rows: self._start(target, rows),
        )

    def _start(self, target: Path, rows: Sequence[tuple[int, float]]) -> None:
        values = {
            "documents": [document for document, _ in rows],
            "scores": [score for _, score in rows],
            "to": str(target),
        }
        self._workspace.start(
            "export-rows", values, title=f"Exporting {target.name}", lane="live",
            then=self._take_end,
        )  # fmt: skip

    def _take_end(self, end: JobEnd) -> None:
        self.export_button.setEnabled(True)
        if end.kind == "finished":
            self._written = Path(end.outcome["path"])
            self._asked_over = None
            told = counted(int(end.outcome["rows"]), "line")
            self.banner.show_message(
                "done", f"{told} written to {self._written}", buttons=(("open", "Open folder"),)
            )
            self.exported.emit(str(self._written))
        elif end.kind == "failed":
            self.banner.show_message("error", f"{end.what} {end.remedy}".strip())
        else:
            self.banner.show_message("info", "Cancelled; nothing was written.")

    def _press_banner(self, key: str) -> None:
        if key == "replace":
            self._begin(self.target)
        elif self._written is not None:
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(self._written.parent)))

    def _edit_path(self) -> None:
        self._asked_over = None
        self._update()

    def _take_format(self) -> None:
        self.path.setText(str(self.target))
        self._update()

    def _connect(self) -> None:
        self.all.toggled.connect(self._update)
        self.copies.toggled.connect(self._update)
        self.format.currentIndexChanged.connect(self._take_format)
        self.path.textEdited.connect(self._edit_path)
        self._choose.clicked.connect(self._browse)
        self.banner.button_clicked.connect(self._press_banner)
        self.export_button.clicked.connect(self._export)
        self._close.clicked.connect(self.reject)

    def _lay_out(self) -> None:
        title = QLabel("Export the texts found")
        set_role(title, "title")
        note = QLabel("Each row with every original column, its rank and its score.")
        set_role(note, "muted")
        self.chosen.setEnabled(bool(self._picked))
        for words, suffix in FORMATS:
            self.format.addItem(f"{words} ({suffix})", suffix)
        self.format.setAccessibleName("Format")
        self.path.setAccessibleName("Where to")
        self._choose.setAutoDefault(False)
        column = QVBoxLayout(self)
        column.setContentsMargins(XL, L, XL, L)
        column.setSpacing(S)
        column.addWidget(title)
        column.addWidget(note)
        column.addWidget(self.banner)
        column.addSpacing(XS)
        for part in (self.all, self.chosen, self.copies):
            column.addWidget(part)
        column.addSpacing(M)
        column.addLayout(self._where())
        column.addSpacing(L)
        column.addStretch(1)
        foot = QHBoxLayout()
        foot.setSpacing(S)
        foot.addStretch(1)
        foot.addWidget(self._close)
        foot.addWidget(self.export_button)
        set_role(self.export_button, "primary")
        self.export_button.setDefault(True)
        self.export_button.setMinimumWidth(160)
        column.addLayout(foot)

    def _where(self) -> QGridLayout:
        grid = QGridLayout()
        grid.setHorizontalSpacing(M)
        grid.setVerticalSpacing(S)
        grid.setColumnStretch(1, 1)
        grid.addWidget(QLabel("Format"), 0, 0)
        grid.addWidget(self.format, 0, 1)
        grid.addWidget(QLabel("Where to"), 1, 0)
        grid.addWidget(self.path, 1, 1)
        grid.addWidget(self._choose, 1, 2)
        return grid


def _figure(found: FoundText) -> float:
    return found.score if found.cosine is None else found.cosine


def _all_rows(project: Project, scores: Mapping[int, float]) -> list[tuple[int, float]]:
    """Every row of these texts, in their order."""
    return [
        (row.id, score)
        for text, score in scores.items()
        for row in project.documents.of_text(text, count=1_000_000)
    ]
