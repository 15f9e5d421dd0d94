"""How a found text is painted: the text large, its facts small, its score a grey bar."""

from PySide6.QtCore import QEvent, QObject, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen
from PySide6.QtWidgets import (
    QAbstractItemView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
)

from app.look.icons import paint_icon
from app.look.theme import Theme, current_theme, font
from app.look.tokens import ICON_SMALL, RADIUS_SMALL, XS, L, M, S
from app.look.words import count
from app.pages.search_lines import (
    LaidText,
    Snippet,
    count_lines,
    draw,
    lay_out,
    line_height,
    snippet_of,
)
from app.pages.search_question import Hit
from app.pages.search_results import LINE_ROLE, AnyIndex, ResultLine, ResultsModel
from app.widgets.tags import Tag, paint_tag, tag_size, verdict_tag

_META_HEIGHT = 20
_PAD = 10  # above and below
_BAR = 40
_FIGURE = 40
_WIDEST = 860  # a longer line is hard to follow
_LIKE = "More like this"
_KEPT_LAYOUTS = 400
_REFERENCE = Tag("compared with", "note", "◆")


class ResultDelegate(QStyledItemDelegate):
    """Paints found texts over up to three lines; heights are measured once for a width."""

    def __init__(self, view: QAbstractItemView, model: ResultsModel) -> None:
        super().__init__(view)
        self._view, self._model = view, model
        # Asked for once: a thousand rows are measured in one go.
        self._letters = font(current_theme(), "reading")
        self._metrics = QFontMetricsF(self._letters)
        self._snippets: dict[tuple[int, int], tuple[Snippet, float]] = {}
        self._heights: dict[tuple[int, int], int] = {}
        self._layouts: dict[tuple[int, int], LaidText] = {}
        self._width = 0.0
        self.like_spot_hovered: int | None = None  # the row whose button the mouse is over

    def forget(self) -> None:
        """Other texts, or another font: measure anew."""
        self._letters = font(current_theme(), "reading")
        self._metrics = QFontMetricsF(self._letters)
        self._snippets.clear()
        self._forget_widths()

    def sizeHint(self, option: QStyleOptionViewItem, index: AnyIndex) -> QSize:
        hit = self._model.hits[index.row()]
        self._follow_width()
        height = self._heights.get(_key(hit))
        if height is None:
            height = self._height(hit)
            self._heights[_key(hit)] = height
        return QSize(100, height)

    def like_spot(self, area: QRectF) -> QRectF:
        """Where "More like this" stands in a row that fills `area`."""
        words = QFontMetricsF(font(current_theme(), "meta"))
        width = ICON_SMALL + XS + words.horizontalAdvance(_LIKE) + 2 * S
        return QRectF(area.right() - M - width, area.bottom() - _PAD - _META_HEIGHT, width,
                      _META_HEIGHT + 2)  # fmt: skip

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        line: ResultLine = index.data(LINE_ROLE)
        theme, area, state = current_theme(), QRectF(option.rect), option.state
        self._follow_width()
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        is_selected = bool(state & QStyle.StateFlag.State_Selected)
        is_hovered = bool(state & QStyle.StateFlag.State_MouseOver)
        is_current = self._view.currentIndex().row() == index.row()
        _paint_back(painter, area, theme, is_selected=is_selected, is_hovered=is_hovered)
        if is_current and self._view.hasFocus():
            painter.setPen(QPen(QColor(theme.colours.accent), 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(area.adjusted(0.5, 0.5, -0.5, -1.5))
        text = self._laid(line.hit)
        draw(painter, QPointF(area.left() + L, area.top() + _PAD), text, theme.colours)
        below = QRectF(area.left() + L, area.bottom() - _PAD - _META_HEIGHT + 1,
                       area.width() - 2 * L, _META_HEIGHT)  # fmt: skip
        if is_hovered or is_current:
            spot = self.like_spot(area)
            _paint_like(painter, spot, theme, is_meant=self.like_spot_hovered == index.row())
            below.setRight(spot.left() - S)
        _paint_facts(painter, below, line, theme)
        painter.restore()

    def _follow_width(self) -> None:
        width = float(min(self._view.viewport().width() - 2 * L, _WIDEST))
        if width != self._width:
            self._width = width
            self._forget_widths()

    def _forget_widths(self) -> None:
        self._heights.clear()
        self._layouts.clear()

    def _height(self, hit: Hit) -> int:
        snippet, advance = self._snippet(hit)
        lines = count_lines(snippet, self._letters, self._width, advance)
        return round(2 * _PAD + lines * line_height(self._metrics) + XS + _META_HEIGHT)

    def _snippet(self, hit: Hit) -> tuple[Snippet, float]:
        known = self._snippets.get(_key(hit))
        if known is None:
            made = snippet_of(hit.body, hit.marks)
            known = made, self._metrics.horizontalAdvance(made.words)
            self._snippets[_key(hit)] = known
        return known

    def _laid(self, hit: Hit) -> LaidText:
        known = self._layouts.get(_key(hit))
        if known is None:
            if len(self._layouts) > _KEPT_LAYOUTS:
                self._layouts.clear()
            snippet, _ = self._snippet(hit)
            known = lay_out(snippet, self._letters, self._width)
            self._layouts[_key(hit)] = known
        return known

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        return False  # nothing is edited here


def _key(hit: Hit) -> tuple[int, int]:
    return hit.text, hash(hit.marks)


def _paint_back(
    painter: QPainter, area: QRectF, theme: Theme, *, is_selected: bool, is_hovered: bool
) -> None:
    colours = theme.colours
    if is_selected:
        painter.fillRect(area, QColor(colours.selection))
        painter.fillRect(QRectF(area.left(), area.top(), 3, area.height()), QColor(colours.accent))
    elif is_hovered:
        painter.fillRect(area, QColor(colours.hover))
    painter.fillRect(QRectF(area.left(), area.bottom() - 1, area.width(), 1), QColor(colours.line))


def _paint_like(painter: QPainter, spot: QRectF, theme: Theme, *, is_meant: bool) -> None:
    colours = theme.colours
    if is_meant:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(colours.note.soft))
        painter.drawRoundedRect(spot, RADIUS_SMALL, RADIUS_SMALL)
    colour = colours.accent_text
    icon = QRectF(spot.left() + S, spot.center().y() - ICON_SMALL / 2, ICON_SMALL, ICON_SMALL)
    paint_icon(painter, icon, "nearest", colour)
    painter.setFont(font(theme, "meta"))
    painter.setPen(QColor(colour))
    words = spot.adjusted(S + ICON_SMALL + XS, 0, 0, 0)
    painter.drawText(words, Qt.AlignmentFlag.AlignVCenter, _LIKE)


def _paint_facts(painter: QPainter, where: QRectF, line: ResultLine, theme: Theme) -> None:
    colours = theme.colours
    middle = where.center().y()
    track = QRectF(where.left(), middle - 1.5, _BAR, 3)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(colours.line))
    painter.drawRoundedRect(track, 1.5, 1.5)
    is_checked = line.hit.checked is not None
    painter.setBrush(QColor(colours.accent if is_checked else colours.plain.mark))
    painter.drawRoundedRect(QRectF(track.left(), track.top(), max(3.0, _BAR * line.bar), 3),
                            1.5, 1.5)  # fmt: skip
    painter.setFont(font(theme, "meta"))
    metrics = QFontMetricsF(painter.font())
    painter.setPen(QColor(colours.muted))
    flags = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
    room = where.adjusted(_BAR + S, 0, 0, 0)
    painter.drawText(room, flags, figure_of(line.hit))
    room.setLeft(room.left() + _FIGURE)
    for tag in _tags(line):
        size = tag_size(tag, theme)
        spot = QRectF(room.left(), middle - size.height() / 2, size.width(), size.height())
        if spot.right() > room.right():
            break
        paint_tag(painter, spot, tag, theme)
        room.setLeft(spot.right() + S)
    painter.setFont(font(theme, "meta"))
    painter.setPen(QColor(colours.muted))
    told = metrics.elidedText(_facts(line), Qt.TextElideMode.ElideRight, room.width())
    painter.drawText(room, flags, told)


def figure_of(hit: Hit) -> str:
    """The score in figures: what the cross-encoder said, else the cosine where there is one."""
    if hit.checked is not None:
        return f"{hit.checked:.3f}"
    return f"{hit.cosine:.3f}" if hit.cosine is not None else f"{hit.score:.1f}"


def _tags(line: ResultLine) -> list[Tag]:
    tags = []
    if line.is_reference:
        tags.append(_REFERENCE)
    elif line.verdict is not None:
        tags.append(verdict_tag(line.verdict))
    if line.hit.rows > 1:
        tags.append(Tag(f"copies ×{count(line.hit.rows)}", "note"))
    return tags


def _facts(line: ResultLine) -> str:
    if line.facts is None:
        return "…"
    checked = "" if line.hit.checked is None else "checked"
    cosine = f"cosine {line.hit.cosine:.3f}" if checked and line.hit.cosine is not None else ""
    parts = (checked, cosine, line.facts.name, line.facts.source, *line.facts.cells)
    return "  ·  ".join(part for part in parts if part)
