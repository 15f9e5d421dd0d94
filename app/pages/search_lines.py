"""The beginning of a found text over up to three lines, with its matching words."""

import re
from dataclasses import dataclass

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QPainter,
    QTextCharFormat,
    QTextLayout,
    QTextOption,
)

from app.look.tokens import Colours
from app.widgets.shown_text import is_right_to_left, qt_places, visible
from app.widgets.word_diff import Span

LINES = 3
_LINE = 1.32  # of the font's height
_FAR = 150  # characters before the first match from which on the beginning is left out
_BEFORE = 60  # of them that are still shown
_UNEVEN = re.compile(r"^\s|\s\s|[^\S ]")
_WIDEST = 3.5  # lines; longer texts need not be measured to be known for too long


@dataclass(frozen=True, slots=True)
class Snippet:
    """What is shown of a text on one line if there were room, and where its matches are."""

    words: str
    spans: tuple[Span, ...]
    is_right_to_left: bool


@dataclass(frozen=True, slots=True)
class LaidText:
    """A snippet broken into lines; spans are in Qt's places."""

    layout: QTextLayout
    spans: tuple[Span, ...]
    height: float


def snippet_of(body: str, marks: tuple[Span, ...]) -> Snippet:
    """The part of a body to show: its beginning, or what is around a match far inside."""
    words, places = _evened(visible(body))
    spans = [(places[start], places[stop]) for start, stop in marks if stop < len(places)]
    direction = is_right_to_left(words)
    if spans and spans[0][0] > _FAR:
        cut = words.find(" ", spans[0][0] - _BEFORE, spans[0][0]) + 1 or spans[0][0] - _BEFORE
        words = "… " + words[cut:]
        spans = [(start - cut + 2, stop - cut + 2) for start, stop in spans]
    return Snippet(words, tuple(span for span in spans if span[0] < span[1]), direction)


def line_height(metrics: QFontMetricsF) -> float:
    return metrics.height() * _LINE


def count_lines(snippet: Snippet, font: QFont, width: float, advance: float) -> int:
    """How many lines a snippet takes; `advance` is its width on one."""
    if advance <= width:
        return 1
    if advance > _WIDEST * width:
        return LINES
    return min(LINES, _broken(snippet, font, width).lineCount())


def lay_out(snippet: Snippet, font: QFont, width: float) -> LaidText:
    """Break a snippet into lines; what the last one has no room for is cut off."""
    layout = _broken(snippet, font, width)
    words, spans = snippet.words, snippet.spans
    if layout.lineCount() > LINES:
        places = qt_places(words)
        start = layout.lineAt(LINES - 1).textStart()
        if places is not None:
            start = int(places.searchsorted(start))
        last = QFontMetricsF(font).elidedText(
            words[start:].rstrip(), Qt.TextElideMode.ElideRight, width - 1
        )
        words = words[:start] + last
        end = len(words) - 1
        spans = tuple((a, min(b, end)) for a, b in spans if a < end)
        layout = _broken(Snippet(words, spans, snippet.is_right_to_left), font, width)
    places = qt_places(words)
    if places is not None:
        spans = tuple((int(places[a]), int(places[b])) for a, b in spans)
    lines = min(layout.lineCount(), LINES)
    return LaidText(layout, spans, lines * line_height(QFontMetricsF(font)))


def draw(painter: QPainter, at: QPointF, text: LaidText, colours: Colours) -> None:
    """Draw the lines with the matching words marked."""
    look = QTextCharFormat()
    look.setBackground(QColor(colours.highlight))
    look.setForeground(QColor(colours.ink))
    ranges = []
    for start, stop in text.spans:
        one = QTextLayout.FormatRange()
        one.start, one.length, one.format = start, stop - start, look
        ranges.append(one)
    painter.setPen(QColor(colours.ink))
    text.layout.draw(painter, at, ranges)


def _broken(snippet: Snippet, font: QFont, width: float) -> QTextLayout:
    layout = QTextLayout(snippet.words, font)
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    if snippet.is_right_to_left:
        option.setTextDirection(Qt.LayoutDirection.RightToLeft)
        option.setAlignment(Qt.AlignmentFlag.AlignRight)
    layout.setTextOption(option)
    step = line_height(QFontMetricsF(font))
    layout.beginLayout()
    number = 0
    while number <= LINES:  # one more than is shown tells that there is more
        line = layout.createLine()
        if not line.isValid():
            break
        line.setLineWidth(width)
        line.setPosition(QPointF(0, number * step))
        number += 1
    layout.endLayout()
    return layout


def _evened(text: str) -> tuple[str, list[int] | range]:
    """Blanks and line ends as one space each, and where every character went."""
    if not _UNEVEN.search(text):
        return text, range(len(text) + 1)
    kept: list[str] = []
    places: list[int] = []
    for letter in text:
        places.append(len(kept))
        if not letter.isspace():
            kept.append(letter)
        elif kept and kept[-1] != " ":
            kept.append(" ")
    places.append(len(kept))
    return "".join(kept), places
