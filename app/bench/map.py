"""The map under a hand that never rests: frames, hover, lasso and colours, beside pyqtgraph."""

import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import psutil
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QApplication, QWidget

from app.bench.frames import PaintWatch, paced, until
from app.bench.map_scene import (
    SIZE,
    made_canvas,
    made_clusters,
    made_colourings,
    made_picture,
)
from app.look.theme import apply_theme, current_theme
from app.main import application
from app.pages.map_canvas import MapCanvas
from app.pages.map_colours import colour_clusters

_STEP = 7  # pixels between two moments of a drag
_DRAG = 40  # moments there, and as many back
_NOTCHES = 12  # of the wheel, in and out again
_HOVERS = 300
_LASSOS, _COLOURS = 9, 6
_LEFT = Qt.MouseButton.LeftButton


def measure_map(told: Mapping[str, Any]) -> dict[str, Any]:
    """Measure the canvas with the points in a file; both sides in turn, in this process.

    `told` holds points (an .npz with xy and cluster), repeats and peers. Answers milliseconds:
    frames of both sides, hovers, lassos, colours, and the first picture.
    """
    app: QApplication = application()
    apply_theme(app, "light")
    process = psutil.Process()
    canvas = made_canvas()
    QApplication.processEvents()
    before = process.memory_info().rss
    hand = _Hand(canvas, Path(told["points"]))
    answer: dict[str, Any] = {
        "first_picture": hand.first_picture_ms,
        "mb": (process.memory_info().rss - before) / 2**20,
    }
    ours: list[float] = []
    theirs: list[float] = []
    other = _Other(hand.xy) if told["peers"] else None
    for _ in range(told["repeats"]):
        ours += hand.frames()
        if other is not None:
            theirs += other.frames()
    answer |= {
        "ours": _ms(ours),
        "theirs": _ms(theirs),
        "hover": _ms(hand.hovers()),
        "lasso": _ms(hand.lassos()),
        "recolour": _ms(hand.colours()),
    }
    hand.canvas.close()
    if other is not None:
        other.close()
    return answer


