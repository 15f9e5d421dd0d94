"""Bringing judged examples in from files, reading them otherwise, and taking them out again."""

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from app.jobs import JobEnd
from app.look.words import counted
from app.pages.teach_drop import ENDINGS
from app.pages.teach_findings import finding_of
from app.pages.teach_notices import Notice, fault_notice
from app.sheets.read_examples import ReadExamplesSheet
from app.workspace import Workspace
from core.store import JudgedFile


class Imports(QObject):
    """Starts the imports and says what came of them."""

    told = Signal(object)  # Notice

    def __init__(self, workspace: Workspace, page: QWidget) -> None:
        super().__init__(page)
        self._workspace = workspace
        self._page = page
        self._refused: Path | None = None  # the file that could not be read last
        self.sheet: ReadExamplesSheet | None = None

    def ask(self) -> None:
        """Let a person choose files of examples."""
        patterns = " ".join(f"*{ending}" for ending in ENDINGS)
        chosen, _ = QFileDialog.getOpenFileNames(
            self._page.window(), "Import judged examples", "",
            f"Judged examples ({patterns});;All files (*)",
        )  # fmt: skip
        self.take([Path(one) for one in chosen])

    def take(self, paths: Sequence[Path], how: Mapping[str, Any] | None = None) -> None:
        """Import these files, one after the other; `how` are values of the wish."""
        if self._workspace.folder is None or self._workspace.read_only:
            return
        for path in paths:
            self._workspace.start(
                "import-examples",
                {"path": str(path), **(how or {})},
                title=f"Importing {path.name}",
                lane="live",
                then=partial(self._tell, path),
            )

    def remove(self, file: int, name: str) -> None:
        """Take a file's examples out of the project again."""
        words = f"{name} was removed. Import it again to have its examples back."
        self._remove(file, name, lambda: self.told.emit(Notice("info", words)))

    def read_otherwise(self, file: JudgedFile) -> None:
        """Ask how a file is to be read, and read it so."""
        self._open_sheet(
            Path(file.path), file.kind,
            lambda how: self._remove(file.id, file.name, lambda: self.take([Path(file.path)], how)),
        )  # fmt: skip

    def read_refused(self) -> None:
        """Ask how the file that could not be read is to be read."""
        path = self._refused
        if path is not None:
            self._open_sheet(path, "", lambda how: self.take([path], how))

    def _open_sheet(self, path: Path, kind: str, take: Any) -> None:
        sheet = ReadExamplesSheet(path.name, kind, parent=self._page.window())
        self.sheet = sheet
        sheet.accepted.connect(lambda: take(sheet.values))
        sheet.finished.connect(sheet.deleteLater)
        sheet.open()

    def _remove(self, file: int, name: str, then: Any) -> None:
        def settle(end: JobEnd) -> None:
            if end.kind == "finished":
                then()
            elif end.kind == "failed":
                self.told.emit(fault_notice(end.what, end.remedy))

        self._workspace.start(
            "remove-examples", {"file": file}, title=f"Removing {name}", lane="live", then=settle
        )

    def _tell(self, path: Path, end: JobEnd) -> None:
        if end.kind == "failed":
            self._refused = path
            fault = fault_notice(end.what, end.remedy)
            self.told.emit(Notice(fault.kind, fault.words, (("read", "Say how to read it…"),)))
        elif end.kind == "finished":
            self.told.emit(imported_notice(path.name, end.outcome))


def imported_notice(name: str, told: Mapping[str, Any]) -> Notice:
    """What a file brought, how it was read, and the gravest that was found in it."""
    if told.get("is_new") is False:
        return Notice("info", f"{name} is here already; the same file counts once.")
    examples = counted(int(told["examples"]), "example")
    words = [f"{name}: {examples} to learn from, taken for {told['kind']}.", told.get("note") or ""]
    findings = [finding_of(one) for one in told.get("findings") or ()]
    grave = [one for one in findings if one.severity != "tells"]
    words += [f"{one.sentence} {one.remedy}".strip() for one in grave[:2]]
    return Notice("warning" if grave else "done", " ".join(one for one in words if one))
