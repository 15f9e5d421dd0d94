"""The table of rows: read a page at a time, sorted by its heads, led by the keys."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPoint, QRectF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFontMetricsF,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QTextLayout,
)
from PySide6.QtWidgets import (
    QApplication,
    QHeaderView,
    QMenu,
    QStyle,
    QStyleOptionViewItem,
    QWidget,
)

from app.look.theme import current_theme, font
from app.look.tokens import ROW_HEIGHT
from app.pages.corpus_reads import Column
from app.widgets.data_table import DataTable
from app.widgets.shown_text import is_right_to_left
from app.widgets.tag_delegate import TagDelegate

NAME_COLUMN, TEXT_COLUMN, MARKS_COLUMN = range(3)
_PAD = 13  # as Fusion leaves beside the words of other cells
_LINE = 1.35  # of the font's height, between the two lines of a text
_WIDTHS = {NAME_COLUMN: 72, TEXT_COLUMN: 420, MARKS_COLUMN: 132}
_OWN_WIDTH = 110
_SMALLEST_TEXT = 240
_TEXT_SHARE = 0.5  # of the table; further columns are scrolled to


class CorpusTable(DataTable):
    """Whole rows, one or two lines of text each; heads sort, keys move, Enter opens."""

    opened = Signal()  # the current row is wanted in full
    sort_wanted = Signal(str, bool)  # a column's key, descending
    columns_wanted = Signal(QPoint)  # the menu of columns, here on the screen

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, name="Rows of the corpus")
        self._columns: tuple[Column, ...] = ()
        self._hidden: dict[str, bool] = {}  # what a person chose, by key
        self._widths: dict[str, int] = {}
        self._sort = ("place", False)
        self._fitting = False
        self.setItemDelegateForColumn(TEXT_COLUMN, TextDelegate(self))
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
    def lines(self) -> int:
        return self._lines

    def set_lines(self, lines: int) -> None:
        """One or two lines of each text."""
        self._lines = lines
        height = QFontMetricsF(font(current_theme(), "body")).height()
        room = ROW_HEIGHT if lines == 1 else round(height * _LINE * 2) + 14
        self.verticalHeader().setDefaultSectionSize(max(room, round(height) + 12))
        self.viewport().update()

    def show_columns(self, columns: Sequence[Column]) -> None:
        """Set which columns there are; call after the model has them."""
        self._columns = tuple(columns)
        for at, column in enumerate(self._columns):
            self.setColumnHidden(at, self._hidden.get(column.key, not column.shown))
        self._fit()
        self._show_sort()

    def is_shown(self, key: str) -> bool:
        return not self.isColumnHidden(self._at(key))

    def set_shown(self, key: str, shown: bool) -> None:
        """Show or hide a column, as chosen by a person."""
        self._hidden[key] = not shown
        self.setColumnHidden(self._at(key), not shown)
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

    def resizeEvent(self, event: object) -> None:
        super().resizeEvent(event)  # type: ignore[arg-type]  # Qt's own event
        self._fit()

    def _at(self, key: str) -> int:
        return next(at for at, column in enumerate(self._columns) if column.key == key)

    def _fit(self) -> None:
        """Give the text the room that others leave, and half in any case, till it is dragged."""
        if not self._columns or self.model() is None:
            return
        self._fitting = True
        taken = 0
        for at, column in enumerate(self._columns):
            if at == TEXT_COLUMN or self.isColumnHidden(at):
                continue
            self.setColumnWidth(at, self._widths.get(column.key, _WIDTHS.get(at, _OWN_WIDTH)))
            taken += self.columnWidth(at)
        view = self.viewport().width()
        room = max(view - taken, round(view * _TEXT_SHARE), _SMALLEST_TEXT)
        self.setColumnWidth(TEXT_COLUMN, self._widths.get("text", room))
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


class TextDelegate(TagDelegate):
    """Paints a text over one line or two, in its own direction; a blank row says so."""

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        self.initStyleOption(option, index)
        words = str(index.data() or "")
        option.text = ""
        table = option.widget
        style = table.style() if table is not None else QApplication.style()
        style.drawControl(QStyle.ControlElement.CE_ItemViewItem, option, painter, table)
        where = QRectF(option.rect).adjusted(_PAD, 0, -_PAD, 0)
        lines = table.lines if isinstance(table, CorpusTable) else 1
        painter.save()
        painter.setPen(QColor(current_theme().colours.ink))
        if lines == 1:
            _one_line(painter, where, words)
        else:
            _two_lines(painter, where, words)
        painter.restore()


def _one_line(painter: QPainter, where: QRectF, words: str) -> None:
    metrics = QFontMetricsF(painter.font())
    _draw(painter, where, metrics.elidedText(words, Qt.TextElideMode.ElideRight, where.width()))


def _two_lines(painter: QPainter, where: QRectF, words: str) -> None:
    metrics = QFontMetricsF(painter.font())
    layout = QTextLayout(words, painter.font())
    layout.beginLayout()
    first = layout.createLine()
    if first.isValid():
        first.setLineWidth(where.width())
    layout.endLayout()
    cut = first.textLength() if first.isValid() else 0
    second = metrics.elidedText(words[cut:].strip(), Qt.TextElideMode.ElideRight, where.width())
    parts = [part for part in (words[:cut].strip(), second) if part]
    step = metrics.height() * _LINE
    top = where.center().y() - step * len(parts) / 2
    for number, part in enumerate(parts):
        _draw(painter, QRectF(where.left(), top + number * step, where.width(), step), part)


def _draw(painter: QPainter, where: QRectF, words: str) -> None:
    """One line in the direction of its words, on the base line of the cells beside it."""
    right_to_left = is_right_to_left(words)
    side = Qt.AlignmentFlag.AlignRight if right_to_left else Qt.AlignmentFlag.AlignLeft
    painter.setLayoutDirection(
        Qt.LayoutDirection.RightToLeft if right_to_left else Qt.LayoutDirection.LeftToRight
    )
    flags = side | Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignAbsolute
    painter.drawText(where.toRect(), int(flags) | int(Qt.TextFlag.TextSingleLine), words)


def place_of(ids: NDArray[np.int64], document: int) -> int | None:
    """Where a document stands in an order, None where it does not."""
    found = np.flatnonzero(ids == document)
    return int(found[0]) if len(found) else None
