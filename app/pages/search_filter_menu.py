"""The menu behind "Add filter": columns, files, marks, clusters, decisions."""

from dataclasses import replace
from functools import partial

from PySide6.QtCore import QObject, QPoint, Signal
from PySide6.QtWidgets import QMenu, QWidget

from app.look.words import count
from app.pages.corpus_filters import ColumnFilterPopup
from app.pages.search_filter import DECISIONS, MARKS, NO_FILTER, UNCLUSTERED, SearchFilter
from app.pages.search_reads import SearchFacts

_GROUPED = ("kept", "removed")
_MOST_LISTED = 40


class FilterMenu(QObject):
    """Offers what this project can be filtered by, and tells of the filter it becomes."""

    wanted = Signal(object)  # SearchFilter

    def __init__(self, page: QWidget) -> None:
        super().__init__(page)
        self._page = page
        self._facts = SearchFacts()
        self._filter = NO_FILTER
        self._under: QWidget = page
        self._popup = ColumnFilterPopup(page)
        self._popup.wanted.connect(self._take_column)

    def show_facts(self, facts: SearchFacts) -> None:
        """Know what there is to filter by."""
        self._facts = facts
        self._popup.show_columns(facts.columns)

    def open_under(self, button: QWidget, present: SearchFilter) -> None:
        """Open the menu below a button; `present` is what the choice is added to."""
        self._filter, self._under = present, button
        menu = self.built()
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(button.mapToGlobal(QPoint(0, button.height() + 2)))

    def built(self) -> QMenu:
        """The menu for the filter as it is."""
        facts = self._facts
        menu = QMenu(self._page)
        column = menu.addAction("A column holds…")
        column.setEnabled(bool(facts.columns))
        column.triggered.connect(lambda: self._popup.open_under(self._under))
        now = self._filter
        if len(facts.sources) > 1:
            files = [(one.name, (one.id, one.name)) for one in facts.sources[:_MOST_LISTED]]
            self._add(menu, "File", [(words, replace(now, source=one)) for words, one in files])
        marks = [key for key in MARKS if facts.is_grouped or key not in _GROUPED]
        self._add(menu, "Mark", [(MARKS[key], replace(now, mark=key)) for key in marks])
        if facts.clusters:
            self._add(menu, "Cluster", [
                (words, replace(now, cluster=one)) for words, one in _clusters(facts)
            ])  # fmt: skip
        self._add(menu, "Decision", [
            (words, replace(now, decision=key)) for key, words in DECISIONS.items()
        ])  # fmt: skip
        return menu

    def _add(self, menu: QMenu, title: str, choices: list[tuple[str, SearchFilter]]) -> None:
        inner = menu.addMenu(title)
        for words, wanted in choices:
            action = inner.addAction(words.replace("&", "&&"))
            action.setCheckable(True)
            action.setChecked(wanted == self._filter)
            action.triggered.connect(partial(self._tell, wanted))

    def _tell(self, wanted: SearchFilter, _checked: bool = False) -> None:
        self.wanted.emit(wanted)

    def _take_column(self, name: str, words: str) -> None:
        self.wanted.emit(self._filter.with_column(name, words))


def _clusters(facts: SearchFacts) -> list[tuple[str, tuple[int, str]]]:
    """The largest clusters with their rows, and what is in none."""
    listed = [
        (f"{one.name}  ({count(one.rows)})", (one.number, one.name))
        for one in facts.clusters[:_MOST_LISTED]
    ]
    return [*listed, ("Unclustered", (UNCLUSTERED, "unclustered"))]
