"""The columns of two rows, side by side."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from app.look.icons import set_icon
from app.look.theme import current_theme, set_role
from app.look.tokens import ICON_SMALL, XS, L, S
from app.look.words import counted
from app.widgets.elided import ElidedLabel
from app.widgets.shown_text import visible

_NAME_WIDTH = 96
_MARK_WIDTH = 14
_NOTHING = "–"
_Cell = tuple[QLabel, ElidedLabel, ElidedLabel]


@dataclass(frozen=True, slots=True)
class ColumnPair:
    """One column of two rows; None where a row has nothing there."""

    name: str
    left: str | None
    right: str | None

    @property
    def differs(self) -> bool:
        return self.left != self.right


class ColumnCompare(QWidget):
    """Differing columns first-hand and marked with ⚠ and weight; alike ones behind one button."""

    folded = Signal(bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Columns")
        self._columns: tuple[ColumnPair, ...] = ()
        self._folded = True
        self._is_brief = False
        self._rows: list[tuple[_Cell, _Cell]] = []
        self._opener = QPushButton()
        self._opener.setIconSize(QSize(ICON_SMALL, ICON_SMALL))
        set_role(self._opener, "fact")
        self._opener.clicked.connect(lambda: self.set_folded(not self._folded))
        self._grid_box = QWidget()
        halves = QHBoxLayout(self._grid_box)
        halves.setContentsMargins(0, 0, 0, 0)
        halves.setSpacing(1)  # the line between the texts above
        self._halves = (QGridLayout(), QGridLayout())
        for half in self._halves:
            half.setContentsMargins(L, 0, L, 0)
            half.setHorizontalSpacing(S)
            half.setVerticalSpacing(XS)
            half.setColumnStretch(2, 1)
            halves.addLayout(half, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(XS)
        column.addWidget(self._grid_box)
        column.addWidget(self._opener, 0, Qt.AlignmentFlag.AlignLeft)
        self._fill()

    @property
    def is_folded(self) -> bool:
        return self._folded

    @property
    def is_brief(self) -> bool:
        return self._is_brief

    def show_columns(self, columns: Sequence[ColumnPair]) -> None:
        if tuple(columns) != self._columns:
            self._columns = tuple(columns)
            self._fill()

    def set_folded(self, folded: bool) -> None:
        """Hide or show the columns that are alike."""
        if folded != self._folded:
            self._folded = folded
            self._fill()
            self.folded.emit(folded)

    def set_brief(self, brief: bool) -> None:
        """Count the differing columns too instead of showing them, until they are opened."""
        if brief != self._is_brief:
            self._is_brief = brief
            self._fill()

    def shown_columns(self) -> list[ColumnPair]:
        """What can be seen now, in order."""
        different = [pair for pair in self._columns if pair.differs]
        alike = [pair for pair in self._columns if not pair.differs]
        if self._folded:
            return [] if self._is_brief else different
        return different + alike

    def _fill(self) -> None:
        shown = self.shown_columns()
        while len(self._rows) < len(shown):
            self._rows.append(self._new_row())
        for row, pair in zip(self._rows, shown, strict=False):
            for (mark, name, words), value in zip(row, (pair.left, pair.right), strict=True):
                _show_cell(mark, name, words, pair, value)
        for place, row in enumerate(self._rows):
            for cell in row:
                for label in cell:
                    label.setVisible(place < len(shown))
        self._grid_box.setVisible(bool(shown))
        alike = sum(not pair.differs for pair in self._columns)
        different = len(self._columns) - alike
        self._opener.setText(_told(different if self._is_brief else 0, alike))
        self._opener.setVisible(alike > 0 or (self._is_brief and different > 0))
        which = "columns" if self._is_brief else "equal columns"
        self._opener.setAccessibleName(f"{'Show' if self._folded else 'Hide'} {which}")
        chevron = "chevron-right" if self._folded else "chevron-down"
        set_icon(self._opener, chevron, current_theme().colours)
        self.updateGeometry()

    def _new_row(self) -> tuple[_Cell, _Cell]:
        """Labels for one more column; they are kept and filled again for every pair."""
        at = len(self._rows)
        made = []
        for half in self._halves:
            cell = (QLabel(), ElidedLabel(), ElidedLabel())
            cell[0].setFixedWidth(_MARK_WIDTH)
            cell[1].setFixedWidth(_NAME_WIDTH)
            set_role(cell[1], "meta")
            for place, label in enumerate(cell):
                half.addWidget(label, at, place)
            made.append(cell)
        return made[0], made[1]


def _told(different: int, alike: int) -> str:
    """Such as `⚠ 2 columns differ, 9 are the same`."""
    same = f"{counted(alike, 'column')} {'is' if alike == 1 else 'are'} the same"
    if not different:
        return same
    told = f"⚠ {counted(different, 'column')} {'differs' if different == 1 else 'differ'}"
    return f"{told}, {same.replace('columns ', '').replace('column ', '')}" if alike else told


def _show_cell(
    mark: QLabel, name: QLabel, words: QLabel, pair: ColumnPair, value: str | None
) -> None:
    mark.setText("⚠" if pair.differs else "")
    mark.setAccessibleName("differs" if pair.differs else "")
    name.setText(pair.name)
    words.setText(_NOTHING if value is None else visible(value))
    words.setAccessibleName(f"{pair.name}: {words.text()}")
    set_role(mark, "warning")
    set_role(words, "strong" if pair.differs else "muted")
