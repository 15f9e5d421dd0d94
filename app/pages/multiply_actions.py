"""Every action of the multiply page with its key."""

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
    _Told("gold", "Step 1: gold pairs", "Alt+1"),
    _Told("teachers", "Step 2: teacher against pupil", "Alt+2"),
    _Told("pairs", "Step 3: new pairs", "Alt+3"),
    _Told("sheet", "Step 4: silver sheet", "Alt+4"),
    _Told("teach", "Step 5: teach", "Alt+5"),
    _Told("do", "Do what this step is for", "Ctrl+Return", separator=True),
    _Told("on", "Go on to the next step", "N"),
    _Told("pause", "Pause or resume", "P"),
    _Told("cancel", "Cancel the step that runs", "Ctrl+Backspace"),
    _Told("decide", "Decide more pairs", "G", separator=True),
    _Told("import", "Import judged pairs…", "I"),
    _Told("settings", "Settings of the comparison", "O"),
    _Told("same", "The same: correct the label", "S", separator=True),
    _Told("different", "Different: correct the label", "D"),
    _Told("take-back", "Take the correction back", "U"),
    _Told("leave-out", "Leave the pair out, or take it in again", "X"),
    _Told("next", "Next pair", "J"),
    _Told("previous", "Previous pair", "K"),
    _Told("band-up", "Next band of labels", "."),
    _Told("band-down", "Previous band of labels", ","),
    _Told("all-bands", "All bands of labels", "0"),
    _Told("rebalance", "Rebalance the silver pairs", "R", separator=True),
    _Told("all-in", "Take all in again", "Shift+X"),
    _Told("accept", "Accept the labels and go on", "A"),
    _Told("drop-all", "Drop all silver pairs…", "Shift+Delete"),
    _Told("use", "Use the taught encoder…", "Shift+U", separator=True),
    _Told("compare", "Compare it on the Teach page", "C"),
    _Told("discard", "Discard the taught encoder…", "Delete"),
)
_MORE_KEYS = {"take-back": "Backspace", "previous": "Shift+J"}


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
            keys = [told.keys, *([_MORE_KEYS[told.key]] if told.key in _MORE_KEYS else [])]
            action.setShortcuts([QKeySequence(one) for one in keys])
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
