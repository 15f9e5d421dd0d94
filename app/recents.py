"""The projects opened lately, and a look at what each of them holds now."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from PySide6.QtCore import QObject, QThread, Signal

from app.settings import SettingsFile
from core.errors import UserError
from core.store import DATABASE, Project

_MOST = 12


@dataclass(frozen=True, slots=True)
class Recent:
    """A project of the list; `fault` says why it cannot be opened, empty where it can."""

    folder: Path
    name: str
    rows: int = 0
    bytes: int = 0
    used: datetime | None = None
    fault: str = ""


def remember(settings: SettingsFile, folder: Path) -> None:
    """Put the project first in the list."""
    others = [one for one in settings.values.recents if one != str(folder)]
    settings.change(recents=(str(folder), *others)[:_MOST])


def forget(settings: SettingsFile, folder: Path) -> None:
    """Take the project off the list; the folder itself stays."""
    settings.change(recents=tuple(one for one in settings.values.recents if one != str(folder)))


def look_at(folder: Path) -> Recent:
    """Open the project for a moment and read what the list shows of it; nothing is changed."""
    name = folder.name.removesuffix(".samesense")
    if not folder.exists():
        return Recent(folder, name, fault="not found; the folder was moved, renamed or deleted")
    try:
        if not (folder / DATABASE).is_file():
            return Recent(folder, name, fault="no longer a project; its database is missing")
        used = datetime.fromtimestamp((folder / DATABASE).stat().st_mtime)
        size = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
        with Project.open_read_only(folder) as project:
            return Recent(folder, project.name, project.documents.count(), size, used)
    except UserError as fault:
        return Recent(folder, name, fault=f"{fault.what.rstrip('.')}; {fault.remedy}")
    except Exception as fault:  # noqa: BLE001 - whatever ails it, the list says so and stays usable
        return Recent(folder, name, fault=f"damaged or not readable ({fault})")


class RecentsReader(QThread):
    """Looks at the projects of the list, one after the other, off the window's thread."""

    found = Signal(object)  # Recent

    def __init__(self, folders: Sequence[Path], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._folders = tuple(folders)

    def run(self) -> None:
        """Look at each (the thread's body)."""
        for folder in self._folders:
            if self.isInterruptionRequested():
                return
            self.found.emit(look_at(folder))

    def stop(self) -> None:
        """End after the project being looked at."""
        self.requestInterruption()
        self.wait()
