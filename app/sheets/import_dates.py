"""The question that no value of a date column answers: is it the day or the month first?"""

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QLabel, QRadioButton, QVBoxLayout, QWidget

from app.look.theme import set_role
from app.look.tokens import L
from app.sheets.import_plan import DateSeen, two_readings


class DateQuestions(QWidget):
    """One line per column that leaves day and month open; nothing is chosen beforehand."""

    settled = Signal(str, str)  # column, order

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        self._rows: dict[str, dict[str, QRadioButton]] = {}
        self.hide()

    def buttons(self, column: str) -> dict[str, QRadioButton]:
        """The two answers for a column, by order."""
        return self._rows[column]

    def show_questions(self, questions: Sequence[tuple[DateSeen, str | None]]) -> None:
        """Ask about these columns, showing the answers given so far."""
        if [seen.column for seen, _ in questions] != list(self._rows):
            while (item := self._column.takeAt(0)) is not None:
                if (old := item.widget()) is not None:
                    old.hide()
                    old.deleteLater()
            self._rows = {}
            for seen, _ in questions:
                self._column.addWidget(self._row(seen))
        for seen, order in questions:
            if order is not None:
                self._rows[seen.column][order].setChecked(True)
        self.setVisible(bool(questions))

    def _row(self, seen: DateSeen) -> QWidget:
        row = QWidget()
        line = QHBoxLayout(row)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(L)
        label = QLabel(f"In “{seen.column}”, {seen.example} is")
        set_role(label, "strong")
        line.addWidget(label)
        readings = two_readings(seen.example) or ("day first", "month first")
        group = QButtonGroup(row)
        self._rows[seen.column] = {}
        for order, words in zip(("dmy", "mdy"), readings, strict=True):
            button = QRadioButton(words)
            button.setAccessibleName(f"{label.text()} {words}")
            button.clicked.connect(
                lambda _=False, order=order: self.settled.emit(seen.column, order)
            )
            group.addButton(button)
            line.addWidget(button)
            self._rows[seen.column][order] = button
        line.addStretch(1)
        return row
