"""How the cells of the corpus table are painted: by hand, since a style sheet takes too long."""

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPalette, QTextLayout
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from app.look.theme import current_theme
from app.widgets.paged_table_model import RAW_ROLE
from app.widgets.shown_text import is_right_to_left
from app.widgets.tags import paint_tags

_PAD = 13  # as the heads leave beside their words
_TAG_PAD = 10
_LINE = 1.35  # of the font's height, between the two lines of a text


class CellDelegate(QStyledItemDelegate):
    """Paints words, figures and tags; the column `text_column` over as many lines as told."""

    def __init__(self, text_column: int, parent: object) -> None:
        super().__init__(parent)  # type: ignore[arg-type]  # the table, which is a QObject
        self._text_column = text_column
        self.lines = 1

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        area, palette, state = option.rect, option.palette, option.state
        if state & QStyle.StateFlag.State_Selected:
            painter.fillRect(area, palette.color(QPalette.ColorRole.Highlight))
        elif state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(area, palette.color(QPalette.ColorRole.Midlight))
        line = QRectF(area.left(), area.bottom(), area.width(), 1)
        painter.fillRect(line, palette.color(QPalette.ColorRole.Mid))
        cell = index.data(RAW_ROLE)
        if isinstance(cell, tuple):
            paint_tags(painter, QRectF(area).adjusted(_TAG_PAD, 0, -2, 0), cell, current_theme())
            return
        words = str(index.data() or "")
        if not words:
            return
        painter.setFont(option.font)
        painter.setPen(QColor(palette.color(QPalette.ColorRole.Text)))
        where = QRectF(area).adjusted(_PAD, 0, -_PAD, 0)
        if self.lines == 2 and index.column() == self._text_column:
            _two_lines(painter, where, words)
        else:
            _one_line(painter, where, words)

    def sizeHint(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        metrics = QFontMetricsF(option.font)
        words = str(index.data() or "")
        return QSize(round(metrics.horizontalAdvance(words)) + 2 * _PAD, round(metrics.height()))


def two_line_height(height: float) -> int:
    """The height of a row with two lines of a font that is `height` high."""
    return round(height * _LINE * 2) + 14


def _one_line(painter: QPainter, where: QRectF, words: str) -> None:
    metrics = QFontMetricsF(painter.font())
    _draw(painter, where, metrics.elidedText(words, Qt.TextElideMode.ElideRight, where.width()))


def _two_lines(painter: QPainter, where: QRectF, words: str) -> None:
    metrics = QFontMetricsF(painter.font())
    layout = QTextLayout(words, painter.font())
    layout.beginLayout()
    first = layout.createLine()
    if first.isValid():
        first.setLineWidth(where.width())
    layout.endLayout()
    cut = first.textLength() if first.isValid() else 0
    second = metrics.elidedText(words[cut:].strip(), Qt.TextElideMode.ElideRight, where.width())
    parts = [part for part in (words[:cut].strip(), second) if part]
    step = metrics.height() * _LINE
    top = where.center().y() - step * len(parts) / 2
    for number, part in enumerate(parts):
        _draw(painter, QRectF(where.left(), top + number * step, where.width(), step), part)


def _draw(painter: QPainter, where: QRectF, words: str) -> None:
    """One line in the direction of its words, on the base line of the cells beside it."""
    right_to_left = is_right_to_left(words)
    side = Qt.AlignmentFlag.AlignRight if right_to_left else Qt.AlignmentFlag.AlignLeft
    painter.setLayoutDirection(
        Qt.LayoutDirection.RightToLeft if right_to_left else Qt.LayoutDirection.LeftToRight
    )
    flags = side | Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignAbsolute
    painter.drawText(where.toRect(), int(flags) | int(Qt.TextFlag.TextSingleLine), words)
