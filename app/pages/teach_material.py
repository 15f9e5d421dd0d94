"""The left column: what there is to learn from."""

from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QGridLayout, QLabel, QPushButton

from app.look.theme import set_role
from app.look.tokens import XS, S
from app.look.words import count
from app.pages.teach_drop import DropHint
from app.pages.teach_files import FileList
from app.pages.teach_parts import Column, ToneCard, heading, line, note
from app.pages.teach_plan import Forecast, verdict_said
from app.pages.teach_reads import Material
from app.widgets.tags import TagLabel, verdict_tag
from core.records import Verdict

_MEANT = {
    Verdict.SAME: "closer",
    Verdict.DIFFERENT: "apart",
    Verdict.UNSURE: "not used",
}


class MaterialColumn(Column):
    """Decisions and imported files with a verdict on them, and which of them are learnt from."""

    import_wanted = Signal()
    removal_wanted = Signal(int, str)  # a file, its name
    reading_wanted = Signal(int)  # a file that is to be read otherwise
    deciding_wanted = Signal()
    changed = Signal()  # what is learnt from

    def __init__(self) -> None:
        super().__init__("What it learns from")
        self.verdict = ToneCard()
        self.counts: dict[Verdict, QLabel] = {}
        self.use_decisions = QCheckBox("Learn from my decisions")
        self.use_decisions.setChecked(True)
        self.use_decisions.toggled.connect(lambda _on: self.changed.emit())
        self.decide = QPushButton("Decide more pairs")
        self.decide.clicked.connect(self.deciding_wanted)
        self.import_button = QPushButton("Import examples…")
        self.import_button.clicked.connect(self.import_wanted)
        self.files = FileList()
        self.files.removal_wanted.connect(self.removal_wanted)
        self.files.reading_wanted.connect(self.reading_wanted)
        self.files.changed.connect(self.changed)
        self.hint = DropHint()
        self._lay_out()

    @property
    def selection(self) -> dict[str, Any]:
        """What is learnt from, as values of a wish."""
        return {**self.files.selection, "decisions": self.use_decisions.isChecked()}

    def select(self, values: dict[str, Any]) -> None:
        """Learn from what a training was made from."""
        self.use_decisions.setChecked(bool(values.get("decisions", True)))
        self.files.select(values)

    def show_material(self, material: Material, *, may_write: bool) -> None:
        """Show what there is."""
        for verdict, label in self.counts.items():
            label.setText(count(material.decisions.get(verdict, 0)))
        self.decide.setText("Decide more pairs" if material.judged else "Decide some pairs")
        self.use_decisions.setVisible(bool(material.judged and material.files))
        self.import_button.setEnabled(may_write)
        self.files.show_files(material.files, may_write=may_write)
        self.hint.setVisible(may_write)

    def show_forecast(self, forecast: Forecast) -> None:
        """Say what it is good for."""
        self.verdict.show_said(verdict_said(forecast))

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
        self.body.addWidget(self.use_decisions)
        self.body.addWidget(self.decide)
        self.body.addSpacing(XS)
        self.body.addWidget(line())
        self.body.addWidget(note("Imported examples", role="heading"))
        self.body.addWidget(self.files)
        self.body.addWidget(self.import_button)
        self.body.addWidget(self.hint)
        self.body.addStretch(1)
