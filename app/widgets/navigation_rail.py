"""The rail at the left: our sign and the pages."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QAction, QActionGroup, QColor, QKeySequence, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QFrame, QVBoxLayout, QWidget

from app.look.icons import paint_icon
from app.look.theme import current_theme, font, set_role
from app.look.tokens import RADIUS, XS, M, S

_WIDTH = 92
_BUTTON_HEIGHT = 58
_LOGO = 34
_EDGE = 6


@dataclass(frozen=True, slots=True)
class Page:
    """A page as the rail shows it; `icon` names one of our icons."""

    key: str
    title: str
    icon: str


class NavigationRail(QFrame):
    """Shows the pages it is given; Ctrl+1, Ctrl+2, … go to them in their order."""

    page_wanted = Signal(str)

    def __init__(self, pages: Sequence[Page], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_role(self, "rail")
        self.setFixedWidth(_WIDTH)
        self.setAccessibleName("Pages")
        self._pages = tuple(pages)
        self._group = QActionGroup(self)
        self._actions: dict[str, QAction] = {}
        self._buttons: dict[str, _RailButton] = {}
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(_EDGE, M, _EDGE, S)
        self._column.setSpacing(XS)
        self._column.addWidget(_Logo(self), 0, Qt.AlignmentFlag.AlignHCenter)
        self._column.addSpacing(S)
        for page in self._pages:
            self._add_page(page)
        self._column.addStretch(1)
        self._number_shortcuts()

    @property
    def current(self) -> str:
        """The key of the page shown, or an empty string."""
        return next((key for key, act in self._actions.items() if act.isChecked()), "")

    def page_actions(self) -> list[QAction]:
        """One action per page, for the menu and the command palette."""
        return [self._actions[page.key] for page in self._pages]

    def show_page(self, key: str) -> None:
        """Mark the page as the one shown, without asking for it; others leave the mark there."""
        if key not in self._actions:
            return
        self._actions[key].setChecked(True)
        for name, button in self._buttons.items():
            button.setChecked(name == key)

    def set_available(self, key: str, available: bool) -> None:
        """Show or hide a page; the shortcuts follow the pages that are left."""
        self._actions[key].setVisible(available)
        self._actions[key].setEnabled(available)
        self._buttons[key].setVisible(available)
        self._number_shortcuts()

    def add_footer(self, action: QAction, icon: str) -> None:
        """Put an action at the foot of the rail."""
        button = _RailButton(action.text().rstrip("…"), icon, self, height=50)
        button.clicked.connect(action.trigger)
        self._column.addWidget(button)

    def _add_page(self, page: Page) -> None:
        action = QAction(page.title, self, checkable=True)
        action.triggered.connect(lambda: self._want(page.key))
        self._group.addAction(action)
        self.addAction(action)
        button = _RailButton(page.title, page.icon, self)
        button.setCheckable(True)
        button.clicked.connect(action.trigger)
        self._actions[page.key] = action
        self._buttons[page.key] = button
        self._column.addWidget(button)

    def _want(self, key: str) -> None:
        self.show_page(key)
        self.page_wanted.emit(key)

    def _number_shortcuts(self) -> None:
        number = 0
        for page in self._pages:
            action = self._actions[page.key]
            number += action.isVisible()
            keys = QKeySequence(f"Ctrl+{number}") if action.isVisible() else QKeySequence()
            action.setShortcut(keys)
            self._buttons[page.key].setToolTip(keys.toString())


class _RailButton(QAbstractButton):
    def __init__(self, title: str, icon: str, parent: QWidget, *, height: int = _BUTTON_HEIGHT):
        super().__init__(parent)
        self._icon = icon
        self._height = height
        self.setText(title)
        self.setAccessibleName(title)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFixedHeight(height)

    def sizeHint(self) -> QSize:
        return QSize(_WIDTH - 2 * _EDGE, self._height)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = current_theme()
        colours = theme.colours
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        area = QRectF(self.rect()).adjusted(1, 1, -1, -1)
        if self.isChecked() or self.underMouse():
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(colours.surface if self.isChecked() else colours.hover))
            if self.isChecked():
                painter.setPen(QColor(colours.line))
            painter.drawRoundedRect(area.adjusted(0.5, 0.5, -0.5, -0.5), RADIUS + 2, RADIUS + 2)
        if self.hasFocus():
            painter.setPen(QColor(colours.accent))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(area, RADIUS + 2, RADIUS + 2)
        on = self.isChecked()
        top = (self._height - 42) / 2
        spot = QRectF(area.center().x() - 11, top, 22, 22)
        paint_icon(painter, spot, self._icon, colours.accent_text if on else colours.muted)
        painter.setPen(QColor(colours.ink if on else colours.muted))
        painter.setFont(font(theme, "meta", bold=on))
        words = QRectF(0, top + 25, self.width(), 18)
        painter.drawText(words, Qt.AlignmentFlag.AlignCenter, self.text())


class _Logo(QWidget):
    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setFixedSize(_LOGO, _LOGO)
        self.setAccessibleName("Samesense")

    def paintEvent(self, event: QPaintEvent) -> None:
        paint_icon(QPainter(self), QRectF(self.rect()), "logo", None)
