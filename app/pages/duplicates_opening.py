"""The beginning of a text on one line."""

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter

from app.widgets.shown_text import is_right_to_left, visible

OPENING = 200  # characters, more than any line of a list has room for


def opening(text: str, *, length: int = OPENING) -> str:
    """The first `length` characters, blanks as one space and line breaks as a dot."""
    # Blanks are lost below, so a little more than the length is enough to cut from.
    lines = (" ".join(line.split()) for line in text[: 2 * length].splitlines())
    joined = " · ".join(line for line in lines if line)
    cut = len(joined) > length or len(text) > 2 * length
    return joined[: length - 1].rstrip(" ·") + "…" if cut else joined


def draw_opening(painter: QPainter, where: QRectF, text: str) -> None:
    """Draw the beginning of `text` on one line in its own direction, cut to fit."""
    line = visible(opening(text))
    right = is_right_to_left(line)
    painter.setLayoutDirection(
        Qt.LayoutDirection.RightToLeft if right else Qt.LayoutDirection.LeftToRight
    )
    cut = QFontMetricsF(painter.font()).elidedText(line, Qt.TextElideMode.ElideRight, where.width())
    side = Qt.AlignmentFlag.AlignRight if right else Qt.AlignmentFlag.AlignLeft
    painter.drawText(
        where, side | Qt.AlignmentFlag.AlignAbsolute | Qt.AlignmentFlag.AlignVCenter, cut
    )
    painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
