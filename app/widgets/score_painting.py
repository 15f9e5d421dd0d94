"""How the histogram of cosines is drawn."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen

from app.look.theme import Theme, font

_GRIP_WIDTH = 12
_GRIP_HEIGHT = 18
_ZONES = ("left alone", "review", "removed automatically")
_GAP = 8


@dataclass(frozen=True, slots=True)
class Picture:
    """All that is in the picture, in logical pixels and cosines."""

    plot: QRectF
    heights: Sequence[float]  # 0 to 1, one per bin
    nothing: str  # what is said where there are none
    floor: float
    low: float
    high: float
    low_x: float
    high_x: float
    zone_figures: tuple[str, str, str] | None  # under the zones' names
    stale: bool
    active: str  # the handle with the keys, or empty
    over: str  # the handle under the mouse, or empty


def draw(painter: QPainter, picture: Picture, theme: Theme) -> None:
    """Draw bars, zones, handles and scale."""
    if not picture.heights:
        _draw_scale(painter, picture, theme)
        _say(painter, picture, theme, picture.nothing)
        return
    _draw_zones(painter, picture, theme)
    _draw_bars(painter, picture, theme)
    _draw_scale(painter, picture, theme)
    _draw_names(painter, picture, theme)
    for name, x, value in (
        ("low", picture.low_x, picture.low),
        ("high", picture.high_x, picture.high),
    ):
        _draw_handle(painter, picture, theme, name, x, value)


def _zone_edges(picture: Picture) -> tuple[tuple[float, float], ...]:
    plot = picture.plot
    return (
        (plot.left(), picture.low_x),
        (picture.low_x, picture.high_x),
        (picture.high_x, plot.right()),
    )


def _zone_colours(theme: Theme) -> tuple[str, str, str]:
    colours = theme.colours
    return colours.plain.mark, colours.unsure.mark, colours.different.mark


def _draw_zones(painter: QPainter, picture: Picture, theme: Theme) -> None:
    softs = (None, theme.colours.unsure.soft, theme.colours.different.soft)
    for (left, right), soft in zip(_zone_edges(picture), softs, strict=True):
        if soft is not None and right > left:
            plot = picture.plot
            colour = QColor(soft)
            colour.setAlphaF(0.55)
            painter.fillRect(QRectF(left, plot.top() - 4, right - left, plot.height() + 4), colour)


def _draw_bars(painter: QPainter, picture: Picture, theme: Theme) -> None:
    """Bars in the colour of their zone; a bar that a handle cuts has both colours."""
    plot, bins = picture.plot, len(picture.heights)
    width = plot.width() / bins
    gap = 1.0 if width > 4 else 0.0
    painter.setPen(Qt.PenStyle.NoPen)
    for (left, right), name in zip(_zone_edges(picture), _zone_colours(theme), strict=True):
        colour = QColor(name)
        colour.setAlphaF(0.35 if picture.stale else 0.8)
        painter.save()
        painter.setClipRect(QRectF(left, 0, max(0.0, right - left), plot.bottom()))
        painter.setBrush(colour)
        for place, height in enumerate(picture.heights):
            tall = max(1.5, height * plot.height()) if height > 0 else 0.0
            bar = QRectF(plot.left() + place * width, plot.bottom() - tall, width - gap, tall)
            painter.fillRect(bar, colour)
        painter.restore()


def _draw_scale(painter: QPainter, picture: Picture, theme: Theme) -> None:
    plot = picture.plot
    painter.setPen(QPen(QColor(theme.colours.outline), 1))
    painter.drawLine(QPointF(plot.left(), plot.bottom()), QPointF(plot.right(), plot.bottom()))
    painter.setFont(font(theme, "meta"))
    painter.setPen(QColor(theme.colours.muted))
    steps = round((1.0 - picture.floor) / 0.05)
    for step in range(steps + 1):
        value = picture.floor + step * 0.05
        x = plot.left() + plot.width() * step * 0.05 / (1.0 - picture.floor)
        if picture.heights and min(abs(x - picture.low_x), abs(x - picture.high_x)) < 40:
            continue
        spot = QRectF(x - 24, plot.bottom() + 5, 48, 14)
        if step == 0:
            spot.moveLeft(plot.left() - 12)
            painter.drawText(spot, Qt.AlignmentFlag.AlignLeft, f"{value:.2f}")
        elif step == steps:
            spot.moveRight(plot.right() + 12)
            painter.drawText(spot, Qt.AlignmentFlag.AlignRight, f"{value:.2f}")
        else:
            painter.drawText(spot, Qt.AlignmentFlag.AlignHCenter, f"{value:.2f}")


def _draw_names(painter: QPainter, picture: Picture, theme: Theme) -> None:
    """The zones' names and figures on one line, each over its zone, none over another."""
    metrics = QFontMetricsF(font(theme, "meta"))
    bold = QFontMetricsF(font(theme, "meta", bold=True))
    figures = picture.zone_figures or ("", "", "")
    widths = [
        max(metrics.horizontalAdvance(name), bold.horizontalAdvance(figure))
        for name, figure in zip(_ZONES, figures, strict=True)
    ]
    tones = (theme.colours.plain, theme.colours.unsure, theme.colours.different)
    for x, width, name, figure, tone in zip(
        _name_places(picture, widths), widths, _ZONES, figures, tones, strict=True
    ):
        painter.setPen(QColor(tone.text))
        painter.setFont(font(theme, "meta"))
        centre = Qt.AlignmentFlag.AlignHCenter
        painter.drawText(QRectF(x - 1, 2, width + 2, 16), centre, name)
        painter.setFont(font(theme, "meta", bold=True))
        painter.drawText(QRectF(x - 1, 17, width + 2, 16), centre, figure)


