"""The cross-encoder that reads pairs again: the one a person chose, else the project's own."""

from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from app.settings import SettingsFile
from app.window_faults import tell
from app.workspace import Workspace
from core.errors import UserError
from core.records import Changes
from core.store import Project

_CONFIG = "config.json"


class Checker(QObject):
    """Knows a folder, which the settings remember; pages that check again ask for it."""

    changed = Signal()

    def __init__(self, workspace: Workspace, settings: SettingsFile, host: QWidget) -> None:
        super().__init__(host)
        self._workspace, self._settings, self._host = workspace, settings, host
        self._of_project = ""
        workspace.opened.connect(self._read)
        workspace.changed.connect(self._note_changes)
        workspace.closed.connect(self._forget)

    @property
    def folder(self) -> str:
        """The folder of the cross-encoder, empty where none is known."""
        chosen = self._settings.values.cross_encoder
        return chosen if chosen and Path(chosen).is_dir() else self._of_project

    @property
    def name(self) -> str:
        return Path(self.folder).name

    def values(self) -> dict[str, str]:
        """What a wish is told of it."""
        return {"cross": self.folder, "device": self._settings.values.device}

    def choose(self) -> None:
        """Let a person choose the folder."""
        chosen = QFileDialog.getExistingDirectory(
            self._host, "Folder of the cross-encoder (with config.json and model.safetensors)",
            self.folder,
        )  # fmt: skip
        if chosen:
            self.use(Path(chosen))

    def use(self, folder: Path) -> None:
        """Check by the cross-encoder in this folder from now on."""
        if not (folder / _CONFIG).is_file() and not (folder / "modules.json").is_file():
            tell(
                f"{folder.name} is no cross-encoder; {_CONFIG} is missing.",
                "Choose the folder that holds config.json and model.safetensors.",
                parent=self._host,
            )
            return
        try:
            self._settings.change(cross_encoder=str(folder))
        except UserError as fault:
            tell(fault.what, fault.remedy, parent=self._host)
        self.changed.emit()

    def _note_changes(self, changes: Changes) -> None:
        if changes.checked or changes.trainings:
            self._read()

    def _read(self) -> None:
        self._workspace.read("checker.known", _known, self._take)

    def _forget(self) -> None:
        self._take("")

    def _take(self, folder: str) -> None:
        self._of_project = folder
        self.changed.emit()


def _known(project: Project) -> str:
    """The folder of a cross-encoder that was used or taught in a project, the latest first."""
    used = project.checked.current()
    if used is not None and (Path(used.folder) / _CONFIG).is_file():
        return used.folder
    taught = sorted(
        (project.folder / "encoders").glob("cross-*"), key=lambda one: one.stat().st_mtime
    )
    return next((str(one) for one in reversed(taught) if (one / _CONFIG).is_file()), "")
