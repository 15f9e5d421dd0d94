"""A map of points to look at."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QImage, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.look.theme import current_theme
from app.widgets.scatter_export import write_png, write_svg
from app.widgets.scatter_labels import MapLabel
from app.widgets.scatter_picture import draw_view
from app.widgets.scatter_points import Floats, Truths
from app.widgets.scatter_scene import Palette, ScatterScene
from app.widgets.scatter_sight import ScatterSight
from app.widgets.scatter_work import finish

_REACH = 9.0  # pixels from a point at which it is still meant


class ScatterStage(QWidget):
    """Points in colours with names, seen through a camera that calls may move.

    Arrays lie in the order of `show_points`.
    """

    view_changed = Signal()
    ready = Signal()  # new points are sorted: from now on they can be hit

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self._scene = ScatterScene(self)
        self._scene.changed.connect(self.update)
        self._scene.sorted.connect(self._take_points)
        self._sight = ScatterSight(self, self._scene)
        self._sight.changed.connect(self._follow_sight)

    @property
    def is_fitted(self) -> bool:
        """Whether all of the map is in sight."""
        return self._sight.is_fitted

    @property
    def is_busy(self) -> bool:
        """Whether a truer picture is on its way."""
        return self._scene.canvas.is_busy

    def show_points(self, xy: Floats, *, keep_view: bool = False) -> None:
        """Show points (n, 2), finite, y upwards: in one colour, unselected, without names."""
        self._sight.keep(view=keep_view)
        self._scene.show_points(np.ascontiguousarray(xy, dtype=np.float32).reshape(-1, 2))

    def show_colors(self, index: npt.NDArray[np.int32], palette: Palette | None = None) -> None:
        """Colour point i as `palette[index[i]]`, which repeats; -1 is grey and lies below.

        A palette may be a function of the theme; without one these are the cluster colours.
        """
        self._scene.show_colors(index, palette)

    def show_values(self, values: npt.NDArray[np.floating]) -> None:
        """Colour by a measure (n,), from faint to strong; not-a-number is grey and lies below."""
        self._scene.show_values(values)

    def show_sizes(self, copies: npt.NDArray[np.integer] | None) -> None:
        """Make points of many copies (n,) larger; None makes all alike."""
        self._scene.show_sizes(copies)

    def show_labels(
        self, labels: Sequence[MapLabel], belongs: npt.NDArray[np.integer] | None = None
    ) -> None:
        """Write names (text, x, y, weight, key) on the map, as far as there is room.

        `belongs` (n,) gives the key of each point's name, so that the names of a selection stand
        out from the others; without it none fades.
        """
        self._scene.show_labels(labels, belongs)

    def keep_clear(self, covered: Sequence[QRectF]) -> None:
        """Keep points out of these parts of the view when all or some are brought into sight."""
        self._sight.keep_clear(covered)

    def fit(self) -> None:
        """Bring all points into sight."""
        self._sight.fit(glide=self.isVisible())

    def fit_to(self, mask: Truths) -> None:
        """Bring the points of `mask` (n,) into sight, close but not closer than a clump."""
        self._sight.fit_to(mask, glide=self.isVisible())

    def zoom(self, factor: float, about: QPointF | None = None) -> None:
        """Come closer by `factor`, about a spot of the view or its middle."""
        self._sight.zoom(factor, about)

    def point_at(self, spot: QPointF) -> int:
        """The point at a spot of the view, -1 if none is near."""
        x, y = self._sight.camera.to_map(spot)
        return self._scene.points.nearest(x, y, _REACH / self._sight.camera.scale)

    def label_at(self, spot: QPointF) -> MapLabel | None:
        return self._scene.names.label_at(spot, self._sight.camera)

    def spot_of(self, x: float, y: float) -> QPointF:
        """Where a place of the map, in the units of `show_points`, is in the view."""
        return self._sight.camera.to_view(*self._scene.points.to_unit(x, y))

    def settle(self) -> None:
        """Finish at once what is otherwise done in slices: for pictures, files and tests."""
        canvas = self._scene.canvas
        canvas.finish()  # points first: where to look depends on them
        self._sight.arrive()
        canvas.look(self._sight.camera, self.devicePixelRatioF())
        canvas.finish()
        self._scene.names.draw_all(self._sight.camera, self.devicePixelRatioF())

    def image(self, scale: float = 1.0) -> QImage:
        """What is in sight, without the marks of the hand, at `scale` pixels to one of it."""
        self.settle()
        theme, points = current_theme(), self._scene.points
        shades = finish(self._scene.shades(theme).sorting(points.order))
        return draw_view(points, shades, self._scene.names, self._sight.camera, theme, scale=scale)

    def save_png(self, path: Path, scale: float = 2.0) -> None:
        """Write what is in sight as PNG. Raises `UserError` if it cannot be written."""
        write_png(self.image(scale), path)

    def save_svg(self, path: Path) -> None:
        """Write what is in sight as SVG. Raises `UserError` if it cannot be written."""
        self.settle()
        write_svg(path, self._scene, self._sight.camera, current_theme())

    def sizeHint(self) -> QSize:
        return QSize(720, 540)

    def minimumSizeHint(self) -> QSize:
        return QSize(240, 180)

    def paintEvent(self, event: QPaintEvent) -> None:
        camera, ratio = self._sight.camera, self.devicePixelRatioF()
        self._scene.canvas.look(camera, ratio)
        self._scene.paint(QPainter(self), camera, ratio)
        self._scene.canvas.go_on()

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._sight.resize(self.width(), self.height())

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.PaletteChange:
            self._scene.redress()
        super().changeEvent(event)

    def _follow_sight(self) -> None:
        if self.isVisible():
            self._scene.canvas.look(self._sight.camera, self.devicePixelRatioF())
            self._scene.canvas.make_way()
        self.update()
        self.view_changed.emit()

    def _take_points(self) -> None:
        self._sight.take_points()
        self.ready.emit()
