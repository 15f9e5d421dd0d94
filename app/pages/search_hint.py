"""What the search page says before anything was asked."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from app.look.icons import set_icon
from app.look.theme import current_theme, set_role
from app.look.tokens import XL, XS, L, M, S
from app.widgets.icon_label import IconLabel
from app.widgets.keys_sheet import KeyCaps
from app.widgets.shown_text import visible

_WIDTH = 620
_MOST_RECENT = 5
_LONGEST = 56  # characters
_WAYS = (
    ("search", "In your own words", "I was billed twice for one order", "Alt+1"),
    ("filter", "By exact words", 'refund "order 4711"', "Alt+2"),
    ("nearest", "Like a text you have", "Choose “More like this” on any row of any page", "Ctrl+L"),
)


class SearchHint(QWidget):
    """Three ways to search, and what was asked lately."""

    chosen = Signal(str)  # words asked for before

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._recent_title = QLabel("Recent searches")
        set_role(self._recent_title, "heading")
        self._recent = QVBoxLayout()
        self._recent.setSpacing(0)
        self._buttons: list[QPushButton] = []
        self._lay_out()
        self.show_recent([])

    @property
    def recent(self) -> list[str]:
        return [button.toolTip() for button in self._buttons]

    def show_recent(self, words: Sequence[str]) -> None:
        """List what was asked lately, the newest first."""
        for button in self._buttons:
            self._recent.removeWidget(button)
            button.hide()
            button.deleteLater()
        self._buttons = [self._button(one) for one in words[:_MOST_RECENT]]
        self._recent_title.setVisible(bool(words))

    def _button(self, words: str) -> QPushButton:
        line = " ".join(visible(words).split())
        short = line if len(line) <= _LONGEST else line[: _LONGEST - 1] + "…"
        button = QPushButton(short.replace("&", "&&"))
        set_role(button, "link")
        set_icon(button, "clock", current_theme().colours)
        button.setToolTip(words)
        button.setAccessibleName(f"Search again for {line}")
        button.setCursor(Qt.CursorShape.PointingHandCursor)
        button.clicked.connect(lambda: self.chosen.emit(words))
        self._recent.addWidget(button, 0, Qt.AlignmentFlag.AlignLeft)
        return button

    def _lay_out(self) -> None:
        title = QLabel("Find texts by what they mean")
        set_role(title, "title")
        grid = QGridLayout()
        grid.setHorizontalSpacing(M)
        grid.setVerticalSpacing(L)
        grid.setColumnStretch(1, 1)
        for row, (icon, words, example, keys) in enumerate(_WAYS):
            grid.addWidget(IconLabel(icon, size=20), row, 0, Qt.AlignmentFlag.AlignTop)
            grid.addLayout(_way(words, example), row, 1)
            grid.addWidget(KeyCaps(keys), row, 2, Qt.AlignmentFlag.AlignRight)
        box = QWidget()
        box.setMaximumWidth(_WIDTH)
        inner = QVBoxLayout(box)
        inner.setContentsMargins(XL, XL, XL, XL)
        inner.setSpacing(S)
        inner.addStretch(2)
        inner.addWidget(title)
        inner.addSpacing(L)
        inner.addLayout(grid)
        inner.addSpacing(XL)
        inner.addWidget(self._recent_title)
        inner.addLayout(self._recent)
        inner.addStretch(3)
        outer = QHBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addStretch(1)
        outer.addWidget(box, 100)
        outer.addStretch(1)


def _way(words: str, example: str) -> QVBoxLayout:
    name, told = QLabel(words), QLabel(example)
    set_role(name, "strong")
    set_role(told, "muted")
    told.setWordWrap(True)
    column = QVBoxLayout()
    column.setSpacing(XS // 2)
    column.addWidget(name)
    column.addWidget(told)
    return column
