"""The dialogs that the window opens by name."""

from collections.abc import Sequence

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from app.settings import SettingsFile
from app.sheets.about import about_dialog
from app.sheets.export_sheet import ExportSheet
from app.sheets.remove_import import RemoveImportSheet
from app.sheets.settings import SettingsSheet
from app.workspace import Workspace
from core.store import Source


class Dialogs(QObject):
    """Opens each over the window and deletes it when it is closed."""

    look_changed = Signal()  # theme or text size
    checker_changed = Signal()  # the cross-encoder that checks again

    def __init__(self, workspace: Workspace, settings: SettingsFile, host: QWidget) -> None:
        super().__init__(host)
        self._workspace = workspace
        self._settings = settings
        self._host = host

    def export(self, what: str = "") -> None:
        """Ask what to write and where; `what` is chosen beforehand."""
        sheet = ExportSheet(self._workspace, what=what or "kept", parent=self._host)
        sheet.finished.connect(sheet.deleteLater)
        sheet.open()

    def ask_to_remove(self) -> None:
        """Ask which import is to go again."""
        self._workspace.read(
            "window.sources", lambda project: project.sources.all(), self._list_imports
        )

    def show_settings(self) -> None:
        """Open the settings."""
        sheet = SettingsSheet(self._settings, self._host)
        sheet.look_changed.connect(self.look_changed)
        sheet.checker_changed.connect(self.checker_changed)
        sheet.finished.connect(sheet.deleteLater)
        sheet.open()

    def show_about(self) -> None:
        """Say what this program is."""
        dialog = about_dialog(self._host)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def _list_imports(self, sources: Sequence[Source]) -> None:
        sheet = RemoveImportSheet(sources, self._host)
        sheet.removal_wanted.connect(self._remove)
        sheet.finished.connect(sheet.deleteLater)
        sheet.open()

    def _remove(self, source: int, name: str) -> None:
        self._workspace.start("remove-import", {"source": source}, title=f"Removing {name}")
