"""Accepting a whole band of pairs at once, after seeing what is in it."""

from dataclasses import dataclass
from html import escape

import numpy as np
from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QDoubleSpinBox,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from app.jobs import JobEnd
from app.look.theme import set_role, theme_of
from app.look.tokens import XL, XS, Colours, L, M, S
from app.look.words import counted
from app.widgets.shown_text import is_right_to_left, visible
from app.widgets.word_diff import Span, word_diff
from app.workspace import Workspace
from core.store import Project, ReviewRow

_SAMPLE = 5
_SHOWN_CHARACTERS = 220
_PAUSE_MS = 120
_ABOVE_ALL = 1.01  # an upper end of 1.00 takes the pairs at 1.00 along


@dataclass(frozen=True, slots=True)
class Band:
    """What waits between two cosines; `held` of the pairs carry a warning."""

    pairs: int
    held: int
    sample: tuple[tuple[str, str, float], ...]  # kept text, candidate text, cosine


def read_band(project: Project, low: float, high: float, *, flagged: bool, turn: int = 0) -> Band:
    """Count the pairs that would be accepted, and draw a few of them spread over the band.

    Another `turn` draws others. Reads every pair of the band.
    """
    top = _ABOVE_ALL if high >= 1.0 else high
    # A pair decided since the last grouping is not asked again.
    decided = {verdict: pairs for verdict, pairs in _decided(project).items() if pairs}
    known = set().union(*decided.values()) if decided else set()
    waiting = [
        row
        for row in project.groupings.band(low, top, flagged=True)
        if (min(row.text, row.candidate), max(row.text, row.candidate)) not in known
    ]
    held = sum(bool(row.flags) for row in waiting)
    chosen = waiting if flagged else [row for row in waiting if not row.flags]
    return Band(len(chosen), held, _sample(project, chosen, turn))


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
        self.low = _end("Lower end", low)
        self.high = _end("Upper end", high)
        self.held = QCheckBox("Accept pairs with a warning as well")
        self._told = QLabel()
        self._warned = QLabel()
        self._fault = QLabel()
        self._others = QPushButton("Show others")
        self._pairs = _SampleView()
        self.accept_button = QPushButton()
        self._cancel = QPushButton("Cancel")
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
        low, high = self.low.value(), self.high.value()
        flagged, turn = self.held.isChecked(), self._turn
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
        self._others.setEnabled(band.pairs > _SAMPLE)
        self._pairs.show_sample(band.sample)

    def _change(self) -> None:
        if self.low.value() > self.high.value():
            # The end that was not touched comes along.
            if self.sender() is self.low:
                self.high.setValue(self.low.value())
            else:
                self.low.setValue(self.high.value())
        self.accept_button.setEnabled(False)
        self._timer.start()

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
                "high": _ABOVE_ALL if high >= 1.0 else high,
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


class _SampleView(QScrollArea):
    """A few pairs under each other, their differing words marked."""

    def __init__(self) -> None:
        super().__init__()
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setAccessibleName("Examples")
        self.show_sample(())

    def show_sample(self, sample: tuple[tuple[str, str, float], ...]) -> None:
        box = QWidget()
        set_role(box, "clear")
        grid = QGridLayout(box)
        grid.setContentsMargins(0, 0, S, 0)
        grid.setHorizontalSpacing(L)
        grid.setVerticalSpacing(M)
        grid.setColumnStretch(1, 1)
        grid.setColumnStretch(2, 1)
        colours = theme_of(self).colours
        for row, (kept, candidate, cosine) in enumerate(sample):
            left, right = _cut(kept), _cut(candidate)
            figure = QLabel(f"{cosine:.2f}")
            set_role(figure, "muted")
            grid.addWidget(figure, row, 0, Qt.AlignmentFlag.AlignTop)
            for place, text, spans in zip(
                (1, 2), (left, right), word_diff(left, right), strict=True
            ):
                grid.addWidget(_label(text, spans, colours), row, place, Qt.AlignmentFlag.AlignTop)
        if not sample:
            nothing = QLabel("Nothing waits in this band.")
            set_role(nothing, "muted")
            grid.addWidget(nothing, 0, 1)
        grid.setRowStretch(max(1, len(sample)), 1)
        self.setWidget(box)


def _label(text: str, spans: list[Span], colours: Colours) -> QLabel:
    parts, at = [], 0
    for start, stop in spans:
        parts.append(escape(text[at:start]))
        parts.append(
            f'<span style="background-color:{colours.highlight}; text-decoration:underline">'
            f"{escape(text[start:stop])}</span>"
        )
        at = stop
    parts.append(escape(text[at:]))
    way = "rtl" if is_right_to_left(text) else "ltr"
    label = QLabel(f'<p dir="{way}" style="line-height:135%; margin:0">{"".join(parts)}</p>')
    label.setTextFormat(Qt.TextFormat.RichText)
    label.setWordWrap(True)
    label.setAccessibleName(text)
    return label


def _decided(project: Project) -> dict[str, set[tuple[int, int]]]:
    table = project.decisions.table()
    return {
        name: {(int(a), int(b)) for a, b in pairs}
        for name, pairs in (
            ("same", table.same), ("different", table.different), ("unsure", table.unsure)
        )
    }  # fmt: skip


def _sample(
    project: Project, rows: list[ReviewRow], turn: int
) -> tuple[tuple[str, str, float], ...]:
    if len(rows) <= _SAMPLE:
        chosen = list(range(len(rows)))
    elif turn == 0:
        chosen = np.linspace(0, len(rows) - 1, _SAMPLE).astype(int).tolist()
    else:
        chosen = np.random.default_rng(turn).choice(len(rows), _SAMPLE, replace=False).tolist()
    picked = [rows[at] for at in sorted(chosen, reverse=True)]
    kept = project.texts.bodies([row.text for row in picked])
    other = project.texts.bodies([row.candidate for row in picked])
    return tuple(
        (left, right, row.cosine) for left, right, row in zip(kept, other, picked, strict=True)
    )


def _end(name: str, value: float) -> QDoubleSpinBox:
    box = QDoubleSpinBox()
    box.setAccessibleName(name)
    box.setRange(0.3, 1.0)
    box.setDecimals(3)
    box.setSingleStep(0.005)
    box.setValue(value)
    box.setFixedWidth(104)
    return box


def _cut(text: str) -> str:
    line = visible(" ".join(text.split()))
    return line if len(line) <= _SHOWN_CHARACTERS else line[: _SHOWN_CHARACTERS - 1] + "…"
