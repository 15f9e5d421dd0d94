"""Every action of the window, in menus, with its keys."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMainWindow, QMenu

from app.look.icons import set_icon
from app.look.theme import theme_of
from app.widgets.keys_sheet import KeyGroup

MENUS = ("File", "Edit", "View", "Duplicates", "Help")


@dataclass(frozen=True, slots=True)
class ActionPlan:
    """An action before it is built; `needs` says when it can be done.

    `needs` is made of the words `project` (one is open), `writing` (it may be changed),
    `texts` (it holds some), `vectors` (some have one), `busy` (a job runs), `undo` and `redo`
    (there is a step to take), `changes` (there is the page that tells them).
    """

    key: str
    menu: str
    text: str  # a leading "-" draws a line above
    keys: str = ""
    icon: str = ""
    needs: str = ""


PLAN = (
    ActionPlan("new", "File", "New project…", "Ctrl+N", "file"),
    ActionPlan("open", "File", "Open a project…", "Ctrl+O", "folder"),
    ActionPlan("demo", "File", "Try the demo", "", "play"),
    ActionPlan("import", "File", "-Import files…", "Ctrl+I", "import"),
    ActionPlan("import-folder", "File", "Import a folder of texts…"),
    ActionPlan("remove-import", "File", "Remove an import…", needs="project writing"),
    ActionPlan("export", "File", "Export…", "Ctrl+E", "export", "project texts"),
    ActionPlan("close", "File", "-Close the project", "Ctrl+W", needs="project"),
    ActionPlan("quit", "File", "-Quit", "Ctrl+Q"),
    ActionPlan("undo", "Edit", "Undo", "Ctrl+Z", "undo", "project writing undo"),
    ActionPlan("redo", "Edit", "Redo", "Ctrl+Shift+Z", "redo", "project writing redo"),
    ActionPlan("settings", "Edit", "-Settings…", "Ctrl+,", "settings"),
    ActionPlan("find", "View", "Find", "Ctrl+F", "search", "project"),
    ActionPlan("palette", "View", "All commands…", "Ctrl+K", "more"),
    ActionPlan("jobs", "View", "Jobs", "Ctrl+J", needs="project"),
    ActionPlan(
        "prepare", "Duplicates", "Find duplicates", "Ctrl+R", "refresh", "project writing texts"
    ),
    ActionPlan("changes", "Duplicates", "What changed", "Ctrl+D", needs="project changes"),
    ActionPlan("cancel", "Duplicates", "Cancel the running job", "Ctrl+.", "stop", "project busy"),
    ActionPlan("encode", "Duplicates", "-Encode with…", needs="project writing texts"),
    ActionPlan("pairs", "Duplicates", "Find pairs again…", needs="project writing texts vectors"),
    ActionPlan("keys", "Help", "Keys of this page", "F1", "keyboard"),
    ActionPlan("about", "Help", "About Samesense", "", "info"),
)


class WindowActions:
    """Builds the menus of a window and lets a page add its own actions while it is shown."""

    def __init__(self, window: QMainWindow, do: dict[str, Callable[[], object]]) -> None:
        self._window = window
        self._bar = window.menuBar()
        self._menus: dict[str, QMenu] = {}
        self._actions: dict[str, QAction] = {}
        self._needs: dict[str, frozenset[str]] = {}
        self._keys: dict[str, QKeySequence] = {}
        self._page_actions: dict[str, list[QAction]] = {}
        self._page_extras: list[tuple[QMenu, QAction]] = []
        for title in MENUS:
            self._menus[title] = self._bar.addMenu(f"&{title}")
        for plan in PLAN:
            self._add(plan, do[plan.key])
        self._actions["settings"].setMenuRole(QAction.MenuRole.PreferencesRole)
        self._actions["about"].setMenuRole(QAction.MenuRole.AboutRole)
        self._actions["quit"].setMenuRole(QAction.MenuRole.QuitRole)

    def __getitem__(self, key: str) -> QAction:
        return self._actions[key]

    def menu(self, title: str) -> QMenu:
        """One of the menus."""
        return self._menus[title]

    def allow(self, facts: Iterable[str]) -> None:
        """Enable what can be done where `facts` hold."""
        true = frozenset(facts)
        for key, action in self._actions.items():
            action.setEnabled(self._needs[key] <= true)

    def show_page_actions(self, actions: dict[str, list[QAction]]) -> None:
        """Put a page's actions into the menus in place of those of the page before.

        Where a page uses keys of the window for a thing of its own, the page has them.
        """
        for menu, action in self._page_extras:
            menu.removeAction(action)
        self._page_extras = []
        for title in [name for name in self._menus if name not in MENUS]:
            menu = self._menus.pop(title)
            self._bar.removeAction(menu.menuAction())
            menu.deleteLater()
        self._page_actions = actions
        for title, added in actions.items():
            menu = self._menus.get(title) or self._insert_menu(title)
            if menu.actions():
                self._page_extras.append((menu, menu.addSeparator()))
            for action in added:
                menu.addAction(action)
                self._page_extras.append((menu, action))
        taken = {
            keys.toString()
            for one in _flat(actions)
            if one.shortcutContext() != Qt.ShortcutContext.WidgetShortcut  # shows the key only
            for keys in one.shortcuts()
        }
        for key, action in self._actions.items():
            keys = self._keys[key]
            action.setShortcut(QKeySequence() if keys.toString() in taken else keys)

    def every(self) -> list[QAction]:
        """All actions that menus show now, for the command palette."""
        found: list[QAction] = []
        for menu in self._menus.values():
            found += _leaves(menu)
        return found

    def key_groups(self) -> list[KeyGroup]:
        """The keys that work now, the page's own first."""
        own = _flat(self._page_actions)
        shown = {action.shortcut().toString() for action in own}
        groups = [KeyGroup("This page", _keys_of(own))]
        for title in MENUS:
            rest = [
                one
                for one in _leaves(self._menus[title])
                if one not in own and one.shortcut().toString() not in shown
            ]
            groups.append(KeyGroup(title, _keys_of(rest)))
        return [group for group in groups if group.keys]

    def _add(self, plan: ActionPlan, slot: Callable[[], object]) -> None:
        menu = self._menus[plan.menu]
        if plan.text.startswith("-"):
            menu.addSeparator()
        action = QAction(plan.text.lstrip("-"), self._window)
        action.triggered.connect(lambda _checked=False: slot())
        self._keys[plan.key] = QKeySequence(plan.keys)
        action.setShortcut(self._keys[plan.key])
        if plan.icon:
            set_icon(action, plan.icon, theme_of(self._window).colours)
        menu.addAction(action)
        self._window.addAction(action)
        self._actions[plan.key] = action
        self._needs[plan.key] = frozenset(plan.needs.split())

    def _insert_menu(self, title: str) -> QMenu:
        menu = QMenu(f"&{title}", self._window)
        self._bar.insertMenu(self._menus["Help"].menuAction(), menu)
        self._menus[title] = menu
        return menu


def _flat(actions: dict[str, list[QAction]]) -> list[QAction]:
    return [action for added in actions.values() for action in added]


def _leaves(menu: QMenu) -> list[QAction]:
    found: list[QAction] = []
    for action in menu.actions():
        inner = action.menu()
        if isinstance(inner, QMenu):
            found += _leaves(inner)
        elif not action.isSeparator():
            found.append(action)
    return found


def _keys_of(actions: Sequence[QAction]) -> tuple[tuple[str, str], ...]:
    return tuple(
        (" / ".join(keys.toString() for keys in action.shortcuts()), action.text().rstrip("…"))
        for action in actions
        if action.shortcuts() and action.isVisible() and not action.shortcut().isEmpty()
    )
