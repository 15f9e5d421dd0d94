"""The left column: what there is to learn from."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QMimeData, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDropEvent,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.look.theme import current_theme, set_role
from app.look.tokens import RADIUS, XS, M, S
from app.look.words import count, counted
from app.pages.teach_parts import Column, ToneCard, heading, icon_button, line, note
from app.pages.teach_plan import Forecast, verdict_said
from app.pages.teach_reads import Material
from app.widgets.elided import ElidedLabel
from app.widgets.tags import TagLabel, verdict_tag
from core.records import Verdict
from core.store import PairFile

ENDINGS = (".csv", ".tsv", ".txt", ".json", ".jsonl", ".gz")
_MEANT = {
    Verdict.SAME: "closer",
    Verdict.DIFFERENT: "apart",
    Verdict.UNSURE: "not used",
}
_KINDS = {"score": "scores", "label": "same or different"}


class MaterialColumn(Column):
    """Decisions and imported pairs with a verdict on them; files of pairs may be dropped here."""

    import_wanted = Signal(object)  # list[Path], empty: ask for files
    removal_wanted = Signal(int, str)  # a file of pairs, its name
    deciding_wanted = Signal()

    def __init__(self) -> None:
        super().__init__("What it learns from")
        self.setAcceptDrops(True)
        self._may_write = True
        self._files: tuple[PairFile, ...] | None = None
        self.verdict = ToneCard()
        self.counts: dict[Verdict, QLabel] = {}
        self.decide = QPushButton("Decide more pairs")
        self.decide.clicked.connect(self.deciding_wanted)
        self.import_button = QPushButton("Import pairs…")
        self.import_button.clicked.connect(lambda: self.import_wanted.emit([]))
        self._list = QVBoxLayout()
        self._hint = _DropHint()
        self._lay_out()

    def show_material(self, material: Material, forecast: Forecast, *, may_write: bool) -> None:
        """Show what there is and what it is good for."""
        self.verdict.show_said(verdict_said(forecast))
        for verdict, label in self.counts.items():
            label.setText(count(material.decisions.get(verdict, 0)))
        self.decide.setText("Decide more pairs" if material.judged else "Decide some pairs")
        # Where nothing can start yet, this is the next thing to do.
        set_role(self.decide, "primary" if forecast.verdict == "none" else "plain")
        self.import_button.setEnabled(may_write)
        if (material.files, may_write) != (self._files, self._may_write):
            self._files, self._may_write = material.files, may_write
            self._show_files(material.files)
        self._hint.setVisible(may_write)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if self._may_write and _paths(event.mimeData()):
            event.acceptProposedAction()
            self._hint.set_hot(True)

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        self._hint.set_hot(False)

    def dropEvent(self, event: QDropEvent) -> None:
        self._hint.set_hot(False)
        paths = _paths(event.mimeData())
        if self._may_write and paths:
            event.acceptProposedAction()
            self.import_wanted.emit(paths)

    def _show_files(self, files: Sequence[PairFile]) -> None:
        while (item := self._list.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        for file in files:
            self._list.addWidget(self._row(file))

    def _row(self, file: PairFile) -> QWidget:
        row = QWidget()
        name = ElidedLabel(file.name)
        name.setToolTip(file.note)
        facts = QLabel(f"{counted(file.pairs, 'pair')} · {_KINDS.get(file.kind, file.kind)}")
        set_role(facts, "meta")
        words = QVBoxLayout()
        words.setSpacing(0)
        words.addWidget(name)
        words.addWidget(facts)
        remove = icon_button("trash", f"Remove {file.name}")
        remove.setEnabled(self._may_write)
        remove.clicked.connect(lambda: self.removal_wanted.emit(file.id, file.name))
        line_ = QHBoxLayout(row)
        line_.setContentsMargins(0, XS, 0, XS)
        line_.setSpacing(S)
        line_.addLayout(words, 1)
        line_.addWidget(remove)
        row.setAccessibleName(f"{file.name}, {facts.text()}. {file.note}")
        return row

    def _lay_out(self) -> None:
        grid = QGridLayout()
        grid.setHorizontalSpacing(S)
        grid.setVerticalSpacing(S)
        grid.setColumnStretch(1, 1)
        for at, verdict in enumerate((Verdict.SAME, Verdict.DIFFERENT, Verdict.UNSURE)):
            number = QLabel("0")
            number.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            set_role(number, "strong")
            grid.addWidget(TagLabel(verdict_tag(verdict)), at, 0, Qt.AlignmentFlag.AlignLeft)
            grid.addWidget(note(_MEANT[verdict], role="meta"), at, 1)
            grid.addWidget(number, at, 2)
            self.counts[verdict] = number
        for part in (heading("What it learns from"), self.verdict):
            self.body.addWidget(part)
        self.body.addSpacing(XS)
        self.body.addWidget(note("Your decisions", role="heading"))
        self.body.addLayout(grid)
        self.body.addWidget(self.decide)
        self.body.addSpacing(XS)
        self.body.addWidget(line())
        self.body.addWidget(note("Imported pairs", role="heading"))
        self.body.addLayout(self._list)
        self.body.addWidget(self.import_button)
        self.body.addWidget(self._hint)
        self.body.addStretch(1)


class _DropHint(QFrame):
    """Says what a file of pairs is, and lights up when one hovers over the column."""

    def __init__(self) -> None:
        super().__init__()
        self._is_hot = False
        words = note(
            "Or drop a file here: two texts in each row, with a score or with same and different.",
            role="meta",
        )
        column = QVBoxLayout(self)
        column.setContentsMargins(M, M, M, M)
        column.addWidget(words)

    def set_hot(self, hot: bool) -> None:
        self._is_hot = hot
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        colours = current_theme().colours
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        pen = QPen(QColor(colours.accent if self._is_hot else colours.outline), 1)
        if self._is_hot:
            painter.setBrush(QColor(colours.note.soft))
        else:
            pen.setDashPattern([4.0, 4.0])
        painter.setPen(pen)
        painter.drawRoundedRect(self.rect().adjusted(1, 1, -1, -1), RADIUS, RADIUS)


def _paths(data: QMimeData) -> list[Path]:
    paths = [Path(url.toLocalFile()) for url in data.urls() if url.isLocalFile()]
    return [path for path in paths if path.name.lower().endswith(ENDINGS)]
