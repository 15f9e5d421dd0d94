"""Ten bands of labels: how many gold and silver pairs lie in each; one can be chosen."""

from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFocusEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.look.theme import current_theme, font
from app.look.tokens import RADIUS_SMALL
from app.look.words import count

_BAR = 34  # pixels that the fullest band is high
_HEIGHT = _BAR + 40
_GAP = 3.0


class BandBar(QWidget):
    """A cell a band with its count of silver pairs, as high as it holds many; gold below.

    A click or the arrows choose a band, a second click or Escape takes that back.
    """

    chosen = Signal(object)  # int, None for all bands

    def __init__(self) -> None:
        super().__init__()
        self._bands: tuple[Mapping[str, Any], ...] = ()
        self.band: int | None = None
        self.margins = (0, 0)  # pixels at the left and right, to stand under a chart
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    @property
    def limits(self) -> tuple[float, float]:
        """The labels of the chosen band, from and up to; 0 and 1 for all."""
        if self.band is None or not self._bands:
            return 0.0, 1.0
        one = self._bands[self.band]
        return float(one["low"]), float(one["high"])

    def show_bands(self, bands: Sequence[Mapping[str, Any]]) -> None:
        """Show these counts; the band that is chosen stays so."""
        self._bands = tuple(bands)
        if self.band is not None and self.band >= len(self._bands):
            self.band = None
        self._tell()

    def choose(self, band: int | None) -> None:
        """Choose a band and say so; None for all."""
        if band == self.band or (band is not None and not 0 <= band < len(self._bands)):
            return
        self.band = band
        self._tell()
        self.chosen.emit(band)

    def go(self, step: int) -> None:
        """Choose the band `step` further on, from none the first or the last."""
        if not self._bands:
            return
        last = len(self._bands) - 1
        start = (-1 if step > 0 else last + 1) if self.band is None else self.band
        self.choose(min(max(start + step, 0), last))

    def words(self, band: int) -> str:
        """A band as it is read."""
        one = self._bands[band]
        return (
            f"{one['low']:.1f} to {one['high']:.1f}: {count(int(one['silver']))} silver, "
            f"{count(int(one['gold']))} gold"
        )

    def sizeHint(self) -> QSize:
        return QSize(480, _HEIGHT)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = {Qt.Key.Key_Right: 1, Qt.Key.Key_Left: -1}.get(Qt.Key(event.key()))
        if step is not None:
            self.go(step)
        elif event.key() == Qt.Key.Key_Escape and self.band is not None:
            self.choose(None)
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        for at in range(len(self._bands)):
            if self._cell(at).contains(event.position()):
                self.choose(None if at == self.band else at)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.update()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = current_theme()
        colours = theme.colours
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        most = max((int(one["silver"]) for one in self._bands), default=0)
        centre = Qt.AlignmentFlag.AlignCenter
        for at, one in enumerate(self._bands):
            cell, is_chosen = self._cell(at), at == self.band
            edge = colours.accent if is_chosen else colours.line
            painter.setPen(QPen(QColor(edge), 2 if is_chosen and self.hasFocus() else 1))
            painter.setBrush(QColor(colours.selection if is_chosen else colours.surface))
            painter.drawRoundedRect(cell, RADIUS_SMALL, RADIUS_SMALL)
            tall = _BAR * int(one["silver"]) / most if most else 0.0
            bar = QRectF(cell.left() + 1, cell.top() + 1 + _BAR - tall, cell.width() - 2, tall)
            painter.fillRect(bar, QColor(colours.note.soft))
            painter.setFont(font(theme, "body", bold=True))
            painter.setPen(QColor(colours.ink))
            upper = QRectF(cell.left(), cell.top() + 2, cell.width(), _BAR)
            painter.drawText(upper, centre, count(int(one["silver"])))
            painter.setFont(font(theme, "meta"))
            painter.setPen(QColor(colours.muted))
            lower = QRectF(cell.left(), cell.top() + _BAR + 1, cell.width(), 17)
            painter.drawText(lower, centre, f"gold {count(int(one['gold']))}")
            below = QRectF(cell.left(), cell.bottom() + 2, cell.width(), 15)
            painter.drawText(below, centre, f"{one['low']:.1f}–{one['high']:.1f}")
        if self.hasFocus() and self.band is None:
            painter.setPen(QPen(QColor(colours.accent), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 4, 4)

    def _cell(self, at: int) -> QRectF:
        left, right = self.margins
        width = (self.width() - left - right) / max(1, len(self._bands))
        return QRectF(left + at * width + _GAP / 2, 1, width - _GAP, _BAR + 19)

    def _tell(self) -> None:
        said = [self.words(at) for at in range(len(self._bands))]
        chosen = "all bands" if self.band is None or not said else f"chosen {said[self.band]}"
        self.setAccessibleName("Labels by band")
        self.setAccessibleDescription(f"{chosen}. {'; '.join(said)}")
        self.update()
