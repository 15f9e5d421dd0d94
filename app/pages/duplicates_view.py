"""How the duplicates page is laid out."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QSplitter, QStackedWidget, QVBoxLayout, QWidget

from app.look.theme import set_role
from app.pages.duplicates_bar import FilterBar
from app.pages.duplicates_case import CasePanel
from app.pages.duplicates_list import GroupsList, GroupsModel
from app.pages.duplicates_texts import TextsSheet
from app.pages.duplicates_thresholds import ThresholdStrip
from app.widgets.banner import Banner
from app.widgets.empty_state import EmptyState

_LIST_WIDTH = 330
_LOW_PAGE = 660  # pixels of height below which the histogram gives way


class DuplicatesView:
    """The parts of the page, put into it: strip above, list at the left, case at the right."""

    def __init__(self, page: QWidget) -> None:
        self.panel = CasePanel()
        self.groups = GroupsModel(page)
        self.list = GroupsList(self.groups)
        self.strip = ThresholdStrip()
        self.filter = FilterBar()
        self.banner = Banner()
        self.empty = EmptyState("duplicates")
        self.texts_sheet = TextsSheet(page)
        self._stack = QStackedWidget()
        self._lay_out(page)

    @property
    def is_empty_shown(self) -> bool:
        return self._stack.currentWidget() is self.empty

    def show_empty(self, shown: bool) -> None:
        """Show what is said in place of groups, or the groups."""
        self._stack.setCurrentIndex(0 if shown else 1)

    def fit(self, height: int) -> None:
        """Give the histogram a height that suits the page's."""
        self.strip.set_low(height < _LOW_PAGE)

    def focus_work(self) -> None:
        """Give the keys to the candidates."""
        if not self.is_empty_shown:
            self.panel.candidates.setFocus()

    def allow_deciding(self, allowed: bool) -> None:
        """Offer what decides or groups, or only show what is there."""
        self.panel.allow_deciding(allowed)
        self.strip.allow_changing(allowed)

    def forget(self) -> None:
        """Show nothing of the project that was closed."""
        self.texts_sheet.close_sheet()
        self.list.clear_choice()
        self.groups.forget()
        self.panel.forget()
        self.filter.show_sources(())

    def mark_in_list(self, at: int | None) -> None:
        """Mark the group on show in the list, where it is in it."""
        if at is None:
            self.list.clear_choice()
        else:
            self.list.select(at)

    def _lay_out(self, page: QWidget) -> None:
        left, content = QWidget(), QWidget()
        column, inner, outer = QVBoxLayout(left), QVBoxLayout(content), QVBoxLayout(page)
        for layout in (column, inner, outer):
            layout.setContentsMargins(0, 0, 0, 0)
            layout.setSpacing(0)
        # From the outside in: what is moved takes all that is in it along.
        outer.addWidget(self.banner)
        outer.addWidget(self._stack, 1)
        self._stack.addWidget(self.empty)
        self._stack.addWidget(content)
        line = QFrame()
        set_role(line, "line")
        split = QSplitter(Qt.Orientation.Horizontal)
        inner.addWidget(self.strip)
        inner.addWidget(line)
        inner.addWidget(split, 1)
        split.addWidget(left)
        split.addWidget(self.panel)
        split.setStretchFactor(1, 1)
        split.setChildrenCollapsible(False)
        split.setSizes([_LIST_WIDTH, 1000])
        column.addWidget(self.filter)
        column.addWidget(self.list, 1)
