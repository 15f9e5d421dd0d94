"""The first page: drop a file, go on with a project, or try the demo."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QMenu,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.look.icons import set_icon
from app.look.theme import set_role, theme_of
from app.look.tokens import ICON_SMALL, XL, L, M, S
from app.pages.start_parts import RECENT_ROLE, RecentDelegate, Wordmark
from app.recents import Recent, RecentsReader
from app.widgets.drop_zone import DropZone

_WIDTH = 720
_ZONE_HEIGHT = 220
_LOW_ZONE_HEIGHT = 180
_LOW_PAGE = 640


class StartPage(QWidget):
    """Shown while no project is open; every wish goes up as a signal."""

    files_wanted = Signal(list)  # list[Path]; empty: ask for files
    folder_wanted = Signal()  # ask for a folder of texts
    open_wanted = Signal(object)  # a project's folder, None: ask for one
    forget_wanted = Signal(object)  # a project's folder
    demo_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("page-start")
        self._reader: RecentsReader | None = None
        self._zone = DropZone(
            "Drop a file here, or choose one",
            note="CSV, spreadsheets, JSON, Parquet, plain text; nothing leaves this machine",
        )
        self._zone.dropped.connect(self.files_wanted)
        self._zone.choose_file_wanted.connect(lambda: self.files_wanted.emit([]))
        self._zone.choose_folder_wanted.connect(self.folder_wanted)
        self._heading = QLabel("Recent projects")
        set_role(self._heading, "heading")
        self._list = _RecentList()
        self._list.itemActivated.connect(self._open)
        self._list.forget_wanted.connect(self.forget_wanted)
        self._lay_out()
        self.show_folders([])

    @property
    def recents(self) -> list[Recent]:
        """What the list shows."""
        items = [self._list.item(row) for row in range(self._list.count())]
        return [item.data(RECENT_ROLE) for item in items]

    def show_folders(self, folders: Sequence[Path]) -> None:
        """List these projects at once and fill in what each holds as it is found out."""
        self.stop()
        self._list.clear()
        for folder in folders:
            self._list.add(Recent(folder, folder.name.removesuffix(".samesense")))
        self._heading.setVisible(bool(folders))
        self._list.setVisible(bool(folders))
        self._list.fit()
        if folders and self.isVisible():
            self._reader = RecentsReader(folders, self)
            self._reader.found.connect(self._list.update_one)
            self._reader.start()

    def stop(self) -> None:
        """End looking at projects."""
        if self._reader is not None:
            self._reader.stop()
            self._reader.deleteLater()
            self._reader = None

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        low = self.height() < _LOW_PAGE
        self._zone.setFixedHeight(_LOW_ZONE_HEIGHT if low else _ZONE_HEIGHT)

    def _open(self, item: QListWidgetItem) -> None:
        recent: Recent = item.data(RECENT_ROLE)
        self.open_wanted.emit(recent.folder)

    def _lay_out(self) -> None:
        demo = _quiet("Try the demo", "play")
        demo.clicked.connect(lambda: self.demo_wanted.emit())
        open_ = _quiet("Open a project…", "folder")
        open_.clicked.connect(lambda: self.open_wanted.emit(None))
        row = QHBoxLayout()
        row.setSpacing(S)
        row.addStretch(1)
        row.addWidget(demo)
        row.addWidget(open_)
        row.addStretch(1)
        middle = QWidget()
        middle.setMaximumWidth(_WIDTH)
        column = QVBoxLayout(middle)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(M)
        column.addWidget(Wordmark())
        column.addSpacing(L)
        column.addWidget(self._zone)
        column.addLayout(row)
        column.addSpacing(L)
        column.addWidget(self._heading)
        column.addWidget(self._list)
        outer = QHBoxLayout()
        outer.addStretch(1)
        outer.addWidget(middle, 100)
        outer.addStretch(1)
        page = QVBoxLayout(self)
        page.setContentsMargins(XL, XL, XL, XL)
        page.addStretch(2)
        page.addLayout(outer)
        page.addStretch(3)


class _RecentList(QListWidget):
    """Projects as two-line rows; Enter opens, Delete takes off the list."""

    forget_wanted = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        set_role(self, "recents")
        self.setAccessibleName("Recent projects")
        self.setItemDelegate(RecentDelegate(self))
        self.setMouseTracking(True)
        self.setVerticalScrollMode(QListWidget.ScrollMode.ScrollPerPixel)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.customContextMenuRequested.connect(self._open_menu)
        self.itemClicked.connect(self.itemActivated)

    def add(self, recent: Recent) -> None:
        item = QListWidgetItem()
        self.addItem(item)
        _tell(item, recent)

    def update_one(self, recent: Recent) -> None:
        for row in range(self.count()):
            item = self.item(row)
            if item.data(RECENT_ROLE).folder == recent.folder:
                _tell(item, recent)

    def fit(self) -> None:
        """As high as the rows need, up to five and a half, so that more can be seen to follow."""
        rows = self.count()
        row = self.sizeHintForRow(0) if rows else 0
        self.setMaximumHeight(round(row * min(rows, 5.5)) + 4)
        self.setMinimumHeight(min(row * min(rows, 2) + 4, self.maximumHeight()))

    def sizeHint(self) -> QSize:
        return QSize(_WIDTH, self.maximumHeight())

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if self.currentRow() < 0:
            self.setCurrentRow(0)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Delete and self.currentItem() is not None:
            self.forget_wanted.emit(self.currentItem().data(RECENT_ROLE).folder)
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            if self.currentItem() is not None:
                self.itemActivated.emit(self.currentItem())
        else:
            super().keyPressEvent(event)

    def _open_menu(self, spot: object) -> None:
        item = self.itemAt(spot)  # type: ignore[call-overload]  # a QPoint, which the signal hides
        if item is None:
            return
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction("Open").triggered.connect(lambda: self.itemActivated.emit(item))
        folder = item.data(RECENT_ROLE).folder
        menu.addAction("Remove from the list\tDel").triggered.connect(
            lambda: self.forget_wanted.emit(folder)
        )
        menu.popup(self.viewport().mapToGlobal(spot))  # type: ignore[call-overload]  # the same


def _tell(item: QListWidgetItem, recent: Recent) -> None:
    item.setData(RECENT_ROLE, recent)
    told = (
        f"{recent.name}, {recent.fault}" if recent.fault else f"{recent.name}, {recent.rows} rows"
    )
    item.setData(Qt.ItemDataRole.AccessibleTextRole, told)
    item.setToolTip(str(recent.folder))


def _quiet(words: str, icon_name: str) -> QPushButton:
    button = QPushButton(words)
    button.setIconSize(QSize(ICON_SMALL, ICON_SMALL))
    set_icon(button, icon_name, theme_of(button).colours)
    set_role(button, "quiet")
    return button
