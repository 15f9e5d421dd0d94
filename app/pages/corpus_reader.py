"""The reader: one row in full, its columns, its copies, its nearest texts, where it went."""

import re
from collections.abc import Sequence

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import (
    QGuiApplication,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QScrollArea,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.look.icons import set_icon
from app.look.theme import current_theme, set_role
from app.look.tokens import ICON_SMALL, L, M, S
from app.look.words import count
from app.pages.corpus_columns import ColumnList
from app.pages.corpus_fate import Fate
from app.pages.corpus_links import Link, LinkSection
from app.pages.corpus_reads import Detail, Nearest, row_name
from app.widgets.elided import ElidedLabel
from app.widgets.tags import TagRow, verdict_tag
from app.widgets.text_view import TextView
from app.widgets.word_diff import Span
from core.store import Document

READING_WIDTH = 760  # a longer line is hard to follow
_LEAST_TEXT = 84
_TEXT_SHARE = 0.5  # of the pane's height
_MOST_MARKS = 500


class ReaderPane(QWidget):
    """Shows a row; links ask for other rows, values for filters."""

    document_wanted = Signal(int)
    copies_wanted = Signal(int, str)  # a text, the name of the row that holds it
    value_wanted = Signal(str, str)  # a column and its value
    width_wanted = Signal()  # full width, or beside the table again
    neighbours_wanted = Signal(int)  # a row, to find the texts like its own

    def __init__(self, parent: QWidget | None = None, *, beside: str = "table") -> None:
        """`beside` names what the pane stands next to."""
        super().__init__(parent)
        self._beside = beside
        self.view = TextView(name="Text of the row")
        self._detail: Detail | None = None
        self._name = QLabel()
        set_role(self._name, "strong")
        self._place = ElidedLabel()
        set_role(self._place, "meta")
        self._tags = TagRow()
        self._fate = Fate()
        self._copy = _icon_button("copy", "Copy the text")
        self._like = _icon_button("nearest", "More like this")
        self._wide = QToolButton()
        self._columns = ColumnList()
        self._copies = LinkSection("Copies")
        self._nearest = LinkSection("Nearest texts")
        self._area = QScrollArea()
        self._lay_out()
        self.set_wide(False)
        self._copy.clicked.connect(self.copy_text)
        self._like.clicked.connect(self._want_neighbours)
        self._wide.clicked.connect(self.width_wanted)
        self._fate.document_wanted.connect(self.document_wanted)
        self._copies.document_wanted.connect(self.document_wanted)
        self._nearest.document_wanted.connect(self.document_wanted)
        self._copies.more_wanted.connect(self._want_copies)
        self._columns.value_wanted.connect(self.value_wanted)

    @property
    def detail(self) -> Detail | None:
        return self._detail

    @property
    def fate(self) -> str:
        """Where the row went, in words."""
        return self._fate.words

    def show_detail(self, detail: Detail | None, marked: str = "", *, stale: bool = False) -> None:
        """Show a row, with the words marked that a filter looked for; None empties the pane."""
        same = self._detail is not None and detail is not None and (
            self._detail.document.id == detail.document.id
        )  # fmt: skip
        self._detail = detail
        self._body.setVisible(detail is not None)
        self._nobody.setVisible(detail is None)
        if detail is None:
            return
        document = detail.document
        self._name.setText(row_name(document))
        self._place.setText(_place(document))
        self._tags.show_tags(detail.tags)
        self._tags.setVisible(bool(detail.tags))
        self._fate.show_fate(detail, stale=stale)
        spans = found_spans(document.body, marked)
        if not same or self.view.text != document.body or self.view.spans != tuple(spans):
            self.view.show_text(document.body, spans)
        self._columns.show_columns(document)
        self._copies.show_links(
            [Link(one.id, "", f"{row_name(one)} · {_place(one)}") for one in detail.copies],
            more=max(0, document.copies - 1 - len(detail.copies)),
        )
        self._nearest.show_links([near_link(one) for one in detail.nearest])
        self._nearest.show_note(_nearest_note(detail))
        self._like.setVisible(document.text is not None)
        if not same:
            self._area.verticalScrollBar().setValue(0)
        self._fit()

    def show_nearest(self, links: Sequence[Link], note: str = "") -> None:
        """List other near texts of the row on show than the known pairs name."""
        self._nearest.show_links(links)
        self._nearest.show_note(note)

    def mark(self, spans: Sequence[Span]) -> None:
        """Mark these characters of the text on show."""
        self.view.mark(spans)

    def copy_text(self) -> None:
        """Put the whole text on the clipboard, as it is stored; a selection comes first."""
        if self._detail is None:
            return
        selected = self.view.textCursor().selectedText().replace("\u2029", "\n")
        text = selected if selected and self.view.hasFocus() else self._detail.document.body
        QGuiApplication.clipboard().setText(text)

    def set_wide(self, wide: bool) -> None:
        """Stand alone, or beside the table."""
        back = f"Back to the {self._beside}"
        words = back if wide else "Read at full width"
        self._wide.setText(back if wide else "Full width")
        self._wide.setAccessibleName(words)
        self._wide.setToolTip(f"{words} (Space)")
        self._is_wide = wide
        self._body.setMaximumWidth(READING_WIDTH + 2 * L if wide else 16_777_215)
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._fit()

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setContentsMargins(L, M, S, 0)
        head.setSpacing(S)
        names = QVBoxLayout()
        names.setSpacing(2)
        names.addWidget(self._name)
        names.addWidget(self._place)
        head.addLayout(names, 1)
        head.addWidget(self._like, 0, Qt.AlignmentFlag.AlignTop)
        head.addWidget(self._copy, 0, Qt.AlignmentFlag.AlignTop)
        head.addWidget(self._wide, 0, Qt.AlignmentFlag.AlignTop)
        facts = QVBoxLayout()
        facts.setContentsMargins(L, S, L, 0)
        facts.setSpacing(S)
        facts.addWidget(self._tags)
        facts.addWidget(self._fate)
        inside = QWidget()
        set_role(inside, "clear")
        sections = QVBoxLayout(inside)
        sections.setContentsMargins(L, M, L, L)
        sections.setSpacing(L)
        for section in (self._columns, self._copies, self._nearest):
            sections.addWidget(section)
        sections.addStretch(1)
        self._area.setWidget(inside)
        self._area.setWidgetResizable(True)
        self._area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        line = QFrame()
        set_role(line, "line")
        self._body = QWidget()
        column = QVBoxLayout(self._body)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addLayout(facts)
        column.addWidget(self.view)
        column.addWidget(line)
        column.addWidget(self._area, 1)
        self._nobody = QLabel("Choose a row to read it.")
        self._nobody.setAlignment(Qt.AlignmentFlag.AlignCenter)
        set_role(self._nobody, "muted")
        outer = QHBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(self._nobody, 1)
        outer.addWidget(self._body, 1)
        self._body.hide()

    def _fit(self) -> None:
        """Give the text the height it needs, up to its share of the pane."""
        if self._detail is None:
            return
        width = self.view.viewport().width() or self.width()
        self.view.document().setTextWidth(width)
        needed = round(self.view.document().size().height()) + 2
        most = max(_LEAST_TEXT, round(self.height() * _TEXT_SHARE))
        self.view.setFixedHeight(min(max(needed, _LEAST_TEXT), most))

    def _want_neighbours(self) -> None:
        if self._detail is not None:
            self.neighbours_wanted.emit(self._detail.document.id)

    def _want_copies(self) -> None:
        if self._detail is not None and self._detail.document.text is not None:
            self.copies_wanted.emit(self._detail.document.text, row_name(self._detail.document))


def found_spans(text: str, words: str) -> list[Span]:
    """Where `words` stand in `text`, in any case."""
    if not words:
        return []
    found = re.finditer(re.escape(words), text, re.IGNORECASE)
    return [match.span() for match, _ in zip(found, range(_MOST_MARKS), strict=False)]


def _place(document: Document) -> str:
    line = f"line {count(document.line)}"
    if document.key:
        return f"{document.source_name} · row {count(document.place)}, {line}"
    return f"{document.source_name} · {line}"


def near_link(near: Nearest) -> Link:
    """A near row as a line that leads to it."""
    tag = None if near.verdict is None else verdict_tag(near.verdict)
    return Link(near.document.id, f"{near.cosine:.2f}", near.document.body, tag)


def _nearest_note(detail: Detail) -> str:
    if detail.document.text is None or detail.nearest:
        return ""
    return "" if detail.has_pairs else "Known once duplicates have been looked for."


def _icon_button(icon_name: str, words: str) -> QToolButton:
    button = QToolButton()
    button.setIconSize(QSize(ICON_SMALL, ICON_SMALL))
    set_icon(button, icon_name, current_theme().colours)
    button.setAccessibleName(words)
    button.setToolTip(words)
    return button
