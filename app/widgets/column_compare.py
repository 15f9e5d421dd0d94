"""The columns of two rows, side by side."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QGridLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from app.look.icons import set_icon
from app.look.theme import set_role, theme_of
from app.look.tokens import ICON_SMALL, XS, L, S
from app.look.words import counted
from app.widgets.elided import ElidedLabel
from app.widgets.shown_text import visible

_NAME_WIDTH = 96
_NOTHING = "–"


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
        self._opener = QPushButton()
        self._opener.setIconSize(QSize(ICON_SMALL, ICON_SMALL))
        set_role(self._opener, "fact")
        self._opener.clicked.connect(lambda: self.set_folded(not self._folded))
        self._grid_box = QWidget()
        self._grid = QGridLayout(self._grid_box)
        self._grid.setContentsMargins(L, 0, L, 0)
        self._grid.setHorizontalSpacing(S)
        self._grid.setVerticalSpacing(XS)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(XS)
        column.addWidget(self._grid_box)
        column.addWidget(self._opener, 0, Qt.AlignmentFlag.AlignLeft)
        self._fill()

    @property
    def is_folded(self) -> bool:
        return self._folded

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

    def shown_columns(self) -> list[ColumnPair]:
        """What can be seen now, in order."""
        different = [pair for pair in self._columns if pair.differs]
        alike = [pair for pair in self._columns if not pair.differs]
        return different if self._folded else different + alike

    def _fill(self) -> None:
        while (item := self._grid.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        shown = self.shown_columns()
        for row, pair in enumerate(shown):
            self._add_row(row, pair)
        for column in (2, 5):
            self._grid.setColumnStretch(column, 1)
        self._grid_box.setVisible(bool(shown))
        alike = sum(not pair.differs for pair in self._columns)
        verb = "is" if alike == 1 else "are"
        self._opener.setText(f"{counted(alike, 'column')} {verb} the same")
        self._opener.setVisible(alike > 0)
        self._opener.setAccessibleName(f"{'Show' if self._folded else 'Hide'} equal columns")
        chevron = "chevron-right" if self._folded else "chevron-down"
        set_icon(self._opener, chevron, theme_of(self).colours)
        self.updateGeometry()

    def _add_row(self, row: int, pair: ColumnPair) -> None:
        for side, value in enumerate((pair.left, pair.right)):
            mark = QLabel("⚠" if pair.differs else "")
            mark.setFixedWidth(14)
            mark.setAccessibleName("differs" if pair.differs else "")
            name = ElidedLabel(pair.name)
            name.setFixedWidth(_NAME_WIDTH)
            set_role(name, "meta")
            shown = ElidedLabel(_NOTHING if value is None else visible(value))
            shown.setAccessibleName(f"{pair.name}: {shown.text()}")
            set_role(mark, "warning" if pair.differs else "muted")
            set_role(shown, "strong" if pair.differs else "muted")
            self._grid.addWidget(mark, row, 3 * side)
            self._grid.addWidget(name, row, 3 * side + 1)
            self._grid.addWidget(shown, row, 3 * side + 2)
