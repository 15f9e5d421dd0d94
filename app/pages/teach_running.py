"""The middle column while a training runs: where it stands, and the ways to hold or end it."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QBoxLayout,
    QLabel,
    QProgressBar,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.look.icons import set_icon
from app.look.theme import current_theme, set_role
from app.look.tokens import M, S
from app.look.words import count, remaining
from app.pages.teach_parts import note
from app.pages.teach_practice import PracticeState, Standing

_TITLES: dict[PracticeState, str] = {
    "starting": "Starting",
    "pausing": "Pausing after this step",
    "paused": "Paused",
    "finishing": "Stopping; the best so far is kept",
    "ending": "Cancelling",
}
_FREE = "You can leave this page and go on working; other work goes first."
_HELD = "Nothing is lost while it is paused. Closed now, it can be resumed another day."


class RunningPanel(QWidget):
    """Shows a training's standing; buttons keep their places whatever its state."""

    pause_wanted = Signal()
    finish_wanted = Signal()
    cancel_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._title, self._figures = QLabel(), QLabel()
        self._bar = QProgressBar()
        self._bar.setTextVisible(False)
        self.pause = QPushButton("Pause")
        self.finish = QPushButton("Stop and keep the best")
        self.cancel = QPushButton("Cancel")
        self._note = note(_FREE, role="meta")
        self._buttons = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self.pause.clicked.connect(self.pause_wanted)
        self.finish.clicked.connect(self.finish_wanted)
        self.cancel.clicked.connect(self.cancel_wanted)
        self._lay_out()

    @property
    def words(self) -> str:
        """Where it stands, as it is read."""
        return f"{self._title.text()}  {self._figures.text()}".strip()

    @property
    def figures(self) -> str:
        """Where it stands, in a few words."""
        return self._figures.text() or self._title.text()

    def set_narrow(self, narrow: bool) -> None:
        """Put the buttons one below the other, where there is no room beside each other."""
        way = QBoxLayout.Direction.TopToBottom if narrow else QBoxLayout.Direction.LeftToRight
        self._buttons.setDirection(way)

    def show_standing(self, standing: Standing) -> None:
        """Show where the training is."""
        state = standing.state
        self._title.setText(_TITLES.get(state, standing.phase))
        self._figures.setText(_figures(standing))
        self._bar.setRange(0, 1000 if standing.total or state == "paused" else 0)
        if standing.total:
            self._bar.setValue(round(1000 * min(standing.done / standing.total, 1.0)))
        self._bar.setAccessibleName(self.words)
        is_paused = state == "paused"
        self.pause.setText("Resume" if is_paused else "Pause")
        set_icon(self.pause, "play" if is_paused else "pause", current_theme().colours)
        self.pause.setEnabled(state in ("running", "paused"))
        self.finish.setEnabled(state in ("running", "paused", "pausing"))
        self.cancel.setEnabled(state != "ending")
        self._note.setText(_HELD if is_paused else _FREE)

    def _lay_out(self) -> None:
        set_role(self._title, "strong")
        set_role(self._figures, "muted")
        set_role(self.cancel, "quiet")
        self.pause.setMinimumWidth(104)
        self._buttons.setSpacing(S)
        self._buttons.addWidget(self.pause)
        self._buttons.addWidget(self.finish)
        self._buttons.addStretch(1)
        self._buttons.addWidget(self.cancel)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(M)
        column.addWidget(self._title)
        column.addWidget(self._bar)
        column.addWidget(self._figures)
        column.addLayout(self._buttons)
        column.addWidget(self._note)
        column.addStretch(1)


def _figures(standing: Standing) -> str:
    words = []
    if standing.stage is not None and (standing.stages or 0) > 1:
        words.append(f"part {standing.stage} of {standing.stages}")
    if standing.total:
        unit = standing.unit.removesuffix("s") or "step"
        words.append(f"{unit} {count(standing.done)} of {count(standing.total)}")
    if standing.seconds_left is not None and standing.state in ("running", "paused", "pausing"):
        words.append(remaining(standing.seconds_left))
    return "  ·  ".join(words)
