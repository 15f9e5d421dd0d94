"""The list of clusters as it is painted and handled."""

from collections.abc import Sequence

from PySide6.QtCore import (
    QAbstractItemModel,
    QItemSelection,
    QItemSelectionModel,
    QPoint,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QColor, QFontMetricsF, QKeyEvent, QMouseEvent, QPainter, QPen
from PySide6.QtWidgets import (
    QLineEdit,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from app.look.icons import paint_icon
from app.look.theme import Theme, current_theme, font, set_role
from app.look.tokens import ICON_SMALL, M, S
from app.look.words import count
from app.pages.map_cluster_model import LINE_ROLE, AnyIndex, ClusterLine, ClusterModel
from app.pages.map_colours import cluster_tone
from app.pages.map_reads import UNCLUSTERED
from app.widgets.shown_text import visible

_HEIGHT = 36
_SWATCH = 10
_BAR = 2
_RAISED = 3  # the words, over the bar


class ClusterList(QListView):
    """Clusters to choose with mouse and arrows; F2 renames in place, a drag merges."""

    chosen = Signal(list)  # numbers of the clusters selected by hand
    menu_wanted = Signal(QPoint)  # on the screen
    opened = Signal()  # a line was double-clicked

    def __init__(self, model: ClusterModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self._is_told = False
        self.setModel(model)
        self.setItemDelegate(_Delegate(self))
        self.setUniformItemSizes(True)
        self.setSelectionMode(QListView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        set_role(self, "flush")
        self.setDragDropMode(QListView.DragDropMode.InternalMove)
        self.setDefaultDropAction(Qt.DropAction.MoveAction)
        self.setDragDropOverwriteMode(True)
        self.setDropIndicatorShown(True)
        self.setMouseTracking(True)
        self.setAccessibleName("Clusters")
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.customContextMenuRequested.connect(
            lambda spot: self.menu_wanted.emit(self.viewport().mapToGlobal(spot))
        )
        self.verticalScrollBar().setSingleStep(_HEIGHT // 2)

    @property
    def numbers(self) -> list[int]:
        """The clusters selected, in the order of the list."""
        rows = sorted(index.row() for index in self.selectionModel().selectedIndexes())
        return [self._model.line(row).number for row in rows]

    def select(self, numbers: Sequence[int]) -> None:
        """Mark these clusters, without telling."""
        places = [at for one in numbers if (at := self._model.place(one)) is not None]
        chosen = QItemSelection()
        for at in places:
            chosen.select(self._model.index(at), self._model.index(at))
        self._is_told = True
        flag = QItemSelectionModel.SelectionFlag
        self.selectionModel().select(chosen, flag.ClearAndSelect)
        if places:
            first = self._model.index(places[0])
            self.selectionModel().setCurrentIndex(first, flag.NoUpdate)
            self.scrollTo(first)
        self._is_told = False

    def step(self, by: int) -> None:
        """Choose the next line, or the one before."""
        lines = self._model.rowCount()
        if not lines:
            return
        rows = sorted(index.row() for index in self.selectionModel().selectedIndexes())
        at = (rows[-1] if by > 0 else rows[0]) + by if rows else (0 if by > 0 else lines - 1)
        index = self._model.index(min(max(at, 0), lines - 1))
        flag = QItemSelectionModel.SelectionFlag
        self.selectionModel().setCurrentIndex(index, flag.ClearAndSelect)
        self.scrollTo(index)

    def rename(self) -> None:
        """Open the name of the line chosen for writing."""
        for index in self.selectionModel().selectedIndexes()[:1]:
            if self._model.line(index.row()).number != UNCLUSTERED:
                self.scrollTo(index)
                self.setCurrentIndex(index)
                self.edit(index)

    def selectionChanged(self, selected: QItemSelection, deselected: QItemSelection) -> None:
        super().selectionChanged(selected, deselected)
        if not self._is_told:
            self.chosen.emit(self.numbers)

    def setModel(self, model: QAbstractItemModel | None) -> None:
        super().setModel(model)
        if model is not None:
            # A reset drops the selection, of which the page is no news: it selects anew.
            model.modelAboutToBeReset.connect(self._hold_news)
            model.modelReset.connect(self._tell_news)

    def keyboardSearch(self, search: str) -> None:
        """Letters are keys of the page, not a search in the list."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_F2:
            event.ignore()  # an action of the page, which knows whether it may be done
        else:
            super().keyPressEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if self.indexAt(event.position().toPoint()).isValid():
            self.opened.emit()

    def _hold_news(self) -> None:
        self._is_told = True

    def _tell_news(self) -> None:
        self._is_told = False


class _Delegate(QStyledItemDelegate):
    def sizeHint(self, option: QStyleOptionViewItem, index: AnyIndex) -> QSize:
        return QSize(200, _HEIGHT)

    def createEditor(
        self, parent: QWidget, option: QStyleOptionViewItem, index: AnyIndex
    ) -> QWidget:
        field = QLineEdit(parent)
        field.setAccessibleName("Name of the cluster")
        field.setMaxLength(120)
        return field

    def updateEditorGeometry(
        self, editor: QWidget, option: QStyleOptionViewItem, index: AnyIndex
    ) -> None:
        room: QRect = option.rect
        editor.setGeometry(room.adjusted(M + _SWATCH + 2, 2, -S, -2))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        line: ClusterLine = index.data(LINE_ROLE)
        theme = current_theme()
        colours = theme.colours
        area = QRectF(option.rect)
        state = option.state
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if state & QStyle.StateFlag.State_Selected:
            painter.fillRect(area, QColor(colours.selection))
        elif state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(area, QColor(colours.hover))
        bar = QRectF(0, area.bottom() - _BAR - 4, 0, _BAR)
        inside = area.adjusted(M + 2, -_RAISED, -M, -_RAISED)
        swatch = QRectF(inside.left(), inside.center().y() - _SWATCH / 2, _SWATCH, _SWATCH)
        paint_swatch(painter, swatch, line.color, theme, hollow=line.is_excluded)
        inside.setLeft(swatch.right() + S + 2)
        rows = count(line.rows)
        painter.setFont(font(theme, "body"))
        width = QFontMetricsF(painter.font()).horizontalAdvance(rows)
        painter.setPen(QColor(colours.muted))
        painter.drawText(inside, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, rows)
        inside.setRight(inside.right() - width - S - 2)
        bar.setLeft(inside.left())
        bar.setRight(inside.right())
        if line.is_excluded:
            sign = QRectF(inside.right() - ICON_SMALL, inside.center().y() - 8, 16, 16)
            paint_icon(painter, sign, "eye-off", colours.faint)
            inside.setRight(sign.left() - S)
        quiet = line.is_excluded or not line.is_cluster
        painter.setFont(font(theme, "body", bold=line.is_named and not line.is_excluded))
        painter.setPen(QColor(colours.faint if quiet else colours.ink))
        name = QFontMetricsF(painter.font()).elidedText(
            visible(line.name), Qt.TextElideMode.ElideRight, inside.width()
        )
        painter.drawText(inside, Qt.AlignmentFlag.AlignVCenter, name)
        _paint_bar(painter, bar, line, theme)
        painter.restore()


def paint_swatch(
    painter: QPainter, where: QRectF, color: int, theme: Theme, *, hollow: bool = False
) -> None:
    """The dot of a cluster; a ring for what is in none or left out."""
    tone = QColor(theme.colours.plain.mark if color < 0 else cluster_tone(color, theme))
    if hollow or color < 0:
        painter.setPen(QPen(tone, 1.5))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawEllipse(where.adjusted(0.75, 0.75, -0.75, -0.75))
        return
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(tone)
    painter.drawEllipse(where)


def _paint_bar(painter: QPainter, where: QRectF, line: ClusterLine, theme: Theme) -> None:
    """How large the cluster is beside the largest, as a thin line under its name."""
    tone = QColor(theme.colours.plain.mark if line.color < 0 else cluster_tone(line.color, theme))
    tone.setAlphaF(0.25 if line.is_excluded or line.color < 0 else 0.55)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(tone)
    filled = QRectF(where)
    filled.setWidth(max(where.width() * line.share, 2.0))
    painter.drawRoundedRect(filled, 1, 1)
