"""Pairs read again by a cross-encoder: those of the group on show, or all that wait."""

from functools import partial

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QWidget

from app.checker import Checker
from app.jobs import JobEnd
from app.look.words import counted
from app.pages.duplicates_actions import PageActions
from app.pages.duplicates_view import DuplicatesView
from app.sheets.check_pairs import CheckPairsSheet
from app.workspace import Workspace

_TOLD_MS = 2_000


class PairChecking(QObject):
    """Starts the work; what it says is stored, and comes back with the project's changes."""

    failed = Signal(object)  # JobEnd

    def __init__(
        self, workspace: Workspace, view: DuplicatesView, actions: PageActions, page: QWidget
    ) -> None:
        super().__init__(page)
        self._workspace, self._view, self._actions, self._page = workspace, view, actions, page
        self._checker: Checker | None = None
        self._busy = 0
        self._words = ""  # of the check that ended last, until the group shows what came of it
        self.sheet: CheckPairsSheet | None = None
        self._telling = QTimer(self)
        self._telling.setSingleShot(True)
        self._telling.setInterval(_TOLD_MS)
        self._telling.timeout.connect(self._forget_words)
        actions.on("check", self.check_group)
        actions.on("check-all", self.ask_about_all)
        actions.on("checker", self.choose)
        view.panel.check_wanted.connect(self.check_group)
        view.panel.candidate_shown.connect(self._note_shown)
        workspace.state_changed.connect(self.allow)
        self.allow()

    def check_with(self, checker: Checker) -> None:
        """Know the cross-encoder."""
        self._checker = checker
        checker.changed.connect(self.allow)
        self.allow()

    def allow(self, *_moved: object) -> None:
        """Offer checking where a cross-encoder is known and something is there to be checked."""
        is_known = self._checker is not None and bool(self._checker.folder)
        may = is_known and not self._workspace.read_only
        self._actions.show_checking(
            known=is_known, group=may and bool(self._pairs()) and not self._busy, all_=may
        )
        self._view.panel.allow_checking(
            known=is_known, may=may and bool(self._pairs()) and not self._busy
        )

    def choose(self) -> None:
        """Let a person choose the cross-encoder."""
        if self._checker is not None:
            self._checker.choose()

    def check_group(self) -> None:
        """Read the kept text beside every other text of the group on show."""
        pairs = self._pairs()
        if pairs and self._actions["check"].isEnabled():
            self._start({"pairs": pairs}, title=f"Checking {counted(len(pairs), 'pair')} again")

    def ask_about_all(self) -> None:
        """Say how long all that waits would take, and ask."""
        if self._checker is None or not self._actions["check-all"].isEnabled():
            return
        sheet = CheckPairsSheet(
            self._workspace, self._checker.values(), name=self._checker.name, parent=self._page
        )
        sheet.accepted.connect(partial(self._start, {}, title="Checking what waits again"))
        sheet.finished.connect(sheet.deleteLater)
        self.sheet = sheet
        sheet.open()

    def _pairs(self) -> list[list[int]]:
        """The kept text with each other text of the group, once."""
        case = self._view.panel.case
        if case is None or case.kept.text is None:
            return []
        kept = case.kept.text
        others = dict.fromkeys(one.text for one in case.candidates if one.text not in (0, kept))
        return [[kept, other] for other in others]

    def _start(self, values: dict[str, list[list[int]]], *, title: str) -> None:
        if self._checker is None:
            return
        self._busy += 1
        self._workspace.start(
            "recheck-pairs", {**self._checker.values(), **values}, title=title, then=self._take
        )
        self._view.panel.say("Checking again…")
        self.allow()

    def _take(self, end: JobEnd) -> None:
        self._busy = max(0, self._busy - 1)
        self.allow()
        if end.kind == "failed":
            self._view.panel.say("")
            self.failed.emit(end)
            return
        is_done = end.kind == "finished"
        self._words = _words(end) if is_done else "Stopped; what was checked is kept."
        self._view.panel.say(self._words)
        self._telling.start()

    def _note_shown(self, _candidate: object) -> None:
        self.allow()
        if self._words:
            self._view.panel.say(self._words)
            self._forget_words()

    def _forget_words(self) -> None:
        self._words = ""


def _words(end: JobEnd) -> str:
    told = end.outcome
    if not told["pairs"]:
        return "Nothing waits to be checked."
    return (
        f"Checked {counted(told['pairs'], 'pair')} by {told['cross_encoder']}: "
        f"{told['lowest']:.2f} to {told['highest']:.2f}."
    )
