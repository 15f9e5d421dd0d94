"""A line that opens to what belongs to it."""

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QToolButton, QVBoxLayout, QWidget

from app.look.icons import set_icon
from app.look.theme import current_theme, set_role
from app.look.tokens import ICON_SMALL, XS


class Fold(QWidget):
    """A title with a chevron; its content is shown while it is open."""

    toggled = Signal(bool)

    def __init__(self, title: str, content: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.content = content
        self._button = QToolButton()
        self._is_open = False
        set_role(self._button, "fold")
        self._button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self._button.setIconSize(QSize(ICON_SMALL, ICON_SMALL))
        self._button.clicked.connect(lambda: self.set_open(not self._is_open))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(XS)
        column.addWidget(self._button, 0, Qt.AlignmentFlag.AlignLeft)
        column.addWidget(content)
        self.set_title(title)
        self.set_open(False)

    @property
    def is_open(self) -> bool:
        return self._is_open

    def set_title(self, title: str) -> None:
        """Say what is inside."""
        self._button.setText(title)
        self._button.setAccessibleName(title)

    def set_open(self, open_: bool) -> None:
        """Open or close it."""
        moved = self._is_open != open_
        self._is_open = open_
        sign = "chevron-down" if open_ else "chevron-right"
        set_icon(self._button, sign, current_theme().colours)
        self._button.setAccessibleDescription("open" if open_ else "closed")
        self.content.setVisible(open_)
        if moved:
            self.toggled.emit(open_)
