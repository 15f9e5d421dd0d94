"""Writing found rows to a file: which of them, and where."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Protocol

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
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
from app.look.words import counted
from app.sheets.export_choices import FORMATS
from app.sheets.export_target import ExportTarget
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
        self.all = QRadioButton(f"All that are listed: {counted(len(found), 'text')}")
        self.chosen = QRadioButton(f"Only the chosen: {counted(len(self._picked), 'text')}")
        self.copies = QCheckBox("Every row that holds one of these texts")
        self.where = ExportTarget()
        self.format, self.path = self.where.format, self.where.path
        self.banner = self.where.banner
        self.export_button = QPushButton()
        self._close = QPushButton("Close")
        self._lay_out()
        self._connect()
        self.where.set_formats(FORMATS)
        (self.chosen if len(self._picked) > 1 else self.all).setChecked(True)
        state = workspace.state
        self.where.propose(f"{state.name if state is not None else 'export'}-found")
        self._update()
        self.resize(600, 0)

    @property
    def wanted(self) -> list[FoundText]:
        """The texts to write, in the order they were found."""
        if self.all.isChecked():
            return list(self._found)
        return [one for one in self._found if one.text in self._picked]

    def _update(self) -> None:
        wanted = self.wanted
        rows = sum(one.rows for one in wanted)
        self.copies.setVisible(any(one.rows > 1 for one in self._found))
        number = rows if self.copies.isChecked() else len(wanted)
        self.export_button.setText(f"Export {counted(number, 'row')}")
        self.export_button.setEnabled(number > 0 and self.where.is_filled)

    def _begin(self, target: Path) -> None:
        self.export_button.setEnabled(False)
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
        self.where.take_end(end)

    def _connect(self) -> None:
        self.all.toggled.connect(self._update)
        self.copies.toggled.connect(self._update)
        self.where.changed.connect(self._update)
        self.where.agreed.connect(self._begin)
        self.where.written.connect(self.exported)
        self.export_button.clicked.connect(self.where.export)
        self._close.clicked.connect(self.reject)

    def _lay_out(self) -> None:
        title = QLabel("Export the texts found")
        set_role(title, "title")
        note = QLabel("Each row with every original column, its rank and its score.")
        set_role(note, "muted")
        self.chosen.setEnabled(bool(self._picked))
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
        column.addWidget(self.where)
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


def _figure(found: FoundText) -> float:
    return found.score if found.cosine is None else found.cosine


def _all_rows(project: Project, scores: Mapping[int, float]) -> list[tuple[int, float]]:
    """Every row of these texts, in their order."""
    return [
        (row.id, score)
        for text, score in scores.items()
        for row in project.documents.of_text(text, count=1_000_000)
    ]
