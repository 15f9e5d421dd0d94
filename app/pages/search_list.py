"""The list of found texts: several may be chosen, the keys and a button lead on."""

from PySide6.QtCore import QEvent, QItemSelection, QPoint, QRectF, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QFocusEvent, QKeyEvent, QMouseEvent, QResizeEvent
from PySide6.QtWidgets import QListView, QWidget

from app.pages.search_painting import ResultDelegate
from app.pages.search_results import AnyIndex, ResultsModel


class ResultsList(QListView):
    """Rows to read; the current one is in the reader, the chosen ones are to be worked on."""

    row_changed = Signal()
    picked_changed = Signal()
    like_wanted = Signal(int)  # a row's number
    opened = Signal()
    left_up = Signal()  # above the first row: back to the field
    menu_wanted = Signal(QPoint)  # on the screen

    def __init__(self, model: ResultsModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._results = model
        self._picked: list[int] = []  # texts, in the order they were chosen
        self.setModel(model)
        self._delegate = ResultDelegate(self, model)
        self.setItemDelegate(self._delegate)
        self.setAccessibleName("Texts found")
        self.setFrameShape(QListView.Shape.NoFrame)
        self.setSelectionMode(QListView.SelectionMode.ExtendedSelection)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        # Always there, so that texts do not break anew when it comes.
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self.setMouseTracking(True)
        self.verticalScrollBar().setSingleStep(28)
        model.modelAboutToBeReset.connect(self._forget)

    @property
    def picked(self) -> list[int]:
        """The chosen texts, the one chosen first before all others."""
        return self._picked

    @property
    def current_row(self) -> int:
        """The row in the reader, -1 for none."""
        return self.currentIndex().row()

    def go_to(self, row: int) -> None:
        """Choose one row alone and bring it into sight."""
        rows = self._results.rowCount()
        if rows:
            index = self._results.index(min(max(row, 0), rows - 1))
            self.setCurrentIndex(index)
            self.scrollTo(index)

    def move_by(self, step: int) -> None:
        """Go to another row."""
        self.go_to(self.current_row + step)

    def measure_again(self) -> None:
        """The font has changed."""
        self._delegate.forget()
        self.scheduleDelayedItemsLayout()

    def currentChanged(self, current: AnyIndex, previous: AnyIndex) -> None:
        super().currentChanged(current, previous)
        self.row_changed.emit()

    def selectionChanged(self, selected: QItemSelection, deselected: QItemSelection) -> None:
        super().selectionChanged(selected, deselected)
        hits = self._results.hits
        rows = [index.row() for index in self.selectionModel().selectedIndexes()]
        chosen = {hits[row].text for row in sorted(rows) if row < len(hits)}
        new = [hits[row].text for row in sorted(rows) if row < len(hits)]
        kept = [text for text in self._picked if text in chosen]
        self._picked = kept + [text for text in new if text not in kept]
        self.picked_changed.emit()
        self.viewport().update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = event.key()
        plain = event.modifiers() in (
            Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier
        )  # fmt: skip
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and plain:
            self.opened.emit()
        elif key == Qt.Key.Key_Up and plain and self.current_row <= 0:
            self.left_up.emit()
        else:
            super().keyPressEvent(event)

    def keyboardSearch(self, search: str) -> None:
        """Letters are keys of the page, not a search in the list."""

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        self._hover(self._like_row(event))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self._like_row(event) is not None:
            event.accept()  # a button is pressed, no row is chosen
            return
        super().mousePressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        row = self._like_row(event) if event.button() == Qt.MouseButton.LeftButton else None
        if row is not None:
            self.like_wanted.emit(row)
            return
        super().mouseReleaseEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if self.indexAt(event.position().toPoint()).isValid() and self._like_row(event) is None:
            self.opened.emit()

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._hover(None)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if not self.currentIndex().isValid():
            self.go_to(0)
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.viewport().update()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        if self.currentIndex().isValid():
            self.menu_wanted.emit(event.globalPos())

    def resizeEvent(self, event: QResizeEvent) -> None:
        row, spot = self._top_row()
        super().resizeEvent(event)
        if row is not None and event.size().width() != event.oldSize().width():
            self._keep_in_place(row, spot)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self.measure_again()

    def _top_row(self) -> tuple[int | None, int]:
        index = self.indexAt(QPoint(4, 1))
        return (index.row(), self.visualRect(index).top()) if index.isValid() else (None, 0)

    def _keep_in_place(self, row: int, spot: int) -> None:
        """Rows have other heights now: stay at the row that was at the top."""
        self.doItemsLayout()
        bar = self.verticalScrollBar()
        bar.setValue(bar.value() + self.visualRect(self._results.index(row)).top() - spot)

    def _like_row(self, event: QMouseEvent) -> int | None:
        at = event.position()
        index = self.indexAt(at.toPoint())
        if not index.isValid():
            return None
        spot = self._delegate.like_spot(QRectF(self.visualRect(index)))
        return index.row() if spot.contains(at) else None

    def _hover(self, row: int | None) -> None:
        if row != self._delegate.like_spot_hovered:
            self._delegate.like_spot_hovered = row
            shape = Qt.CursorShape.ArrowCursor if row is None else Qt.CursorShape.PointingHandCursor
            self.viewport().setCursor(shape)
            self.viewport().update()

    def _forget(self) -> None:
        self._picked = []
        self._delegate.forget()
        self._hover(None)
