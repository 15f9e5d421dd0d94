"""The drawing of a training's curves by pyqtgraph, which is loaded only where it is needed."""

import importlib
from collections.abc import Iterator, Sequence
from typing import Any

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QColor, QPen
from PySide6.QtWidgets import QSizePolicy

from app.look.theme import current_theme, font
from app.widgets.curve_points import Curves

_LIBRARY = "pyqtgraph"
_AXIS_WIDTH = 52  # pixels, the same for both, so that steps stand under each other
_AXIS_HEIGHT = 40
_SPARE_HEIGHT = 6
_LEAST_HEIGHT = 84
_BESIDE = [(0, 0.5), (0, 0.5)]  # a stage's name stands to the right of its line
_SOFT = 110  # of 255: how strong the line of single losses is


def load_library() -> None:
    """Load pyqtgraph; takes half a second the first time, on any thread."""
    importlib.import_module(_LIBRARY)


class Charts(QObject):
    """Two charts over one axis of steps, dressed in our tokens; neither can be dragged."""

    pointed = Signal(object)  # the step under the mouse, None beside the charts

    def __init__(self) -> None:
        super().__init__()
        self._graph: Any = importlib.import_module(_LIBRARY)
        self._lines: list[Any] = []
        self._bounds: list[Any] = []  # upright lines where a stage begins

    def build(self) -> Iterator[None]:
        """Make the charts in parts of some 30 ms, so that the window need not wait for all."""
        self.held = self._chart("Held-out score")
        yield
        self.loss = self._chart("Training loss")
        yield
        self.held.setXLink(self.loss)
        self._before = self._graph.InfiniteLine(angle=0)
        self._held_line = self.held.plot([], [], symbol="o", symbolSize=5, antialias=True)
        self._best = self.held.plot([], [], pen=None, symbol="o", symbolSize=13, antialias=True)
        self.held.addItem(self._before, ignoreBounds=True)
        self._single = self.loss.plot([], [], antialias=True, connect="finite")
        self._smooth = self.loss.plot([], [], antialias=True, connect="finite")
        # Steps stand once, under both.
        self.held.getAxis("bottom").setStyle(showValues=False)
        self.held.getAxis("bottom").setHeight(_SPARE_HEIGHT)
        self.loss.getAxis("bottom").setHeight(_AXIS_HEIGHT)
        for chart in (self.held, self.loss):
            line = self._graph.InfiniteLine(angle=90)
            line.hide()
            chart.addItem(line, ignoreBounds=True)
            chart.scene().sigMouseMoved.connect(lambda spot, one=chart: self._point(one, spot))
            chart.installEventFilter(self)
            self._lines.append(line)
        self.dress()

    def draw(self, curves: Curves, total: int | None) -> None:
        """Show these points on an axis of `total` steps."""
        self.held.setVisible(bool(curves.held))
        self._held_line.setData(curves.held_steps, curves.held)
        best = curves.best
        ring = ([], []) if best is None else ([curves.held_steps[best]], [curves.held[best]])
        self._best.setData(*ring)
        begins = bool(curves.held) and curves.held_steps[0] == 0
        self._before.setVisible(begins)
        if begins:
            self._before.setValue(curves.held[0])
        self._single.setData(*curves.broken(curves.loss))
        self._smooth.setData(*curves.broken(curves.smooth))
        self._bound(curves.stages)
        last = max((*curves.loss_steps[-1:], *curves.held_steps[-1:], float(total or 1)))
        self.loss.setXRange(0, last, padding=0.015)

    def dress(self) -> None:
        """Take the colours and sizes of the theme worn now."""
        theme = current_theme()
        colours = theme.colours
        small = font(theme, "meta")
        for chart in (self.held, self.loss):
            chart.setBackground(colours.surface)
            for side in ("left", "bottom"):
                axis = chart.getAxis(side)
                axis.setTickFont(small)
                axis.setPen(self._pen(colours.line))
                axis.setTickPen(self._pen(colours.line))
                axis.setTextPen(self._pen(colours.muted))
            chart.getViewBox().setBorder(self._pen(colours.line))
        self.loss.getAxis("bottom").setLabel(
            "step", **{"color": colours.muted, "font-size": f"{theme.sizes.meta}px"}
        )
        ink, soft = QColor(colours.ink), QColor(colours.plain.mark)
        soft.setAlpha(_SOFT)
        self._held_line.setPen(self._pen(ink, 1.75))
        self._held_line.setSymbolPen(self._pen(ink))
        self._held_line.setSymbolBrush(ink)
        self._best.setSymbolPen(self._pen(colours.same.mark, 2.5))
        self._best.setSymbolBrush(None)
        self._before.setPen(self._pen(colours.muted, 1, Qt.PenStyle.DashLine))
        self._single.setPen(self._pen(soft))
        self._smooth.setPen(self._pen(ink, 1.75))
        for line in self._lines:
            line.setPen(self._pen(colours.outline))
        self._dress_bounds()

    def eventFilter(self, watched: QObject, event: Any) -> bool:
        if event.type() == event.Type.Leave:
            for line in self._lines:
                line.hide()
            self.pointed.emit(None)
        return super().eventFilter(watched, event)

    def _bound(self, stages: Sequence[tuple[float, str]]) -> None:
        """Draw an upright line where each stage begins, with its name beside the loss."""
        if len(self._bounds) == 2 * len(stages):
            return
        for line in self._bounds:
            for chart in (self.held, self.loss):
                chart.removeItem(line)
        self._bounds = []
        for step, name in stages:
            for chart, label in ((self.held, None), (self.loss, name)):
                line = self._graph.InfiniteLine(
                    step, angle=90, label=label, labelOpts={"position": 0.9, "anchors": _BESIDE}
                )
                chart.addItem(line, ignoreBounds=True)
                self._bounds.append(line)
        self._dress_bounds()

    def _dress_bounds(self) -> None:
        theme = current_theme()
        for line in self._bounds:
            line.setPen(self._pen(theme.colours.outline, 1, Qt.PenStyle.DotLine))
            label = getattr(line, "label", None)
            if label is not None:
                label.setColor(QColor(theme.colours.muted))
                label.textItem.setFont(font(theme, "meta"))

    def _point(self, chart: Any, spot: Any) -> None:
        box = chart.getViewBox()
        inside = box.sceneBoundingRect().contains(spot)
        step = box.mapSceneToView(spot).x() if inside else None
        for line in self._lines:
            line.setVisible(inside)
            if step is not None:
                line.setValue(step)
        self.pointed.emit(step)

    def _chart(self, name: str) -> Any:
        chart = self._graph.PlotWidget(enableMenu=False)
        chart.setAccessibleName(name)
        chart.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        chart.hideButtons()
        chart.setMouseEnabled(False, False)
        chart.getViewBox().setDefaultPadding(0.12)
        left, bottom = chart.getAxis("left"), chart.getAxis("bottom")
        for axis in (left, bottom):
            axis.enableAutoSIPrefix(False)
            axis.setStyle(tickLength=-4, tickTextOffset=6, hideOverlappingLabels=True)
        left.setWidth(_AXIS_WIDTH)
        chart.setMinimumHeight(_LEAST_HEIGHT)
        chart.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)
        return chart

    @staticmethod
    def _pen(
        colour: str | QColor, width: float = 1, style: Qt.PenStyle = Qt.PenStyle.SolidLine
    ) -> QPen:
        pen = QPen(QColor(colour), width, style)
        pen.setCosmetic(True)
        return pen
