"""Teachers beside the encoder they would teach: a dot and an interval each."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import floor, log10
from typing import Any

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.look.theme import Theme, current_theme, font
from app.look.tokens import M, S
from app.pages.multiply_words import interval_said, spread_said, teacher_names
from app.widgets.tags import Tag, ToneName, paint_tag, tag_size, tone_of

_ROW = 44
_AXIS = 24
_SIDE = 240  # pixels of the names, where there is room
_NARROW = 620
_TICKS = 4
_ROOM = 0.12  # of the span, beyond the far ends
_TEACHES = Tag("teaches", "same", "★")


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the plot."""

    name: str
    term: str  # the field's word
    figure: float
    low: float
    high: float
    told: str  # the figures, as they are read
    tone: ToneName
    teaches: bool = False


class TeacherPlot(QWidget):
    """The encoder by gold alone first, with its spread; a dashed line carries it down."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: tuple[Row, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_verdict(self, teachers: Mapping[str, Any], *, labels: bool) -> None:
        """Show a verdict; `labels` tells whether the best one may label."""
        self.rows = rows_of(teachers, labels=labels)
        said = [f"{one.name}: {one.told}{', teaches' if one.teaches else ''}" for one in self.rows]
        self.setAccessibleName(". ".join(said))
        self.setFixedHeight(self.sizeHint().height())
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(420, max(1, len(self.rows)) * self._row_height() + _AXIS)

    def minimumSizeHint(self) -> QSize:
        return QSize(280, self.sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.setFixedHeight(self.sizeHint().height())

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self.rows:
            return
        theme = current_theme()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        left = 0.0 if self._is_narrow else float(_SIDE)
        area = QRectF(left + M, 0, self.width() - left - 2 * M, self.height() - _AXIS)
        low, high = _span(self.rows)
        scale = _Scale(area, low, high)
        _draw_axis(painter, theme, scale)
        height = self._row_height()
        painter.setPen(QPen(QColor(theme.colours.plain.mark), 1, Qt.PenStyle.DashLine))
        alone = scale.x(self.rows[0].figure)
        painter.drawLine(QPointF(alone, 0), QPointF(alone, area.bottom()))
        for at, row in enumerate(self.rows):
            top = at * height
            words = QRectF(0, top + 2, left or self.width(), _ROW - 6)
            _draw_words(painter, theme, words, row, beside=not self._is_narrow)
            middle = top + height - 15 if self._is_narrow else top + 14
            _draw_row(painter, theme, scale, middle, row)
            if not self._is_narrow:
                _draw_told(painter, theme, scale, middle, row)

    @property
    def _is_narrow(self) -> bool:
        return self.width() < _NARROW

    def _row_height(self) -> int:
        return _ROW + 22 if self._is_narrow else _ROW


@dataclass(frozen=True, slots=True)
class _Scale:
    area: QRectF
    low: float
    high: float

    def x(self, value: float) -> float:
        return self.area.left() + self.area.width() * (value - self.low) / (self.high - self.low)


def rows_of(teachers: Mapping[str, Any], *, labels: bool) -> tuple[Row, ...]:
    """The lines of a verdict: the encoder by gold alone, then every teacher."""
    pupil, spread = float(teachers["pupil"]), teachers.get("spread")
    reach = float(spread or 0.0)
    term = "mean ± s.d. over seeds" if reach else ""
    rows = [
        Row(
            "Your encoder, by the gold alone", term, pupil, pupil - reach, pupil + reach,
            spread_said(pupil, spread), "plain",
        )
    ]  # fmt: skip  # in the order of the fields
    for at, one in enumerate(teachers["teachers"]):
        low, high, change = one.get("low"), one.get("high"), float(one["change"])
        told = f"{one['figure']:.3f}   {interval_said(change, low, high)}"
        ends = [pupil + (change if end is None else end) for end in (low, high)]
        tone: ToneName = "same" if (low or 0.0) > 0 else "different" if change <= 0 else "unsure"
        name, term = teacher_names(one)
        teaches = labels and at == int(teachers["best"])
        rows.append(Row(name, term, float(one["figure"]), ends[0], ends[1], told, tone, teaches))
    return tuple(rows)


def _span(rows: tuple[Row, ...]) -> tuple[float, float]:
    low = min(min(one.low, one.figure) for one in rows)
    high = max(max(one.high, one.figure) for one in rows)
    room = max(high - low, 0.01) * _ROOM
    return low - room, high + room


def _ticks(low: float, high: float) -> list[float]:
    rough = (high - low) / _TICKS
    base = 10 ** floor(log10(rough))
    step = next(one * base for one in (1, 2, 5, 10) if one * base >= rough)
    first = floor(low / step) + 1
    return [step * at for at in range(first, first + 12) if step * at < high]


def _draw_axis(painter: QPainter, theme: Theme, scale: _Scale) -> None:
    painter.setFont(font(theme, "meta"))
    ticks = _ticks(scale.low, scale.high)
    places = 2 if len(ticks) < 2 or ticks[1] - ticks[0] >= 0.0099 else 3
    for value in ticks:
        x = scale.x(value)
        painter.setPen(QPen(QColor(theme.colours.line), 1))
        painter.drawLine(QPointF(x, 0), QPointF(x, scale.area.bottom()))
        painter.setPen(QColor(theme.colours.muted))
        spot = QRectF(x - 30, scale.area.bottom() + 5, 60, 16)
        painter.drawText(spot, Qt.AlignmentFlag.AlignHCenter, f"{value:.{places}f}")


def _draw_words(painter: QPainter, theme: Theme, where: QRectF, row: Row, *, beside: bool) -> None:
    strong, small = font(theme, "body", bold=row.teaches), font(theme, "meta")
    tag = tag_size(_TEACHES, theme).width() + S if row.teaches else 0
    room = where.width() - S - (tag if not beside else 0)
    painter.setFont(strong)
    painter.setPen(QColor(theme.colours.ink))
    name = QFontMetricsF(strong).elidedText(row.name, Qt.TextElideMode.ElideRight, room)
    line = QRectF(where.left(), where.top(), where.width() - S, 18)
    painter.drawText(line, Qt.AlignmentFlag.AlignLeft, name)
    below = QRectF(where.left(), where.top() + 19, where.width() - S, 16)
    x = below.left()
    if row.teaches:
        size = tag_size(_TEACHES, theme)
        paint_tag(painter, QRectF(x, below.top(), size.width(), size.height()), _TEACHES, theme)
        x += tag
    painter.setFont(small)
    painter.setPen(QColor(theme.colours.muted))
    words = row.term if beside else f"{row.told}   {row.term}"
    told = QFontMetricsF(small).elidedText(words, Qt.TextElideMode.ElideRight, below.right() - x)
    painter.drawText(QRectF(x, below.top() + 1, below.right() - x, 16),
                     Qt.AlignmentFlag.AlignLeft, told)  # fmt: skip  # one line


def _draw_row(painter: QPainter, theme: Theme, scale: _Scale, middle: float, row: Row) -> None:
    tone = tone_of(theme, row.tone)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(tone.mark))
    painter.setOpacity(0.35)
    width = max(2.0, scale.x(row.high) - scale.x(row.low))
    painter.drawRoundedRect(QRectF(scale.x(row.low), middle - 4, width, 8), 4, 4)
    painter.setOpacity(1)
    painter.setPen(QPen(QColor(theme.colours.surface), 1.5))
    spot = QRectF(scale.x(row.figure) - 5.5, middle - 5.5, 11, 11)
    if row.tone == "plain":  # another shape than that of a teacher
        painter.drawRect(spot.adjusted(1, 1, -1, -1))
    else:
        painter.drawEllipse(spot)


def _draw_told(painter: QPainter, theme: Theme, scale: _Scale, middle: float, row: Row) -> None:
    """The figures under the interval, within the area."""
    small = font(theme, "meta")
    painter.setFont(small)
    painter.setPen(QColor(theme.colours.muted))
    width = QFontMetricsF(small).horizontalAdvance(row.told) + 2
    left = scale.x(row.figure) - width / 2
    left = min(max(left, scale.area.left()), scale.area.right() - width)
    # Over the lines, so that they cross no figure.
    painter.fillRect(QRectF(left - 3, middle + 7, width + 4, 16), QColor(theme.colours.paper))
    painter.drawText(QRectF(left, middle + 7, width, 16), Qt.AlignmentFlag.AlignLeft, row.told)
