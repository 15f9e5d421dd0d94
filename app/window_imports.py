"""From files to rows: choose, settle in the sheet, make a project where none is open, import."""

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QDialog, QFileDialog, QWidget

from app.jobs import JobEnd
from app.settings import SettingsFile
from app.sheets.import_sheet import ImportSheet, KnownFile
from app.window_faults import tell
from app.workspace import Workspace
from core.errors import UserError
from core.records import ImportReport
from core.store import Project

ENDINGS = (
    ".csv", ".tsv", ".tab", ".txt", ".jsonl", ".ndjson", ".json", ".xlsx", ".xlsm", ".xls", ".ods",
    ".parquet", ".gz",
)  # fmt: skip


class ImportFlow(QObject):
    """Takes files one after the other through the import sheet."""

    imported = Signal(object)  # ImportReport
    project_made = Signal(object)  # its folder

    def __init__(self, workspace: Workspace, settings: SettingsFile, host: QWidget) -> None:
        super().__init__(host)
        self._workspace = workspace
        self._settings = settings
        self._host = host
        self._waiting: deque[Path] = deque()
        self._sheet: ImportSheet | None = None

    @property
    def sheet(self) -> ImportSheet | None:
        """The sheet that is open."""
        return self._sheet

    def ask(self) -> None:
        """Let a person choose files."""
        patterns = " ".join(f"*{ending}" for ending in ENDINGS)
        chosen, _ = QFileDialog.getOpenFileNames(
            self._host, "Import files", "", f"Tables and texts ({patterns});;All files (*)"
        )
        self.take([Path(name) for name in chosen])

    def ask_folder(self) -> None:
        """Let a person choose a folder of texts."""
        chosen = QFileDialog.getExistingDirectory(self._host, "Import a folder of texts")
        if chosen:
            self.take([Path(chosen)])

    def take(self, paths: Sequence[Path]) -> None:
        """Import these files, each through its sheet."""
        self._waiting.extend(paths)
        if self._sheet is None:
            self._next()

    def _next(self) -> None:
        if not self._waiting:
            return
        path = self._waiting.popleft()
        if self._workspace.folder is None:
            self._open_sheet(path, [])
        else:
            self._workspace.read(
                "import.known", _known_files, lambda known: self._open_sheet(path, known)
            )

    def _open_sheet(self, path: Path, known: list[KnownFile]) -> None:
        folder = None
        if self._workspace.folder is None:
            folder = unused_folder(self._settings.projects_folder(), _stem(path))
        sheet = ImportSheet(
            path, self._workspace, known=known, project_folder=folder, parent=self._host
        )
        self._sheet = sheet
        sheet.finished.connect(lambda result: self._settle(sheet, path, result))
        sheet.open()

    def _settle(self, sheet: ImportSheet, path: Path, result: int) -> None:
        self._sheet = None
        sheet.deleteLater()
        if result != QDialog.DialogCode.Accepted:
            self._next()
            return
        values: dict[str, object] = {"path": str(path), "settings": asdict(sheet.settings)}
        if sheet.plan is not None and sheet.plan.inspected.rows_exact:
            values["expected"] = sheet.plan.inspected.rows
        folder = sheet.project_folder
        if folder is None:
            self.start(values)
            self._next()
            return

        def go_on() -> None:
            self.start(values)
            self._next()

        self.make_project(folder, go_on)

    def make_project(self, folder: Path, then: Callable[[], None]) -> None:
        """Make and open a project, then go on; a fault is told and nothing goes on."""

        def opened(end: JobEnd) -> None:
            if end.kind != "finished":
                self._waiting.clear()
                if end.kind == "failed":
                    tell(end.what, end.remedy, end.details, parent=self._host)
                return
            self.project_made.emit(folder)
            then()

        try:
            self._workspace.open(folder, create=True, then=opened)
        except UserError as fault:
            self._waiting.clear()
            tell(fault.what, fault.remedy, parent=self._host)

    def start(self, values: dict[str, object]) -> None:
        """Start an import whose settings are settled."""
        name = Path(str(values["path"])).name
        self._workspace.start("import", values, title=f"Importing {name}", then=self._report)

    def _report(self, end: JobEnd) -> None:
        if end.kind == "finished":
            told = {**end.outcome, "notes": tuple(tuple(note) for note in end.outcome["notes"])}
            self.imported.emit(ImportReport(**told))


def unused_folder(parent: Path, name: str) -> Path:
    """`name.samesense` in `parent`, with a number where that is taken."""
    folder = parent / f"{name}.samesense"
    number = 1
    while folder.exists():
        number += 1
        folder = parent / f"{name} {number}.samesense"
    return folder


def _stem(path: Path) -> str:
    name = path.name.removesuffix(".gz")
    return Path(name).stem or "Project"


def _known_files(project: Project) -> list[KnownFile]:
    return [KnownFile(one.name, one.settings.id_column) for one in project.sources.all()]
