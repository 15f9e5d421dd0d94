"""Every action of the duplicates page with its key."""

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
    _Told("next", "Next candidate", "J", separator=True),
    _Told("previous", "Previous candidate", "Shift+J"),
    _Told("next-group", "Next group", "N"),
    _Told("previous-group", "Previous group", "P"),
    _Told("open", "Open the texts in full", "Space"),
    _Told("like", "More like the candidate", "Ctrl+L"),
    _Told("like-kept", "More like the kept text", "Ctrl+Shift+L"),
    _Told("check", "Check this group again, slower and better", "R", separator=True),
    _Told("check-all", "Check all that waits again…", "Alt+R"),
    _Told("checker", "Choose what checks again…", "Shift+R"),
    _Told("accept", "Accept the group", "A", separator=True),
    _Told("band", "Accept a band…", "B"),
    _Told("rules", "How groups are made…", "G"),
    _Told("export", "Export…", "Ctrl+E", separator=True),
)


class PageActions:
    """The page's actions; letters work anywhere on the page but in its fields."""

    def __init__(self, page: QWidget, card: list[QAction]) -> None:
        self._made: dict[str, QAction] = {}
        self._menu: list[QAction] = list(card)
        for action in card:
            page.addAction(action)
        for told in _ACTIONS:
            if told.separator:
                line = QAction(page)
                line.setSeparator(True)
                self._menu.append(line)
            action = QAction(told.words, page)
            action.setShortcut(QKeySequence(told.keys))
            action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            self._made[told.key] = action
            self._menu.append(action)
            if told.key == "open":
                # Space presses a button that has the focus, so it opens texts only elsewhere.
                action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
            elif told.key == "export":
                # The window has this key for all pages; the menu shows it.
                action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
            else:
                page.addAction(action)

    def on(self, key: str, do: Callable[[], object]) -> None:
        """Say what an action does."""
        self._made[key].triggered.connect(lambda _checked=False: do())

    def open_from(self, widgets: list[QWidget]) -> None:
        """Let Space open the texts from these widgets."""
        for widget in widgets:
            widget.addAction(self._made["open"])

    def __getitem__(self, key: str) -> QAction:
        return self._made[key]

    def show_checking(self, *, known: bool, group: bool, all_: bool) -> None:
        """Offer to check again where a cross-encoder is known."""
        for key, may in (("check", group), ("check-all", all_)):
            self._made[key].setVisible(known)
            self._made[key].setEnabled(may)

    def allow_deciding(self, allowed: bool) -> None:
        """Turn off what writes, in a project that is open for reading only.

        The card turns off its own actions.
        """
        for key in ("take-back", "accept", "band", "rules"):
            self._made[key].setEnabled(allowed)

    @property
    def menu(self) -> list[QAction]:
        return self._menu
