"""A table of any length of which only the pages that are looked at are read."""

from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    QTimer,
    Signal,
)

from app.look.words import count
from app.widgets.shown_text import is_right_to_left, visible
from app.widgets.tag_delegate import TAGS_ROLE
from app.widgets.tags import Tag

Index = QModelIndex | QPersistentModelIndex
Row = Sequence[object]  # a cell is None, a str, a number, or a tuple of tags
_CELL_LENGTH = 300  # characters; the whole text is for the reader
_WAITING = "…"
RAW_ROLE = int(Qt.ItemDataRole.UserRole) + 2


class PagedTableModel(QAbstractTableModel):
    """Asks `fetch(first, count)` for pages as they come into view; `supply` answers, when it can.

    Keeps the pages last looked at and forgets the others. Pages wanted in one turn of the
    event loop are asked for together, so that a dragged scroll bar does not ask for all it
    passes. `fetch` may answer at once or never; an answer to an older question is dropped.
    """

    sort_wanted = Signal(int, bool)  # column, ascending

    def __init__(
        self,
        columns: Sequence[str],
        fetch: Callable[[int, int], None],
        *,
        page_rows: int = 200,
        kept_pages: int = 40,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._columns = tuple(columns)
        self._fetch = fetch
        self._page_rows = page_rows
        self._kept_pages = kept_pages
        self._total = 0
        self._generation = 0
        self._pages: OrderedDict[int, tuple[Row, ...]] = OrderedDict()
        self._wanted: OrderedDict[int, None] = OrderedDict()
        self._asked: set[int] = set()
        self._asking = QTimer(self)
        self._asking.setSingleShot(True)
        self._asking.setInterval(0)
        self._asking.timeout.connect(self._ask)

    @property
    def generation(self) -> int:
        """Grows with every reset; give it back to `supply` and late answers are dropped."""
        return self._generation

    def reset(self, total: int, columns: Sequence[str] | None = None) -> None:
        """Start again with `total` rows; nothing is known of them yet."""
        self.beginResetModel()
        self._total = total
        self._generation += 1
        self._columns = self._columns if columns is None else tuple(columns)
        self._forget()
        self.endResetModel()

    def refresh(self) -> None:
        """Read the rows again without losing place or selection; the order must be the same."""
        self._generation += 1
        self._forget()
        if self._total:
            last = self.index(self._total - 1, max(len(self._columns) - 1, 0))
            self.dataChanged.emit(self.index(0, 0), last)

    def supply(self, first: int, rows: Sequence[Row], *, generation: int | None = None) -> None:
        """Answer `fetch`: the rows from `first`, which starts a page."""
        page = first // self._page_rows
        is_late = generation is not None and generation != self._generation
        if is_late or page not in self._asked or not rows:
            return
        self._asked.discard(page)
        is_first = not self._pages
        self._pages[page] = tuple(rows)
        if is_first and self._columns:
            self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(self._columns) - 1)
        while len(self._pages) > self._kept_pages:
            self._pages.popitem(last=False)
        last = min(first + len(rows), self._total) - 1
        self.dataChanged.emit(self.index(first, 0), self.index(last, len(self._columns) - 1))

    def row(self, number: int) -> Row | None:
        """The cells of a row if they are at hand; None asks for them."""
        page, place = divmod(number, self._page_rows)
        rows = self._pages.get(page)
        if rows is None:
            self._want(page)
            return None
        self._pages.move_to_end(page)
        return rows[place] if place < len(rows) else None

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008  # Qt's own default
        return 0 if parent.isValid() else self._total

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008  # Qt's own default
        return 0 if parent.isValid() else len(self._columns)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid() or role not in _ROLES:
            return None
        row = self.row(index.row())
        if row is None:
            return _WAITING if role == Qt.ItemDataRole.DisplayRole else None
        cell = row[index.column()] if index.column() < len(row) else None
        return _ROLES[role](cell)

    def headerData(
        self,
        section: int,
        orientation: Qt.Orientation,
        role: int = Qt.ItemDataRole.DisplayRole,
    ) -> Any:
        if orientation == Qt.Orientation.Vertical:
            return count(section + 1) if role == Qt.ItemDataRole.DisplayRole else None
        if role == Qt.ItemDataRole.DisplayRole and section < len(self._columns):
            return self._columns[section]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _alignment(self._sample(section))
        return None

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Only passes the wish on: whoever has the rows sorts them and calls `reset`."""
        if 0 <= column < len(self._columns):
            self.sort_wanted.emit(column, order == Qt.SortOrder.AscendingOrder)

    def _sample(self, section: int) -> object:
        """A cell of the column that is at hand, so that a head stands as its figures do."""
        rows = next(iter(self._pages.values()), ())
        cells = [row[section] for row in rows[:1] if section < len(row)]
        return cells[0] if cells and not isinstance(cells[0], str) else None

    def _forget(self) -> None:
        self._pages.clear()
        self._wanted.clear()
        self._asked.clear()

    def _want(self, page: int) -> None:
        if page not in self._asked and page not in self._wanted:
            self._wanted[page] = None
            self._asking.start()

    def _ask(self) -> None:
        pages = list(self._wanted)
        self._wanted.clear()
        self._asked.update(pages)
        for page in pages:
            first = page * self._page_rows
            self._fetch(first, min(self._page_rows, self._total - first))


def _words(cell: object) -> str:
    if cell is None or isinstance(cell, tuple):
        return ""
    if isinstance(cell, int) and not isinstance(cell, bool):
        return count(cell)
    if isinstance(cell, float):
        return f"{cell:.2f}"
    text = str(cell)
    line = " ".join(visible(text[: 2 * _CELL_LENGTH]).split())
    return line if len(line) <= _CELL_LENGTH else line[:_CELL_LENGTH] + "…"


def _alignment(cell: object) -> Qt.AlignmentFlag:
    right = isinstance(cell, int | float) or (isinstance(cell, str) and is_right_to_left(cell))
    side = Qt.AlignmentFlag.AlignRight if right else Qt.AlignmentFlag.AlignLeft
    return side | Qt.AlignmentFlag.AlignVCenter


def _tags(cell: object) -> tuple[Tag, ...] | None:
    return cell if isinstance(cell, tuple) else None


def _spoken(cell: object) -> str:
    tags = _tags(cell)
    return _words(cell) if tags is None else ", ".join(tag.words for tag in tags)


_ROLES: dict[int, Callable[[object], object]] = {
    int(Qt.ItemDataRole.DisplayRole): _words,
    int(Qt.ItemDataRole.TextAlignmentRole): _alignment,
    int(Qt.ItemDataRole.AccessibleTextRole): _spoken,
    TAGS_ROLE: _tags,
    RAW_ROLE: lambda cell: cell,
}
