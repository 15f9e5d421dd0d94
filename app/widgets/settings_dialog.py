"""The settings: sections at the left, one of them at the right."""

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtWidgets import (
    QButtonGroup,
    QDialog,
    QHBoxLayout,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QRadioButton,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from app.look.icons import icon
from app.look.theme import Mode, current_theme, set_role
from app.look.tokens import ICON, XL, L, M, S

_ICON_ROLE = int(Qt.ItemDataRole.UserRole) + 1
_MODES = {"system": "Like the system", "light": "Light", "dark": "Dark"}


class SettingsDialog(QDialog):
    """A shell: each part of the program adds the section it knows about; changes hold at once."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Settings")
        self.resize(680, 440)
        self._list = QListWidget()
        self._list.setAccessibleName("Sections")
        self._list.setFixedWidth(176)
        self._list.setIconSize(QSize(ICON, ICON))
        set_role(self._list, "sections")
        self._pages = QStackedWidget()
        self._list.currentRowChanged.connect(self._pages.setCurrentIndex)
        close = QPushButton("Close")
        close.clicked.connect(self.accept)
        foot = QHBoxLayout()
        foot.setContentsMargins(L, M, L, M)
        foot.addStretch(1)
        foot.addWidget(close)
        right = QVBoxLayout()
        right.setSpacing(0)
        right.addWidget(self._pages, 1)
        right.addLayout(foot)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self._list)
        row.addLayout(right, 1)

    def add_section(self, title: str, icon_name: str, content: QWidget) -> None:
        """Add a section under `title`; the first one is shown."""
        item = QListWidgetItem(title)
        item.setData(_ICON_ROLE, icon_name)
        self._list.addItem(item)
        self._draw_icons()
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(XL, XL, XL, 0)
        column.setSpacing(L)
        heading = QLabel(title)
        set_role(heading, "title")
        column.addWidget(heading)
        column.addWidget(content)
        column.addStretch(1)
        self._pages.addWidget(page)
        if self._list.count() == 1:
            self._list.setCurrentRow(0)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._draw_icons()

    def sections(self) -> list[str]:
        return [self._list.item(row).text() for row in range(self._list.count())]

    def _draw_icons(self) -> None:
        colours = current_theme().colours
        for row in range(self._list.count()):
            item = self._list.item(row)
            item.setIcon(icon(item.data(_ICON_ROLE), colours))


class AppearanceSection(QWidget):
    """Light, dark, or like the system."""

    mode_wanted = Signal(str)

    def __init__(self, mode: Mode, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(S)
        column.addWidget(QLabel("Colours"))
        self._group = QButtonGroup(self)
        self._group.setExclusive(True)
        for name in ("system", "light", "dark"):
            button = QRadioButton(_MODES[name])
            button.setChecked(name == mode)
            button.clicked.connect(lambda _=False, name=name: self.mode_wanted.emit(name))
            self._group.addButton(button)
            column.addWidget(button, 0, Qt.AlignmentFlag.AlignLeft)