class _Hand:
    """Moves, points at, rings and recolours the real canvas by real events."""

    def __init__(self, canvas: MapCanvas, points: Path) -> None:
        """Show the points of a file of arrays, as a project's cache keeps them."""
        self.canvas = canvas
        self._view = canvas.view
        self._watch = PaintWatch(canvas.view)
        begun = time.perf_counter()
        with np.load(points) as held:
            self.xy, cluster = held["xy"], held["cluster"]
        picture = made_picture(self.xy)
        clusters = made_clusters(picture, cluster)
        canvas.show_picture(picture, keep_view=False)
        canvas.show_clusters(clusters)
        canvas.show_colouring(colour_clusters(clusters, picture, current_theme()))
        until(lambda: not self._view.is_busy)
        painted = self._watch.count
        self._view.update()
        self._watch.wait(painted)
        self.first_picture_ms = (time.perf_counter() - begun) * 1000
        self._colourings = made_colourings(picture, clusters)

    def frames(self) -> list[float]:
        """Drag the map to and fro, then turn the wheel in and out; seconds of each frame."""
        self._view.set_tool("pan")
        self._view.fit()
        until(lambda: not self._view.is_busy)
        middle = QPointF(SIZE[0] / 2, SIZE[1] / 2)
        waits = paced(self._wheel(middle, +1, _NOTCHES // 2), self._watch)
        self._mouse(QEvent.Type.MouseButtonPress, middle, _LEFT)
        waits += paced(self._drag(middle), self._watch)
        self._mouse(QEvent.Type.MouseButtonRelease, middle, _LEFT)
        waits += paced(self._wheel(middle, +1, _NOTCHES // 2), self._watch)
        return waits + paced(self._wheel(middle, -1, _NOTCHES), self._watch)

    def hovers(self) -> list[float]:
        """Move the pointer about and ask what it points at; seconds of each."""
        self._view.fit()
        until(lambda: not self._view.is_busy)
        random = np.random.default_rng(0)
        waits = []
        for x, y in random.uniform(0.05, 0.95, (_HOVERS, 2)) * SIZE:
            spot = QPointF(x, y)
            begun = time.perf_counter()
            self._mouse(QEvent.Type.MouseMove, spot)
            self._view.point_at(spot)
            waits.append(time.perf_counter() - begun)
        return waits

    def lassos(self) -> list[float]:
        """Draw around points; seconds from letting the button go to the selection being told."""
        self._view.set_tool("lasso")
        waits = []
        for number in range(_LASSOS):
            middle = np.array(SIZE) * (0.4 + 0.025 * number)
            turns = np.linspace(0, 2 * np.pi, 48)
            path = middle + 180 * np.stack([np.cos(turns), np.sin(turns)], axis=1)
            spots = [QPointF(x, y) for x, y in path.tolist()]
            self._mouse(QEvent.Type.MouseButtonPress, spots[0], _LEFT)
            for spot in spots:
                self._mouse(QEvent.Type.MouseMove, spot, held=_LEFT)
            begun = time.perf_counter()
            self._mouse(QEvent.Type.MouseButtonRelease, spots[-1], _LEFT)
            waits.append(time.perf_counter() - begun)
            until(lambda: not self._view.is_busy)
        self._view.clear_selection()
        self._view.set_tool("pan")
        return waits

    def colours(self) -> list[float]:
        """Colour the points in another way; seconds until the true picture is painted."""
        waits = []
        for number in range(_COLOURS):
            until(lambda: not self._view.is_busy)
            begun = time.perf_counter()
            self.canvas.show_colouring(self._colourings[(number + 1) % 2])
            until(lambda: not self._view.is_busy)
            painted = self._watch.count
            self._view.update()
            self._watch.wait(painted)
            waits.append(time.perf_counter() - begun)
        return waits

    def _drag(self, start: QPointF) -> Iterator[Callable[[], None]]:
        for step in (*range(1, _DRAG + 1), *range(_DRAG - 1, -1, -1)):
            spot = start + QPointF(_STEP * step, 3 * step)
            yield lambda spot=spot: self._mouse(QEvent.Type.MouseMove, spot, held=_LEFT)  # type: ignore[misc]  # the default only binds the spot of this moment

    def _wheel(self, spot: QPointF, way: int, count: int) -> Iterator[Callable[[], None]]:
        def turn() -> None:
            event = QWheelEvent(
                spot, self._view.mapToGlobal(spot), QPoint(), QPoint(0, 120 * way),
                Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier,
                Qt.ScrollPhase.NoScrollPhase, False,
            )  # fmt: skip
            QApplication.sendEvent(self._view, event)

        for _ in range(count):
            yield turn

    def _mouse(
        self,
        kind: QEvent.Type,
        spot: QPointF,
        button: Qt.MouseButton = Qt.MouseButton.NoButton,
        held: Qt.MouseButton = Qt.MouseButton.NoButton,
    ) -> None:
        event = QMouseEvent(
            kind, spot, self._view.mapToGlobal(spot), button, held,
            Qt.KeyboardModifier.NoModifier,
        )  # fmt: skip
        QApplication.sendEvent(self._view, event)


class _Other:
    """The same motions on pyqtgraph's plot, by calls, which spares it the events."""

    def __init__(self, xy: NDArray[np.float32]) -> None:
        import pyqtgraph

        self._plot = pyqtgraph.PlotWidget(background="w")
        self._plot.addItem(
            pyqtgraph.ScatterPlotItem(
                x=xy[:, 0], y=xy[:, 1], size=3, pen=None, brush="#3060c0", antialias=False
            )
        )
        self._plot.resize(*SIZE)
        self._plot.show()
        self._box: Any = self._plot.getViewBox()
        port: QWidget = self._plot.viewport()
        self._watch = PaintWatch(port)
        self._watch.wait(0)

    def frames(self) -> list[float]:
        """The drag and the wheel of `_Hand.frames`; seconds of each frame."""
        self._box.autoRange()
        self._watch.wait(self._watch.count)
        waits = paced(self._zooms(+1, _NOTCHES // 2), self._watch)
        waits += paced(self._pans(), self._watch)
        waits += paced(self._zooms(+1, _NOTCHES // 2), self._watch)
        return waits + paced(self._zooms(-1, _NOTCHES), self._watch)

    def close(self) -> None:
        self._plot.close()

    def _zooms(self, way: int, count: int) -> Iterator[Callable[[], None]]:
        factor = 2.0 ** (-way * 120 / 360)  # what a notch does on our map
        for _ in range(count):
            yield lambda: self._box.scaleBy((factor, factor))

    def _pans(self) -> Iterator[Callable[[], None]]:
        for way in (+1, -1):
            for _ in range(_DRAG):
                wide, tall = self._box.viewPixelSize()
                yield lambda way=way, wide=wide, tall=tall: self._box.translateBy(  # type: ignore[misc]  # the defaults only bind this moment's
                    x=-way * _STEP * wide, y=way * 3 * tall
                )


def _ms(seconds: list[float]) -> list[float]:
    return [one * 1000 for one in seconds]
