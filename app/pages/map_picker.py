"""Choosing the cluster that texts are moved to."""

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QLineEdit, QVBoxLayout, QWidget

from app.look.theme import set_role
from app.look.tokens import S
from app.pages.map_cluster_list import ClusterList
from app.pages.map_cluster_model import ClusterModel
from app.pages.map_reads import Clusters

_SIZE = (300, 340)


class ClusterPicker(QFrame):
    """A field and the clusters it leaves; Enter takes the marked one, or the first."""

    picked = Signal(int)  # a cluster, -1 for none

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        set_role(self, "card")
        self.setAccessibleName("Move the texts to")
        self.field = QLineEdit()
        self.field.setPlaceholderText("Move to…")
        self.field.setAccessibleName("Name of a cluster")
        self._model = ClusterModel(self)
        self._model.is_writable = False
        self.list = ClusterList(self._model)
        self.list.setSelectionMode(ClusterList.SelectionMode.SingleSelection)
        column = QVBoxLayout(self)
        column.setContentsMargins(S, S, S, S)
        column.setSpacing(S)
        column.addWidget(self.field)
        column.addWidget(self.list)
        self.resize(*_SIZE)
        self.field.textChanged.connect(self._model.filter)
        self.field.returnPressed.connect(self._take)
        self.list.clicked.connect(lambda _index: self._take())

    def open_at(self, spot: QPoint, clusters: Clusters) -> None:
        """Show the clusters there are, near a spot of the screen."""
        self.field.clear()
        self._model.show_clusters(clusters)
        area = self.screen().availableGeometry()
        x = min(max(spot.x(), area.left()), area.right() - self.width())
        y = min(max(spot.y(), area.top()), area.bottom() - self.height())
        self.move(x, y)
        self.show()
        self.field.setFocus()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Down, Qt.Key.Key_Up) and self.field.hasFocus():
            self.list.step(1 if event.key() == Qt.Key.Key_Down else -1)
            self.list.setFocus()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._take()
        else:
            super().keyPressEvent(event)

    def _take(self) -> None:
        if not self._model.rowCount():
            return
        numbers = self.list.numbers or [self._model.line(0).number]
        self.hide()
        self.picked.emit(numbers[0])
