"""The table of rows: read a page at a time, sorted by its heads, led by the keys."""

from collections.abc import Sequence

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QFontMetricsF,
    QKeyEvent,
    QMouseEvent,
)
from PySide6.QtWidgets import (
    QHeaderView,
    QMenu,
    QWidget,
)

from app.look.theme import current_theme, font
from app.look.tokens import ROW_HEIGHT
from app.pages.corpus_cells import CellDelegate, two_line_height
from app.pages.corpus_reads import Column
from app.widgets.data_table import DataTable

NAME_COLUMN, TEXT_COLUMN, MARKS_COLUMN = range(3)
_WIDTHS = {NAME_COLUMN: 72, MARKS_COLUMN: 164}
_OWN_WIDTH = 124
_SMALLEST_TEXT = 240
_TEXT_SHARE = 0.5  # of the table


class CorpusTable(DataTable):
    """Whole rows, one or two lines of text each; heads sort, keys move, Enter opens."""

    opened = Signal()  # the current row is wanted in full
    sort_wanted = Signal(str, bool)  # a column's key, descending
    columns_wanted = Signal(QPoint)  # the menu of columns, here on the screen
    menu_wanted = Signal(QPoint)  # what can be done with the current row

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, name="Rows of the corpus")
        self._columns: tuple[Column, ...] = ()
        self._hidden: dict[str, bool] = {}  # what a person chose, by key
        self._widths: dict[str, int] = {}
        self._sort = ("place", False)
        self._fitting = False
        self._cells = CellDelegate(TEXT_COLUMN, self)
        self.setItemDelegate(self._cells)
        self.setSelectionMode(DataTable.SelectionMode.SingleSelection)
        head = self.horizontalHeader()
        head.setStretchLastSection(False)
        head.setSectionsClickable(True)
        head.setSortIndicatorShown(True)
        head.setMinimumSectionSize(48)
        head.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        head.customContextMenuRequested.connect(
            lambda spot: self.columns_wanted.emit(head.mapToGlobal(spot))
        )
        head.sectionClicked.connect(self._sort_by)
        head.sectionResized.connect(self._note_width)
        self.activated.connect(self.opened)
        self.set_lines(1)

    @property
    def sort(self) -> tuple[str, bool]:
        """The column that heads sort by now, and whether downwards."""
        return self._sort

    @property
    def lines(self) -> int:
        return self._cells.lines

    def set_lines(self, lines: int) -> None:
        """One or two lines of each text."""
        self._cells.lines = lines
        height = QFontMetricsF(font(current_theme(), "body")).height()
        room = ROW_HEIGHT if lines == 1 else two_line_height(height)
        self.verticalHeader().setDefaultSectionSize(max(room, round(height) + 12))
        self.viewport().update()

    def show_columns(self, columns: Sequence[Column]) -> None:
        """Set which columns there are; call after the model has them."""
        self._columns = tuple(columns)
        if self._sort[0] not in {column.key for column in self._columns}:
            self._sort = ("place", False)
        self._fit()
        self._show_sort()

    def is_shown(self, key: str) -> bool:
        return not self.isColumnHidden(self._at(key))

    def set_shown(self, key: str, shown: bool) -> None:
        """Show or hide a column, as chosen by a person."""
        self._hidden[key] = not shown
        self._fit()

    def move_by(self, step: int) -> None:
        """Go to another row."""
        rows = self.model().rowCount() if self.model() is not None else 0
        if rows:
            self.go_to(min(max(self.currentIndex().row() + step, 0), rows - 1))

    def go_to(self, row: int) -> None:
        """Make a row the current one and bring it into sight."""
        index = self.model().index(row, TEXT_COLUMN)
        self.setCurrentIndex(index)
        self.scrollTo(index)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        rows = self.model().rowCount() if self.model() is not None else 0
        key = event.key()
        if key == Qt.Key.Key_Home and rows:
            self.go_to(0)
        elif key == Qt.Key.Key_End and rows:
            self.go_to(rows - 1)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            if self.currentIndex().isValid():
                self.opened.emit()
        else:
            super().keyPressEvent(event)

    def keyboardSearch(self, search: str) -> None:
        """Nothing: Qt would read every row of the project; the filter finds words."""

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if self.indexAt(event.position().toPoint()).isValid():
            self.opened.emit()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        if self.currentIndex().isValid():
            self.menu_wanted.emit(event.globalPos())

    def resizeEvent(self, event: object) -> None:
        super().resizeEvent(event)  # type: ignore[arg-type]  # Qt's own event
        self._fit()

    def _at(self, key: str) -> int:
        return next(at for at, column in enumerate(self._columns) if column.key == key)

    def _fit(self) -> None:
        """Give the text at least half; columns nobody asked for show only where there is room."""
        if not self._columns or self.model() is None:
            return
        self._fitting = True
        view = self.viewport().width()
        text = self._widths.get("text", max(round(view * _TEXT_SHARE), _SMALLEST_TEXT))
        taken = 0
        for at, column in enumerate(self._columns):
            if at == TEXT_COLUMN:
                continue
            width = self._widths.get(column.key, _WIDTHS.get(at, _OWN_WIDTH))
            fits = at < MARKS_COLUMN + 1 or taken + width + text <= view
            hidden = self._hidden.get(column.key, not (column.shown and fits))
            self.setColumnHidden(at, hidden)
            if not hidden:
                self.setColumnWidth(at, width)
                taken += width
        self.setColumnWidth(TEXT_COLUMN, self._widths.get("text", max(text, view - taken)))
        self._fitting = False

    def _note_width(self, at: int, _old: int, new: int) -> None:
        if not self._fitting and at < len(self._columns) and new > 0:
            self._widths[self._columns[at].key] = new

    def _sort_by(self, at: int) -> None:
        """A head sorts up, then down, then as the files have it."""
        key = self._columns[at].key
        if self._sort == (key, False):
            self._sort = (key, True)
        elif self._sort == (key, True) and key != "place":
            self._sort = ("place", False)
        else:
            self._sort = (key, False)
        self._show_sort()
        self.sort_wanted.emit(*self._sort)

    def _show_sort(self) -> None:
        key, descending = self._sort
        head: QHeaderView = self.horizontalHeader()
        if key == "place" and not descending:
            head.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
            return
        order = Qt.SortOrder.DescendingOrder if descending else Qt.SortOrder.AscendingOrder
        head.setSortIndicator(self._at(key), order)


class ColumnMenu(QMenu):
    """A menu of columns to tick that stays open while one ticks."""

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        action = self.actionAt(event.position().toPoint())
        if action is not None and action.isCheckable() and action.isEnabled():
            action.trigger()
        else:
            super().mouseReleaseEvent(event)
