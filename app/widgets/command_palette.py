"""Every action by name."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPersistentModelIndex, QSize, Qt
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence, QPainter
from PySide6.QtWidgets import (
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from app.look.theme import current_theme, font, set_role
from app.look.tokens import S
from app.widgets.overlay import Overlay

_WIDTH = 560
_ROWS = 10
_ROW_HEIGHT = 36
_ACTION_ROLE = int(Qt.ItemDataRole.UserRole) + 1


class CommandPalette(Overlay):
    """A field and the actions that match it; Enter or a click does the chosen one."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, width=_WIDTH)
        self.setAccessibleName("Commands")
        self._actions: tuple[QAction, ...] = ()
        self._field = QLineEdit()
        self._field.setPlaceholderText("What do you want to do?")
        self._field.setAccessibleName("Name of a command")
        self._field.textChanged.connect(self._filter)
        self._field.installEventFilter(self)
        self._list = QListWidget()
        self._list.setAccessibleName("Commands")
        self._list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._list.setFrameShape(QListWidget.Shape.NoFrame)
        self._list.setItemDelegate(_ShortcutDelegate(self._list))
        self._list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._list.setMouseTracking(True)
        set_role(self._list, "bare")
        self._list.itemClicked.connect(lambda _item: self._do())
        self._nothing = QLabel("No command of that name")
        set_role(self._nothing, "muted")
        self.body.setContentsMargins(S, S, S, S)
        self.body.setSpacing(S)
        self.body.addWidget(self._field)
        self.body.addWidget(self._list)
        self.body.addWidget(self._nothing)

    def open_with(self, actions: Sequence[QAction]) -> None:
        """Open with those of `actions` that are enabled, visible and have a name."""
        self._actions = tuple(
            action
            for action in dict.fromkeys(actions)
            if action.isEnabled() and action.isVisible() and action.text() and not action.menu()
        )
        self._field.clear()
        self._filter("")
        self.open_sheet()
        self._field.setFocus()

    def matches(self) -> list[str]:
        """The names shown, best first."""
        return [self._list.item(row).text() for row in range(self._list.count())]

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._field and isinstance(event, QKeyEvent):
            pressed = event.type() == QEvent.Type.KeyPress
            return pressed and self._take_key(Qt.Key(event.key()))
        return super().eventFilter(watched, event)

    def _take_key(self, key: Qt.Key) -> bool:
        steps = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1, Qt.Key.Key_PageDown: _ROWS - 1}
        steps[Qt.Key.Key_PageUp] = 1 - _ROWS
        if key in steps and self._list.count():
            row = self._list.currentRow() + steps[key]
            self._list.setCurrentRow(min(max(row, 0), self._list.count() - 1))
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._do()
        elif key == Qt.Key.Key_Escape:
            self.close_sheet()
        else:
            return key in steps or key in (Qt.Key.Key_Tab, Qt.Key.Key_Backtab)
        return True

    def _filter(self, typed: str) -> None:
        scored = [(fuzzy_score(typed, _name(action)), action) for action in self._actions]
        found = [(score, action) for score, action in scored if score is not None]
        found.sort(key=lambda pair: -pair[0])
        self._list.clear()
        for _score, action in found:
            item = QListWidgetItem(_name(action))
            item.setData(_ACTION_ROLE, action)
            self._list.addItem(item)
        self._list.setCurrentRow(0)
        rows = min(max(len(found), 1), _ROWS)
        self._list.setFixedHeight(rows * _ROW_HEIGHT + 2)
        self._list.setVisible(bool(found))
        self._nothing.setVisible(not found)
        self.body.activate()
        self._place_card()

    def _do(self) -> None:
        item = self._list.currentItem()
        if item is None:
            return
        action = item.data(_ACTION_ROLE)
        self.close_sheet()
        action.trigger()


def fuzzy_score(typed: str, name: str) -> float | None:
    """How well `typed` names `name`, higher is better; None if its letters are not all there.

    Whole runs beat scattered letters, starts of words beat their middles, short names win.
    """
    wanted = "".join(typed.lower().split())
    if not wanted:
        return 0.0
    lower = name.lower()
    together = lower.find(typed.lower().strip())
    if together >= 0:
        at_word = together == 0 or not lower[together - 1].isalnum()
        return 100.0 + (50.0 if at_word else 0.0) - together - len(name) / 100
    score, at = 0.0, -1
    for letter in wanted:
        following = lower.find(letter, at + 1)
        if following < 0:
            return None
        starts_word = following == 0 or not lower[following - 1].isalnum()
        score += 3.0 if following == at + 1 else 0.0
        score += 4.0 if starts_word else 0.0
        score -= 0.1 * (following - at)
        at = following
    return score - len(name) / 100


class _ShortcutDelegate(QStyledItemDelegate):
    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        super().paint(painter, option, index)
        action = index.data(_ACTION_ROLE)
        keys = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
        view = self.parent()
        if keys and isinstance(view, QWidget):
            theme = current_theme()
            painter.save()
            painter.setFont(font(theme, "meta"))
            painter.setPen(theme.colours.muted)
            where = option.rect.adjusted(0, 0, -12, 0)
            painter.drawText(
                where, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, keys
            )
            painter.restore()

    def sizeHint(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        return QSize(0, _ROW_HEIGHT)


def _name(action: QAction) -> str:
    return action.text().replace("&&", "\0").replace("&", "").replace("\0", "&")
