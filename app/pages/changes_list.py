"""The list of what changed: two texts a line, their cosine before and now, and their verdict."""

from collections.abc import Iterator, Mapping

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

from app.look.theme import Theme, font, theme_of
from app.look.tokens import XS, M, S
from app.pages.changes_reads import ChangeLine, Line, Listing, Pair
from app.pages.changes_words import group_said
from app.pages.duplicates_opening import draw_opening, opening
from app.widgets.tags import Tag, paint_tag, tag_size, verdict_tag
from core.records import Verdict
from core.store import ChangedGroup

AnyIndex = QModelIndex | QPersistentModelIndex
LINE_ROLE = int(Qt.ItemDataRole.UserRole) + 1
_PAGE = 200
_FETCH_MS = 12
_HEIGHT = 56
_FIGURES = 92  # pixels for the tag and the cosines
_TAGS = {
    "gained": Tag("gained", "note", "+"),
    "lost": Tag("lost", "plain", "−"),
    "joined": Tag("joined", "note", "+"),
    "gone": Tag("left", "plain", "−"),
}


class ChangesModel(QAbstractListModel):
    """Lines by position, groups as headings; asks for the openings of texts in sight."""

    texts_wanted = Signal(list)  # ids of texts, once painting has paused

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._lines: tuple[Line, ...] = ()
        self._verdicts: dict[Pair, Verdict | None] = {}
        self._texts: dict[int, str] = {}
        self._asked: set[int] = set()
        self.hides_score = False
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_FETCH_MS)
        self._timer.timeout.connect(self._ask)
        self._wanted: set[int] = set()

    def show_listing(self, listing: Listing) -> None:
        """Show other lines."""
        self.beginResetModel()
        self._lines, self._verdicts = listing.lines, dict(listing.verdicts)
        self._asked = set()
        self.endResetModel()

    def forget(self) -> None:
        """Show nothing and know no text any more: another project counts from 1 again."""
        self._timer.stop()
        self._texts = {}
        self.show_listing(Listing((), {}))

    def add_texts(self, texts: Mapping[int, str]) -> None:
        """Take openings of texts that were asked for."""
        self._texts.update(texts)
        self._repaint()

    def take_verdicts(self, verdicts: Mapping[Pair, Verdict | None]) -> None:
        """Know what is said of pairs now; others keep what was said of them."""
        self._verdicts.update(verdicts)
        self._repaint()

    def verdict(self, line: ChangeLine) -> Verdict | None:
        return self._verdicts.get(line.pair)

    def line(self, at: int) -> ChangeLine | None:
        """The line at a place; None for a heading and beyond the ends."""
        found = self._lines[at] if 0 <= at < len(self._lines) else None
        return found if isinstance(found, ChangeLine) else None

    def place_of(self, pair: Pair) -> int | None:
        """Where two texts stand, None where they are not listed."""
        return next((at for at, line in self.pairs() if line.pair == pair), None)

    def pairs(self) -> Iterator[tuple[int, ChangeLine]]:
        """The places and lines of all pairs."""
        for at, line in enumerate(self._lines):
            if isinstance(line, ChangeLine):
                yield at, line

    def step(self, at: int, by: int) -> int | None:
        """The place of the next pair in a direction, None beyond the end."""
        at += by
        while 0 <= at < len(self._lines):
            if self.line(at) is not None:
                return at
            at += by
        return None

    def next_undecided(self, after: int) -> int | None:
        """The next pair without a verdict, from the top again after the last."""
        size = len(self._lines)
        for step in range(1, size):
            at = (after + step) % size
            line = self.line(at)
            if line is not None and self._verdicts.get(line.pair) is None:
                return at
        return None

    def counts(self) -> tuple[int, int]:
        """How many pairs or groups are listed, and how many pairs have no verdict."""
        lines = [line for _, line in self.pairs()]
        undecided = sum(self._verdicts.get(line.pair) is None for line in lines)
        groups = len(self._lines) - len(lines)
        return groups or len(lines), undecided

    def rowCount(self, parent: AnyIndex | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self._lines)

    def flags(self, index: AnyIndex) -> Qt.ItemFlag:
        if self.line(index.row()) is None:
            return Qt.ItemFlag.NoItemFlags
        return super().flags(index)

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        line = self._lines[index.row()]
        if role == LINE_ROLE:
            self._want(index.row() // _PAGE)
            return line
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return self._spoken(line)
        return None

    def text(self, number: int) -> str:
        """The beginning of a text, a mark where it has not been read yet."""
        return self._texts.get(number, "…")

    def _spoken(self, line: Line) -> str:
        if isinstance(line, ChangedGroup):
            return f"{group_said(line)}: {opening(self.text(line.kept))}"
        verdict = self._verdicts.get(line.pair)
        said = f"{_TAGS[line.kind].words}, {verdict}" if verdict else _TAGS[line.kind].words
        if not self.hides_score:
            said += f", {line.measured}"
        return f"{said}: {opening(self.text(line.first))} / {opening(self.text(line.second))}"

    def _repaint(self) -> None:
        if self._lines:
            self.dataChanged.emit(self.index(0), self.index(len(self._lines) - 1))

    def _want(self, page: int) -> None:
        if page not in self._asked:
            self._asked.add(page)
            self._wanted.add(page)
            self._timer.start()

    def _ask(self) -> None:
        pages, self._wanted = self._wanted, set()
        lines = [line for page in pages for line in self._lines[page * _PAGE : (page + 1) * _PAGE]]
        texts = {text for line in lines for text in _texts_of(line)}
        missing = sorted(texts - self._texts.keys())
        if missing:
            self.texts_wanted.emit(missing)


class ChangesList(QTableView):
    """Lines to choose from with the mouse or the arrows.

    A table of one column: a list view asks its model for every row when it is laid out.
    """

    chosen = Signal(int)  # place

    def __init__(self, model: ChangesModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setModel(model)
        self._model = model
        self.setItemDelegate(_LineDelegate(self))
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
        self.setMouseTracking(True)
        self.setAccessibleName("What changed")
        self.setMinimumWidth(220)
        self.verticalScrollBar().setSingleStep(_HEIGHT // 2)

    @property
    def place(self) -> int:
        """The place of the current line, -1 where there is none."""
        return self.currentIndex().row()

    def go_to(self, at: int) -> None:
        """Make a line the current one; the heading above comes along into sight."""
        if at > 0 and self._model.line(at - 1) is None:
            self.scrollTo(self._model.index(at - 1))
        self.setCurrentIndex(self._model.index(at))
        self.scrollTo(self._model.index(at))

    def currentChanged(self, current: AnyIndex, previous: AnyIndex) -> None:
        super().currentChanged(current, previous)
        if current.isValid():
            self.chosen.emit(current.row())

    def keyboardSearch(self, search: str) -> None:
        """Letters are keys of the page, not a search in the list."""


class _LineDelegate(QStyledItemDelegate):
    def sizeHint(self, option: QStyleOptionViewItem, index: AnyIndex) -> QSize:
        return QSize(200, _HEIGHT)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        view, model = self.parent(), index.model()
        if not isinstance(view, QWidget) or not isinstance(model, ChangesModel):
            return
        line = index.data(LINE_ROLE)
        theme, area = theme_of(view), QRectF(option.rect)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if isinstance(line, ChangedGroup):
            _paint_group(painter, area, line, model, theme)
        else:
            _paint_back(painter, area, option.state, theme)
            _paint_line(painter, area, line, model, theme)
        painter.restore()


def _paint_back(painter: QPainter, area: QRectF, state: QStyle.StateFlag, theme: Theme) -> None:
    if state & QStyle.StateFlag.State_Selected:
        painter.fillRect(area, QColor(theme.colours.selection))
        edge = QRectF(area.left(), area.top(), 3, area.height())
        painter.fillRect(edge, QColor(theme.colours.accent))
    elif state & QStyle.StateFlag.State_MouseOver:
        painter.fillRect(area, QColor(theme.colours.hover))


def _paint_group(
    painter: QPainter, area: QRectF, group: ChangedGroup, model: ChangesModel, theme: Theme
) -> None:
    painter.fillRect(area, QColor(theme.colours.sunken))
    upper, lower = _halves(area.adjusted(M, XS, -M, -XS))
    painter.setFont(font(theme, "meta", bold=True))
    painter.setPen(QColor(theme.colours.muted))
    left = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
    elide = Qt.TextElideMode.ElideRight
    said = QFontMetricsF(painter.font()).elidedText(group_said(group), elide, upper.width())
    painter.drawText(upper, left, said)
    painter.setFont(font(theme, "body"))
    painter.setPen(QColor(theme.colours.ink))
    draw_opening(painter, lower, model.text(group.kept))


def _paint_line(
    painter: QPainter, area: QRectF, line: ChangeLine, model: ChangesModel, theme: Theme
) -> None:
    inside = area.adjusted(M, XS, -M, -XS)
    verdict = model.verdict(line)
    tag = _TAGS[line.kind] if verdict is None else verdict_tag(verdict)
    size = tag_size(tag, theme)
    upper, lower = _halves(inside)
    spot = QRectF(upper.right() - size.width(), upper.center().y() - size.height() / 2,
                  size.width(), size.height())  # fmt: skip
    paint_tag(painter, spot, tag, theme)
    if not model.hides_score:
        painter.setFont(font(theme, "meta"))
        painter.setPen(QColor(theme.colours.muted))
        right = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
        painter.drawText(lower, right, f"{line.before:.2f} → {line.after:.2f}")
    painter.setFont(font(theme, "body"))
    # Beneath its heading a line need not say the kept text again.
    first, second = (upper, lower) if line.group is None else (QRectF(), inside)
    painter.setPen(QColor(theme.colours.ink))
    for where, text in ((first, line.first), (second, line.second)):
        if where.isValid():
            draw_opening(painter, where.adjusted(0, 0, -_FIGURES - S, 0), model.text(text))


def _halves(area: QRectF) -> tuple[QRectF, QRectF]:
    half = area.height() / 2
    return (QRectF(area.left(), area.top(), area.width(), half),
            QRectF(area.left(), area.top() + half, area.width(), half))  # fmt: skip


def _texts_of(line: Line) -> tuple[int, ...]:
    return (line.kept,) if isinstance(line, ChangedGroup) else (line.first, line.second)