def _name_places(picture: Picture, widths: Sequence[float]) -> list[float]:
    """The left ends: centred over the zones, then pushed apart, the last from the right edge."""
    left_most, right_most = picture.plot.left() - 12, picture.plot.right() + 12
    places = [
        (left + right - width) / 2
        for (left, right), width in zip(_zone_edges(picture), widths, strict=True)
    ]
    places[2] = min(places[2], right_most - widths[2])
    places[1] = min(places[1], places[2] - _GAP - widths[1])
    places[0] = max(left_most, min(places[0], places[1] - _GAP - widths[0]))
    places[1] = max(places[1], places[0] + widths[0] + _GAP)
    places[2] = max(places[2], places[1] + widths[1] + _GAP)
    return places


def _draw_handle(
    painter: QPainter, picture: Picture, theme: Theme, name: str, x: float, value: float
) -> None:
    colours = theme.colours
    plot = picture.plot
    tone = colours.unsure if name == "low" else colours.different
    hot = name in (picture.active, picture.over)
    painter.setPen(QPen(QColor(tone.text), 2 if hot else 1.25))
    painter.drawLine(QPointF(x, plot.top() - 4), QPointF(x, plot.bottom()))
    grip = QRectF(x - _GRIP_WIDTH / 2, plot.bottom() - _GRIP_HEIGHT / 2, _GRIP_WIDTH, _GRIP_HEIGHT)
    if name == picture.active:
        painter.setPen(QPen(QColor(colours.accent), 2))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(grip.adjusted(-3, -3, 3, 3), 8, 8)
    painter.setPen(QPen(QColor(tone.text), 1.5))
    painter.setBrush(QColor(tone.soft if hot else colours.surface))
    painter.drawRoundedRect(grip, 5, 5)
    for shift in (-1.75, 1.75):
        middle = grip.center().y()
        painter.drawLine(QPointF(x + shift, middle - 3.5), QPointF(x + shift, middle + 3.5))
    _draw_value(painter, picture, theme, name, x, value)


def _draw_value(
    painter: QPainter, picture: Picture, theme: Theme, name: str, x: float, value: float
) -> None:
    """The handle's figure under it; two close ones stand to either side."""
    words = f"{value:.3f}"
    width = QFontMetricsF(font(theme, "meta", bold=True)).horizontalAdvance(words) + 2
    left = x - width / 2
    if picture.high_x - picture.low_x < width + 4:
        middle = (picture.high_x + picture.low_x) / 2
        left = middle - width - 2 if name == "low" else middle + 2
        overflow = max(0.0, middle + 2 + width - (picture.plot.right() + 13))
        underflow = max(0.0, picture.plot.left() - 13 - (middle - width - 2))
        left += underflow - overflow
    left = min(max(left, picture.plot.left() - 13), picture.plot.right() + 13 - width)
    tone = theme.colours.unsure if name == "low" else theme.colours.different
    painter.setPen(QColor(tone.text))
    painter.setFont(font(theme, "meta", bold=True))
    spot = QRectF(left, picture.plot.bottom() + 9, width, 14)
    painter.drawText(spot, Qt.AlignmentFlag.AlignHCenter, words)


def _say(painter: QPainter, picture: Picture, theme: Theme, words: str) -> None:
    painter.setPen(QColor(theme.colours.muted))
    painter.setFont(font(theme, "body"))
    painter.drawText(picture.plot, Qt.AlignmentFlag.AlignCenter, words)
