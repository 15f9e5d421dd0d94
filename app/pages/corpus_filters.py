"""The filter row above the table: words, marks, files, and filters on columns as chips."""

from collections.abc import Sequence

from PySide6.QtCore import QPoint, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QIcon, QKeyEvent
from PySide6.QtWidgets import (
    QComboBox,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.look.icons import set_icon
from app.look.theme import current_theme, set_role
from app.look.tokens import ICON_SMALL, XS, L, M, S
from app.look.words import count, counted
from app.pages.corpus_reads import Facts
from core.store import DocumentFilter

TYPING_PAUSE_MS = 250
_LONGEST_CHIP = 40
_MARKS = (
    ("copy", "Copies"),
    ("very short", "Very short"),
    ("long", "Longer than the encoder reads at once"),
    ("unreadable", "Unreadable for the encoder"),
    ("blank", "Blank"),
    ("kept", "Kept"),
    ("removed", "Removed"),
)
_GROUPED = ("kept", "removed")


class FilterRow(QWidget):
    """Says which rows are wanted; tells of a change once typing has paused."""

    changed = Signal()
    left_for_table = Signal()  # Enter or Down in the field: the hands go on in the table

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.search = _SearchField()
        self._marks = _combo("Rows with which mark")
        self._files = _combo("Rows of which file")
        self._add = _tool("filter", "Filter a column…")
        self._popup = ColumnFilterPopup(self)
        self._chips = _Chips()
        self._count = QLabel()
        set_role(self._count, "muted")
        self._text: tuple[int, str] | None = None
        self._columns: list[tuple[str, str]] = []
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(TYPING_PAUSE_MS)
        self._lay_out()
        self._pause.timeout.connect(self.changed)
        self.search.textEdited.connect(self._pause.start)
        self.search.left.connect(self._leave)
        self.search.emptied.connect(self._tell_now)
        self._marks.activated.connect(self._tell_now)
        self._files.activated.connect(self._tell_now)
        self._add.clicked.connect(lambda: self._popup.open_under(self._add))
        self._popup.wanted.connect(self.add_column)
        self._chips.removed.connect(self._remove_chip)

    @property
    def wanted(self) -> DocumentFilter:
        """The filter as it stands, in the order of the files."""
        return DocumentFilter(
            contains=self.search.text().strip(),
            source=self._files.currentData(),
            mark=self._marks.currentData() or "",
            columns=tuple(self._columns),
            text=None if self._text is None else self._text[0],
        )

    @property
    def is_empty(self) -> bool:
        return self.wanted == DocumentFilter()

    @property
    def chips(self) -> list[str]:
        """The words of the chips shown."""
        return self._chips.words

    @property
    def count_words(self) -> str:
        return self._count.text()

    def show_facts(self, facts: Facts) -> None:
        """Offer the marks and files there are; what was chosen stays where it still exists."""
        mark, source = self._marks.currentData(), self._files.currentData()
        self._marks.clear()
        self._marks.addItem("All rows", "")
        for key, words in _MARKS:
            number = facts.marked.get(key, 0)
            if (number or key == mark) and (facts.is_grouped or key not in _GROUPED):
                self._marks.addItem(f"{words}  ({count(number)})", key)
        self._files.clear()
        self._files.addItem("All files", None)
        for one in facts.sources:
            self._files.addItem(one.name, one.id)
        self._marks.setCurrentIndex(max(0, self._marks.findData(mark)))
        self._files.setCurrentIndex(max(0, self._files.findData(source)))
        self._files.setVisible(len(facts.sources) > 1)
        names = [column.title for column in facts.columns if column.key.startswith("column:")]
        self._popup.show_columns(names)
        self._add.setVisible(bool(names))
        self._columns = [one for one in self._columns if one[0] in names]
        self._show_chips()

    def show_count(self, shown: int, total: int) -> None:
        """Say how many rows are left of how many."""
        if shown == total:
            self._count.setText(counted(total, "row"))
        else:
            self._count.setText(f"{count(shown)} of {counted(total, 'row')}")

    def add_column(self, name: str, words: str) -> None:
        """Narrow further to rows whose column holds these words."""
        if (name, words) not in self._columns:
            self._columns.append((name, words))
            self._show_chips()
            self._tell_now()

    def choose_text(self, text: int, name: str) -> None:
        """Only rows that hold this very text, which the row `name` holds."""
        self._text = (text, name)
        self._show_chips()
        self._tell_now()

    def choose_mark(self, mark: str) -> None:
        """Only rows with this mark, as a link from elsewhere asks."""
        self._marks.setCurrentIndex(max(0, self._marks.findData(mark)))
        self._tell_now()

    def open_columns(self) -> None:
        """Ask for a column and words."""
        if self._add.isVisible():
            self._popup.open_under(self._add)

    def clear(self) -> None:
        """Ask for all rows again."""
        self.search.clear()
        self._marks.setCurrentIndex(0)
        self._files.setCurrentIndex(0)
        self._columns, self._text = [], None
        self._show_chips()
        self._tell_now()

    def _lay_out(self) -> None:
        row = QHBoxLayout()
        row.setSpacing(S)
        row.addWidget(self.search, 1)
        for part in (self._marks, self._files, self._add):
            row.addWidget(part)
        row.addSpacing(XS)
        row.addWidget(self._count)
        self.tools = row
        column = QVBoxLayout(self)
        column.setContentsMargins(L, M, L, S)
        column.setSpacing(S)
        column.addLayout(row)
        column.addWidget(self._chips)

    def _show_chips(self) -> None:
        chips = [f"{name}: {words}" for name, words in self._columns]
        if self._text is not None:
            chips.append(f"Copies of {self._text[1]}")
        self._chips.show_chips(chips)

    def _remove_chip(self, at: int) -> None:
        if at < len(self._columns):
            del self._columns[at]
        else:
            self._text = None
        self._show_chips()
        self._tell_now()

    def _leave(self) -> None:
        if self._pause.isActive():
            self._tell_now()
        self.left_for_table.emit()

    def _tell_now(self) -> None:
        self._pause.stop()
        self.changed.emit()


class ColumnFilterPopup(QFrame):
    """Asks for a column and the words it shall hold."""

    wanted = Signal(str, str)  # column, words

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        set_role(self, "card")
        self.setAccessibleName("Filter a column")
        self._column = QComboBox()
        self._column.setAccessibleName("Column")
        self._words = QLineEdit()
        self._words.setPlaceholderText("Contains…")
        self._words.setAccessibleName("Words that the column contains")
        add = QPushButton("Add filter")
        set_role(add, "primary")
        add.clicked.connect(self._add)
        self._words.returnPressed.connect(self._add)
        title = QLabel("Only rows whose column contains")
        set_role(title, "strong")
        row = QHBoxLayout()
        row.setSpacing(S)
        row.addWidget(self._column)
        row.addWidget(self._words, 1)
        row.addWidget(add)
        column = QVBoxLayout(self)
        column.setContentsMargins(L, L, L, L)
        column.setSpacing(S)
        column.addWidget(title)
        column.addLayout(row)
        self.setFixedWidth(460)

    def show_columns(self, names: Sequence[str]) -> None:
        chosen = self._column.currentText()
        self._column.clear()
        self._column.addItems(list(names))
        self._column.setCurrentIndex(max(0, self._column.findText(chosen)))

    def open_under(self, button: QWidget) -> None:
        """Open below the button's right edge and take the keys."""
        self._words.clear()
        self.adjustSize()
        self.move(button.mapToGlobal(QPoint(button.width() - self.width(), button.height() + 4)))
        self.show()
        self._words.setFocus()

    def _add(self) -> None:
        words = self._words.text().strip()
        if words and self._column.currentText():
            self.close()
            self.wanted.emit(self._column.currentText(), words)


class _SearchField(QLineEdit):
    left = Signal()
    emptied = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setPlaceholderText("Texts that contain…")
        self.setAccessibleName("Only texts that contain these words")
        self.setMinimumWidth(160)
        mark = self.addAction(QIcon(), QLineEdit.ActionPosition.LeadingPosition)
        set_icon(mark, "search", current_theme().colours)
        self.setClearButtonEnabled(True)
        self.textChanged.connect(lambda text: None if text else self.emptied.emit())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Down):
            self.left.emit()
        elif event.key() == Qt.Key.Key_Escape:
            self.clear()
            self.left.emit()
        else:
            super().keyPressEvent(event)


