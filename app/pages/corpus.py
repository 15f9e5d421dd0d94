"""The corpus page: all rows in a table, one of them in the reader."""

from functools import partial

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtGui import QAction, QKeyEvent, QShowEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QSplitter,
    QStackedWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.jobs import JobEnd, Ticket
from app.look.icons import set_icon
from app.look.theme import current_theme, set_role
from app.look.tokens import ICON_SMALL, M
from app.look.words import counted
from app.pages.corpus_actions import CorpusActions
from app.pages.corpus_files import MOST_NOTES, FilesSheet
from app.pages.corpus_filters import FilterRow
from app.pages.corpus_reader import ReaderPane
from app.pages.corpus_reads import (
    PAGE_ROWS,
    Detail,
    Facts,
    Line,
    Listing,
    Unreadable,
    read_detail,
    read_facts,
    read_lines,
    read_listing,
    safely,
)
from app.pages.corpus_table import ColumnMenu, CorpusTable, place_of
from app.pages.page import Page
from app.widgets.banner import Banner
from app.widgets.empty_state import EmptyState
from app.widgets.paged_table_model import PagedTableModel
from app.workspace import Workspace
from core.records import Changes
from core.store import DocumentFilter, ProjectState, Source

_READER_WIDTH = 400
_LEAST_TABLE, _LEAST_READER = 340, 300
_NOTHING = np.zeros(0, np.int64)


