"""Where a row went, and for which other row."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
)

from app.look.theme import set_role
from app.look.tokens import S
from app.look.words import counted
from app.pages.corpus_reads import Detail, row_name


class Fate(QFrame):
    """One line on where the row went, with a way to the row that stays."""

    document_wanted = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self._keeper: int | None = None
        self._words = QLabel()
        self._words.setWordWrap(True)
        set_role(self._words, "muted")
        self._link = QPushButton()
        set_role(self._link, "link")
        self._link.clicked.connect(self._follow)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(S)
        row.addWidget(self._words, 1)
        row.addWidget(self._link, 0, Qt.AlignmentFlag.AlignTop)

    @property
    def words(self) -> str:
        return self._words.text()

    def show_fate(self, detail: Detail, *, stale: bool) -> None:
        told = fate_words(detail)
        self.setVisible(bool(told))
        self._words.setText(f"{told} Rows or decisions have moved since." if stale else told)
        self._keeper = None if detail.keeper is None else detail.keeper.id
        self._link.setVisible(detail.keeper is not None)
        if detail.keeper is not None:
            self._link.setText(f"Show {row_name(detail.keeper)}")
            self._link.setAccessibleName(f"Show the row that stays, {row_name(detail.keeper)}")

    def _follow(self) -> None:
        if self._keeper is not None:
            self.document_wanted.emit(self._keeper)


def fate_words(detail: Detail) -> str:
    """Where a row went and why, in a sentence; empty before the first grouping."""
    if not detail.is_grouped:
        return ""
    if detail.document.text is None:
        return "Kept: a row without a text is never removed."
    member = detail.member
    if member is None:
        return "Kept on its own."
    if member.reason == "kept":
        others = detail.group_rows - 1
        return f"Kept for {counted(others, 'other row')}."
    name = "another row" if detail.keeper is None else row_name(detail.keeper)
    if member.reason == "copy":
        return f"Removed for {name}: it is the same text."
    if member.reason == "decided":
        return f"Removed for {name}: you decided that they say the same."
    cosine = "" if member.cosine is None else f" (cosine {member.cosine:.2f})"
    return f"Removed for {name}: it says the same{cosine}."
