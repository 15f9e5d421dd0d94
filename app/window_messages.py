"""What the window says between the bar and the page, and what its buttons do."""

from datetime import datetime
from typing import Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from app.jobs import JobEnd, Ticket
from app.window_banners import BannerArea
from app.window_faults import tell
from app.window_jobs import JobBook
from app.window_prepare import Preparing
from app.window_reports import interruption_words, notes_dialog, read_notes, report_words
from app.workspace import Workspace
from core.records import ImportReport

_REPORTS = 4  # lines of the banner after an import of several files
_READ_ONLY = (
    "This project is open in another window or command. "
    "You can look around; nothing can be changed here."
)

# With what is safe, which only the page knows.
_TOLD_BY_PAGES = (
    "train", "resume-training", "repeat-training", "use-training", "import-examples",
    "remove-examples", "remove-training", "remove-interrupted", "recipes", "check-examples",
    "train-forecast", "augment-look", "augment-measure", "augment-forecast", "augment-label",
    "augment-learn", "augment-correct", "augment-drop-pairs", "augment-rebalance", "augment-drop",
)  # fmt: skip


_PAGE_OF = {
    "review": "Duplicates", "teach": "Teach", "multiply": "Multiply", "changes": "What changed"
}  # fmt: skip  # buttons and pages


class Messages(QObject):
    """Turns ends of jobs into banners; a report stays until its page is left."""

    page_wanted = Signal(str)

    def __init__(
        self, workspace: Workspace, jobs: JobBook, preparing: Preparing, host: QWidget
    ) -> None:
        super().__init__(host)
        self._workspace = workspace
        self._jobs = jobs
        self._preparing = preparing
        self._host = host
        self._page = ""
        self._reports: list[ImportReport] = []  # of the banner, the oldest first
        self._failure: JobEnd | None = None
        self._failed_wish = ""
        self.area = BannerArea()
        self.area.clicked.connect(self._answer)
        workspace.job_ended.connect(self._note_end)

    def text(self, subject: str) -> str:
        """What is said about `read-only`, `recovery`, `failure` or `report`."""
        return self.area.text(subject)

    def clear(self) -> None:
        """Say nothing any more."""
        self._reports, self._failure = [], None
        self.area.clear_all()

    def show_opened(self) -> None:
        """Begin anew with the project that was opened."""
        self.clear()
        if self._workspace.read_only:
            self.area.say("read-only", "info", _READ_ONLY, closable=False)

    def leave_for(self, page: str) -> None:
        """Another page is shown; reports belong to the page of the rows."""
        self._page = page
        if page != "Corpus":
            self._reports = []
            self.area.clear("report")

    def show_report(self, report: ImportReport) -> None:
        """Say what an import brought, under what the imports just before it brought."""
        self.page_wanted.emit("Corpus")
        if not self.area.text("report"):
            self._reports = []
        self._reports = [*self._reports, report][-_REPORTS:]
        self.area.clear("failure")
        buttons = [("lines", "Show lines")] if any(one.odd for one in self._reports) else []
        will_prepare = any(ticket.wish == "prepare" for ticket in self._jobs.running())
        has_new = any(one.rows > one.blank and not one.already_known for one in self._reports)
        if has_new and not will_prepare:
            buttons.append(("prepare", "Find duplicates"))
        self.area.say(
            "report",
            "info" if report.already_known else "done",
            "\n".join(map(report_words, self._reports)),
            buttons=buttons,
            primary="prepare",
        )

    def show_prepared(self, words: str, has_duplicates: bool, is_compared: bool = False) -> None:
        """Say what was found, unless the page that shows it is the one shown.

        Where encoders were compared, what that changed is offered on every page.
        """
        self._reports = []
        self.area.clear("report")
        self.area.clear("failure")
        if self._page == "What changed":
            return
        changes = [("changes", "What changed")] if is_compared else []
        if self._page != "Duplicates" or changes:
            buttons = [("review", "Review duplicates")] if has_duplicates else []
            if self._page == "Duplicates":
                buttons = []
            self.area.say("report", "done", words, buttons=[*changes, *buttons], primary="review")

    def show_failure(self, ticket: Ticket, end: JobEnd) -> None:
        """Say what failed, what is safe and what to do."""
        if ticket.wish in _TOLD_BY_PAGES:
            return
        self._failure, self._failed_wish = end, ticket.wish
        buttons = [("details", "Details")] if end.details else []
        words = f"{ticket.title}: {end.what} {end.remedy}".strip()
        self.area.say("failure", "error", words, buttons=buttons)

    def show_recovery(self, told: dict[str, Any]) -> None:
        """Say what a program that was stopped hard left behind."""
        words = interruption_words(told, datetime.now())
        if words:
            works = {run["workflow"] for run in told.get("interrupted", ())}
            buttons = [("teach", "Show it")] if "train" in works else []
            taught = {work for work in works if work.startswith("augment-")}
            buttons += [("multiply", "Show it")] if taught else []
            buttons += [("continue", "Continue")] if works - taught - {"train"} else []
            self.area.say("recovery", "warning", words, buttons=buttons, primary="continue")

    def _note_end(self, ticket: Ticket, end: JobEnd) -> None:
        """What has worked now has no failure any more."""
        if end.kind == "finished" and ticket.wish == self._failed_wish:
            self._failure, self._failed_wish = None, ""
            self.area.clear("failure")

    def _answer(self, subject: str, button: str) -> None:
        if button in ("continue", "prepare"):
            self.area.clear(subject)
            self._preparing.prepare()
        elif button in _PAGE_OF:
            self.page_wanted.emit(_PAGE_OF[button])
        elif button == "lines":
            self._show_lines()
        elif button == "details" and self._failure is not None:
            end = self._failure
            tell(end.what, end.remedy, end.details, parent=self._host)

    def _show_lines(self) -> None:
        reports = [report for report in self._reports if report.odd]
        self._workspace.read(
            "window.notes",
            lambda project: read_notes(project, reports),
            lambda notes: notes_dialog(notes, self._host).open(),
        )
