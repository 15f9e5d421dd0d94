"""The top of the search page: the field, the way to search, and the filters."""

from dataclasses import replace

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QVBoxLayout, QWidget

from app.look.icons import set_icon
from app.look.theme import current_theme
from app.look.tokens import ICON_SMALL, L, M, S
from app.pages.search_box import SearchBox
from app.pages.search_chips import FilterChips
from app.pages.search_filter import NO_FILTER, SearchFilter
from app.pages.search_filter_menu import FilterMenu
from app.pages.search_question import WAYS, Question
from app.widgets.segments import Segments

_HEIGHT = 40
_EXPLAINED = {
    "meaning": "Texts that say the same, in whatever words (Alt+1)",
    "words": "Texts that hold these words, “phrases” in quotation marks (Alt+2)",
    "both": "Both lists in one, texts that are in both first (Alt+3)",
}


class SearchBar(QWidget):
    """Makes the question; tells when it is another one."""

    asked = Signal()
    left = Signal()  # the hands go on in the results
    like_removed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.box = SearchBox()
        self.ways = Segments(WAYS, name="Search by", height=_HEIGHT)
        self.chips = FilterChips()
        self.menu = FilterMenu(self)
        self._add = QToolButton()
        self._filter = NO_FILTER
        self._way_put_off: str | None = None  # until something is encoded
        self._lay_out()
        self.box.asked.connect(self.asked)
        self.box.left.connect(self.left)
        self.box.like_removed.connect(self.like_removed)
        self.box.like_changed.connect(self._allow_ways)
        self.ways.chosen.connect(lambda _key: self.asked.emit())
        self._add.clicked.connect(self.open_filters)
        self.menu.wanted.connect(self.set_filter)
        self.chips.removed.connect(lambda at: self.set_filter(self._filter.without(at)))
        self.chips.all_removed.connect(self.clear_filter)

    @property
    def question(self) -> Question:
        """What is asked now, for the first few texts."""
        words = "" if self.box.like is not None else self.box.text().strip()
        return Question(words, self.ways.key, self.box.like, self._filter)  # type: ignore[arg-type]  # one of its keys

    @property
    def filter(self) -> SearchFilter:
        return self._filter

    def show_question(self, question: Question) -> None:
        """Show an earlier question again, without asking it."""
        self.box.show_question(question.words, question.like)
        self.ways.choose(question.by)
        self._filter = question.filter
        self._show_filter()

    def set_filter(self, wanted: SearchFilter) -> None:
        """Narrow what may be found, and ask anew."""
        if wanted != self._filter:
            self._filter = wanted
            self._show_filter()
            self.asked.emit()

    def clear_filter(self) -> None:
        """Take every filter away."""
        self.set_filter(NO_FILTER)

    def open_filters(self) -> None:
        """Offer filters."""
        self.menu.open_under(self._add, self._filter)

    def set_way(self, way: str) -> None:
        """Search in another way."""
        if way != self.ways.key and self.box.like is None and self._way_put_off is None:
            self.ways.choose(way)
            self.asked.emit()

    def allow_meaning(self, allowed: bool) -> None:
        """Without vectors there is one way to search; the way chosen comes back with them."""
        if not allowed and self._way_put_off is None:
            self._way_put_off = self.ways.key
            self.ways.choose("words")
        elif allowed and self._way_put_off is not None:
            self.ways.choose(self._way_put_off)
            self._way_put_off = None
        for way in ("meaning", "both"):
            self.ways.allow(way, allowed)

    def drop_missing(self, columns: tuple[str, ...], sources: set[int], clusters: set[int]) -> None:
        """Take away filters on what is no longer in the project."""
        kept = replace(
            self._filter,
            columns=tuple(one for one in self._filter.columns if one[0] in columns),
        )
        if kept.source is not None and kept.source[0] not in sources:
            kept = replace(kept, source=None)
        if kept.cluster is not None and kept.cluster[0] not in clusters:
            kept = replace(kept, cluster=None)
        self.set_filter(kept)

    def forget(self) -> None:
        """Another project: nothing is asked."""
        self.box.forget()
        self._filter = NO_FILTER
        self._show_filter()

    def _allow_ways(self) -> None:
        """What is like a text is found by meaning only."""
        self.ways.setEnabled(self.box.like is None)

    def _show_filter(self) -> None:
        self.chips.show_chips(self._filter.chips)

    def _lay_out(self) -> None:
        for key, words in _EXPLAINED.items():
            self.ways.explain(key, words)
        self._add.setText("Add filter")
        self._add.setToolTip("Add a filter (Shift+F)")
        self._add.setAccessibleName("Add a filter")
        self._add.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self._add.setIconSize(QSize(ICON_SMALL, ICON_SMALL))
        self._add.setFixedHeight(_HEIGHT - 4)
        set_icon(self._add, "filter", current_theme().colours)
        row = QHBoxLayout()
        row.setSpacing(S)
        row.addWidget(self.box, 1)
        row.addWidget(self.ways)
        row.addWidget(self._add)
        column = QVBoxLayout(self)
        column.setContentsMargins(L, M, L, M)
        column.setSpacing(S)
        column.addLayout(row)
        column.addWidget(self.chips)
