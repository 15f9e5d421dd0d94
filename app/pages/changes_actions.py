"""Every action of the page of changes with its key."""

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QWidget


@dataclass(frozen=True, slots=True)
class _Told:
    key: str  # of the action
    words: str
    keys: str
    separator: bool = False  # before it


_ACTIONS = (
    _Told("take-back", "Take back the decision", "Backspace"),
    _Told("accept", "Same: all of the group", "A"),
    _Told("next", "Next pair", "J", separator=True),
    _Told("previous", "Previous pair", "Shift+J"),
    _Told("pairs", "Show pairs", "P", separator=True),
    _Told("groups", "Show groups", "G"),
    _Told("all", "Gained and lost", "1", separator=True),
    _Told("gained", "Gained only", "2"),
    _Told("lost", "Lost only", "3"),
    _Told("changed", "Changed groups only", "4"),
    _Told("undecided", "Undecided only, or all", "F"),
    _Told("back", "Back", "Esc", separator=True),
)


class PageActions:
    """The page's actions; letters and figures work anywhere on the page."""

    def __init__(self, page: QWidget, card: list[QAction]) -> None:
        self._made: dict[str, QAction] = {}
        self.menu: list[QAction] = list(card)
        for action in card:
            page.addAction(action)
        for told in _ACTIONS:
            if told.separator:
                line = QAction(page)
                line.setSeparator(True)
                self.menu.append(line)
            action = QAction(told.words, page)
            action.setShortcut(QKeySequence(told.keys))
            action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            page.addAction(action)
            self._made[told.key] = action
            self.menu.append(action)

    def __getitem__(self, key: str) -> QAction:
        return self._made[key]

    def on(self, key: str, do: Callable[[], object]) -> None:
        """Say what an action does."""
        self._made[key].triggered.connect(lambda _checked=False: do())

    def allow(self, *, deciding: bool, group: bool, groups: bool) -> None:
        """Turn on what can be done: decide, decide a whole group, list changed groups."""
        self._made["take-back"].setEnabled(deciding)
        self._made["accept"].setEnabled(deciding and group)
        self._made["changed"].setEnabled(groups)
