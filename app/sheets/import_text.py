"""Several columns made into one text: the template, and what it gives for the row chosen."""

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPlainTextEdit, QVBoxLayout, QWidget

from app.look.theme import set_role
from app.look.tokens import XS, L
from app.look.words import count

_HEIGHT = 76


class TextPanel(QWidget):
    """A template to edit beside the text it makes."""

    template_changed = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._template = QPlainTextEdit()
        self._template.setAccessibleName("Template of the text")
        self._template.setTabChangesFocus(True)
        self._template.textChanged.connect(
            lambda: self.template_changed.emit(self._template.toPlainText())
        )
        self._text = QPlainTextEdit()
        self._text.setReadOnly(True)
        self._text.setAccessibleName("Text of the row")
        self._text.setTabChangesFocus(True)
        self._heading = QLabel("Becomes")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(L)
        for words, field in (
            (QLabel("Each text is made of these columns"), self._template),
            (self._heading, self._text),
        ):
            set_role(words, "heading")
            column = QVBoxLayout()
            column.setSpacing(XS)
            column.addWidget(words)
            field.setFixedHeight(_HEIGHT)
            column.addWidget(field)
            row.addLayout(column, 1)

    @property
    def template(self) -> str:
        return self._template.toPlainText()

    @property
    def preview(self) -> str:
        return self._text.toPlainText()

    def show_template(self, template: str) -> None:
        """Show the template; the cursor stays where the text is the same."""
        if template != self._template.toPlainText():
            with QSignalBlocker(self._template):
                self._template.setPlainText(template)

    def show_text(self, line: int, text: str) -> None:
        """Show what the row on `line` becomes."""
        self._heading.setText(f"Line {count(line)} becomes")
        self._text.setPlainText(text)
        right = any("\u0590" <= letter <= "\u08ff" for letter in text[:40])
        way = Qt.LayoutDirection.RightToLeft if right else Qt.LayoutDirection.LeftToRight
        self._text.setLayoutDirection(way)

    def show_fault(self, sentence: str) -> None:
        """Say in the preview what is wrong with the template."""
        self._heading.setText("The template cannot be used yet")
        self._text.setPlainText(sentence)
