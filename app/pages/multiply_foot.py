"""What stays in view below a step: its deeds and what they cost, or the work that runs."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QProgressBar,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
)

from app.look.icons import set_icon
from app.look.theme import current_theme, set_role
from app.look.tokens import XS, L, S
from app.look.words import count, counted, remaining
from app.pages.teach_parts import IconLine
from app.pages.teach_practice import PracticeState, Standing

_STATES: dict[PracticeState, str] = {
    "starting": "Starting",
    "pausing": "Pausing after this step",
    "paused": "Paused",
    "finishing": "Stopping",
    "ending": "Cancelling",
}


class Foot(QFrame):
    """Buttons of a step, the first of them the one that is wanted next, and a line of words."""

    wanted = Signal(str)  # the key of a button

    def __init__(self, primary: tuple[str, str], *others: tuple[str, str]) -> None:
        """Buttons are (key, words)."""
        super().__init__()
        set_role(self, "strip")
        self.line = IconLine("info")
        self.buttons: dict[str, QPushButton] = {}
        row = QHBoxLayout(self)
        row.setContentsMargins(L, S, L, S)
        row.setSpacing(S)
        first = self._button(*primary)
        first.setMinimumWidth(150)
        row.addWidget(first)
        row.addSpacing(S)
        row.addWidget(self.line, 1000, Qt.AlignmentFlag.AlignVCenter)
        row.addStretch(1)
        for key, words in others:
            row.addWidget(self._button(key, words))
        self.lead(primary[0])

    @property
    def words(self) -> str:
        """What the line says."""
        return self.line.label.text()

    @property
    def leading(self) -> str:
        """The button that is wanted next."""
        return self._leading

    def lead(self, key: str) -> None:
        """Say which button is wanted next."""
        self._leading = key
        for one, button in self.buttons.items():
            set_role(button, "primary" if one == key else "")

    def show_words(self, icon: str, words: str, tone: str = "muted") -> None:
        """Say what the deed costs, or why it cannot be done."""
        self.line.show_words(icon, words, tone)
        self.line.setVisible(bool(words))
        next(iter(self.buttons.values())).setAccessibleDescription(words)

    def show_reason(self, why: str, icon: str, words: str) -> None:
        """Say why the deed cannot be done, or else `words`."""
        self.show_words(*(("cross", why, "different") if why else (icon, words)))

    def allow(self, keys: Sequence[str]) -> None:
        """Enable these buttons and no others."""
        for key, button in self.buttons.items():
            button.setEnabled(key in keys)

    def name(self, key: str, words: str) -> None:
        """Say what a button does now."""
        self.buttons[key].setText(words)
        self.buttons[key].setAccessibleName(words.rstrip("…"))

    def _button(self, key: str, words: str) -> QPushButton:
        button = QPushButton(words)
        button.setAccessibleName(words.rstrip("…"))
        button.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        button.clicked.connect(lambda: self.wanted.emit(key))
        self.buttons[key] = button
        return button


class RunStrip(QFrame):
    """Where the work stands that runs, and the ways to hold or end it."""

    pause_wanted = Signal()
    cancel_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        set_role(self, "strip")
        self._title, self._figures = QLabel(), QLabel()
        self._bar = QProgressBar()
        self._bar.setTextVisible(False)
        self.pause, self.cancel = QPushButton("Pause"), QPushButton("Cancel")
        self.pause.clicked.connect(self.pause_wanted)
        self.cancel.clicked.connect(self.cancel_wanted)
        self._lay_out()
        self.hide()

    @property
    def words(self) -> str:
        """Where it stands, as it is read."""
        return f"{self._title.text()}  {self._figures.text()}".strip()

    def show_standing(self, standing: Standing) -> None:
        """Show where the work is; its place is another's while none runs."""
        self.setVisible(standing.state != "idle")
        state = standing.state
        self._title.setText(_STATES.get(state, standing.phase))
        self._figures.setText(_figures(standing))
        self._bar.setRange(0, 1000 if standing.total or state == "paused" else 0)
        if standing.total:
            self._bar.setValue(round(1000 * min(standing.done / standing.total, 1.0)))
        self._bar.setAccessibleName(self.words)
        is_paused = state == "paused"
        self.pause.setText("Resume" if is_paused else "Pause")
        set_icon(self.pause, "play" if is_paused else "pause", current_theme().colours)
        self.pause.setEnabled(state in ("running", "paused"))
        self.cancel.setEnabled(state != "ending")

    def _lay_out(self) -> None:
        set_role(self._title, "strong")
        set_role(self._figures, "muted")
        self._title.setWordWrap(True)
        self.pause.setMinimumWidth(104)
        told = QHBoxLayout()
        told.setSpacing(S)
        told.addWidget(self._title, 1)
        told.addWidget(self._figures)
        column = QVBoxLayout()
        column.setSpacing(XS)
        column.addLayout(told)
        column.addWidget(self._bar)
        row = QHBoxLayout(self)
        row.setContentsMargins(L, S, L, S)
        row.setSpacing(L)
        row.addLayout(column, 1)
        row.addWidget(self.pause)
        row.addWidget(self.cancel)


def _figures(standing: Standing) -> str:
    words = []
    if standing.total:
        unit = standing.unit or "steps"
        one = unit.removesuffix("s")
        done = counted(standing.total, one, unit)
        words.append(f"{count(standing.done)} of {done}")
    if standing.seconds_left is not None and standing.state in ("running", "paused", "pausing"):
        words.append(remaining(standing.seconds_left))
    return "  ·  ".join(words)
