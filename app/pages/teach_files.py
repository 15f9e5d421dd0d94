"""The files of examples: what each holds, what it is for, and the way to take it out."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QHBoxLayout, QMenu, QToolButton, QVBoxLayout, QWidget

from app.look.tokens import XS, S
from app.look.words import count, counted
from app.pages.teach_parts import emptied, icon_button, note
from app.widgets.elided import ElidedLabel
from app.widgets.tags import Tag, TagLabel, ToneName
from core.store import JudgedFile

ROLES = {
    "learn": "Learn from it",
    "dev": "Choose the best moment by it",
    "test": "Judge the result by it",
    "aside": "Leave it aside",
}
_SHORT = {"learn": "learnt from", "dev": "chooses", "test": "judges", "aside": "left aside"}
_TONES: dict[str, ToneName] = {"dev": "note", "test": "note", "aside": "plain"}
_NOUNS = {
    "scored pairs": "scored pair",
    "labelled pairs": "labelled pair",
    "triplets": "triplet",
    "labelled texts": "labelled text",
}
_YES_NO = {"same", "different"}
_MOST_LABELS = 4


class FileList(QWidget):
    """One row a file; what a file is for is chosen from its menu."""

    removal_wanted = Signal(int, str)  # a file, its name
    reading_wanted = Signal(int)  # a file that is to be read otherwise
    changed = Signal()  # what a file is for

    def __init__(self) -> None:
        super().__init__()
        self._files: tuple[JudgedFile, ...] = ()
        self._roles: dict[int, str] = {}
        self._may_write = True
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(S)
        self.hide()

    @property
    def selection(self) -> dict[str, Any]:
        """Which files are learnt from, and which choose and judge, as values of a wish."""
        learnt = [file.id for file in self._files if self.role(file.id) == "learn"]
        return {
            "files": None if len(learnt) == len(self._files) else learnt,
            "dev": self._first("dev"),
            "test": self._first("test"),
        }

    def role(self, file: int) -> str:
        """What a file is for: learn, dev, test or aside."""
        return self._roles.get(file, "learn")

    def give_role(self, file: int, role: str) -> None:
        """Say what a file is for; only one chooses, and only one judges."""
        if role in ("dev", "test"):
            for other, known in self._roles.items():
                if known == role:
                    self._roles[other] = "learn"
        self._roles[file] = role
        self._show()
        self.changed.emit()

    def select(self, values: dict[str, Any]) -> None:
        """Take the files that a training was made from; files that are gone are passed over."""
        learnt = values.get("files")
        self._roles = {}
        for file in self._files:
            if file.id in (values.get("dev"), values.get("test")):
                self._roles[file.id] = "dev" if file.id == values.get("dev") else "test"
            elif learnt is not None and file.id not in learnt:
                self._roles[file.id] = "aside"
        self._show()
        self.changed.emit()

    def show_files(self, files: Sequence[JudgedFile], *, may_write: bool) -> None:
        """Show these files."""
        if (tuple(files), may_write) == (self._files, self._may_write):
            return
        self._files, self._may_write = tuple(files), may_write
        known = {file.id for file in files}
        self._roles = {file: role for file, role in self._roles.items() if file in known}
        self._show()

    def _first(self, role: str) -> int | None:
        return next((file.id for file in self._files if self.role(file.id) == role), None)

    def _show(self) -> None:
        emptied(self._column)
        for file in self._files:
            self._column.addWidget(self._row(file))
        self.setVisible(bool(self._files))

    def _row(self, file: JudgedFile) -> QWidget:
        role = self.role(file.id)
        name = ElidedLabel(file.name)
        name.setToolTip(file.path)
        facts = note(facts_said(file), role="meta")
        more = icon_button("more", f"What {file.name} is for, and how it is read")
        more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        more.setMenu(self._menu(file, more))
        remove = icon_button("trash", f"Remove {file.name}")
        remove.setEnabled(self._may_write)
        remove.clicked.connect(lambda: self.removal_wanted.emit(file.id, file.name))
        head = QHBoxLayout()
        head.setSpacing(XS)
        head.addWidget(name, 1)
        if role != "learn":
            head.addWidget(TagLabel(Tag(_SHORT[role], _TONES[role])))
        head.addWidget(more)
        head.addWidget(remove)
        row = QWidget()
        column = QVBoxLayout(row)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addWidget(facts)
        row.setAccessibleName(f"{file.name}, {facts.text()}, {_SHORT[role]}. {file.note}")
        return row

    def _menu(self, file: JudgedFile, parent: QWidget) -> QMenu:
        menu = QMenu(parent)
        group = QActionGroup(menu)
        for role, words in ROLES.items():
            action = QAction(words, menu)
            action.setCheckable(True)
            action.setChecked(role == self.role(file.id))
            action.triggered.connect(partial(self._take_role, file.id, role))
            group.addAction(action)
            menu.addAction(action)
        menu.addSeparator()
        again = QAction("Read it otherwise…", menu)
        again.setEnabled(self._may_write)
        again.triggered.connect(lambda: self.reading_wanted.emit(file.id))
        menu.addAction(again)
        return menu

    def _take_role(self, file: int, role: str, _checked: bool = False) -> None:
        self.give_role(file, role)


def facts_said(file: JudgedFile) -> str:
    """What a file holds, in a line: `1,200 yes/no pairs: 700 same, 500 different`."""
    noun = _NOUNS.get(file.kind, file.kind.removesuffix("s") or "example")
    is_decided = file.kind == "labelled pairs" and set(file.names) <= _YES_NO
    if is_decided:
        noun = "yes/no pair"
    told = counted(file.examples, noun)
    shown = [f"{count(number)} {name}" for name, number in file.counts]
    if "labelled" in file.kind and 0 < len(shown) <= _MOST_LABELS:
        told += f": {', '.join(shown)}"
    elif "labelled" in file.kind and file.names:
        told += f" of {len(file.names)} labels"
    if file.topics:
        told += f" · {counted(file.topics, 'topic')}"
    gravest = [one["severity"] for one in file.findings if one["severity"] != "tells"]
    if gravest:
        told += f" · {counted(len(gravest), 'warning')}"
    return told
