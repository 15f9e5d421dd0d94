"""Every action of the corpus page with its key."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QWidget

_LETTERS = Qt.ShortcutContext.WidgetWithChildrenShortcut
# Home, Space and the like mean something else in fields and on buttons.
_HERE = Qt.ShortcutContext.WidgetShortcut
_ACTIONS = (
    ("next", "Next row", "J", _LETTERS),
    ("previous", "Previous row", "K", _LETTERS),
    ("first", "First row", "Home", _HERE),
    ("last", "Last row", "End", _HERE),
    ("read", "Read at full width", "Space", _HERE),
    ("copy", "Copy the text", "Ctrl+C", _LETTERS),
    ("like", "More like this", "Ctrl+L", _LETTERS),
    ("filter", "Filter the texts", "/", _LETTERS),
    ("filter-column", "Filter a column…", "Shift+F", _LETTERS),
    ("clear", "Clear the filter", "Shift+Esc", _LETTERS),
    ("files", "Imported files…", "", _LETTERS),
)
_VIEW = (
    ("columns", "Columns…", ""),
    ("lines", "Two lines per row", ""),
    ("reader", "Reader", ""),
)


class CorpusActions:
    """The page's actions, for its menus and its keys."""

    def __init__(self, page: QWidget) -> None:
        self._made: dict[str, QAction] = {}
        for key, words, keys, context in _ACTIONS:
            action = QAction(words, page)
            action.setShortcut(QKeySequence(keys))
            action.setShortcutContext(context)
            self._made[key] = action
            if context == _LETTERS:
                page.addAction(action)
        for key, words, keys in _VIEW:
            action = QAction(words, page)
            action.setShortcut(QKeySequence(keys))
            action.setCheckable(key != "columns")
            self._made[key] = action
        self._made["reader"].setChecked(True)

    def __getitem__(self, key: str) -> QAction:
        return self._made[key]

    def on(self, key: str, do: Callable[[], object]) -> None:
        """Say what an action does."""
        self._made[key].triggered.connect(lambda _checked=False: do())

    def read_from(self, widget: QWidget) -> None:
        """Let Space open and close the text from this widget."""
        widget.addAction(self._made["read"])

    def menus(self) -> dict[str, list[QAction]]:
        return {
            "View": [self._made[key] for key, *_ in _VIEW],
            "Corpus": [self._made[key] for key, *_ in _ACTIONS],
        }
