"""The sections of the settings dialog that this program fills."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QFileDialog,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.look.theme import set_role
from app.look.tokens import L, M, S
from app.settings import TEXT_SIZES, THEMES, SettingsFile
from app.widgets.settings_dialog import SettingsDialog
from core.options import EncodeOptions, choice_of

_THEME_WORDS = {"system": "Like the system", "light": "Light", "dark": "Dark"}
_SIZE_WORDS = {90: "Small", 100: "Normal", 115: "Large", 130: "Very large"}
_DEVICE_WORDS = {"auto": "Automatic", "cpu": "Processor", "cuda": "Graphics card (CUDA)"}
_PRECISION_WORDS = {
    "auto": "Automatic",
    "fp32": "32 bits, exact",
    "bf16": "16 bits (bf16), fast on new processors",
    "fp16": "16 bits (fp16), for graphics cards",
}


class SettingsSheet(SettingsDialog):
    """Changes hold at once; there is nothing to confirm."""

    look_changed = Signal()  # theme or text size
    checker_changed = Signal()  # the cross-encoder that checks again

    def __init__(self, settings: SettingsFile, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._settings = settings
        self.add_section("Appearance", "sun", self._appearance())
        self.add_section("Encoding", "settings", self._encoding())
        self.add_section("Projects", "folder", self._projects())

    def _appearance(self) -> QWidget:
        values = self._settings.values
        theme = _box("Colours", _THEME_WORDS, THEMES, values.theme, self._set_look("theme"))
        size = _box(
            "Text size", _SIZE_WORDS, TEXT_SIZES, values.text_size, self._set_look("text_size")
        )
        return _form(("Colours", theme), ("Text size", size))

    def _encoding(self) -> QWidget:
        values = self._settings.values
        given = "" if values.encoder == "default" else values.encoder
        folder = _FolderField("Encoder folder", given, "all-MiniLM-L6-v2, as installed")
        folder.changed.connect(lambda path: self._settings.change(encoder=path or "default"))
        checker = _FolderField(
            "Cross-encoder folder", values.cross_encoder, "None; the one a project taught"
        )
        checker.changed.connect(lambda path: self._settings.change(cross_encoder=path))
        checker.changed.connect(self.checker_changed)
        device = _box(
            "Device", _DEVICE_WORDS, choice_of(EncodeOptions, "device").choices, values.device,
            lambda value: self._settings.change(device=value),
        )  # fmt: skip
        precision = _box(
            "Precision", _PRECISION_WORDS, choice_of(EncodeOptions, "precision").choices,
            values.precision, lambda value: self._settings.change(precision=value),
        )  # fmt: skip
        note = QLabel(
            "Encoder and precision hold for new projects. A project keeps the encoder it has; "
            "change it with Duplicates ▸ Encode with…"
        )
        return _form(
            ("Encoder", folder), ("Device", device), ("Precision", precision),
            ("Cross-encoder", checker), note=note,
        )  # fmt: skip

    def _projects(self) -> QWidget:
        default = self._settings.projects_folder()
        folder = _FolderField("Folder for projects", self._settings.values.projects, str(default))
        folder.changed.connect(lambda path: self._settings.change(projects=path))
        note = QLabel("Where new projects are proposed; existing ones stay where they are.")
        return _form(("New projects in", folder), note=note)

    def _set_look(self, name: str) -> Callable[[Any], None]:
        def change(value: Any) -> None:
            self._settings.change(**{name: value})
            self.look_changed.emit()

        return change


class _FolderField(QWidget):
    """A folder to type or choose; only one that exists, or none, is taken."""

    changed = Signal(str)

    def __init__(self, name: str, path: str, placeholder: str) -> None:
        super().__init__()
        self._field = QLineEdit(path)
        self._field.setPlaceholderText(placeholder)
        self._field.setAccessibleName(name)
        self._field.setClearButtonEnabled(True)
        self._field.setMinimumWidth(220)
        self._field.textChanged.connect(self._take)
        choose = QPushButton("Choose…")
        choose.setAccessibleName(f"Choose: {name}")
        choose.clicked.connect(self._choose)
        self._fault = QLabel()
        set_role(self._fault, "meta")
        self._fault.hide()
        row = QHBoxLayout()
        row.setSpacing(S)
        row.addWidget(self._field, 1)
        row.addWidget(choose)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        column.addLayout(row)
        column.addWidget(self._fault)

    def _take(self, words: str) -> None:
        there = not words.strip() or Path(words).expanduser().is_dir()
        self._fault.setText("" if there else "There is no such folder; the last one holds.")
        self._fault.setVisible(not there)
        if there:
            self.changed.emit(words.strip())

    def _choose(self) -> None:
        chosen = QFileDialog.getExistingDirectory(
            self, self._field.accessibleName(), self._field.text()
        )
        if chosen:
            self._field.setText(chosen)


def _box(
    name: str,
    words: dict[Any, str],
    choices: tuple[Any, ...],
    current: Any,
    receive: Callable[[Any], None],
) -> QComboBox:
    box = QComboBox()
    box.setAccessibleName(name)
    for choice in choices:
        box.addItem(words.get(choice, str(choice)), choice)
    box.setCurrentIndex(choices.index(current) if current in choices else 0)
    box.setMinimumWidth(220)
    box.activated.connect(lambda _at: receive(box.currentData()))
    return box


def _form(*rows: tuple[str, QWidget], note: QLabel | None = None) -> QWidget:
    content = QWidget()
    form = QFormLayout(content)
    form.setContentsMargins(0, 0, 0, 0)
    form.setHorizontalSpacing(L)
    form.setVerticalSpacing(M)
    form.setLabelAlignment(Qt.AlignmentFlag.AlignLeft)
    for words, field in rows:
        label = QLabel(words)
        label.setBuddy(field)
        form.addRow(label, field)
    if note is not None:
        note.setWordWrap(True)
        set_role(note, "muted")
        form.addRow(note)
    return content
