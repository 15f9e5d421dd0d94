"""What is done with the texts chosen: deciding, exporting, showing on the map."""

from functools import partial

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QWidget

from app.jobs import JobEnd
from app.pages.search_actions import SearchActions
from app.pages.search_choice import (
    Choice,
    choice_of,
    chosen_words,
    done_words,
    title_of,
    told_of,
)
from app.pages.search_reads import read_verdicts
from app.pages.search_view import SearchView
from app.sheets.export_rows import ExportRowsSheet
from app.workspace import Workspace
from core.records import Verdict


class SearchHand(QObject):
    """Knows which pairs a verdict would be for, says so, and gives it."""

    map_wanted = Signal(object)  # list of text ids
    corpus_wanted = Signal()

    def __init__(self, workspace: Workspace, view: SearchView, page: QWidget) -> None:
        super().__init__(page)
        self._workspace, self._view, self._page = workspace, view, page
        self._choice = Choice(None, "", ())
        self.sheet: ExportRowsSheet | None = None
        view.foot.verdict_given.connect(self.decide)
        view.foot.tool_pressed.connect(self._use)

    @property
    def can_decide(self) -> bool:
        """Whether a verdict would be for anything."""
        return bool(self._choice.pairs) and not self._workspace.read_only

    def show_choice(self) -> None:
        """Say what is chosen; mark what the others are compared with."""
        picked = self._view.list.picked
        before = self._choice.reference
        self._choice = choice_of(self._view.results.answer, picked)
        read_only = self._workspace.read_only
        self._view.foot.say(chosen_words(self._choice, len(picked), read_only=read_only))
        self._view.tell_choice(told_of(self._choice, read_only=read_only))
        if self._choice.reference != before:
            self.read_verdicts()

    def read_verdicts(self) -> None:
        """Learn what was said of the reference beside each other text."""
        reference = self._choice.reference
        if reference is None:
            self._view.results.show_verdicts(None, {})
            return
        self._workspace.read(
            "search.verdicts",
            lambda project: read_verdicts(project, reference),
            partial(self._take_verdicts, reference),
        )

    def decide(self, verdict: Verdict) -> None:
        """Give the pairs of the choice this verdict, as one step of undo."""
        if not self.can_decide:
            return
        choice = self._choice
        self._workspace.start(
            "decide",
            {"pairs": choice.pairs, "verdict": verdict.value, "title": title_of(choice, verdict)},
            title="Deciding", lane="live", then=partial(self._take_end, choice, verdict),
        )  # fmt: skip

    def export(self) -> None:
        """Ask where to write the texts found."""
        answer = self._view.results.answer
        if answer is None or not answer.hits:
            return
        sheet = ExportRowsSheet(
            self._workspace, answer.hits, picked=self._view.list.picked, parent=self._page
        )
        sheet.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.sheet = sheet
        sheet.open()

    def show_on_map(self) -> None:
        """Ask for the chosen texts to be selected on the map."""
        picked = self._view.list.picked
        if picked:
            self.map_wanted.emit(list(picked))

    def connect_actions(self, actions: SearchActions) -> None:
        """Give the actions that use the choice their meaning."""
        for verdict in Verdict:
            actions.on(verdict.value, partial(self.decide, verdict))
        actions.on("export", self.export)
        actions.on("map", self.show_on_map)

    def _take_verdicts(self, reference: int, verdicts: dict[int, Verdict]) -> None:
        if reference == self._choice.reference:
            self._view.results.show_verdicts(reference, verdicts)

    def _take_end(self, choice: Choice, verdict: Verdict, end: JobEnd) -> None:
        if end.kind == "finished":
            if choice == self._choice and len(choice.others) == 1 and self._is_like():
                self._view.list.move_by(1)  # one text after the other beside the same one
            self._view.tell_choice(done_words(choice, verdict), is_done=True)
        elif end.kind == "failed":
            self._view.notices.say("decide", "error", f"{end.what} {end.remedy}".strip())

    def _is_like(self) -> bool:
        answer = self._view.results.answer
        return answer is not None and answer.question.like is not None

    def _use(self, tool: str) -> None:
        if tool == "export":
            self.export()
        elif tool == "map":
            self.show_on_map()
        else:
            self.corpus_wanted.emit()