class CorpusPage(Page):
    """Filter above, table at the left, reader at the right."""

    name = "Corpus"
    icon = "corpus"

    rows_shown = Signal(int)  # how many a new order has

    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        super().__init__(workspace, parent)
        self.filter = FilterRow()
        self.table = CorpusTable()
        self.reader = ReaderPane()
        self.banner = Banner()
        self.empty = EmptyState("corpus")
        self.files = FilesSheet(self)
        self.model = PagedTableModel((), self._fetch, page_rows=PAGE_ROWS, parent=self)
        self.actions_ = CorpusActions(self)
        self._facts: Facts | None = None
        self._ids: NDArray[np.int64] = _NOTHING
        self._first: tuple[Line, ...] = ()
        self._pages: list[tuple[int, int]] = []  # waiting to be read, the newest last
        self._is_reading_page = False
        self._sort = ("place", False)
        self._wanted_row: int | None = None  # a document to go to once it is listed
        self._splitter = QSplitter(Qt.Orientation.Horizontal)
        self._stack = QStackedWidget()
        self._table_stack = QStackedWidget()
        self._none = EmptyState("filter")
        self._importing = 0
        self._lay_out()
        self._connect()
        self._show_empty()

    def menu_actions(self) -> dict[str, list[QAction]]:
        return self.actions_.menus()

    def focus_search(self) -> None:
        """Go to the field that filters by words."""
        self._leave_wide()
        self.filter.search.setFocus()
        self.filter.search.selectAll()

    def show_document(self, document: int) -> None:
        """Make this row the current one; a filter that hides it is cleared."""
        place = place_of(self._ids, document)
        if place is not None:
            self._go_to(place)
            return
        self._wanted_row = document
        if self._facts is not None and not self.filter.is_empty:
            self.filter.clear()

    @property
    def current(self) -> int | None:
        """The document of the current row."""
        row = self.table.currentIndex().row()
        return int(self._ids[row]) if 0 <= row < len(self._ids) else None

    @property
    def is_wide(self) -> bool:
        """Whether the reader has the page to itself."""
        return self._table_side.isHidden()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.setFocusProxy(self.table)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.is_wide:
            self._leave_wide()
        else:
            super().keyPressEvent(event)

    # Reading: facts, then the order of the rows, then pages of them and the row in the reader.

    def _read_facts(self) -> None:
        self.workspace.read("corpus.facts", safely(read_facts), self._take_facts)

    def _take_facts(self, facts: Facts | Unreadable) -> None:
        if isinstance(facts, Unreadable):
            self._show_fault(facts)
            return
        changed = self._facts is None or self._facts.columns != facts.columns
        self._facts = facts
        if facts.total == 0:
            self._ids = _NOTHING
            self.model.reset(0, ())
            self._show_empty()
            return
        self._stack.setCurrentIndex(1)
        self.filter.show_facts(facts)
        if changed:
            # The old rows do not fit the new columns; they are asked for in a moment.
            self._ids = _NOTHING
            self.model.reset(0, [column.title for column in facts.columns])
            self.table.show_columns(facts.columns)
        self._read_listing()

    def _read_listing(self) -> None:
        if self._facts is None or self._facts.total == 0:
            return
        wanted, facts = self._wanted(), self._facts
        self.workspace.read(
            "corpus.listing",
            safely(lambda project: read_listing(project, wanted, facts)),
            partial(self._take_listing, facts),
        )

    def _take_listing(self, facts: Facts, listing: Listing | Unreadable) -> None:
        if isinstance(listing, Unreadable):
            self._show_fault(listing)
            return
        if facts is not self._facts:
            return  # newer facts have asked again
        self.banner.clear()
        current = self._wanted_row or self.current
        self._first = listing.first
        if np.array_equal(listing.ids, self._ids):
            self.model.refresh()
        else:
            self._ids = listing.ids
            self._pages.clear()
            self.model.reset(len(self._ids))
            self._return_to(current)
        self.filter.show_count(len(self._ids), facts.total)
        self._table_stack.setCurrentIndex(0 if len(self._ids) else 1)
        self._tell_stale()
        self._read_detail()
        self.rows_shown.emit(len(self._ids))

    def _return_to(self, document: int | None) -> None:
        """Stay on the row one was on; where it is gone, on the first."""
        if not len(self._ids):
            return
        place = None if document is None else place_of(self._ids, document)
        if document is not None and document == self._wanted_row:
            self._wanted_row = None
        self._go_to(0 if place is None else place)

    def _go_to(self, place: int) -> None:
        self.table.go_to(place)

    def _fetch(self, first: int, count: int) -> None:
        if first == 0 and self._first:
            rows, self._first = self._first, ()
            self.model.supply(0, rows)
            return
        self._pages.append((first, count))
        self._read_next_page()

    def _read_next_page(self) -> None:
        """Read the page asked for last: it is the one in sight."""
        if self._is_reading_page or not self._pages or self._facts is None:
            return
        first, count = self._pages.pop()
        ids, facts = self._ids[first : first + count], self._facts
        self._is_reading_page = True
        self.workspace.read(
            "corpus.page",
            safely(lambda project: read_lines(project, ids, facts)),
            partial(self._take_page, first, self.model.generation),
        )

    def _take_page(self, first: int, generation: int, rows: tuple[Line, ...] | Unreadable) -> None:
        self._is_reading_page = False
        if isinstance(rows, Unreadable):
            self._pages.clear()
            self._show_fault(rows)
            return
        self.model.supply(first, rows, generation=generation)
        self._read_next_page()

    def _read_detail(self) -> None:
        document = self.current
        if document is None:
            self.reader.show_detail(None)
            return
        self.workspace.read(
            "corpus.detail",
            safely(lambda project: read_detail(project, document)),
            self._take_detail,
        )

    def _take_detail(self, detail: Detail | Unreadable | None) -> None:
        if isinstance(detail, Unreadable):
            self._show_fault(detail)
        elif detail is None or detail.document.id == self.current:
            self.reader.show_detail(
                detail, self.filter.search.text().strip(), stale=self._groups_are_stale()
            )

    def _wanted(self) -> DocumentFilter:
        wanted = self.filter.wanted
        sort, descending = self._sort
        return DocumentFilter(
            wanted.contains, wanted.source, wanted.mark, wanted.columns, wanted.text, sort,
            descending,
        )  # fmt: skip

    # What the page shows in place of rows, or above them.

    def _show_empty(self) -> None:
        self._leave_wide()
        self._stack.setCurrentIndex(0)
        if self._importing:
            self.empty.show_state(
                "import", "Importing…", note="The rows are shown here once the file has been read."
            )
        elif self.workspace.read_only:
            self.empty.show_state("corpus", "Nothing imported yet.")
        else:
            self.empty.show_state(
                "corpus",
                "Nothing imported yet.",
                note="CSV, spreadsheets, JSON, Parquet, plain text: each row is one text.",
                button="Import a file…",
            )

    def _show_fault(self, fault: Unreadable) -> None:
        self.banner.show_message(
            "error",
            f"The rows could not be read: {fault.why}",
            buttons=[("again", "Try again")],
        )

    def _tell_stale(self) -> None:
        if self._groups_are_stale() and self.filter.wanted.mark in ("kept", "removed"):
            self.banner.show_message(
                "warning",
                "Kept and removed are those of the last grouping; rows or decisions have moved "
                "since.",
                buttons=[] if self.workspace.read_only else [("prepare", "Group again")],
            )

    def _groups_are_stale(self) -> bool:
        state = self.workspace.state
        return state is not None and state.grouping is not None and state.groups_stale

    def _answer(self, key: str) -> None:
        self.banner.clear()
        if key == "prepare":
            self.prepare_wanted.emit()
        else:
            self._is_reading_page = False
            self._read_facts()

    # What the window tells.

    def _take_changes(self, changes: Changes) -> None:
        if changes.corpus or changes.vectors or changes.groups:
            self._read_facts()
        elif changes.pairs or changes.decisions:
            self._read_detail()

    def _forget(self) -> None:
        self._facts, self._ids, self._first = None, _NOTHING, ()
        self._pages.clear()
        self._is_reading_page = False
        self._wanted_row = None
        self.model.reset(0, ())
        self.reader.show_detail(None)
        self.banner.clear()
        self.files.close_sheet()
        self.filter.clear()
        self._show_empty()

    def _note_job(self, ticket: Ticket, step: int) -> None:
        if ticket.wish == "import":
            self._importing = max(0, self._importing + step)
            if self._facts is None or self._facts.total == 0:
                self._show_empty()

    def _note_state(self, _state: ProjectState) -> None:
        if self.reader.detail is not None:
            self._take_detail(self.reader.detail)

    # What the hands do.

    def _toggle_wide(self) -> None:
        if self.is_wide:
            self._leave_wide()
        elif self.reader.detail is not None:
            self._table_side.hide()
            self.filter.hide()
            self.reader.show()
            self.reader.set_wide(True)
            self.reader.view.setFocus()

    def _leave_wide(self) -> None:
        if self.is_wide:
            self._table_side.show()
            self.filter.show()
            self.reader.setVisible(self.actions_["reader"].isChecked())
            self.reader.set_wide(False)
            self.table.setFocus()

    def _set_sort(self, key: str, descending: bool) -> None:
        self._sort = (key, descending)
        self._read_listing()

    def _show_column_menu(self, spot: QPoint | None = None) -> None:
        if self._facts is None:
            return
        menu = ColumnMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for column in self._facts.columns[2:]:
            action = menu.addAction(column.title.replace("&", "&&"))
            action.setCheckable(True)
            action.setChecked(self.table.is_shown(column.key))
            action.toggled.connect(partial(self.table.set_shown, column.key))
        below = self._columns_button.rect().bottomLeft()
        menu.popup(spot or self._columns_button.mapToGlobal(below))

    def _show_files(self) -> None:
        def show(sources: list[Source] | Unreadable) -> None:
            if isinstance(sources, Unreadable):
                self._show_fault(sources)
            else:
                self.files.show_files(sources, may_remove=not self.workspace.read_only)

        self.workspace.read("corpus.files", safely(lambda project: project.sources.all()), show)

    def _show_notes(self, source: int) -> None:
        def show(notes: list[tuple[int, str]] | Unreadable) -> None:
            if isinstance(notes, Unreadable):
                self._show_fault(notes)
            else:
                self.files.show_notes(source, notes)

        read = safely(lambda project: project.sources.notes(source, count=MOST_NOTES))
        self.workspace.read("corpus.notes", read, show)

    def _remove_import(self, source: int, name: str) -> None:
        def tell(end: JobEnd) -> None:
            if end.kind == "finished":
                rows = counted(int(end.outcome.get("rows", 0)), "row")
                self.banner.show_message(
                    "done", f"{name} was removed with {rows}. Import it again to have them back."
                )

        self.workspace.start(
            "remove-import", {"source": source}, title=f"Removing {name}", then=tell
        )

    def _toggle_reader(self) -> None:
        self._leave_wide()
        self.reader.setVisible(self.actions_["reader"].isChecked())

    def _show_row(self, _row: int) -> None:
        self._read_detail()

    def _connect(self) -> None:
        self.workspace.changed.connect(self._take_changes)
        self.workspace.closed.connect(self._forget)
        self.workspace.state_changed.connect(self._note_state)
        self.workspace.job_queued.connect(lambda ticket: self._note_job(ticket, 1))
        self.workspace.job_ended.connect(lambda ticket, _end: self._note_job(ticket, -1))
        self.filter.changed.connect(self._read_listing)
        self.filter.left_for_table.connect(self.table.setFocus)
        self.table.row_changed.connect(self._show_row)
        self.table.sort_wanted.connect(self._set_sort)
        self.table.columns_wanted.connect(self._show_column_menu)
        self.table.opened.connect(self._toggle_wide)
        self.reader.document_wanted.connect(self.show_document)
        self.reader.copies_wanted.connect(self.filter.choose_text)
        self.reader.value_wanted.connect(self.filter.add_column)
        self.reader.width_wanted.connect(self._toggle_wide)
        self.empty.wanted.connect(lambda: self.import_wanted.emit([]))
        self._none.wanted.connect(self.filter.clear)
        self.banner.button_clicked.connect(self._answer)
        self.files.notes_wanted.connect(self._show_notes)
        self.files.removal_wanted.connect(self._remove_import)
        self.files.import_wanted.connect(lambda: self.import_wanted.emit([]))
        self._columns_button.clicked.connect(lambda: self._show_column_menu())
        self._files_button.clicked.connect(self._show_files)
        self._connect_actions()

    def _connect_actions(self) -> None:
        for key, do in (
            ("next", lambda: self.table.move_by(1)),
            ("previous", lambda: self.table.move_by(-1)),
            ("first", lambda: self.table.move_by(-len(self._ids))),
            ("last", lambda: self.table.move_by(len(self._ids))),
            ("read", self._toggle_wide),
            ("copy", self.reader.copy_text),
            ("filter", self.focus_search),
            ("filter-column", self.filter.open_columns),
            ("clear", self.filter.clear),
            ("files", self._show_files),
            ("columns", self._show_column_menu),
            ("reader", self._toggle_reader),
        ):
            self.actions_.on(key, do)
        self.actions_["lines"].toggled.connect(lambda on: self.table.set_lines(2 if on else 1))
        self.actions_.read_from(self.reader.view)

    def _lay_out(self) -> None:
        self.table.setModel(self.model)
        self._none.show_state("filter", "No row is left by this filter.", button="Clear the filter")
        self._columns_button = _tool("columns", "Columns")
        self._files_button = _tool("file", "Imported files")
        self.filter.tools.addWidget(self._columns_button)
        self.filter.tools.addWidget(self._files_button)
        self._table_side = self._table_stack
        self._table_stack.addWidget(self.table)
        self._table_stack.addWidget(self._none)
        self._table_stack.setMinimumWidth(_LEAST_TABLE)
        self.reader.setMinimumWidth(_LEAST_READER)
        self._splitter.addWidget(self._table_stack)
        self._splitter.addWidget(self.reader)
        self._splitter.setChildrenCollapsible(False)
        self._splitter.setStretchFactor(0, 1)
        self._splitter.setStretchFactor(1, 0)
        self._splitter.setSizes([1000, _READER_WIDTH])
        rows = QWidget()
        column = QVBoxLayout(rows)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        line = QFrame()
        set_role(line, "line")
        column.addWidget(self.filter)
        column.addWidget(line)
        column.addWidget(self._splitter, 1)
        self._stack.addWidget(self.empty)
        self._stack.addWidget(rows)
        above = QHBoxLayout()
        above.setContentsMargins(M, 0, M, 0)
        above.addWidget(self.banner)
        page = QVBoxLayout(self)
        page.setContentsMargins(0, 0, 0, 0)
        page.setSpacing(0)
        page.addLayout(above)
        page.addWidget(self._stack, 1)


def _tool(icon_name: str, words: str) -> QToolButton:
    button = QToolButton()
    button.setIconSize(QSize(ICON_SMALL, ICON_SMALL))
    button.setAccessibleName(words)
    button.setToolTip(words)
    set_icon(button, icon_name, current_theme().colours)
    return button
