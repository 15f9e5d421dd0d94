"""Where an export goes: the format, the path, and what became of the file."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Qt, QUrl, Signal
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import (
    QComboBox,
    QFileDialog,
    QGridLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QWidget,
)

from app.jobs import JobEnd
from app.look.tokens import M, S
from app.look.words import counted
from app.sheets.export_choices import with_suffix
from app.widgets.banner import Banner


class ExportTarget(QWidget):
    """Two lines of a sheet: asks before a file is replaced, and says where it was written.

    `banner` is for the sheet to place. `agreed` tells a path that may be written now.
    """

    changed = Signal()
    agreed = Signal(object)  # Path
    written = Signal(str)  # the path

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.format = QComboBox()
        self.path = QLineEdit()
        self.banner = Banner()
        self._choose = QPushButton("Choose…")
        self._is_chosen = False  # by hand, so that no proposal replaces it
        self._asked_over: Path | None = None
        self._written: Path | None = None
        self._lay_out()
        self.format.currentIndexChanged.connect(self._take_format)
        self.path.textEdited.connect(self._edit)
        self._choose.clicked.connect(self._browse)
        self.banner.button_clicked.connect(self._press_banner)

    @property
    def suffix(self) -> str:
        """The ending of the chosen format, with its dot."""
        return str(self.format.currentData())

    @property
    def target(self) -> Path:
        """Where the file goes, with the suffix of the format."""
        return with_suffix(Path(self.path.text().strip()).expanduser(), self.suffix)

    @property
    def is_filled(self) -> bool:
        """Whether there is a path at all."""
        return bool(self.path.text().strip())

    def set_formats(self, formats: Sequence[tuple[str, str]]) -> None:
        """Offer these formats, each with its words and its suffix."""
        suffixes = [suffix for _, suffix in formats]
        if [self.format.itemData(at) for at in range(self.format.count())] == suffixes:
            return
        self.format.blockSignals(True)
        self.format.clear()
        for words, suffix in formats:
            self.format.addItem(f"{words} ({suffix})", suffix)
        self.format.blockSignals(False)

    def propose(self, name: str) -> None:
        """Put a file of this name (without suffix) into the home folder, if none was chosen."""
        if not self._is_chosen:
            self.path.setText(str(Path.home() / f"{name}{self.suffix}"))

    def export(self) -> None:
        """Tell the path as agreed on, or ask first."""
        target = self.target
        if target.is_dir():
            self.banner.show_message("error", f"{target} is a folder; add a file name.")
        elif target.exists() and self._asked_over != target:
            self.banner.show_message(
                "warning", f"{target.name} is there already.",
                buttons=(("replace", "Replace it"),), closable=True,
            )  # fmt: skip
        else:
            self._agree(target)

    def take_end(self, end: JobEnd) -> None:
        """Say what became of the file."""
        if end.kind == "finished":
            self._written = Path(end.outcome["path"])
            self._asked_over = None
            rows = end.outcome.get("rows")
            told = "Written" if rows is None else f"{counted(int(rows), 'line')} written"
            self.banner.show_message(
                "done", f"{told} to {self._written}", buttons=(("open", "Open folder"),)
            )
            self.written.emit(str(self._written))
        elif end.kind == "failed":
            self.banner.show_message("error", f"{end.what} {end.remedy}".strip())
        else:
            self.banner.show_message("info", "Cancelled; nothing was written.")

    def _agree(self, target: Path) -> None:
        self.banner.show_message("info", f"Writing {target.name}…", closable=False)
        self.agreed.emit(target)

    def _browse(self) -> None:
        words = f"{self.format.currentText()} (*{self.suffix})"
        chosen, _ = QFileDialog.getSaveFileName(self, "Export to", str(self.target), words)
        if chosen:
            self.path.setText(str(with_suffix(Path(chosen), self.suffix)))
            self._is_chosen = True
            # The file dialog has asked already, but only about the name as it was typed.
            self._asked_over = self.target if self.target == Path(chosen) else None
            self.changed.emit()

    def _take_format(self) -> None:
        self.path.setText(str(self.target))
        self.changed.emit()

    def _edit(self) -> None:
        self._is_chosen = True
        self._asked_over = None
        self.changed.emit()

    def _press_banner(self, key: str) -> None:
        if key == "replace":
            self._agree(self.target)
        elif self._written is not None:
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(self._written.parent)))

    def _lay_out(self) -> None:
        self.format.setAccessibleName("Format")
        self.path.setAccessibleName("Where to")
        self._choose.setAutoDefault(False)
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(M)
        grid.setVerticalSpacing(S)
        grid.setColumnStretch(1, 1)
        grid.addWidget(QLabel("Format"), 0, 0)
        grid.addWidget(self.format, 0, 1, Qt.AlignmentFlag.AlignLeft)
        grid.addWidget(QLabel("Where to"), 1, 0)
        grid.addWidget(self.path, 1, 1)
        grid.addWidget(self._choose, 1, 2)
