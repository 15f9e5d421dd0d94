"""A text to read, with some of its words marked."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import (
    QColor,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextOption,
)
from PySide6.QtWidgets import QTextEdit, QWidget

from app.look.theme import current_theme, font, set_role
from app.look.tokens import L
from app.widgets.shown_text import is_right_to_left, qt_places, visible
from app.widgets.word_diff import Span

_LINE_HEIGHT = 145  # per cent
_MOST_MARKS = 2_000


class TextView(QTextEdit):
    """Shows one text at reading size, in its own direction; read-only, can be selected from."""

    def __init__(self, parent: QWidget | None = None, *, name: str = "Text") -> None:
        super().__init__(parent)
        self._text = ""
        self._spans: tuple[Span, ...] = ()
        set_role(self, "reading")
        self.setAccessibleName(name)
        self.setReadOnly(True)
        self.setAcceptRichText(False)
        self.setUndoRedoEnabled(False)
        self.setTabChangesFocus(True)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
            | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFrameShape(QTextEdit.Shape.NoFrame)
        self.document().setDocumentMargin(L)
        self._dress()

    @property
    def text(self) -> str:
        """The text as it was given."""
        return self._text

    @property
    def spans(self) -> tuple[Span, ...]:
        return self._spans

    def show_text(self, text: str, spans: Sequence[Span] = ()) -> None:
        """Show `text` from its start, with the characters of `spans` (start, stop) marked."""
        self._text = text
        self._spans = tuple(spans)
        right_to_left = is_right_to_left(text)
        option = QTextOption(self.document().defaultTextOption())
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        option.setTextDirection(
            Qt.LayoutDirection.RightToLeft if right_to_left else Qt.LayoutDirection.LeftToRight
        )
        self.document().setDefaultTextOption(option)
        self.setPlainText(visible(text))
        self._space_lines()
        self._mark()
        self.verticalScrollBar().setValue(0)

    def mark(self, spans: Sequence[Span]) -> None:
        """Mark other characters of the same text."""
        self._spans = tuple(spans)
        self._mark()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.PaletteChange, QEvent.Type.StyleChange):
            self._mark()

    def _dress(self) -> None:
        self.document().setDefaultFont(font(current_theme(), "reading"))

    def _space_lines(self) -> None:
        spacing = QTextBlockFormat()
        height = QTextBlockFormat.LineHeightTypes.ProportionalHeight.value
        spacing.setLineHeight(_LINE_HEIGHT, height)
        cursor = QTextCursor(self.document())
        cursor.select(QTextCursor.SelectionType.Document)
        cursor.mergeBlockFormat(spacing)

    def _mark(self) -> None:
        colours = current_theme().colours
        look = QTextCharFormat()
        look.setBackground(QColor(colours.highlight))
        look.setForeground(QColor(colours.ink))
        look.setUnderlineStyle(QTextCharFormat.UnderlineStyle.SingleUnderline)
        look.setUnderlineColor(QColor(colours.highlight_line))
        places = qt_places(self._text)
        marks = []
        for start, stop in self._spans[:_MOST_MARKS]:
            one = QTextEdit.ExtraSelection()
            cursor = QTextCursor(self.document())
            cursor.setPosition(start if places is None else int(places[start]))
            keep = QTextCursor.MoveMode.KeepAnchor
            cursor.setPosition(stop if places is None else int(places[stop]), keep)
            one.cursor = cursor
            one.format = look
            marks.append(one)
        self.setExtraSelections(marks)
