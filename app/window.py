"""The main window: it puts pages, bars, flows and menus together and knows none from inside."""

import base64
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from PySide6.QtCore import QByteArray, QMimeData, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QHBoxLayout, QMainWindow, QMenu, QStackedWidget, QVBoxLayout, QWidget

from app import recents
from app.checker import Checker
from app.jobs import JobEnd
from app.page_shelf import PagePlan, PageShelf
from app.pages.page import Page
from app.pages.start import StartPage
from app.settings import SettingsFile
from app.widgets.command_palette import CommandPalette
from app.widgets.job_strip import JobStrip
from app.widgets.keys_sheet import KeysSheet
from app.widgets.navigation_rail import NavigationRail
from app.widgets.navigation_rail import Page as RailPage
from app.widgets.project_bar import ProjectBar
from app.window_dialogs import Dialogs
from app.window_facts import facts_of, next_step
from app.window_faults import tell
from app.window_focus import FocusKeeper
from app.window_imports import ImportFlow
from app.window_jobs import JobBook
from app.window_menus import WindowActions
from app.window_messages import Messages
from app.window_prepare import Preparing
from app.window_projects import Projects
from app.workspace import Workspace
from core.errors import UserError
from core.records import Changes
from core.store import Project, ProjectState

_SIZE = (1280, 800)
_SMALLEST = (900, 600)


