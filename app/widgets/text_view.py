"""A text to read, with some of its words marked."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import (
    QColor,
    QResizeEvent,
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
_LONG = 20_000  # characters from which on lines are laid out as they come into view
_PIECE = 4_000
_MANY_MARKS = 300  # from which on only those in view are made


class TextView(QTextEdit):
    """Shows one text at reading size, in its own direction; read-only, can be selected from.

    Long texts have no extra room between lines, and their paragraphs are broken at a blank
    every 4,000 characters: both let Qt lay out only what is seen.
    """

    def __init__(self, parent: QWidget | None = None, *, name: str = "Text") -> None:
        super().__init__(parent)
        self._text = ""
        self._spans: tuple[Span, ...] = ()
        self._marks: list[Span] = []  # the spans in Qt's places
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
        self.verticalScrollBar().valueChanged.connect(self._mark_in_view)

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
        right_to_left = is_right_to_left(text)
        option = QTextOption(self.document().defaultTextOption())
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        option.setTextDirection(
            Qt.LayoutDirection.RightToLeft if right_to_left else Qt.LayoutDirection.LeftToRight
        )
        self.document().setDefaultTextOption(option)
        self._marks = []
        shown = visible(text)
        if len(shown) > _LONG:
            self.setPlainText(_in_pieces(shown))
        else:
            self.setPlainText(shown)
            self._space_lines()
        self.mark(spans)
        self.verticalScrollBar().setValue(0)

    def mark(self, spans: Sequence[Span]) -> None:
        """Mark other characters of the same text."""
        self._spans = tuple(spans)
        places = qt_places(self._text)
        self._marks = [
            (start, stop) if places is None else (int(places[start]), int(places[stop]))
            for start, stop in self._spans
        ]
        self._mark()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._mark_in_view()

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
        marks = []
        for start, stop in self._wanted_marks():
            one = QTextEdit.ExtraSelection()
            cursor = QTextCursor(self.document())
            cursor.setPosition(start)
            cursor.setPosition(stop, QTextCursor.MoveMode.KeepAnchor)
            one.cursor = cursor
            one.format = look
            marks.append(one)
        self.setExtraSelections(marks)

    def _mark_in_view(self) -> None:
        if len(self._marks) > _MANY_MARKS:
            self._mark()

    def _wanted_marks(self) -> list[Span]:
        """All marks if they are few, else those between the first and the last letter in view."""
        if len(self._marks) <= _MANY_MARKS:
            return self._marks
        view = self.viewport().rect().adjusted(L + 1, 1, -L - 1, 0)
        is_at_top = self.verticalScrollBar().value() <= L  # there the margin is above all letters
        first = 0 if is_at_top else self.cursorForPosition(view.topLeft()).block().position()
        last_block = self.cursorForPosition(view.bottomRight()).block()
        last = last_block.position() + last_block.length()
        return [mark for mark in self._marks if mark[1] > first and mark[0] < last]


def _in_pieces(text: str) -> str:
    """`text` with a line end for a blank wherever a paragraph is longer than a piece."""
    lines = []
    for line in text.split("\n"):
        start = 0
        while len(line) - start > _PIECE:
            blank = line.rfind(" ", start + 1, start + _PIECE)
            if blank < 0:
                break
            lines.append(line[start:blank])
            start = blank + 1
        lines.append(line[start:])
    return "\n".join(lines)
