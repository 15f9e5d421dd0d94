"""The texts that the picture selects, and what can be done with them."""

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QAction, QKeyEvent, QPainter, QPalette, QResizeEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QMenu,
    QStackedWidget,
    QStyleOptionViewItem,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.look.icons import set_icon
from app.look.theme import current_theme, set_role
from app.look.tokens import ICON_SMALL, XS, L, M, S
from app.look.words import counted
from app.pages.corpus_cells import CellDelegate
from app.pages.map_cluster_list import paint_swatch
from app.pages.map_texts_feed import CLUSTER, FIXED, ROWS, STRENGTH, TEXT, ClusterCell, TextsFeed
from app.widgets.data_table import DataTable
from app.widgets.elided import ElidedLabel
from app.widgets.paged_table_model import RAW_ROLE

_WIDTHS = {ROWS: 66, CLUSTER: 132, STRENGTH: 86}
_OWN_WIDTH = 112
_SMALLEST_TEXT = 170
_TIGHT_TEXT = 210  # from here on the strength may stand beside it
_EASY_TEXT = 300  # and from here on columns of the corpus may stand beside it
_SWATCH = 8


class TextsTable(DataTable):
    """One line a text; the text has the room that is left."""

    def __init__(self, feed: TextsFeed, parent: QWidget | None = None) -> None:
        super().__init__(parent, name="Selected texts")
        self._feed = feed
        self.setModel(feed.model)
        self.setItemDelegate(_Cells(self))
        self.setSelectionMode(DataTable.SelectionMode.SingleSelection)
        set_role(self, "flush")
        head = self.horizontalHeader()
        head.setStretchLastSection(False)
        head.setSectionsMovable(False)
        head.setSectionsClickable(True)
        head.setSortIndicatorShown(True)
        head.setMinimumSectionSize(40)
        head.sectionClicked.connect(self._sort_by)
        feed.listed.connect(self._fit)
        self._show_sort()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def keyboardSearch(self, search: str) -> None:
        """Letters are keys of the page, not a search in the table."""

    def go_to(self, row: int) -> None:
        """Make a row the current one and bring it into sight."""
        index = self.model().index(row, TEXT)
        self.setCurrentIndex(index)
        self.scrollTo(index)

    def _fit(self) -> None:
        """The text first; figures and own columns where there is room for them."""
        view, taken = self.viewport().width(), 0
        model = self.model()
        for at in range(1, model.columnCount()):
            width = _WIDTHS.get(at, _OWN_WIDTH)
            text = _EASY_TEXT if at >= len(FIXED) else _TIGHT_TEXT
            fits = at in (ROWS, CLUSTER) or taken + width + text <= view
            # All of one cluster: its name in every row would only take the texts' room.
            fits = fits and (at != CLUSTER or self._feed.is_mixed)
            self.setColumnHidden(at, not fits)
            if fits:
                self.setColumnWidth(at, width)
                taken += width
        self.setColumnWidth(TEXT, max(view - taken, _SMALLEST_TEXT))

    def _sort_by(self, column: int) -> None:
        if column < len(FIXED):
            was, ascending = self._feed.sort
            # Figures are wanted large first, words from A.
            first = column in (TEXT, CLUSTER)
            self._feed.sort_by(column, ascending=not ascending if column == was else first)
        self._show_sort()

    def _show_sort(self) -> None:
        column, ascending = self._feed.sort
        order = Qt.SortOrder.AscendingOrder if ascending else Qt.SortOrder.DescendingOrder
        self.horizontalHeader().setSortIndicator(column, order)


