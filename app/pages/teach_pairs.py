"""Bringing judged pairs in from files, and taking them out again."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from app.jobs import JobEnd
from app.look.words import counted
from app.pages.teach_notices import Notice, fault_notice
from app.workspace import Workspace


class PairImports(QObject):
    """Starts the imports and says what came of them."""

    told = Signal(object)  # Notice

    def __init__(self, workspace: Workspace, parent: QObject) -> None:
        super().__init__(parent)
        self._workspace = workspace

    def take(self, paths: Sequence[Path]) -> None:
        """Import these files, one after the other."""
        if self._workspace.folder is None or self._workspace.read_only:
            return
        for path in paths:
            self._workspace.start(
                "import-pairs",
                {"path": str(path)},
                title=f"Importing {path.name}",
                lane="live",
                then=partial(self._tell, path.name),
            )

    def remove(self, file: int, name: str) -> None:
        """Take a file's pairs out of the project again."""

        def tell(end: JobEnd) -> None:
            if end.kind == "finished":
                words = f"{name} was removed. Import it again to have its pairs back."
                self.told.emit(Notice("info", words))
            elif end.kind == "failed":
                self.told.emit(fault_notice(end.what, end.remedy))

        self._workspace.start(
            "remove-pairs", {"file": file}, title=f"Removing {name}", lane="live", then=tell
        )

    def _tell(self, name: str, end: JobEnd) -> None:
        if end.kind == "failed":
            self.told.emit(fault_notice(end.what, end.remedy))
        elif end.kind == "finished":
            pairs = counted(int(end.outcome["pairs"]), "pair")
            words = f"{name}: {pairs} to learn from. {end.outcome.get('note') or ''}".strip()
            self.told.emit(Notice("done", words))