class _Chips(QWidget):
    """Filters that go with a click."""

    removed = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(S)
        self._row.addStretch(1)
        self._buttons: list[QToolButton] = []
        self.hide()

    @property
    def words(self) -> list[str]:
        return [button.toolTip() for button in self._buttons]

    def show_chips(self, chips: Sequence[str]) -> None:
        for button in self._buttons:
            self._row.removeWidget(button)
            button.hide()
            button.deleteLater()
        self._buttons = [self._chip(at, words) for at, words in enumerate(chips)]
        self.setVisible(bool(chips))

    def _chip(self, at: int, words: str) -> QToolButton:
        short = words if len(words) <= _LONGEST_CHIP else words[: _LONGEST_CHIP - 1] + "…"
        button = _tool("close", short.replace("&", "&&"))
        button.setLayoutDirection(Qt.LayoutDirection.RightToLeft)  # the cross comes last
        button.setAccessibleName(f"Remove the filter {words}")
        button.setToolTip(words)
        set_role(button, "chip")
        button.clicked.connect(lambda: self.removed.emit(at))
        self._row.insertWidget(self._row.count() - 1, button)
        return button


def _combo(name: str) -> QComboBox:
    combo = QComboBox()
    combo.setAccessibleName(name)
    combo.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    combo.setMinimumContentsLength(11)
    combo.view().setTextElideMode(Qt.TextElideMode.ElideNone)
    return combo


def _tool(icon_name: str, words: str) -> QToolButton:
    button = QToolButton()
    button.setText(words)
    button.setAccessibleName(words)
    button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
    button.setIconSize(QSize(ICON_SMALL, ICON_SMALL))
    set_icon(button, icon_name, current_theme().colours)
    return button
