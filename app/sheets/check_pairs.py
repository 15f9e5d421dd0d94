"""Checking all that waits: how many pairs, how long, and one button."""

from PySide6.QtWidgets import QDialog, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from app.jobs import JobEnd, Ticket
from app.look.theme import set_role
from app.look.tokens import XL, L, M, S
from app.look.words import counted, duration
from app.workspace import Workspace

_ABOUT = (
    "The cross-encoder {name} reads both texts of each pair at once: slower than comparing "
    "vectors, and usually more exact. Nothing is decided; each pair shows what it says, and groups "
    "can be sorted by it."
)


class CheckPairsSheet(QDialog):
    """Forecasts from a sample; the work itself can be cancelled and goes on where it was."""

    def __init__(
        self, workspace: Workspace, values: dict[str, str], *, name: str, parent: QWidget
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle("Check what waits again")
        self._workspace = workspace
        title = QLabel("Check what waits again")
        set_role(title, "title")
        about = QLabel(_ABOUT.format(name=name))
        about.setWordWrap(True)
        set_role(about, "muted")
        self._told = QLabel("Estimating the time…")
        self._told.setWordWrap(True)
        self._told.setMinimumHeight(36)
        self.check_button = QPushButton("Check")
        self.check_button.setDefault(True)
        self.check_button.setEnabled(False)
        self.check_button.clicked.connect(self.accept)
        set_role(self.check_button, "primary")
        cancel = QPushButton("Cancel")
        cancel.setAutoDefault(False)
        cancel.clicked.connect(self.reject)
        foot = QHBoxLayout()
        foot.setSpacing(S)
        foot.addStretch(1)
        foot.addWidget(cancel)
        foot.addWidget(self.check_button)
        column = QVBoxLayout(self)
        column.setContentsMargins(XL, L, XL, L)
        column.setSpacing(M)
        for part in (title, about, self._told):
            column.addWidget(part)
        column.addLayout(foot)
        self.setFixedWidth(480)
        self._ticket: Ticket | None = workspace.start(
            "recheck-forecast", dict(values), title="Estimating the time of checking",
            then=self._show,
        )  # fmt: skip
        self.finished.connect(self._stop)

    @property
    def words(self) -> str:
        """What is told of the work."""
        return self._told.text()

    def _show(self, end: JobEnd) -> None:
        if self._ticket is None:
            return  # the sheet is closed
        self._ticket = None
        if end.kind != "finished":
            self._told.setText(f"{end.what} {end.remedy}".strip())
            return
        told = end.outcome
        new = told["pairs"] - told["known"]
        if not told["pairs"]:
            self._told.setText("No pair waits for you.")
            return
        if not new:
            self._told.setText(
                f"All {counted(told['pairs'], 'pair')} that wait are checked by it already."
            )
            return
        words = f"{counted(new, 'pair')} to check; takes {duration(told['seconds'])}."
        if told["known"]:
            words += f" {counted(told['known'], 'pair')} it has checked before."
        self._told.setText(words)
        self.check_button.setText(f"Check {counted(new, 'pair')}")
        self.check_button.setEnabled(True)

    def _stop(self) -> None:
        if self._ticket is not None:
            ticket, self._ticket = self._ticket, None
            self._workspace.cancel(ticket)
