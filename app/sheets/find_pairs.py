"""From which likeness on pairs are found: a number, and what it would cost."""

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import (
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
from app.look.tokens import XL, L, M, S
from app.look.words import count, duration
from app.workspace import Workspace
from core.options import PairOptions, choice_of

_ASK_AFTER_MS = 300


class FindPairsSheet(QDialog):
    """Asks for the floor and forecasts the number of pairs as it changes."""

    def __init__(self, workspace: Workspace, *, floor: float, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle("Find pairs again")
        self._workspace = workspace
        self._asked = 0
        self._too_many = False
        choice = choice_of(PairOptions, "floor")
        title = QLabel("Find pairs again")
        set_role(title, "title")
        about = QLabel(
            "Pairs below this likeness are neither removed nor shown for review. "
            "Decisions are kept whatever you choose."
        )
        about.setWordWrap(True)
        set_role(about, "muted")
        self._floor = QDoubleSpinBox()
        self._floor.setRange(choice.low or 0.0, choice.high or 1.0)
        self._floor.setSingleStep(choice.step or 0.01)
        self._floor.setDecimals(2)
        self._floor.setValue(floor)
        self._floor.setAccessibleName(choice.title)
        self._floor.setFixedWidth(110)
        label = QLabel(choice.title)
        label.setBuddy(self._floor)
        self._told = QLabel()
        set_role(self._told, "muted")
        self._told.setWordWrap(True)
        self._told.setMinimumHeight(36)
        cancel = QPushButton("Cancel")
        cancel.setAutoDefault(False)
        cancel.clicked.connect(self.reject)
        self._find = QPushButton("Find pairs")
        self._find.setDefault(True)
        self._find.clicked.connect(self.accept)
        set_role(self._find, "primary")
        line = QHBoxLayout()
        line.setSpacing(M)
        line.addWidget(label)
        line.addWidget(self._floor)
        line.addStretch(1)
        foot = QHBoxLayout()
        foot.setSpacing(S)
        foot.addStretch(1)
        foot.addWidget(cancel)
        foot.addWidget(self._find)
        column = QVBoxLayout(self)
        column.setContentsMargins(XL, L, XL, L)
        column.setSpacing(M)
        column.addWidget(title)
        column.addWidget(about)
        column.addLayout(line)
        column.addWidget(self._told)
        column.addLayout(foot)
        self.setFixedWidth(480)
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(_ASK_AFTER_MS)
        self._later.timeout.connect(self._forecast)
        self._floor.valueChanged.connect(self._wait)
        self._forecast()

    @property
    def floor(self) -> float:
        """The likeness chosen."""
        return round(self._floor.value(), 2)

    @property
    def confirmed(self) -> bool:
        """Whether the forecast of very many pairs was on the button that was clicked."""
        return self._too_many

    def _wait(self) -> None:
        self._told.setText("Estimating…")
        self._too_many = False
        self._find.setText("Find pairs")
        self._later.start()

    def _forecast(self) -> None:
        self._asked += 1
        number = self._asked
        self._told.setText("Estimating…")
        self._workspace.start(
            "forecast",
            {"floor": self.floor},
            title="Estimating the number of pairs",
            lane="live",
            then=lambda end: self._show(number, end),
        )

    def _show(self, number: int, end: JobEnd) -> None:
        if number != self._asked:
            return
        if end.kind != "finished":
            self._told.setText(f"{end.what} {end.remedy}".strip())
            return
        told = end.outcome
        pairs = count(round(told["expected"]))
        words = f"About {pairs} pairs among {count(told['texts'])} texts; "
        words += f"takes {duration(told['seconds'])}."
        self._too_many = bool(told["too_many"])
        if self._too_many:
            words += f" That is very many: from {told['floor_for_most']:.2f} on it would be 5 M."
        self._told.setText(words)
        self._find.setText("Find them all the same" if self._too_many else "Find pairs")
