"""Where the project is made that an import begins."""

from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QLabel, QLineEdit, QPushButton, QWidget

from app.look.tokens import S
from core.store import DATABASE


class ProjectFolderRow(QWidget):
    """A path to accept or change; it says what is wrong with it."""

    changed = Signal()

    def __init__(self, proposed: Path, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._field = QLineEdit(str(proposed))
        self._field.setAccessibleName("Folder of the new project")
        self._field.textChanged.connect(lambda _words: self.changed.emit())
        change = QPushButton("Change…")
        change.setAccessibleName("Change the folder of the new project")
        change.setAutoDefault(False)
        change.clicked.connect(self._choose)
        label = QLabel("New project in")
        label.setBuddy(self._field)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(S)
        row.addWidget(label)
        row.addWidget(self._field, 1)
        row.addWidget(change)

    @property
    def folder(self) -> Path:
        """The folder named now."""
        return Path(self._field.text().strip()).expanduser()

    def show_folder(self, folder: Path) -> None:
        """Name another folder."""
        self._field.setText(str(folder))

    def problem(self) -> str:
        """Why no project can be made there, as a request; empty when it can."""
        folder = self.folder
        if not self._field.text().strip() or not folder.is_absolute():
            return "Name a folder for the new project, with its whole path."
        if folder.is_file():
            return f"{folder.name} is a file; name a folder for the new project."
        if folder.is_dir() and not (folder / DATABASE).is_file() and any(folder.iterdir()):
            return f"The folder {folder.name} holds other things; name a new one."
        return ""

    def _choose(self) -> None:
        chosen, _ = QFileDialog.getSaveFileName(
            self,
            "Folder of the new project",
            str(self.folder),
            "Samesense project (*.samesense)",
            options=QFileDialog.Option.DontConfirmOverwrite,
        )
        if chosen:
            name = Path(chosen).name.removesuffix(".samesense")
            self.show_folder(Path(chosen).with_name(f"{name}.samesense"))
