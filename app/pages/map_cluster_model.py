"""The clusters as a list: filtered, sorted, renamed in place, dragged onto one another."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import (
    QAbstractListModel,
    QByteArray,
    QMimeData,
    QModelIndex,
    QPersistentModelIndex,
    Qt,
    Signal,
)
from PySide6.QtWidgets import QWidget

from app.look.words import counted
from app.pages.map_reads import UNCLUSTERED, Clusters

AnyIndex = QModelIndex | QPersistentModelIndex
LINE_ROLE = int(Qt.ItemDataRole.UserRole) + 1
MIME = "application/x-samesense-clusters"


@dataclass(frozen=True, slots=True)
class ClusterLine:
    """One line of the list; the last one may be what no cluster holds."""

    number: int
    name: str
    rows: int
    share: float  # of the largest line, for its bar
    color: int
    is_named: bool = False
    is_excluded: bool = False

    @property
    def is_cluster(self) -> bool:
        return self.number != UNCLUSTERED


class ClusterModel(QAbstractListModel):
    """The lines that the filter leaves, in the order asked for."""

    rename_wanted = Signal(int, str)  # cluster, name
    merge_wanted = Signal(list, str)  # clusters, the name that one of them was given

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._all: tuple[ClusterLine, ...] = ()
        self._lines: list[ClusterLine] = []
        self._filter = ""
        self._by_name = False
        self.is_writable = True

    def show_clusters(self, clusters: Clusters | None) -> None:
        """Show other clusters; the same numbers in the same order only change their words."""
        self._all = () if clusters is None else _lines(clusters)
        self._arrange()

    def filter(self, words: str) -> None:
        """Leave the clusters whose names hold these words."""
        self._filter = words.casefold().strip()
        self._arrange()

    def sort_by(self, *, name: bool) -> None:
        """By name, or the largest first."""
        self._by_name = name
        self._arrange()

    @property
    def total(self) -> int:
        """How many clusters there are, whatever the filter."""
        return sum(line.is_cluster for line in self._all)

    def line(self, at: int) -> ClusterLine:
        return self._lines[at]

    def place(self, number: int) -> int | None:
        """Where a cluster stands in the list."""
        return next((at for at, line in enumerate(self._lines) if line.number == number), None)

    def rowCount(self, parent: AnyIndex | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self._lines)

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        line = self._lines[index.row()]
        if role == LINE_ROLE:
            return line
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.EditRole):
            return line.name
        if role == Qt.ItemDataRole.AccessibleTextRole:
            told = f"{line.name}, {counted(line.rows, 'row')}"
            return f"{told}, excluded" if line.is_excluded else told
        return None

    def setData(self, index: AnyIndex, value: object, role: int = Qt.ItemDataRole.EditRole) -> bool:
        line = self._lines[index.row()]
        name = " ".join(str(value).split())
        is_same = name == line.name or (not name and not line.is_named)
        if role != Qt.ItemDataRole.EditRole or is_same:
            return False  # an empty name gives a cluster that has one its words back
        self.rename_wanted.emit(line.number, name)
        return True

    def flags(self, index: AnyIndex) -> Qt.ItemFlag:
        flags = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        if not index.isValid() or not self._lines[index.row()].is_cluster or not self.is_writable:
            return flags
        return (
            flags
            | Qt.ItemFlag.ItemIsEditable
            | Qt.ItemFlag.ItemIsDragEnabled
            | Qt.ItemFlag.ItemIsDropEnabled
        )

    def mimeTypes(self) -> list[str]:
        return [MIME]

    def mimeData(self, indexes: Sequence[QModelIndex]) -> QMimeData:
        numbers = [self._lines[index.row()].number for index in indexes]
        data = QMimeData()
        data.setData(MIME, QByteArray(",".join(map(str, numbers)).encode()))
        return data

    def supportedDropActions(self) -> Qt.DropAction:
        return Qt.DropAction.LinkAction | Qt.DropAction.MoveAction

    def canDropMimeData(
        self, data: QMimeData, _action: Qt.DropAction, _row: int, _column: int, parent: AnyIndex
    ) -> bool:
        if not parent.isValid() or not self._lines[parent.row()].is_cluster:
            return False
        return self._lines[parent.row()].number not in _numbers(data)

    def dropMimeData(
        self, data: QMimeData, _action: Qt.DropAction, _row: int, _column: int, parent: AnyIndex
    ) -> bool:
        """Ask for the merge; False, for no line is taken from where it was dragged."""
        onto = self._lines[parent.row()]
        others = [one for one in _numbers(data) if one != onto.number]
        self.merge_wanted.emit([onto.number, *others], onto.name if onto.is_named else "")
        return False

    def _arrange(self) -> None:
        lines = [line for line in self._all if self._filter in line.name.casefold()]
        if self._by_name:
            lines.sort(key=lambda line: (not line.is_cluster, line.name.casefold()))
        if [line.number for line in lines] == [line.number for line in self._lines]:
            self._lines = lines
            if lines:
                self.dataChanged.emit(self.index(0), self.index(len(lines) - 1))
            return
        self.beginResetModel()
        self._lines = lines
        self.endResetModel()


def _lines(clusters: Clusters) -> tuple[ClusterLine, ...]:
    largest = max([one.rows for one in clusters.listed] + [clusters.unclustered, 1])
    ranked = sorted(clusters.listed, key=lambda one: (one.is_excluded, -one.rows, one.number))
    lines = [
        ClusterLine(one.number, one.name, one.rows, one.rows / largest, one.color, one.is_named,
                    one.is_excluded)
        for one in ranked
    ]  # fmt: skip
    if clusters.unclustered:
        left = clusters.unclustered
        lines.append(ClusterLine(UNCLUSTERED, "Unclustered", left, left / largest, UNCLUSTERED))
    return tuple(lines)


def _numbers(data: QMimeData) -> list[int]:
    told = bytes(data.data(MIME).data()).decode()
    return [int(number) for number in told.split(",") if number]
