"""How gold and silver labels are spread, one curve over the other."""

import importlib
import threading
from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QEvent, Qt, QTimer
from PySide6.QtGui import QColor, QHideEvent, QPainter, QPaintEvent, QPen, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from app.look.theme import current_theme, set_role
from app.look.tokens import XS, M, S
from app.widgets.curve_charts import load_library

_ASK_EVERY_MS = 30
_GRACE_S = 0.01
_HEIGHT = 124
_WIDTH = 2.0  # pixels of a line
_FILLED = 46  # of 255


class DensityPlot(QWidget):
    """Silver is a filled solid line, gold a dashed one, over the labels from 0 to 1.

    The drawing library is loaded on a thread when the plot is first shown.
    """

    def __init__(self) -> None:
        super().__init__()
        self.grid: tuple[float, ...] = ()
        self.gold: tuple[float, ...] = ()
        self.silver: tuple[float, ...] = ()
        self._chart: Any = None
        self._curves: tuple[Any, Any] = (None, None)
        self._loading: threading.Thread | None = None
        self._asking = QTimer(self)
        self._asking.setInterval(_ASK_EVERY_MS)
        self._asking.timeout.connect(self._build_once_loaded)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(XS)
        self._column.addLayout(_legend())
        self._room = QWidget()  # of the chart, until it is there
        self._column.addWidget(self._room, 1)
        self.setFixedHeight(_HEIGHT)
        self.setAccessibleName("How labels are spread")

    @property
    def is_drawn(self) -> bool:
        return self._chart is not None

    def show_densities(
        self, grid: Sequence[float], gold: Sequence[float], silver: Sequence[float]
    ) -> None:
        """Show two curves over the same labels."""
        self.grid, self.gold, self.silver = tuple(grid), tuple(gold), tuple(silver)
        self._draw()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._chart is not None:
            return
        if self._loading is None:
            self._loading = threading.Thread(target=load_library, daemon=True)
            self._loading.start()
            self._loading.join(_GRACE_S)
        self._build_once_loaded()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._asking.stop()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and self._chart is not None:
            self._dress()

    def _build_once_loaded(self) -> None:
        if self._loading is not None and self._loading.is_alive():
            self._asking.start()
            return
        self._asking.stop()
        graph = importlib.import_module("pyqtgraph")
        chart = graph.PlotWidget(enableMenu=False)
        chart.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        chart.hideButtons()
        chart.setMouseEnabled(False, False)
        chart.hideAxis("left")
        chart.hideAxis("bottom")  # the bands below are its scale
        chart.setXRange(0, 1, padding=0)
        chart.getViewBox().setDefaultPadding(0)
        chart.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)
        silver = chart.plot([], [], antialias=True, fillLevel=0)
        gold = chart.plot([], [], antialias=True)
        self._chart, self._curves = chart, (silver, gold)
        self._column.replaceWidget(self._room, chart)
        self._column.setStretchFactor(chart, 1)
        self._room.deleteLater()
        self._dress()
        self._draw()

    def _draw(self) -> None:
        if self._chart is None or not self.grid:
            return
        silver, gold = self._curves
        silver.setData(self.grid, self.silver)
        gold.setData(self.grid, self.gold)
        top = max((*self.gold, *self.silver, 0.1))
        self._chart.setYRange(0, top * 1.08, padding=0)

    def _dress(self) -> None:
        colours = current_theme().colours
        chart, (silver, gold) = self._chart, self._curves
        chart.setBackground(colours.surface)
        fill = QColor(colours.note.mark)
        fill.setAlpha(_FILLED)
        # Such pens are as wide as they are told in pixels of the screen.
        wide = _WIDTH * self.devicePixelRatioF()
        silver.setPen(_pen(colours.note.mark, Qt.PenStyle.SolidLine, wide, cosmetic=True))
        silver.setBrush(fill)
        gold.setPen(_pen(colours.unsure.mark, Qt.PenStyle.DashLine, wide, cosmetic=True))


class _Line(QWidget):
    """A piece of a curve's line, for the legend."""

    def __init__(self, tone: str, style: Qt.PenStyle) -> None:
        super().__init__()
        self._tone, self._style = tone, style
        self.setFixedSize(30, 14)

    def paintEvent(self, event: QPaintEvent) -> None:
        tone = getattr(current_theme().colours, self._tone)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self._style == Qt.PenStyle.SolidLine:
            fill = QColor(tone.mark)
            fill.setAlpha(_FILLED)
            painter.fillRect(0, 7, 30, 7, fill)
        painter.setPen(_pen(tone.mark, self._style))
        painter.drawLine(0, 7, 30, 7)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self.update()


def _legend() -> QHBoxLayout:
    row = QHBoxLayout()
    row.setSpacing(S)
    for tone, style, words in (
        ("note", Qt.PenStyle.SolidLine, "Silver: labels of the teacher"),
        ("unsure", Qt.PenStyle.DashLine, "Gold: what people judged"),
    ):
        label = QLabel(words)
        set_role(label, "meta")
        row.addWidget(_Line(tone, style))
        row.addWidget(label)
        row.addSpacing(M)
    row.addStretch(1)
    return row


def _pen(colour: str, style: Qt.PenStyle, width: float = _WIDTH, *, cosmetic: bool = False) -> QPen:
    pen = QPen(QColor(colour), width)
    pen.setCosmetic(cosmetic)
    pen.setStyle(style)
    return pen
