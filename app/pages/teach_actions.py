"""Every action of the teach page with its key."""

from collections.abc import Callable, Collection
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
    _Told("new", "New training", "N"),
    _Told("start", "Start teaching", "Ctrl+Return"),
    _Told("pause", "Pause or resume", "P"),
    _Told("finish", "Stop and keep the best", "B"),
    _Told("cancel", "Cancel the training", "Ctrl+Backspace"),
    _Told("import", "Import examples…", "I", separator=True),
    _Told("decide", "Decide more pairs", "D"),
    _Told("check", "Check the examples", "K"),
    _Told("settings", "Settings of the next training", "O"),
    _Told("use", "Use the chosen training…", "U", separator=True),
    _Told("compare", "Compare the chosen training…", "C"),
    _Told("repeat", "Repeat the chosen training", "R"),
    _Told("details", "All settings of the chosen training…", "T"),
    _Told("discard", "Discard the chosen training…", "Delete"),
    _Told("back", "Back to the first encoder…", "F"),
)


class PageActions:
    """The page's actions; letters work anywhere on the page."""

    def __init__(self, page: QWidget) -> None:
        self._made: dict[str, QAction] = {}
        self.menu: list[QAction] = []
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

    def allow(self, keys: Collection[str]) -> None:
        """Enable these actions and no others."""
        for key, action in self._made.items():
            action.setEnabled(key in keys)
