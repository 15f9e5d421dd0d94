"""All columns of a row, with a way from a value to the rows that hold it too."""

from itertools import zip_longest

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import (
    QAbstractButton,
    QGridLayout,
    QLabel,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from app.look.icons import paint_icon
from app.look.theme import current_theme, set_role
from app.look.tokens import ICON_SMALL, M, S
from app.pages.corpus_links import section_heading
from app.pages.corpus_reads import date_words
from app.widgets.elided import ElidedLabel
from app.widgets.shown_text import is_right_to_left, visible
from core.store import Document

_NAME_WIDTH = 104
_NOTHING = "–"
_LONGEST_FILTER = 80
_LONG_VALUE = 24  # characters; a longer value that is part of the text is not repeated


class ColumnList(QWidget):
    """All columns of a row, name and value; a value asks for rows that hold it too."""

    value_wanted = Signal(str, str)

    def __init__(self) -> None:
        super().__init__()
        self._rows: list[_ValueRow] = []
        self._shown: tuple[tuple[str, str], ...] = ()
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(M)
        self._grid.setVerticalSpacing(6)
        self._grid.setColumnMinimumWidth(0, _NAME_WIDTH)
        self._grid.setColumnStretch(1, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(S)
        column.addWidget(section_heading("Columns"))
        column.addLayout(self._grid)

    @property
    def values(self) -> tuple[tuple[str, str], ...]:
        return self._shown

    def show_columns(self, document: Document) -> None:
        pairs = tuple(_values(document))
        if pairs == self._shown:
            return
        self._shown = pairs
        # Rows are used again: making widgets anew would hold up a key that is held down.
        while len(self._rows) < len(pairs):
            self._rows.append(self._add_row(len(self._rows)))
        for row, pair in zip_longest(self._rows, pairs):
            row.show_value(pair)

    def _add_row(self, at: int) -> "_ValueRow":
        row = _ValueRow()
        top = Qt.AlignmentFlag.AlignTop
        self._grid.addWidget(row.title, at, 0, top)
        self._grid.addWidget(row.value, at, 1, top)
        self._grid.addWidget(row.more, at, 2, top)
        row.more.clicked.connect(lambda: self.value_wanted.emit(*row.pair))
        return row


class _ValueRow:
    """The three widgets of one column."""

    def __init__(self) -> None:
        self.pair = ("", "")
        self.title = ElidedLabel()
        self.title.setFixedWidth(_NAME_WIDTH)
        set_role(self.title, "muted")
        self.value = QLabel()
        self.value.setTextFormat(Qt.TextFormat.PlainText)
        self.value.setWordWrap(True)
        self.value.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.value.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.more = FilterMark()

    def show_value(self, pair: tuple[str, str] | None) -> None:
        """Show a column's name and value; None hides the row."""
        for part in (self.title, self.value, self.more):
            part.setVisible(pair is not None)
        if pair is None or pair == self.pair:
            return
        self.pair = name, value = pair
        self.title.setText(name)
        self.title.setToolTip(name)
        self.value.setText(visible(value) or _NOTHING)
        right = is_right_to_left(value)
        side = Qt.AlignmentFlag.AlignRight if right else Qt.AlignmentFlag.AlignLeft
        self.value.setAlignment(side | Qt.AlignmentFlag.AlignTop)
        self.more.setVisible(bool(value) and len(value) <= _LONGEST_FILTER and "\n" not in value)
        self.more.name_it(f"Only rows whose {name} contains {value}")


class FilterMark(QAbstractButton):
    """A small sign beside a value, faint until it is meant."""

    def __init__(self) -> None:
        super().__init__()
        self.setFixedSize(22, 20)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)

    def name_it(self, words: str) -> None:
        """Say what it does."""
        self.setAccessibleName(words)
        self.setToolTip(words)

    def paintEvent(self, event: QPaintEvent) -> None:
        colours = current_theme().colours
        is_meant = self.underMouse() or self.hasFocus()
        painter = QPainter(self)
        spot = QRectF(3, 2, ICON_SMALL, ICON_SMALL)
        paint_icon(painter, spot, "filter", colours.accent_text if is_meant else colours.disabled)
        if self.hasFocus():
            painter.setPen(QPen(QColor(colours.accent), 2))
            painter.drawRect(self.rect().adjusted(1, 1, -1, -1))


def _values(document: Document) -> list[tuple[str, str]]:
    found = []
    body = " ".join(document.body.split())
    for name, cell in zip(document.columns, document.cells, strict=False):
        date = document.dates.get(name)
        words = cell or ""
        if date is not None and date != words:
            words = f"{words}  ({date_words(date)})"
        if len(words) > _LONG_VALUE and " ".join(words.split()) in body:
            continue  # it is read above
        found.append((name, words))
    return found