class TextsPanel(QWidget):
    """How many texts are selected, buttons for them, and the table."""

    cluster_wanted = Signal(str)  # make a cluster of the texts, with this name
    menu_wanted = Signal(QPoint)  # on the screen

    def __init__(self, feed: TextsFeed, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.table = TextsTable(feed)
        self.head = QLabel("Nothing selected")
        set_role(self.head, "strong")
        self._rows = ElidedLabel()
        set_role(self._rows, "muted")
        self.name = NameField()
        self._bar = QWidget()
        self._bar_row = QHBoxLayout(self._bar)
        self._tools = QStackedWidget()
        self._body = QStackedWidget()
        self._hint = QLabel("Draw around some points, or choose a cluster, to read its texts.")
        self._hint.setWordWrap(True)
        self._hint.setAlignment(Qt.AlignmentFlag.AlignCenter)
        set_role(self._hint, "muted")
        self._lay_out()
        self.name.given.connect(self._give)
        self.name.left.connect(self._leave_name)
        self.table.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.table.customContextMenuRequested.connect(
            lambda spot: self.menu_wanted.emit(self.table.viewport().mapToGlobal(spot))
        )

    def show_actions(self, actions: Sequence[QAction], more: Sequence[QAction]) -> None:
        """Put the actions on buttons, the rarer ones into a menu."""
        for action in actions:
            button = QToolButton()
            button.setDefaultAction(action)
            button.setIconSize(QSize(ICON_SMALL, ICON_SMALL))
            button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)
            if action.icon().isNull():
                button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
            keys = action.shortcut().toString()
            button.setToolTip(f"{action.text().rstrip('…')}  ({keys})" if keys else action.text())
            button.setAccessibleName(action.text().rstrip("…"))
            self._bar_row.addWidget(button)
        menu = QMenu(self)
        menu.addActions(list(more))
        button = QToolButton()
        set_icon(button, "more", current_theme().colours)
        button.setIconSize(QSize(ICON_SMALL, ICON_SMALL))
        button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        button.setAccessibleName("More for these texts")
        button.setToolTip("More for these texts")
        button.setMenu(menu)
        self._bar_row.addWidget(button)

    def show_counts(self, texts: int, rows: int) -> None:
        """Say how much is selected."""
        self._body.setCurrentIndex(1 if texts else 0)
        self.head.setText(counted(texts, "text") if texts else "Nothing selected")
        more = f"· {counted(rows, 'row')}" if rows != texts else "selected" if texts else ""
        self._rows.setText(more)
        self._bar.setVisible(bool(texts))
        if not texts:
            self._leave_name()

    def ask_name(self) -> None:
        """Ask in place what a cluster of these texts is called."""
        self.name.clear()
        self._tools.setCurrentWidget(self.name)
        self.name.setFocus()

    def _give(self, name: str) -> None:
        self._leave_name()
        self.cluster_wanted.emit(name)

    def _leave_name(self) -> None:
        if self._tools.currentWidget() is self.name:
            self._tools.setCurrentIndex(0)
            self.table.setFocus()

    def _lay_out(self) -> None:
        self._bar_row.setContentsMargins(0, 0, 0, 0)
        self._bar_row.setSpacing(0)
        plain = QWidget()
        row = QHBoxLayout(plain)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(XS)
        row.addWidget(self.head)
        row.addWidget(self._rows, 1)
        row.addWidget(self._bar)
        self._tools.addWidget(plain)
        self._tools.addWidget(self.name)
        self._tools.setFixedHeight(34)
        nothing = QWidget()
        middle = QVBoxLayout(nothing)
        middle.setContentsMargins(L, L, L, L)
        middle.addWidget(self._hint)
        self._body.addWidget(nothing)
        self._body.addWidget(self.table)
        head = QHBoxLayout()
        head.setContentsMargins(M, XS, S, XS)
        head.addWidget(self._tools)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addWidget(self._body, 1)


class NameField(QLineEdit):
    """Takes a name: Enter gives it, Escape or leaving the field gives up."""

    given = Signal(str)
    left = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setPlaceholderText("Name of the new cluster, then Enter")
        self.setAccessibleName("Name of the new cluster")
        self.setMaxLength(120)
        self.returnPressed.connect(self._give)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)

    def _give(self) -> None:
        name = " ".join(self.text().split())
        if name:
            self.given.emit(name)


class _Cells(CellDelegate):
    """Cells of the corpus, figures at the right, and the cluster's dot before its name."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(TEXT, parent)

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        cell = index.data(RAW_ROLE)
        if not isinstance(cell, ClusterCell | int | float):
            super().paint(painter, option, index)
            return
        area = QRectF(option.rect)
        super().paint(painter, option, QModelIndex())  # the ground, under the dot too
        if isinstance(cell, int | float):
            painter.setFont(option.font)
            painter.setPen(option.palette.color(QPalette.ColorRole.Text))
            figure = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
            painter.drawText(area.adjusted(0, 0, -M, 0), figure, str(index.data()))
            return
        option.rect.adjust(_SWATCH + 4, 0, 0, 0)
        super().paint(painter, option, index)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        dot = QRectF(area.left() + M, area.center().y() - _SWATCH / 2, _SWATCH, _SWATCH)
        paint_swatch(painter, dot, cell.color, current_theme(), hollow=cell.is_assigned)
        painter.restore()
