"""Opening, making and closing projects, and the demo."""

from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget

from app import recents
from app.jobs import JobEnd
from app.settings import SettingsFile
from app.window_faults import tell
from app.window_imports import ImportFlow, unused_folder
from app.window_jobs import JobBook
from app.window_prepare import Preparing
from app.workspace import Workspace
from core.errors import UserError
from core.store import DATABASE

# Cut off, these leave nothing behind; every other job goes on where it was.
_LOST_WHEN_CUT = {
    "import": "import", "export": "export", "export-rows": "export", "certificate": "export",
}  # fmt: skip


class Projects(QObject):
    """What the window does with whole projects."""

    opened = Signal(object)  # the outcome of opening: interrupted, dropped_imports

    def __init__(
        self,
        workspace: Workspace,
        settings: SettingsFile,
        imports: ImportFlow,
        preparing: Preparing,
        jobs: JobBook,
        host: QWidget,
    ) -> None:
        super().__init__(host)
        self._workspace = workspace
        self._settings = settings
        self._imports = imports
        self._preparing = preparing
        self._jobs = jobs
        self._host = host
        imports.project_made.connect(self._note)

    def open(self, folder: Path | None = None) -> None:
        """Open a project, asking for its folder when none is given."""
        if folder is None:
            start = str(self._settings.projects_folder())
            chosen = QFileDialog.getExistingDirectory(self._host, "Open a project", start)
            if not chosen:
                return
            folder = Path(chosen)
        if not (folder / DATABASE).is_file():
            what = "There is no project in" if folder.is_dir() else "There is no folder"
            tell(
                f"{what} {folder}.",
                "Choose a folder that Samesense made; its name usually ends in .samesense.",
                parent=self._host,
            )
            return
        if not self.may_leave():
            return
        try:
            self._workspace.open(folder, then=lambda end: self._settle(folder, end))
        except UserError as fault:
            tell(fault.what, fault.remedy, parent=self._host)

    def new(self) -> None:
        """Make an empty project in a folder that a person names."""
        parent = self._settings.projects_folder()
        parent.mkdir(parents=True, exist_ok=True)
        chosen, _ = QFileDialog.getSaveFileName(
            self._host, "New project", str(unused_folder(parent, "Project")),
            "Samesense project (*.samesense)",
            options=QFileDialog.Option.DontConfirmOverwrite,
        )  # fmt: skip
        if not chosen or not self.may_leave():
            return
        folder = Path(chosen)
        folder = folder.with_name(folder.name.removesuffix(".samesense") + ".samesense")
        self._imports.make_project(folder, lambda: None)

    def try_demo(self, folder: Path | None = None) -> None:
        """Make a fresh project of the demo messages and find its duplicates, before your eyes."""
        if not self.may_leave():
            return
        place = folder or unused_folder(self._settings.projects_folder(), "Demo")
        if folder is not None and folder.exists() and any(folder.iterdir()):
            place = unused_folder(folder.parent, folder.name.removesuffix(".samesense"))

        def take(end: JobEnd) -> None:
            if end.kind != "finished":
                if end.kind == "failed":
                    tell(end.what, end.remedy, end.details, parent=self._host)
                return
            self._imports.make_project(place, lambda: self._fill_demo(end.outcome))

        self._workspace.start_without_project("demo", {}, title="Preparing the demo", then=take)

    def close(self) -> None:
        """Close the project, if a job that would be lost may be cut off."""
        if self.may_leave():
            self._workspace.close()

    def may_leave(self) -> bool:
        """Ask when a job runs whose work would be lost; all other work goes on next time."""
        lost = [ticket for ticket in self._jobs.running() if ticket.wish in _LOST_WHEN_CUT]
        if not lost or self._workspace.folder is None:
            return True
        kinds = list(dict.fromkeys(_LOST_WHEN_CUT[ticket.wish] for ticket in lost))
        named = " and ".join(_one(kind) for kind in kinds)
        titles = ", ".join(ticket.title for ticket in lost)
        single = len(kinds) == 1
        box = QMessageBox(self._host)
        box.setWindowTitle("A job is running")
        box.setText(f"{named[0].upper()}{named[1:]} {'is' if single else 'are'} running: {titles}.")
        dropped = f"the {kinds[0]} is" if single else "these are"
        again = f"{'it' if single else 'they'} can only be started again from the beginning."
        box.setInformativeText(f"Left now, {dropped} dropped as a whole; {again}")
        leave = box.addButton(
            f"Drop the {kinds[0]}" if single else "Drop them",
            QMessageBox.ButtonRole.DestructiveRole,
        )
        stay = box.addButton("Stay", QMessageBox.ButtonRole.RejectRole)
        box.setDefaultButton(stay)
        box.exec()
        return box.clickedButton() is leave

    def _fill_demo(self, told: dict[str, Any]) -> None:
        self._imports.start({"path": told["path"], "settings": told["settings"]})
        self._preparing.prepare()

    def _settle(self, folder: Path, end: JobEnd) -> None:
        if end.kind != "finished":
            if end.kind == "failed":
                tell(end.what, end.remedy, end.details, parent=self._host)
            return
        self._note(folder)
        self.opened.emit(end.outcome)

    def _note(self, folder: Path) -> None:
        try:
            recents.remember(self._settings, folder)
        except UserError as fault:
            tell(fault.what, fault.remedy, parent=self._host)


def _one(kind: str) -> str:
    return f"{'an' if kind[0] in 'aeiou' else 'a'} {kind}"
