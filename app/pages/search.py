"""The search page: texts found by meaning, by words, or by being like another."""

from functools import partial

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QAction, QKeyEvent, QShowEvent
from PySide6.QtWidgets import QMenu, QWidget

from app.checker import Checker
from app.jobs import JobEnd
from app.pages.corpus_reads import Unreadable, safely
from app.pages.page import Page
from app.pages.search_actions import SearchActions
from app.pages.search_asking import Asking, is_answered_by
from app.pages.search_check_hand import CheckingHand
from app.pages.search_checking import Checking
from app.pages.search_hand import SearchHand
from app.pages.search_question import Answer, Question
from app.pages.search_questions import Questions
from app.pages.search_reads import RowFacts, read_rows
from app.pages.search_sight import RowInSight
from app.pages.search_states import SearchStates
from app.pages.search_view import SearchView
from app.pages.search_words import found_words, more_words
from app.workspace import Workspace
from core.records import Changes


class SearchPage(Page):
    """Asks while one types; the row in sight is in the reader, chosen rows are worked on."""

    name = "Search"

    scores_changed = Signal(object)  # dict of text id → score of the texts found

    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        super().__init__(workspace, parent)
        self.view = view = SearchView(self)
        self.bar, self.list, self.reader = view.bar, view.list, view.reader
        self.asking = Asking(workspace, self)
        self.sight = RowInSight(workspace, view, self.asking, self)
        self.questions = Questions(workspace, view, self.asking, self)
        self.actions_ = SearchActions(self)
        self.checking = Checking(workspace, self)
        self.check_hand = CheckingHand(self.checking, view, self.actions_, self)
        self.states = SearchStates(workspace, view, self.asking, self)
        self.hand = SearchHand(workspace, view, self)
        self.setFocusProxy(self.bar.box)
        self._connect()
        self._connect_actions()
        self.states.show_project()
        self._allow()

    def menu_actions(self) -> dict[str, list[QAction]]:
        return {"Search": self.actions_.menu}

    @property
    def answer(self) -> Answer | None:
        """What is shown."""
        return self.view.results.answer

    def focus_search(self) -> None:
        """Go to the field."""
        self.sight.leave_wide()
        self.bar.box.setFocus()
        self.bar.box.selectAll()

    def show_search(self, text: str) -> None:
        """Search for these words."""
        self.sight.leave_wide()
        self.bar.box.ask_for(text)

    def show_neighbours(self, document: int) -> None:
        """Search for the texts nearest to this row's."""
        self.sight.leave_wide()
        self.questions.ask_like_document(document)

    def check_with(self, checker: Checker) -> None:
        self.checking.check_with(checker)
        self._allow()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.asking.warm()
        self.questions.read_facts()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() != Qt.Key.Key_Escape:
            super().keyPressEvent(event)
        elif self.view.is_wide:
            self.sight.leave_wide()
        elif self.reader.view.hasFocus():
            self.list.setFocus()
        else:
            self.focus_search()

    # What comes back.

    def _show_hint(self) -> None:
        self.checking.forget()
        self._show(None)
        self.view.show_hint()
        self._allow()

    def _take_answer(self, found: Answer) -> None:
        answer = self.checking.on(found)
        self._show(answer)
        if answer.hits:
            self.view.show_results()
            self.view.say(found_words(answer))
            if answer.question.like is not None and self.bar.box.hasFocus():
                self.list.setFocus()  # there is nothing to type, but keys to decide with
        elif answer.is_first_look:
            self.states.show_waiting()
        else:
            self.states.show_nothing(answer)
        self.view.notices.drop("failed")
        self._allow()

    def _take_order(self, answer: Answer) -> None:
        self._show(answer)
        self.list.go_to(0)

    def _show(self, answer: Answer | None) -> None:
        """Put what was found into the list; a row one is on stays, else the best is shown."""
        hit = self.sight.hit if self.list.hasFocus() or self.view.is_wide else None
        row = self.list.current_row
        stays = self.view.results.show_answer(answer)
        if answer is not None and answer.hits and not (stays and self.list.current_row >= 0):
            place = None if hit is None else self.view.results.place_of(hit.text)
            instead = 0 if hit is None else row  # of a text that is found no longer
            self.list.go_to(instead if place is None else place)
        self.view.more.setText("" if answer is None else more_words(answer))
        self.view.more.setVisible(bool(self.view.more.text()))
        self._read_rows()
        self.sight.follow()
        self.hand.show_choice()
        self.scores_changed.emit({} if answer is None else answer.scores)

    def _take_failure(self, question: Question, end: JobEnd) -> None:
        self.states.show_failure(end, keep=is_answered_by(question, self.answer))
        self._allow()

    def _read_rows(self) -> None:
        missing = self.view.results.missing()
        if missing:
            self.workspace.read(
                "search.rows", safely(lambda project: read_rows(project, missing)), self._take_rows
            )

    def _take_rows(self, rows: dict[int, RowFacts] | Unreadable) -> None:
        if not isinstance(rows, Unreadable):
            self.view.results.add_facts(rows)

    # What the window tells.

    def _take_changes(self, changes: Changes) -> None:
        if changes.corpus or changes.clusters or changes.groups:
            self.questions.note_moved()
            if self.isVisible():
                self.questions.read_facts()
        if changes.vectors or changes.corpus:
            self.asking.cool()
            self.view.results.forget_facts()
        wanted = self.bar.filter
        moved = (
            changes.corpus
            or changes.vectors
            or (changes.decisions and bool(wanted.decision))
            or (changes.groups and wanted.mark in ("kept", "removed"))
            or (changes.clusters and wanted.cluster is not None)
        )
        if moved:
            self.questions.ask_again()
        if changes.decisions or changes.corpus:
            self.hand.read_verdicts()
        if changes.corpus or changes.groups or changes.pairs:
            self.sight.read_again()

    def _forget(self) -> None:
        self.sight.leave_wide()
        self.asking.reset()
        self.questions.forget()
        self.view.results.forget_facts()
        self.view.notices.drop_all()
        self._show_hint()
        self.states.show_project()

    def _note_state(self, _state: object) -> None:
        self.states.show_project()
        self.asking.warm()  # though the page is not in sight: the first question comes soon
        self._allow()

    # What the hands do.

    def _allow(self) -> None:
        answer = self.answer
        has_row = self.sight.hit is not None
        may_decide = self.hand.can_decide
        self.actions_.allow(
            texts=has_row,
            deciding=may_decide,
            more=answer is not None and bool(more_words(answer)),
            back=self.questions.can_go_back,
            filters=not self.bar.filter.is_empty,
        )
        self.view.foot.allow(deciding=may_decide, using=has_row)
        self.check_hand.allow()

    def _enter_list(self) -> None:
        if self.view.shown == "results":
            self.list.setFocus()

    def _show_menu(self, spot: QPoint) -> None:
        menu = QMenu(self)
        for key in ("like", "read", "copy", "", "different", "unsure", "same", "", "export", "map",
                    "corpus"):  # fmt: skip
            if key:
                menu.addAction(self.actions_[key])
            else:
                menu.addSeparator()
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(spot)

    def _show_in_corpus(self) -> None:
        hit = self.sight.hit
        if hit is not None:
            self.document_wanted.emit(hit.document)

    def _show_copies(self) -> None:
        if self.reader.detail is not None:
            self.document_wanted.emit(self.reader.detail.document.id)

    def _connect(self) -> None:
        workspace, view, asking = self.workspace, self.view, self.asking
        workspace.changed.connect(self._take_changes)
        workspace.closed.connect(self._forget)
        workspace.state_changed.connect(self._note_state)
        self.questions.emptied.connect(self._show_hint)
        self.questions.asked.connect(self._allow)
        self.bar.left.connect(self._enter_list)
        asking.answered.connect(self._take_answer)
        asking.failed.connect(self._take_failure)
        self.check_hand.order_changed.connect(self._take_order)
        self.list.picked_changed.connect(self.hand.show_choice)
        self.list.picked_changed.connect(self._allow)
        self.list.like_wanted.connect(self.questions.ask_like_row)
        self.list.left_up.connect(self.focus_search)
        self.list.menu_wanted.connect(self._show_menu)
        view.hint.chosen.connect(self.show_search)
        self.states.import_wanted.connect(lambda: self.import_wanted.emit([]))
        self.states.prepare_wanted.connect(self.prepare_wanted)
        self.states.again_wanted.connect(self.questions.ask_again)
        self.hand.map_wanted.connect(self.map_wanted)
        self.reader.neighbours_wanted.connect(self.show_neighbours)
        self.reader.copies_wanted.connect(lambda _text, _name: self._show_copies())
        self.reader.value_wanted.connect(
            lambda name, words: self.bar.set_filter(self.bar.filter.with_column(name, words))
        )

    def _connect_actions(self) -> None:
        on = self.actions_.on
        on("field", self.focus_search)
        for way in ("meaning", "words", "both"):
            on(way, partial(self.bar.set_way, way))
        on("like", lambda: self.questions.ask_like_row(self.list.current_row))
        on("back", self.questions.go_back)
        on("add-filter", self.bar.open_filters)
        on("clear-filter", self.bar.clear_filter)
        on("more", self.questions.show_more)
        on("next", lambda: self.list.move_by(1))
        on("previous", lambda: self.list.move_by(-1))
        on("read", self.sight.toggle_wide)
        on("copy", self.reader.copy_text)
        self.hand.connect_actions(self.actions_)
        on("corpus", self._show_in_corpus)
        self.hand.corpus_wanted.connect(self._show_in_corpus)
        self.actions_.read_from(self.list, self.reader.view)
