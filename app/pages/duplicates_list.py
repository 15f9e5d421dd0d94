"""The list of groups: every size of corpus, its texts fetched as they come into sight."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QPersistentModelIndex,
    QRectF,
    QSize,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import QColor, QFontMetricsF, QPainter
from PySide6.QtWidgets import (
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from app.look.theme import font, theme_of
from app.look.tokens import XS, M, S
from app.look.words import count, counted
from app.pages.duplicates_opening import draw_opening, opening
from app.pages.duplicates_reads import Listing
from app.widgets.tags import Tag, paint_tag, tag_size
from core.store import GroupRow

AnyIndex = QModelIndex | QPersistentModelIndex
ROW_ROLE = int(Qt.ItemDataRole.UserRole) + 1
_PAGE = 200
_FETCH_MS = 12
_PAGES_KEPT = 60
_HEIGHT = 52


@dataclass(frozen=True, slots=True)
class GroupLine:
    """One line of the list; `text` is None until it has been read."""

    group: GroupRow
    text: str | None
    waiting: int


class GroupsModel(QAbstractListModel):
    """Groups by position; asks for the openings of texts a page at a time."""

    texts_wanted = Signal(list)  # ids of texts, once painting has paused

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._listing = Listing([], {})
        self._texts: dict[int, str] = {}
        self._pages: dict[int, None] = {}  # wanted or here, oldest first
        self._fewer: Callable[[int], int] = lambda _text: 0
        self._wanted: list[int] = []
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_FETCH_MS)
        self._timer.timeout.connect(self._ask)

    def show_listing(self, listing: Listing) -> None:
        """Show other groups; texts are kept, for no project gives a number to two texts."""
        self.beginResetModel()
        self._listing = listing
        self._pages = {}
        self._wanted = []
        self.endResetModel()

    def forget(self) -> None:
        """Show nothing and know no text any more: another project counts from 1 again."""
        self._texts = {}
        self._timer.stop()
        self.show_listing(Listing([], {}))

    def count_fewer(self, fewer: Callable[[int], int]) -> None:
        """Let `fewer(kept text)` say how many waiting pairs were decided since."""
        self._fewer = fewer

    def add_texts(self, texts: Mapping[int, str]) -> None:
        """Take openings of texts that were asked for."""
        self._texts.update(texts)
        spots = [self._listing.at[text] for text in texts if text in self._listing.at]
        if spots:
            self.dataChanged.emit(self.index(min(spots)), self.index(max(spots)))

    def refresh(self, text: int) -> None:
        """Paint one group again, whose waiting pairs were decided."""
        at = self._listing.at.get(text)
        if at is not None:
            self.dataChanged.emit(self.index(at), self.index(at))

    @property
    def places(self) -> dict[int, int]:
        """Where each group stands, by its kept text."""
        return self._listing.at

    def position(self, text: int) -> int | None:
        return self._listing.at.get(text)

    def group(self, at: int) -> GroupRow:
        return self._listing.rows[at]

    def waiting(self, at: int) -> int:
        """How many pairs of this group wait now."""
        group = self._listing.rows[at]
        return max(0, group.review - self._fewer(group.text))

    def next_waiting(self, after: int, *, skip: Sequence[int] | set[int] = ()) -> int | None:
        """The next group with something to decide, from the top again after the last."""
        rows = self._listing.rows
        for step in range(1, len(rows) + 1):
            at = (after + step) % len(rows)
            if rows[at].review and rows[at].text not in skip and self.waiting(at):
                return at
        return None

    def rowCount(self, parent: AnyIndex | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self._listing.rows)

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        at = index.row()
        if role == ROW_ROLE:
            group = self._listing.rows[at]
            text = self._texts.get(group.text)
            if text is None:
                self._want(at // _PAGE)
            return GroupLine(group, text, self.waiting(at))
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return self._words(at)
        return None

    def _words(self, at: int) -> str:
        group = self._listing.rows[at]
        text = self._texts.get(group.text, "")
        waiting = self.waiting(at)
        told = f"{opening(text)}, {counted(group.rows, 'row')}"
        return f"{told}, {count(waiting)} to review" if waiting else told

    def _want(self, page: int) -> None:
        if page in self._pages:
            return
        self._pages[page] = None
        self._wanted.append(page)
        self._timer.start()

    def _ask(self) -> None:
        pages, self._wanted = self._wanted[-3:], []
        # Pages scrolled past are asked for again when they are looked at.
        for page in set(self._pages) - set(pages):
            if not self._has(page):
                self._pages.pop(page)
        self._forget_old()
        ids = [
            row.text
            for page in pages
            for row in self._listing.rows[page * _PAGE : (page + 1) * _PAGE]
            if row.text not in self._texts
        ]
        if ids:
            self.texts_wanted.emit(ids)

    def _has(self, page: int) -> bool:
        rows = self._listing.rows[page * _PAGE : (page + 1) * _PAGE]
        return all(row.text in self._texts for row in rows)

    def _forget_old(self) -> None:
        while len(self._pages) > _PAGES_KEPT:
            page = next(iter(self._pages))
            self._pages.pop(page)
            for row in self._listing.rows[page * _PAGE : (page + 1) * _PAGE]:
                self._texts.pop(row.text, None)


class GroupsList(QTableView):
    """Groups to choose from with the mouse or the arrows.

    A table of one column: a list view asks its model for every row when it is laid out, which
    takes a second for 200,000 of them.
    """

    chosen = Signal(int)  # kept text

    def __init__(self, model: GroupsModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setModel(model)
        self._model = model
        self._told: int | None = None
        self.setItemDelegate(_GroupDelegate(self))
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.verticalHeader().setDefaultSectionSize(_HEIGHT)
        self.verticalHeader().hide()
        self.horizontalHeader().setStretchLastSection(True)
        self.horizontalHeader().hide()
        self.setShowGrid(False)
        self.setTabKeyNavigation(False)
        self.setSelectionBehavior(QTableView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QTableView.SelectionMode.SingleSelection)
        self.setVerticalScrollMode(QTableView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFrameShape(QTableView.Shape.NoFrame)
        self.setAccessibleName("Groups")
        self.setMinimumWidth(200)
        self.verticalScrollBar().setSingleStep(_HEIGHT // 2)

    def select(self, at: int) -> None:
        """Mark a group as the one on show, without telling."""
        text = self._model.group(at).text
        self._told = text
        self.setCurrentIndex(self._model.index(at))
        self.scrollTo(self._model.index(at))

    def clear_choice(self) -> None:
        """Mark no group."""
        self._told = None
        self.selectionModel().clear()

    def currentChanged(self, current: AnyIndex, previous: AnyIndex) -> None:
        super().currentChanged(current, previous)
        if current.isValid():
            text = self._model.group(current.row()).text
            if text != self._told:
                self._told = text
                self.chosen.emit(text)

    def keyboardSearch(self, search: str) -> None:
        """Letters are keys of the page, not a search in the list."""


class _GroupDelegate(QStyledItemDelegate):
    def sizeHint(self, option: QStyleOptionViewItem, index: AnyIndex) -> QSize:
        return QSize(200, _HEIGHT)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        line: GroupLine = index.data(ROW_ROLE)
        view = self.parent()
        if not isinstance(view, QWidget):
            return
        theme = theme_of(view)
        colours = theme.colours
        area = QRectF(option.rect)
        state = option.state
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if state & QStyle.StateFlag.State_Selected:
            painter.fillRect(area, QColor(colours.selection))
            painter.fillRect(
                QRectF(area.left(), area.top(), 3, area.height()), QColor(colours.accent)
            )
        elif state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(area, QColor(colours.hover))
        painter.setPen(QColor(colours.line))
        painter.drawLine(area.bottomLeft(), area.bottomRight())
        inside = area.adjusted(M + XS, S - 1, -M, -S + 1)
        top = QRectF(inside.left(), inside.top(), inside.width(), 19)
        times = f"×{count(line.group.rows)}"
        painter.setFont(font(theme, "body", bold=True))
        room = QFontMetricsF(painter.font()).horizontalAdvance(times)
        painter.setPen(QColor(colours.muted))
        painter.drawText(top, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, times)
        painter.setPen(QColor(colours.ink if line.text is not None else colours.faint))
        painter.setFont(font(theme, "body"))
        draw_opening(
            painter, top.adjusted(0, 0, -room - S, 0), line.text if line.text is not None else "…"
        )
        below = QRectF(
            inside.left(), top.bottom() + 1, inside.width(), inside.bottom() - top.bottom()
        )
        if line.waiting:
            tag = Tag(f"{count(line.waiting)} to review", "unsure", "?")
            size = tag_size(tag, theme)
            spot = QRectF(below.right() - size.width(), below.center().y() - size.height() / 2,
                          size.width(), size.height())  # fmt: skip
            paint_tag(painter, spot, tag, theme)
            below.setRight(spot.left() - S)
        painter.setFont(font(theme, "meta"))
        painter.setPen(QColor(colours.muted))
        metrics = QFontMetricsF(painter.font())
        facts = metrics.elidedText(_facts(line), Qt.TextElideMode.ElideRight, below.width())
        painter.drawText(below, Qt.AlignmentFlag.AlignVCenter, facts)
        painter.restore()


def _facts(line: GroupLine) -> str:
    group = line.group
    parts = []
    copies = group.rows - group.texts
    if copies:
        parts.append(counted(copies, "copy", "copies"))
    if group.texts > 1:
        parts.append(f"{count(group.texts - 1)} similar")
    if group.weakest is not None and group.texts > 1:
        parts.append(f"weakest {group.weakest:.2f}")
    return " · ".join(parts)
