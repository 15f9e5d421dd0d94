"""How the search page is laid out: field above, results at the left, reader at the right."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QPushButton,
    QSizePolicy,
    QSplitter,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from app.look.theme import set_role
from app.look.tokens import L, M, S
from app.pages.corpus_notices import Notices
from app.pages.corpus_reader import ReaderPane
from app.pages.search_bar import SearchBar
from app.pages.search_foot import SelectionFoot
from app.pages.search_hint import SearchHint
from app.pages.search_list import ResultsList
from app.pages.search_results import ResultsModel
from app.widgets.elided import ElidedLabel
from app.widgets.empty_state import EmptyState

_LIST_WIDTH, _READER_WIDTH = 760, 420
_LEAST_LIST, _LEAST_READER = 420, 300
_STATUS_HEIGHT = 32


class SearchView:
    """The parts of the page, put into it."""

    def __init__(self, page: QWidget) -> None:
        self.notices = Notices()
        self.bar = SearchBar()
        self.results = ResultsModel(page)
        self.list = ResultsList(self.results)
        self.reader = ReaderPane(beside="results")
        self.foot = SelectionFoot()
        self.hint = SearchHint()
        self.nothing = EmptyState("search")
        self.empty = EmptyState("search")
        self.more = QPushButton()
        self.check = QPushButton()
        self._found = self._chosen = ""
        self._status = ElidedLabel()
        self._activity = ElidedLabel()
        self._left = QWidget()
        self._head = QWidget()
        self._stack = QStackedWidget()  # no texts, or something to search
        self._body = QStackedWidget()  # hint, results, nothing found
        self._lay_out(page)
        self.show_hint()

    @property
    def status(self) -> str:
        """How much was found, or what is chosen."""
        return self._status.text()

    @property
    def activity(self) -> str:
        """What is under way."""
        return self._activity.text()

    @property
    def is_empty_shown(self) -> bool:
        return self._stack.currentWidget() is self.empty

    @property
    def shown(self) -> str:
        """Which of the states stands under the field."""
        names = {0: "hint", 1: "results", 2: "nothing"}
        return "empty" if self.is_empty_shown else names[self._body.currentIndex()]

    @property
    def is_wide(self) -> bool:
        """Whether the reader has the page to itself."""
        return self._left.isHidden()

    def show_empty(self, shown: bool) -> None:
        """Say that there are no texts, or show the rest."""
        self._stack.setCurrentIndex(0 if shown else 1)

    def show_hint(self) -> None:
        """Nothing is asked."""
        self.hint.show_recent(self.bar.box.recent)
        self._body.setCurrentIndex(0)
        self.say("")

    def show_results(self) -> None:
        self._body.setCurrentIndex(1)

    def show_nothing(self) -> None:
        """Show `nothing` in place of results."""
        self._body.setCurrentIndex(2)

    def say(self, words: str) -> None:
        """Tell how much was found."""
        self._found = words
        self._tell()

    def tell_choice(self, words: str, *, is_done: bool = False) -> None:
        """Tell what a verdict is for, or was, in place of how much was found."""
        self._chosen = words
        self._tell()
        set_role(self._status, "strong" if is_done else "muted")

    def tell_activity(self, words: str) -> None:
        """Tell quietly what is under way."""
        self._activity.setText(words)

    def set_wide(self, wide: bool) -> None:
        """Give the reader the page to itself, or set it beside the results again."""
        self._left.setVisible(not wide)
        self._head.setVisible(not wide)
        self.reader.set_wide(wide)
        (self.reader.view if wide else self.list).setFocus()

    def _tell(self) -> None:
        words = self._chosen or self._found
        self._status.setText(words)
        self._status.setToolTip(words)

    def _lay_out(self, page: QWidget) -> None:
        set_role(self._status, "muted")
        set_role(self._activity, "meta")
        set_role(self.more, "link")
        set_role(self.check, "link")
        self.list.setMinimumWidth(_LEAST_LIST)
        self.reader.setMinimumWidth(_LEAST_READER)
        # From the outside in: what is moved takes all that is in it along.
        _column(page).addWidget(self._stack, 1)
        content = QWidget()
        self._stack.addWidget(self.empty)
        self._stack.addWidget(content)
        column = _column(content)
        column.addWidget(self._head)
        column.addWidget(self._body, 1)
        head = _column(self._head)
        head.addWidget(self.notices)
        head.addWidget(self.bar)
        head.addWidget(_line())
        split = QSplitter(Qt.Orientation.Horizontal)
        for part in (self.hint, split, self.nothing):
            self._body.addWidget(part)
        split.addWidget(self._left)
        split.addWidget(self.reader)
        split.setChildrenCollapsible(False)
        split.setStretchFactor(0, 3)
        split.setStretchFactor(1, 2)
        split.setSizes([_LIST_WIDTH, _READER_WIDTH])
        self._fill_left()

    def _fill_left(self) -> None:
        self._status.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        status = QWidget()
        status.setFixedHeight(_STATUS_HEIGHT)
        row = QHBoxLayout(status)
        row.setContentsMargins(L, 0, M, 0)
        row.setSpacing(S)
        row.addWidget(self._status, 1)
        row.addWidget(self._activity)
        row.addWidget(self.check)
        row.addWidget(self.more)
        column = _column(self._left)
        column.addWidget(status)
        column.addWidget(_line())
        column.addWidget(self.list, 1)
        column.addWidget(self.foot)


def _column(widget: QWidget) -> QVBoxLayout:
    column = QVBoxLayout(widget)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(0)
    return column


def _line() -> QFrame:
    line = QFrame()
    set_role(line, "line")
    return line
