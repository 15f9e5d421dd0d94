"""Every action of the map page with its key."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QWidget

from app.look.icons import set_icon
from app.look.theme import current_theme
from app.widgets.scatter_hand import Tool

TOOLS: Final[tuple[Tool, ...]] = ("pan", "lasso", "rectangle")


@dataclass(frozen=True, slots=True)
class _Told:
    """An action before it is made; `needs` are the facts that must hold for it.

    `map`, `clusters`, `rows`: there are some · `any`, `one`, `some`: one or more, one, two or
    more clusters are chosen · `texts`: points are selected · `few`: 2 to 20 texts are ·
    `text`: one text is meant · `write`: the project may be changed · `new`: texts are not on
    the map yet.
    """

    key: str
    menu: str
    words: str
    keys: str = ""
    icon: str = ""
    needs: str = "map"
    separator: bool = False  # before it
    shows_only: bool = False  # the key belongs to the window, or to the list


_ACTIONS = (
    _Told("pan", "View", "Move the map", "H", "hand"),
    _Told("lasso", "View", "Select with a lasso", "L", "lasso"),
    _Told("rectangle", "View", "Select with a rectangle", "R", "rectangle"),
    _Told("zoom-in", "View", "Closer", "+", "plus", separator=True),
    _Told("zoom-out", "View", "Farther", "-", "minus"),
    _Told("fit", "View", "Show the whole map", "0", "fit"),
    _Told("fit-selection", "View", "Go to the selection", "F", "", "texts"),
    _Told("colour", "View", "Colour by…", "C", ""),
    _Told("coarser", "View", "Fewer, larger clusters", ",", "", "levels write", separator=True),
    _Told("finer", "View", "More, smaller clusters", ".", "", "levels write"),
    _Told("leftover", "View", "Unclustered at most…", "U", "", "leftover write"),
    _Told("details", "View", "About the cluster", "D", "", "clusters"),
    _Told("find", "Map", "Find texts", "/", "search"),
    _Told("next", "Map", "Next cluster", "J", "", "clusters", separator=True),
    _Told("previous", "Map", "Previous cluster", "K", "", "clusters"),
    _Told("none", "Map", "Select nothing", "Shift+Esc", "", "texts"),
    _Told("invert", "Map", "Turn the selection around", "I", ""),
    _Told("rename", "Map", "Rename the cluster", "F2", "teach", "one write", separator=True),
    _Told("merge", "Map", "Merge the clusters", "M", "merge", "some write"),
    _Told("split", "Map", "Split the cluster", "S", "split", "one write"),
    _Told("exclude", "Map", "Exclude the cluster", "X", "eye-off", "any write"),
    _Told("move", "Map", "Move the texts to…", "V", "move", "texts clusters write", separator=True),
    _Told("new", "Map", "Make a cluster of the texts…", "N", "plus", "texts clusters write"),
    _Told("same", "Map", "Decide: the same", "Shift+S", "check", "few write", separator=True),
    _Told("different", "Map", "Decide: different", "Shift+D", "cross", "few write"),
    _Told("like", "Map", "More like this", "Ctrl+L", "search", "text", separator=True),
    _Told("document", "Map", "Show the row in the corpus", "Ctrl+Return", "corpus", "text"),
    _Told("export", "Map", "Export…", "Ctrl+E", "export", separator=True, shows_only=True),
    _Told("export-clusters", "Map", "Export the clusters…", "E", "", "clusters"),
    _Told("picture", "Map", "Save the picture…", "P", ""),
    _Told("add", "Map", "Add the new texts", "A", "", "new write", separator=True),
    _Told("draw", "Map", "Draw again…", "G", "refresh", "rows write"),
)


class MapActions:
    """The page's actions; letters work anywhere on the page but in its fields."""

    def __init__(self, page: QWidget) -> None:
        self._made: dict[str, QAction] = {}
        self._needs: dict[str, frozenset[str]] = {}
        self._menus: dict[str, list[QAction]] = {}
        for told in _ACTIONS:
            menu = self._menus.setdefault(told.menu, [])
            if told.separator and menu:
                line = QAction(page)
                line.setSeparator(True)
                menu.append(line)
            action = QAction(told.words, page)
            action.setShortcut(QKeySequence(told.keys))
            action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            if told.icon:
                set_icon(action, told.icon, current_theme().colours)
            if told.shows_only:
                action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
            else:
                page.addAction(action)
            self._made[told.key] = action
            self._needs[told.key] = frozenset(told.needs.split())
            menu.append(action)
        self._tools = QActionGroup(page)
        for key in TOOLS:
            self._made[key].setCheckable(True)
            self._tools.addAction(self._made[key])
        self._made["details"].setCheckable(True)

    def __getitem__(self, key: str) -> QAction:
        return self._made[key]

    def on(self, key: str, do: Callable[[], object]) -> None:
        """Say what an action does."""
        self._made[key].triggered.connect(lambda _checked=False: do())

    def allow(self, facts: Iterable[str]) -> None:
        """Enable what can be done where `facts` hold."""
        true = frozenset(facts)
        for key, action in self._made.items():
            action.setEnabled(self._needs[key] <= true)

    def menus(self) -> dict[str, list[QAction]]:
        return dict(self._menus)
