"""The corpus page: all rows in a table, one of them in the reader."""

from dataclasses import replace
from functools import partial

from PySide6.QtCore import QPoint, QSize, Qt, QTimer
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import (
    QFrame,
    QMenu,
    QSplitter,
    QStackedWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.jobs import Ticket
from app.look.icons import set_icon
from app.look.theme import current_theme, set_role
from app.look.tokens import ICON_SMALL
from app.pages.corpus_actions import CorpusActions
from app.pages.corpus_feed import RowFeed
from app.pages.corpus_files import ImportedFiles
from app.pages.corpus_filters import FilterRow
from app.pages.corpus_notices import Notices
from app.pages.corpus_reader import ReaderPane
from app.pages.corpus_reads import Detail, Facts, Unreadable, read_detail, safely
from app.pages.corpus_table import ColumnMenu, CorpusTable
from app.pages.page import Page
from app.widgets.empty_state import EmptyState
from app.workspace import Workspace
from core.records import Changes
from core.store import ProjectState

_READER_WIDTH = 400
_BREATH_MS = 90  # between two rows shown in the reader
_LEAST_TABLE, _LEAST_READER = 340, 300


class CorpusPage(Page):
    """Filter above, table at the left, reader at the right."""

    name = "Corpus"

    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        super().__init__(workspace, parent)
        self.feed = RowFeed(workspace, self)
        self.filter = FilterRow()
        self.table = CorpusTable()
        self.reader = ReaderPane()
        self.notices = Notices()
        self.empty = EmptyState("corpus")
        self.files = ImportedFiles(workspace, self)
        self.actions_ = CorpusActions(self)
        self._sort = ("place", False)
        self._wanted_row: int | None = None  # a document to go to once it is listed
        self._importing = 0
        self._is_behind = False
        self._breath = QTimer(self)
        self._breath.setSingleShot(True)
        self._breath.setInterval(_BREATH_MS)
        self._stack = QStackedWidget()
        self._table_stack = QStackedWidget()
        self._none = EmptyState("filter")
        self._line = QFrame()
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
        place = self.feed.place_of(document)
        if place is not None:
            self.table.go_to(place)
            return
        self._wanted_row = document
        if not self.filter.is_empty:
            self.filter.clear()

    @property
    def current(self) -> int | None:
        """The document of the current row."""
        return self.feed.document_at(self.table.currentIndex().row())

    @property
    def is_wide(self) -> bool:
        """Whether the reader has the page to itself."""
        return self._table_stack.isHidden()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.is_wide:
            self._leave_wide()
        else:
            super().keyPressEvent(event)

    # What was read.

    def _show_facts(self, facts: Facts, has_other_columns: bool) -> None:
        if facts.total == 0:
            self._show_empty()
            return
        self._stack.setCurrentIndex(1)
        self.filter.show_facts(facts)
        if has_other_columns:
            self.table.show_columns(facts.columns)
            self._sort = self.table.sort
        self._read_listing()

    def _read_listing(self) -> None:
        wanted = self.filter.wanted
        sort, descending = self._sort
        self.feed.read_listing(replace(wanted, sort=sort, descending=descending))

    def _show_listing(self, has_other_rows: bool) -> None:
        facts = self.feed.facts
        total = 0 if facts is None else facts.total
        rows = len(self.feed.ids)
        if has_other_rows and rows:
            self._return_to(self._wanted_row or self._last_read())
        self._table_stack.setCurrentIndex(0 if rows else 1)
        self.filter.show_count(rows, total)
        self.notices.drop("fault")
        self._tell_stale()
        self._read_detail()

    def _return_to(self, document: int | None) -> None:
        """Stay on the row one was on; where it is gone, go to the first."""
        place = None if document is None else self.feed.place_of(document)
        if document == self._wanted_row:
            self._wanted_row = None
        self.table.go_to(0 if place is None else place)

    def _last_read(self) -> int | None:
        detail = self.reader.detail
        return None if detail is None else detail.document.id

    def _read_detail(self) -> None:
        document = self.current
        if document is None:
            self.reader.show_detail(None)
            return
        read = safely(lambda project: read_detail(project, document))
        self.workspace.read("corpus.detail", read, self._show_detail)

    def _follow_row(self) -> None:
        """Read the row at once, and the last of many while a key is held down."""
        self._is_behind = self._breath.isActive()
        if not self._is_behind:
            self._read_detail()
            self._breath.start()

    def _catch_up(self) -> None:
        if self._is_behind:
            self._follow_row()

    def _show_detail(self, detail: Detail | Unreadable | None) -> None:
        if isinstance(detail, Unreadable):
            self._show_fault(detail)
        elif detail is None or detail.document.id == self.current:
            words = self.filter.search.text().strip()
            self.reader.show_detail(detail, words, stale=self._groups_are_stale())

    # What stands in place of rows, or above them.

    def _show_empty(self) -> None:
        self._leave_wide()
        self._stack.setCurrentIndex(0)
        self.reader.show_detail(None)
        if self._importing:
            note = "The rows are shown here once the file has been read."
            self.empty.show_state("import", "Importing…", note=note)
        elif self.workspace.read_only:
            self.empty.show_state("corpus", "Nothing imported yet.")
        else:
            note = "A CSV file, a spreadsheet, JSON, Parquet or plain text."
            words = "Import a file…"
            self.empty.show_state("corpus", "Nothing imported yet.", note=note, button=words)

    def _show_fault(self, fault: Unreadable) -> None:
        words = f"The rows could not be read: {fault.why}"
        self.notices.say("fault", "error", words, button="Try again")

    def _tell_stale(self) -> None:
        if self._groups_are_stale() and self.filter.wanted.mark in ("kept", "removed"):
            words = "Kept and removed are those of the last grouping; something has moved since."
            again = "" if self.workspace.read_only else "Group again"
            self.notices.say("stale", "warning", words, button=again)
        else:
            self.notices.drop("stale")

    def _groups_are_stale(self) -> bool:
        state = self.workspace.state
        return state is not None and state.grouping is not None and state.groups_stale

    def _answer(self, subject: str) -> None:
        self.notices.drop(subject)
        if subject == "stale":
            self.prepare_wanted.emit()
        else:
            self.feed.read_facts()

    # What the window tells.

    def _take_changes(self, changes: Changes) -> None:
        if changes.corpus or changes.vectors or changes.groups:
            self.feed.read_facts()
        elif changes.pairs or changes.decisions:
            self._read_detail()

    def _forget(self) -> None:
        self._wanted_row = None
        self._importing = 0
        self.feed.forget()
        self.notices.drop_all()
        self.files.sheet.close_sheet()
        self.filter.clear()
        self._show_empty()

    def _count_imports(self, ticket: Ticket, step: int) -> None:
        if ticket.wish == "import":
            self._importing = max(0, self._importing + step)
            if self._stack.currentIndex() == 0:
                self._show_empty()

    def _note_state(self, _state: ProjectState) -> None:
        if self.reader.detail is not None:
            self._show_detail(self.reader.detail)
            self._tell_stale()

    # What the hands do.

    def _toggle_wide(self) -> None:
        if self.is_wide:
            self._leave_wide()
        elif self.reader.detail is not None:
            self._table_stack.hide()
            self.filter.hide()
            self._line.hide()
            self.reader.show()
            self.reader.set_wide(True)
            self.reader.view.setFocus()

    def _leave_wide(self) -> None:
        if self.is_wide:
            self._table_stack.show()
            self.filter.show()
            self._line.show()
            self.reader.setVisible(self.actions_["reader"].isChecked())
            self.reader.set_wide(False)
            self.table.setFocus()

    def _set_sort(self, key: str, descending: bool) -> None:
        self._sort = (key, descending)
        self._read_listing()

    def _show_column_menu(self, spot: QPoint | None = None) -> None:
        facts = self.feed.facts
        if facts is None:
            return
        menu = ColumnMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for column in facts.columns[2:]:
            action = menu.addAction(column.title.replace("&", "&&"))
            action.setCheckable(True)
            action.setChecked(self.table.is_shown(column.key))
            action.toggled.connect(partial(self.table.set_shown, column.key))
        below = self._columns_button.rect().bottomLeft()
        menu.popup(spot or self._columns_button.mapToGlobal(below))

    def _show_row_menu(self, spot: QPoint) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addActions([self.actions_[key] for key in ("read", "copy", "like")])
        menu.popup(spot)

    def _find_like(self) -> None:
        """Ask for the texts nearest to the current row's."""
        if self.current is not None:
            self.neighbours_wanted.emit(self.current)

    def _toggle_reader(self) -> None:
        self._leave_wide()
        self.reader.setVisible(self.actions_["reader"].isChecked())

    def _connect(self) -> None:
        self.workspace.changed.connect(self._take_changes)
        self.workspace.closed.connect(self._forget)
        self.workspace.state_changed.connect(self._note_state)
        self.workspace.job_queued.connect(lambda ticket: self._count_imports(ticket, 1))
        self.workspace.job_ended.connect(lambda ticket, _end: self._count_imports(ticket, -1))
        self.feed.facts_read.connect(self._show_facts)
        self.feed.listed.connect(self._show_listing)
        self.feed.failed.connect(self._show_fault)
        self.filter.changed.connect(self._read_listing)
        self.filter.left_for_table.connect(self.table.setFocus)
        self.table.row_changed.connect(lambda _row: self._follow_row())
        self._breath.timeout.connect(self._catch_up)
        self.table.sort_wanted.connect(self._set_sort)
        self.table.columns_wanted.connect(self._show_column_menu)
        self.table.menu_wanted.connect(self._show_row_menu)
        self.table.opened.connect(self._toggle_wide)
        self.reader.document_wanted.connect(self.show_document)
        self.reader.copies_wanted.connect(self.filter.choose_text)
        self.reader.value_wanted.connect(self.filter.add_column)
        self.reader.width_wanted.connect(self._toggle_wide)
        self.reader.neighbours_wanted.connect(self.neighbours_wanted)
        self.empty.wanted.connect(lambda: self.import_wanted.emit([]))
        self._none.wanted.connect(self.filter.clear)
        self.notices.answered.connect(self._answer)
        self.files.import_wanted.connect(lambda: self.import_wanted.emit([]))
        self.files.failed.connect(self._show_fault)
        self.files.removed.connect(self._tell_removed)
        self._columns_button.clicked.connect(lambda: self._show_column_menu())
        self._files_button.clicked.connect(self.files.open_sheet)
        self._connect_actions()

    def _tell_removed(self, words: str) -> None:
        self.notices.say("removed", "done", words)

    def _connect_actions(self) -> None:
        for key, do in (
            ("next", lambda: self.table.move_by(1)),
            ("previous", lambda: self.table.move_by(-1)),
            ("first", lambda: self.table.move_by(-len(self.feed.ids))),
            ("last", lambda: self.table.move_by(len(self.feed.ids))),
            ("read", self._toggle_wide),
            ("copy", self.reader.copy_text),
            ("like", self._find_like),
            ("filter", self.focus_search),
            ("filter-column", self.filter.open_columns),
            ("clear", self.filter.clear),
            ("files", self.files.open_sheet),
            ("columns", self._show_column_menu),
            ("reader", self._toggle_reader),
        ):
            self.actions_.on(key, do)
        self.actions_["lines"].toggled.connect(lambda on: self.table.set_lines(2 if on else 1))
        self.actions_.read_from(self.reader.view)

    def _lay_out(self) -> None:
        self.table.setModel(self.feed.model)
        self.setFocusProxy(self.table)
        self._none.show_state("filter", "No row is left by this filter.", button="Clear the filter")
        self._columns_button = _tool("columns", "Columns")
        self._files_button = _tool("file", "Imported files")
        self.filter.tools.addWidget(self._columns_button)
        self.filter.tools.addWidget(self._files_button)
        self._table_stack.setMinimumWidth(_LEAST_TABLE)
        self.reader.setMinimumWidth(_LEAST_READER)
        set_role(self._line, "line")
        rows = QWidget()
        column = QVBoxLayout(rows)
        page = QVBoxLayout(self)
        for layout in (column, page):
            layout.setContentsMargins(0, 0, 0, 0)
            layout.setSpacing(0)
        # From the outside in: what is moved takes all that is in it along.
        page.addWidget(self.notices)
        page.addWidget(self._stack, 1)
        self._stack.addWidget(self.empty)
        self._stack.addWidget(rows)
        split = QSplitter(Qt.Orientation.Horizontal)
        column.addWidget(self.filter)
        column.addWidget(self._line)
        column.addWidget(split, 1)
        split.addWidget(self._table_stack)
        split.addWidget(self.reader)
        split.setChildrenCollapsible(False)
        split.setStretchFactor(0, 1)
        split.setSizes([1000, _READER_WIDTH])
        self._table_stack.addWidget(self.table)
        self._table_stack.addWidget(self._none)


def _tool(icon_name: str, words: str) -> QToolButton:
    button = QToolButton()
    button.setIconSize(QSize(ICON_SMALL, ICON_SMALL))
    button.setAccessibleName(words)
    button.setToolTip(words)
    set_icon(button, icon_name, current_theme().colours)
    return button
