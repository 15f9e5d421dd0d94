"""Every action of the search page with its key."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QWidget

_HERE = Qt.ShortcutContext.WidgetWithChildrenShortcut
# Space means something else in the field and on buttons.
_ON_TEXTS = Qt.ShortcutContext.WidgetShortcut
_LINE = ("", "", "", _HERE)
_ACTIONS = (
    ("field", "Go to the search field", "/", _HERE),
    ("meaning", "Search by meaning", "Alt+1", _HERE),
    ("words", "Search by words", "Alt+2", _HERE),
    ("both", "Search by both", "Alt+3", _HERE),
    ("like", "More like this", "L, Ctrl+L", _HERE),
    ("back", "Back to the search before", "Alt+Left", _HERE),
    _LINE,
    ("add-filter", "Add a filter…", "Shift+F", _HERE),
    ("clear-filter", "Remove all filters", "Shift+Esc", _HERE),
    ("more", "Show more texts", "M", _HERE),
    _LINE,
    ("check", "", "R", _HERE),
    ("checker", "Choose what checks again…", "Shift+R", _HERE),
    _LINE,
    ("next", "Next text", "J", _HERE),
    ("previous", "Previous text", "K", _HERE),
    ("read", "Read at full width", "Space", _ON_TEXTS),
    ("copy", "Copy the text", "Ctrl+C", _ON_TEXTS),
    _LINE,
    ("different", "Decide different", "D", _HERE),
    ("unsure", "Decide unsure", "U", _HERE),
    ("same", "Decide same", "S", _HERE),
    _LINE,
    ("export", "Export the texts found…", "Ctrl+Shift+E", _HERE),
    ("map", "Show on the map", "Ctrl+M", _HERE),
    ("corpus", "Show in the corpus", "Ctrl+Return", _HERE),
)
_CHECK = "Check these again, slower and better"
_NEEDS_TEXTS = ("like", "read", "copy", "export", "map", "corpus")
_DECIDES = ("different", "unsure", "same")


class SearchActions:
    """The page's actions, for its menu and its keys."""

    def __init__(self, page: QWidget) -> None:
        self._made: dict[str, QAction] = {}
        self._menu: list[QAction] = []
        for key, words, keys, context in _ACTIONS:
            action = QAction(words, page)
            self._menu.append(action)
            if not key:
                action.setSeparator(True)
                continue
            action.setShortcuts([QKeySequence(one) for one in keys.split(", ")])
            action.setShortcutContext(context)
            self._made[key] = action
            if context == _HERE:
                page.addAction(action)
        self.allow(texts=False, deciding=False, more=False, back=False, filters=False)
        self.show_checking(known=False, may=False)

    def __getitem__(self, key: str) -> QAction:
        return self._made[key]

    @property
    def menu(self) -> list[QAction]:
        return self._menu

    def on(self, key: str, do: Callable[[], object]) -> None:
        """Say what an action does."""
        self._made[key].triggered.connect(lambda _checked=False: do())

    def read_from(self, *widgets: QWidget) -> None:
        """Let Space and Ctrl+C work on the text in these widgets."""
        for widget in widgets:
            widget.addAction(self._made["read"])
            widget.addAction(self._made["copy"])

    def allow(self, *, texts: bool, deciding: bool, more: bool, back: bool, filters: bool) -> None:
        """Turn on what can be done now."""
        for key in _NEEDS_TEXTS:
            self._made[key].setEnabled(texts)
        for key in _DECIDES:
            self._made[key].setEnabled(deciding)
        self._made["more"].setEnabled(more)
        self._made["back"].setEnabled(back)
        self._made["clear-filter"].setEnabled(filters)

    def show_checking(self, *, known: bool, may: bool, is_checked: bool = False) -> None:
        """Offer to check again where a cross-encoder is known, or to go back to the order found."""
        check = self._made["check"]
        check.setVisible(known)
        check.setEnabled(may)
        check.setText("Show the order found" if is_checked else _CHECK)
