"""Accepting a whole band of pairs at once, after seeing what is in it."""

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QDoubleSpinBox,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.jobs import JobEnd
from app.look.theme import set_role
from app.look.tokens import XL, XS, L, S
from app.look.words import counted
from app.sheets.bulk_band import ABOVE_ALL, SAMPLE, Band, read_band
from app.sheets.bulk_examples import ExamplesView
from app.workspace import Workspace

_PAUSE_MS = 120


class BulkSheet(QDialog):
    """Two ends of a band, what is in it, five of its pairs, and one button."""

    accepted_pairs = Signal(int)

    def __init__(
        self, workspace: Workspace, *, low: float, high: float, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle("Accept a band")
        self._workspace = workspace
        self._turn = 0
        self._is_reading = False
        self._band = Band(0, 0, ())
        self._asked: tuple[float, float, bool] | None = None  # the ends last read
        self.low = _end("Lower end", low)
        self.high = _end("Upper end", high)
        self.held = QCheckBox("Accept pairs with a warning as well")
        self._told = QLabel()
        self._warned = QLabel()
        self._fault = QLabel()
        self._others = QPushButton("Show others")
        self._pairs = ExamplesView()
        self._others.setAutoDefault(False)  # Enter accepts what is shown
        self.accept_button = QPushButton()
        self.accept_button.setDefault(True)
        self._cancel = QPushButton("Cancel")
        self._cancel.setAutoDefault(False)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_PAUSE_MS)
        self._timer.timeout.connect(self._read)
        self._lay_out()
        self._connect()
        self.resize(780, 620)
        self._show(self._band)
        self._read()

    @property
    def is_settled(self) -> bool:
        """Whether the counts are those of the ends on show."""
        return not self._timer.isActive() and not self._is_reading

    def _read(self) -> None:
        self._is_reading = True
        self._asked = self._ends()
        low, high, flagged = self._asked
        turn = self._turn
        self._workspace.read(
            "bulk.band",
            lambda project: read_band(project, low, high, flagged=flagged, turn=turn),
            self._show,
        )

    def _show(self, band: Band) -> None:
        self._is_reading = False
        self._band = band
        left_out = 0 if self.held.isChecked() else band.held
        self._told.setText(f"{counted(band.pairs, 'pair')} to accept")
        self._warned.setText(
            f"{counted(left_out, 'pair')} held back for a warning: a number, a negation or a name "
            "differs, or the encoder cannot tell."
            if left_out
            else "None is held back."
        )
        self.accept_button.setText(f"Accept {counted(band.pairs, 'pair')}")
        self.accept_button.setEnabled(band.pairs > 0)
        self._others.setEnabled(band.pairs > SAMPLE)
        self._pairs.show_sample(band.sample)

    def _change(self) -> None:
        if self.low.value() > self.high.value():
            # The end that was not touched comes along.
            if self.sender() is self.low:
                self.high.setValue(self.low.value())
            else:
                self.low.setValue(self.high.value())
        if self._ends() == self._asked:
            return  # Enter in a spin box tells its value anew, and is meant for the button
        self.accept_button.setEnabled(False)
        self._timer.start()

    def _ends(self) -> tuple[float, float, bool]:
        return self.low.value(), self.high.value(), self.held.isChecked()

    def _show_others(self) -> None:
        self._turn += 1
        self._read()

    def _send(self) -> None:
        self.accept_button.setEnabled(False)
        self._fault.setText("")
        high = self.high.value()
        self._workspace.start(
            "accept-band",
            {
                "low": self.low.value(),
                "high": ABOVE_ALL if high >= 1.0 else high,
                "flagged": self.held.isChecked(),
                "verdict": "same",
            },
            title=self.accept_button.text(),
            lane="live",
            then=self._take_end,
        )

    def _take_end(self, end: JobEnd) -> None:
        if end.kind == "finished":
            self.accepted_pairs.emit(int(end.outcome["changed"]))
            self.accept()
        else:
            self._fault.setText(f"{end.what} {end.remedy}".strip() or "It was cancelled.")
            self.accept_button.setEnabled(True)

    def _connect(self) -> None:
        self.low.valueChanged.connect(self._change)
        self.high.valueChanged.connect(self._change)
        self.held.toggled.connect(self._change)
        self._others.clicked.connect(self._show_others)
        self._cancel.clicked.connect(self.reject)
        self.accept_button.clicked.connect(self._send)

    def _lay_out(self) -> None:
        title = QLabel("Accept a band")
        set_role(title, "title")
        about = QLabel(
            "Every waiting pair between these cosines becomes “same”: the candidate is removed, "
            "the kept row stays. It is one step, and Ctrl+Z takes it back."
        )
        about.setWordWrap(True)
        set_role(about, "muted")
        ends = QHBoxLayout()
        ends.setSpacing(S)
        for words, box in (("From", self.low), ("to below", self.high)):
            ends.addWidget(QLabel(words))
            ends.addWidget(box)
        ends.addSpacing(L)
        ends.addWidget(self.held)
        ends.addStretch(1)
        set_role(self._told, "reading")
        set_role(self._warned, "muted")
        set_role(self._fault, "warning")
        self._warned.setWordWrap(True)
        self._fault.setWordWrap(True)
        set_role(self._others, "quiet")
        set_role(self.accept_button, "primary")
        self.accept_button.setMinimumWidth(190)
        head = QHBoxLayout()
        examples = QLabel("Five of them, from the least alike on")
        set_role(examples, "heading")
        head.addWidget(examples)
        head.addStretch(1)
        head.addWidget(self._others)
        foot = QHBoxLayout()
        foot.setSpacing(S)
        foot.addWidget(self._fault, 1)
        foot.addWidget(self._cancel)
        foot.addWidget(self.accept_button)
        column = QVBoxLayout(self)
        column.setContentsMargins(XL, L, XL, L)
        column.setSpacing(S)
        for part in (title, about):
            column.addWidget(part)
        column.addSpacing(XS)
        column.addLayout(ends)
        column.addSpacing(XS)
        column.addWidget(self._told)
        column.addWidget(self._warned)
        column.addLayout(head)
        column.addWidget(self._pairs, 1)
        column.addSpacing(XS)
        column.addLayout(foot)
        self.low.setFocus()


def _end(name: str, value: float) -> QDoubleSpinBox:
    box = QDoubleSpinBox()
    box.setAccessibleName(name)
    box.setRange(0.3, 1.0)
    box.setDecimals(3)
    box.setSingleStep(0.005)
    box.setValue(value)
    box.setFixedWidth(104)
    return box
