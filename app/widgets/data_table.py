"""A quiet table view."""

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QWidget

from app.look.tokens import ROW_HEIGHT
from app.widgets.tag_delegate import TagDelegate


class DataTable(QTableView):
    """Rows of one height, whole rows selected, tags in cells, Ctrl+C copies the rows' text."""

    row_changed = Signal(int)  # the current row, -1 for none

    def __init__(self, parent: QWidget | None = None, *, name: str = "Table") -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setCornerButtonEnabled(False)
        self.setItemDelegate(TagDelegate(self))
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        rows = self.verticalHeader()
        rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        rows.setDefaultSectionSize(ROW_HEIGHT)
        rows.hide()
        columns = self.horizontalHeader()
        columns.setHighlightSections(False)
        columns.setStretchLastSection(True)
        columns.setSectionsMovable(True)
        columns.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)

    def currentChanged(
        self,
        current: QModelIndex | QPersistentModelIndex,
        previous: QModelIndex | QPersistentModelIndex,
    ) -> None:
        super().currentChanged(current, previous)
        if current.row() != previous.row():
            self.row_changed.emit(current.row())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            self._copy()
            return
        super().keyPressEvent(event)

    def _copy(self) -> None:
        """Put the selected rows on the clipboard, cells parted by tabs."""
        header = self.horizontalHeader()
        model = self.model()
        places = [header.logicalIndex(visual) for visual in range(header.count())]
        shown = [place for place in places if not header.isSectionHidden(place)]
        lines = [
            "\t".join(str(model.index(index.row(), place).data() or "") for place in shown)
            for index in sorted(self.selectionModel().selectedRows(), key=lambda at: at.row())
        ]
        if lines:
            QGuiApplication.clipboard().setText("\n".join(lines))
