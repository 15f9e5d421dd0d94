"""Step 2: what may teach, and how it is compared, for those who want to choose."""

from pathlib import Path
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from app.look.theme import set_role
from app.look.tokens import M, S
from app.pages.teach_parts import note
from app.widgets.elided import ElidedLabel
from app.widgets.option_fields import declared
from app.widgets.options_form import OptionsForm
from core.augment_options import AugmentOptions

_SHOWN = ("teacher", "seeds", "held_out", "adapt", "seed")
_OWN = (
    "Another teacher",
    "The folder of an encoder or a cross-encoder that knows such texts; it is compared as well.",
)
_BASE = (
    "Base of the cross-encoder",
    "The folder of a larger model that it is taught from; without one, your encoder's.",
)


class TeacherSettings(QWidget):
    """Fields for the options of the comparison, and folders of models of one's own."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        options = [one for one in declared(AugmentOptions) if one.name in _SHOWN]
        self.form = OptionsForm(options)
        self.own, self.base = FolderField(*_OWN), FolderField(*_BASE)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, S, 0, 0)
        column.setSpacing(M)
        column.addWidget(self.form)
        for field in (self.own, self.base):
            column.addWidget(field)
            field.changed.connect(self.changed)
        self.form.changed.connect(self.changed)

    @property
    def values(self) -> dict[str, Any]:
        """What was chosen, as values of a wish."""
        own = self.own.folder
        given = [] if own is None else [scorer_name(own)]
        base = "" if self.base.folder is None else str(self.base.folder)
        return {**self.form.chosen, "given": given, "cross_base": base}


class FolderField(QWidget):
    """A folder that may be chosen, and taken back."""

    changed = Signal()

    def __init__(self, title: str, help_: str) -> None:
        super().__init__()
        self.folder: Path | None = None
        self._title = title
        self._shown = ElidedLabel()
        self._choose, self.clear = QPushButton("Choose a folder…"), QPushButton("Clear")
        set_role(self._shown, "muted")
        set_role(self.clear, "quiet")
        self._choose.setAccessibleName(f"{title}: choose a folder")
        self.clear.setAccessibleName(f"{title}: clear")
        self._choose.clicked.connect(self._ask)
        self.clear.clicked.connect(lambda: self.take(None))
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addWidget(note(title, role="body"))
        words.addWidget(note(help_, role="meta"))
        words.addWidget(self._shown)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(S)
        row.addLayout(words, 1)
        row.addWidget(self.clear)
        row.addWidget(self._choose)
        self.take(None)

    def take(self, folder: Path | None) -> None:
        """Show this folder; None for none."""
        moved = folder != self.folder
        self.folder = folder
        self._shown.setText("" if folder is None else str(folder))
        self._shown.setVisible(folder is not None)
        self.clear.setVisible(folder is not None)
        if moved:
            self.changed.emit()

    def _ask(self) -> None:
        chosen = QFileDialog.getExistingDirectory(self.window(), self._title)
        if chosen:
            self.take(Path(chosen))


def scorer_name(folder: Path) -> str:
    """How the engine names a model: a folder with modules is an encoder, others read pairs."""
    return str(folder) if (folder / "modules.json").is_file() else f"cross:{folder}"
