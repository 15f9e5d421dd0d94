"""What the engine says of the judged pairs, and of what labelling would cost, asked for live."""

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal

from app.jobs import JobEnd, Ticket
from app.workspace import Workspace
from core.progress import Progress

_ASK_AFTER_MS = 500  # once the choices rest


class Question(QObject):
    """A wish that is asked again and again; only the newest answer is told."""

    answered = Signal(object)  # the outcome
    failed = Signal(str, str)  # what and remedy
    progressed = Signal(object)  # Progress

    def __init__(self, workspace: Workspace, wish: str, title: str, parent: QObject) -> None:
        super().__init__(parent)
        self._workspace, self._wish, self._title = workspace, wish, title
        self._ticket: Ticket | None = None
        self._asked = 0
        self._values: dict[str, Any] = {}
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(_ASK_AFTER_MS)
        self._later.timeout.connect(self._ask)
        workspace.job_progressed.connect(self._note_progress)

    @property
    def is_open(self) -> bool:
        """Whether an answer is awaited, or the question about to be put."""
        return self._ticket is not None or self._later.isActive()

    def ask(self, values: Mapping[str, Any]) -> None:
        """Ask now."""
        self.drop()
        self._values = dict(values)
        self._ask()

    def ask_soon(self, values: Mapping[str, Any]) -> None:
        """Ask once the choices rest; an older question is given up."""
        self.drop()
        self._values = dict(values)
        self._later.start()

    def drop(self) -> None:
        """Give up what is asked; nothing is told of it any more."""
        self._later.stop()
        ticket, self._ticket = self._ticket, None
        if ticket is not None:
            self._workspace.cancel(ticket)

    def _ask(self) -> None:
        if self._workspace.folder is None:
            return
        self._asked += 1
        number = self._asked
        self._ticket = self._workspace.start(
            self._wish, self._values, title=self._title, lane="live",
            then=lambda end: self._take(number, end),
        )  # fmt: skip  # one call

    def _take(self, number: int, end: JobEnd) -> None:
        if number != self._asked or self._ticket is None:
            return
        self._ticket = None
        if end.kind == "finished":
            self.answered.emit(end.outcome)
        elif end.kind == "failed":
            self.failed.emit(end.what, end.remedy)

    def _note_progress(self, ticket: Ticket, progress: Progress) -> None:
        if ticket == self._ticket:
            self.progressed.emit(progress)