class MainWindow(QMainWindow):
    """One window, one project at a time."""

    look_changed = Signal()  # theme or text size were changed in the settings

    def __init__(self, settings: SettingsFile, *, pages: Sequence[PagePlan]) -> None:
        super().__init__()
        self.setWindowTitle("Samesense")
        self.setAcceptDrops(True)
        self.setMinimumSize(*_SMALLEST)
        self.settings = settings
        self.workspace = Workspace(self)
        self.jobs = JobBook(self.workspace)
        self.imports = ImportFlow(self.workspace, settings, self)
        self.preparing = Preparing(self.workspace, settings, self)
        self.projects = Projects(
            self.workspace, settings, self.imports, self.preparing, self.jobs, self
        )
        self.dialogs = Dialogs(self.workspace, settings, self)
        self.dialogs.look_changed.connect(self.look_changed)
        self.checker = Checker(self.workspace, settings, self)
        self.dialogs.checker_changed.connect(self.checker.changed)
        self.start_page = StartPage()
        self.stack = QStackedWidget()
        self.pages = PageShelf(pages, self.workspace, self.stack, take=self._take_page)
        self._steps: tuple[str | None, str | None] = (None, None)  # next undo, next redo
        self._build(pages)
        self._focus = FocusKeeper(lambda: self.page, self)
        self.actions_ = WindowActions(self, self._doings())
        self.actions_.menu("View").addSeparator()
        self.actions_.menu("View").addActions(self.rail.page_actions())
        self.project_bar.set_menu(self._project_menu())
        self._connect()
        self._restore()
        self._show_closed()

    def open_project(self, folder: Path) -> None:
        """Open a project in this window."""
        self.projects.open(folder)

    def import_files(self, paths: Sequence[Path]) -> None:
        """Take files through the import sheet; none: ask for them."""
        if self.workspace.read_only:
            return
        if paths:
            self.imports.take(paths)
        else:
            self.imports.ask()

    def show_page(self, name: str) -> None:
        """Show a page by its name."""
        page = self.pages[name]
        self.stack.setCurrentWidget(page)
        self.rail.show_page(name)
        self.actions_.show_page_actions(page.menu_actions())
        self.messages.leave_for(name)
        page.setFocus()

    @property
    def page(self) -> Page | None:
        """The page shown, None on the first page."""
        shown = self.stack.currentWidget()
        return shown if isinstance(shown, Page) else None

    def closeEvent(self, event: QCloseEvent) -> None:
        if not self.projects.may_leave():
            event.ignore()
            return
        self._remember()
        self._focus.stop()
        self.start_page.stop()
        self.workspace.stop()
        for timer in self.findChildren(QTimer):
            timer.stop()  # what it would ask for has nobody left to answer
        super().closeEvent(event)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if _paths(event.mimeData()) and not self.workspace.read_only:
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        event.acceptProposedAction()
        self.import_files(_paths(event.mimeData()))

    def _build(self, pages: Sequence[PagePlan]) -> None:
        self.rail = NavigationRail(
            [RailPage(plan.name, plan.name, plan.icon) for plan in pages if plan.on_rail]
        )
        self.project_bar = ProjectBar()
        self.messages = Messages(self.workspace, self.jobs, self.preparing, self)
        self.stack.addWidget(self.start_page)
        self.strip = JobStrip()
        inner = QVBoxLayout()
        inner.setSpacing(0)
        inner.addWidget(self.project_bar)
        inner.addWidget(self.messages.area)
        inner.addWidget(self.stack, 1)
        upper = QHBoxLayout()
        upper.setSpacing(0)
        upper.addWidget(self.rail)
        upper.addLayout(inner, 1)
        centre = QWidget()
        column = QVBoxLayout(centre)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(upper, 1)
        column.addWidget(self.strip)
        self.setCentralWidget(centre)
        self.palette_sheet = CommandPalette(centre)
        self.keys_sheet = KeysSheet(centre)

    def _doings(self) -> dict[str, Any]:
        return {
            "new": self.projects.new,
            "open": self.projects.open,
            "demo": self.projects.try_demo,
            "import": lambda: self.import_files([]),
            "import-folder": self.imports.ask_folder,
            "remove-import": self.dialogs.ask_to_remove,
            "export": self.dialogs.export,
            "close": self.projects.close,
            "quit": self.close,
            "undo": lambda: self._step("undo"),
            "redo": lambda: self._step("redo"),
            "settings": self.dialogs.show_settings,
            "find": self._find,
            "palette": self._show_palette,
            "jobs": self._toggle_jobs,
            "prepare": self.preparing.prepare,
            "changes": lambda: self.show_page("What changed"),
            "cancel": self._cancel,
            "encode": self.preparing.encode_with,
            "pairs": self.preparing.find_pairs_again,
            "keys": self._show_keys,
            "about": self.dialogs.show_about,
        }

    def _connect(self) -> None:
        self.workspace.opened.connect(self._show_opened)
        self.workspace.closed.connect(self._show_closed)
        self.workspace.state_changed.connect(self._show_state)
        self.workspace.changed.connect(self._take_changes)
        self.jobs.changed.connect(self._show_jobs)
        self.jobs.failed.connect(self.messages.show_failure)
        self.strip.cancel_wanted.connect(self.jobs.cancel)
        self.strip.details_wanted.connect(self._show_details)
        self.rail.page_wanted.connect(self.show_page)
        self.project_bar.fact_clicked.connect(self._follow_fact)
        self.project_bar.refresh_wanted.connect(lambda _key: self.preparing.prepare())
        self.messages.page_wanted.connect(self.show_page)
        self.imports.imported.connect(self.messages.show_report)
        self.projects.opened.connect(self.messages.show_recovery)
        self.preparing.prepared.connect(self.messages.show_prepared)
        self.start_page.files_wanted.connect(self.import_files)
        self.start_page.folder_wanted.connect(self.imports.ask_folder)
        self.start_page.open_wanted.connect(self.projects.open)
        self.start_page.demo_wanted.connect(self.projects.try_demo)
        self.start_page.forget_wanted.connect(self._forget)

    def _take_page(self, page: Page) -> None:
        """Give a page that was just made its place and its ears."""
        self.stack.addWidget(page)
        page.encode_with(self.preparing.encode_options)
        page.check_with(self.checker)
        page.import_wanted.connect(self.import_files)
        page.export_wanted.connect(self.dialogs.export)
        page.page_wanted.connect(self.show_page)
        page.back_wanted.connect(self._show_page_before)
        page.prepare_wanted.connect(self.preparing.prepare)
        page.document_wanted.connect(self._show_document)
        page.neighbours_wanted.connect(self._show_neighbours)
        page.map_wanted.connect(self._show_on_map)
        page.training_wanted.connect(self._show_training)
        page.scores_changed.connect(self._show_scores)

    def _show_opened(self) -> None:
        for part in (self.rail, self.project_bar, self.strip):
            part.show()
        self.messages.show_opened()
        last = self.settings.values.page
        self.show_page(last if last in self.pages else next(iter(self.pages)))
        self._allow()

    def _show_closed(self) -> None:
        if self.page is not None:
            self.settings.change(page=self.rail.current or self.page.name)
        for part in (self.rail, self.project_bar, self.strip):
            part.hide()
        self.messages.clear()
        self._steps = (None, None)
        self.stack.setCurrentWidget(self.start_page)
        self.actions_.show_page_actions({})
        self.setWindowTitle("Samesense")
        self._allow()
        QTimer.singleShot(0, self.start_page, self._list_recents)

    def _list_recents(self) -> None:
        if self.workspace.folder is None:
            self.start_page.show_folders([Path(one) for one in self.settings.values.recents])

    def _show_state(self, state: ProjectState) -> None:
        self.setWindowTitle(f"{state.name} — Samesense")
        self.project_bar.show_project(state.name)
        self.project_bar.show_facts(facts_of(state))
        self.actions_["prepare"].setText(next_step(state) or "Find duplicates")
        self._allow()

    def _take_changes(self, changes: Changes) -> None:
        if changes.decisions:
            self.workspace.read("window.steps", _next_steps, self._show_steps)

    def _show_steps(self, steps: tuple[str | None, str | None]) -> None:
        self._steps = steps
        for key, word, title in (("undo", "Undo", steps[0]), ("redo", "Redo", steps[1])):
            self.actions_[key].setText(f"{word}: {title}" if title else word)
        self._allow()

    def _allow(self) -> None:
        """Enable what can be done now."""
        state = self.workspace.state
        is_open = self.workspace.folder is not None
        facts = {
            "project": is_open,
            "writing": is_open and not self.workspace.read_only,
            "texts": state is not None and state.texts > 0,
            "vectors": state is not None and state.encoded > 0,
            "busy": bool(self.jobs.running()),
            "undo": self._steps[0] is not None,
            "redo": self._steps[1] is not None,
            "changes": "What changed" in self.pages,
        }
        self.actions_.allow(name for name, holds in facts.items() if holds)
        for key in ("import", "import-folder"):
            self.actions_[key].setEnabled(not self.workspace.read_only)
        for action in self.rail.page_actions():
            action.setEnabled(is_open)

    def _show_jobs(self) -> None:
        self.strip.show_jobs(self.jobs.current, self.jobs.history)
        self.actions_["cancel"].setEnabled(bool(self.jobs.running()))

    def _show_details(self, key: str) -> None:
        tell("What the job said when it failed", details=self.jobs.details(key), parent=self)

    def _follow_fact(self, key: str) -> None:
        if key in ("rows", "texts") or len(self.pages) == 1:
            self.show_page(next(iter(self.pages)))
        elif key == "encoder" and self.actions_["encode"].isEnabled():
            state = self.workspace.state
            fresh = state is not None and state.encoder is None
            self.preparing.prepare() if fresh else self.preparing.encode_with()
        elif key == "clusters" and "Map" in self.pages:
            self.show_page("Map")
        elif key == "pairs" and self.actions_["pairs"].isEnabled():
            self.preparing.find_pairs_again()
        elif "Duplicates" in self.pages:
            self.show_page("Duplicates")

    def _step(self, wish: str) -> None:
        def take(end: JobEnd) -> None:
            if end.kind == "failed":
                tell(end.what, end.remedy, end.details, parent=self)
            elif end.outcome.get("encoder") and self.workspace.state is not None:
                self.preparing.prepare()  # its vectors are there; pairs and groups follow

        self.workspace.start(wish, title=wish.capitalize(), lane="live", then=take)

    def _cancel(self) -> None:
        for ticket in self.jobs.running()[:1]:
            self.workspace.cancel(ticket)

    def _find(self) -> None:
        """Go to the search field of the page, or of the rows where the page has none."""
        page = self.page
        if page is not None and type(page).focus_search is Page.focus_search:
            self.show_page(next(iter(self.pages)))
        if self.page is not None:
            self.page.focus_search()

    def _toggle_jobs(self) -> None:
        if self.jobs.history:
            self.strip.set_open(not self.strip.is_open)

    def _show_page_before(self) -> None:
        """Go back to the page that the rail marks."""
        self.show_page(self.rail.current or next(iter(self.pages)))

    def _show_document(self, document: int) -> None:
        self.show_page("Corpus")
        self.pages["Corpus"].show_document(document)

    def _show_neighbours(self, document: int) -> None:
        self.show_page("Search")
        self.pages["Search"].show_neighbours(document)

    def _show_on_map(self, texts: list[int]) -> None:
        self.show_page("Map")
        self.pages["Map"].show_texts(texts)

    def _show_training(self, training: int) -> None:
        self.show_page("Teach")
        self.pages["Teach"].show_training(training)

    def _show_scores(self, scores: dict[int, float]) -> None:
        for page in self.pages.values():
            page.show_scores(scores)

    def _show_palette(self) -> None:
        self.palette_sheet.open_with(self.actions_.every())

    def _show_keys(self) -> None:
        title = self.page.name if self.page is not None else "Samesense"
        self.keys_sheet.show_keys(f"Keys: {title}", self.actions_.key_groups())

    def _forget(self, folder: Path) -> None:
        recents.forget(self.settings, folder)
        self._list_recents()

    def _project_menu(self) -> QMenu:
        menu = QMenu(self)
        for key in ("import", "remove-import", "export"):
            menu.addAction(self.actions_[key])
        menu.addSeparator()
        for key in ("open", "close"):
            menu.addAction(self.actions_[key])
        return menu

    def _restore(self) -> None:
        self.resize(*_SIZE)
        if self.settings.values.geometry:
            saved = base64.b64decode(self.settings.values.geometry, validate=False)
            self.restoreGeometry(QByteArray(saved))

    def _remember(self) -> None:
        geometry = base64.b64encode(self.saveGeometry().data()).decode("ascii")
        page = self.rail.current or self.settings.values.page
        try:
            self.settings.change(geometry=geometry, page=page)
        except UserError:
            return  # the window goes away all the same; it only opens elsewhere next time


def _next_steps(project: Project) -> tuple[str | None, str | None]:
    return project.decisions.next_undo(), project.decisions.next_redo()


def _paths(data: QMimeData) -> list[Path]:
    return [Path(url.toLocalFile()) for url in data.urls() if url.isLocalFile()]
