"""From what stands in the bar to a question, on to others like it, and back again."""

from dataclasses import replace

from PySide6.QtCore import QObject, Signal

from app.pages.corpus_reads import Unreadable, safely
from app.pages.search_asking import Asking
from app.pages.search_choice import like_of
from app.pages.search_filter import UNCLUSTERED
from app.pages.search_question import Answer, Like, Question
from app.pages.search_reads import SearchFacts, read_facts, read_like
from app.pages.search_view import SearchView
from app.pages.search_words import more_words
from app.workspace import Workspace

_MOST_KEPT = 50  # questions to go back to


class Questions(QObject):
    """Asks what the bar says; keeps the questions that "More like this" led away from."""

    emptied = Signal()  # nothing is asked any more
    asked = Signal()

    def __init__(
        self, workspace: Workspace, view: SearchView, asking: Asking, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._workspace, self._view, self._asking = workspace, view, asking
        self._bar = view.bar
        self._before: list[Question] = []
        self._are_facts_stale = True
        self._bar.asked.connect(self.ask)
        self._bar.like_removed.connect(self.go_back)
        view.more.clicked.connect(self.show_more)

    @property
    def can_go_back(self) -> bool:
        return bool(self._before) or self._bar.box.like is not None

    def ask(self) -> None:
        """Ask what stands in the bar."""
        question = self._bar.question
        if question.is_empty:
            self._asking.drop()
            self.emptied.emit()
        else:
            self._asking.ask(question)
            self.asked.emit()

    def ask_again(self) -> None:
        """Ask the same once more, for as many texts as are shown: what may be found has moved."""
        question = self._bar.question
        if not question.is_empty:
            shown = question if self._answer is None else self._answer.question
            anew = replace(question, count=shown.count)
            self._asking.ask(anew, again=self._answer is not None)

    def show_more(self) -> None:
        """Ask for more of the same texts."""
        answer = self._answer
        if answer is not None and more_words(answer) and answer.question.more is not None:
            self._asking.ask(replace(answer.question, count=answer.question.more), again=True)

    def ask_like_row(self, row: int) -> None:
        """Ask for texts like one of those that were found."""
        hits = self._view.results.hits
        if 0 <= row < len(hits):
            self._ask_like(like_of(hits[row]))

    def ask_like_document(self, document: int) -> None:
        """Ask for texts like that of a row of the corpus."""
        self._workspace.read(
            "search.like", lambda project: read_like(project, document), self._ask_like
        )

    def go_back(self) -> None:
        """Ask what was asked before, or nothing."""
        before = self._before.pop() if self._before else Question(by=self._bar.question.by)
        self._bar.show_question(before)
        self.ask()

    def note_moved(self) -> None:
        """There may be other things to filter by."""
        self._are_facts_stale = True

    def read_facts(self) -> None:
        """Learn what there is to filter by, unless it is known."""
        if self._are_facts_stale and self._workspace.folder is not None:
            self._are_facts_stale = False
            self._workspace.read("search.facts", safely(read_facts), self._take_facts)

    def forget(self) -> None:
        """Another project."""
        self._before.clear()
        self._are_facts_stale = True
        self._bar.forget()

    @property
    def _answer(self) -> Answer | None:
        return self._view.results.answer

    def _ask_like(self, like: Like | None) -> None:
        if like is None:
            words = "This row has no text to find others by."
            self._view.notices.say("like", "info", words)
            return
        self._view.notices.drop("like")
        before = self._bar.question
        if not before.is_empty and before.like != like:
            self._before = [*self._before[1 - _MOST_KEPT :], before]
        self._bar.box.remember()
        self._bar.box.ask_like(like)

    def _take_facts(self, facts: SearchFacts | Unreadable) -> None:
        if isinstance(facts, Unreadable):
            self._are_facts_stale = True
            return
        self._bar.menu.show_facts(facts)
        clusters = {one.number for one in facts.clusters}
        self._bar.drop_missing(
            facts.columns,
            {one.id for one in facts.sources},
            clusters | {UNCLUSTERED} if clusters else clusters,
        )
