"""The button, the key and the words of checking texts again on the search page."""

from PySide6.QtCore import QObject, Signal

from app.jobs import JobEnd
from app.pages.search_actions import SearchActions
from app.pages.search_checking import Checking
from app.pages.search_question import Answer
from app.pages.search_view import SearchView
from app.pages.search_words import found_words


class CheckingHand(QObject):
    """Offers to check where a cross-encoder is known, and says so while it reads."""

    order_changed = Signal(object)  # Answer

    def __init__(
        self, checking: Checking, view: SearchView, actions: SearchActions, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._checking, self._view, self._actions = checking, view, actions
        checking.changed.connect(self._note)
        checking.failed.connect(self._tell_failed)
        view.check.clicked.connect(checking.toggle)
        actions.on("check", checking.toggle)
        actions.on("checker", checking.choose)

    def allow(self) -> None:
        """Offer what can be done with the texts on show."""
        answer = self._view.results.answer
        is_known, is_checked = self._checking.is_known, bool(answer and answer.checked_by)
        may = bool(answer and answer.hits and not answer.is_first_look)
        may = may and not self._checking.is_busy
        self._actions.show_checking(known=is_known, may=may, is_checked=is_checked)
        self._view.check.setVisible(is_known and may)
        self._view.check.setText("Order as found" if is_checked else "Check again")
        self._view.check.setToolTip(f"{self._actions['check'].text()} (R)")

    def _note(self) -> None:
        """What is shown may be in another order now."""
        answer: Answer | None = self._checking.shown
        if answer is not None and answer.hits:
            if answer != self._view.results.answer:
                self.order_changed.emit(answer)
            words = found_words(answer)
            busy = self._checking.is_busy
            self._view.say(f"{words}, being checked again…" if busy else words)
        self.allow()

    def _tell_failed(self, end: JobEnd) -> None:
        self._view.notices.say("check", "error", f"{end.what} {end.remedy}".strip())
