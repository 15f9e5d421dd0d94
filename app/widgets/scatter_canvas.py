"""The picture under a map's view: kept up to date in slices, moved at once."""

from collections.abc import Generator

import numpy as np
from PySide6.QtCore import QObject, QPointF, QRectF, Signal
from PySide6.QtGui import QColor, QPainter

from app.look.theme import Theme
from app.widgets.scatter_camera import Camera
from app.widgets.scatter_picture import Picture, fitted_camera, paint_points, point_radius
from app.widgets.scatter_points import Floats, Points, sort_points
from app.widgets.scatter_shades import Shades
from app.widgets.scatter_window import window_of
from app.widgets.scatter_work import SlicedWork, finish

_MARGIN = 160  # pixels of the view painted beyond each side, for moving about


class ScatterCanvas(QObject):
    """Owns the sorted points and their colours, and an image of what a camera sees of them.

    While the camera moves the last image moves along; a true one follows some frames later.
    """

    sorted = Signal()  # new points are ready
    painted = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.points: Points = finish(sort_points(np.empty((0, 2), np.float32)))
        self._waiting: Floats | None = None
        self._given: Shades | None = None  # in the caller's order
        self._shades: Shades | None = None  # in the order of the points
        self._picture: Picture | None = None
        self._overview: Picture | None = None
        self._camera: Camera | None = None
        self._ratio = 1.0
        self._paper = QColor("white")
        self._stale = False
        self._work = SlicedWork(self)

    @property
    def is_busy(self) -> bool:
        return self._work.is_busy

    def show_points(self, xy: Floats) -> None:
        """Sort other points; `sorted` says when. Their colours have to be given anew."""
        self._waiting = xy
        self._given = self._shades = None
        self._overview = None
        self._start()

    def show_shades(self, shades: Shades, theme: Theme) -> None:
        """Paint the points in other colours."""
        self._given, self._shades = shades, None
        self._paper = QColor(theme.colours.paper)
        self._overview = None
        self._stale = True
        self._start()

    def look(self, camera: Camera, ratio: float) -> None:
        """See the points through another camera, at `ratio` pixels to one of the view."""
        self._camera, self._ratio = camera, ratio
        if self._needs_picture() and not self._work.is_busy:
            self._start()

    def finish(self) -> None:
        """Do all waiting work now."""
        self._work.finish()

    def paint(self, painter: QPainter, camera: Camera) -> None:
        """Draw the image at hand where it belongs now."""
        if self._overview is not None and not self._is_covered(camera):
            self._draw(painter, camera, self._overview)
        if self._picture is not None:
            self._draw(painter, camera, self._picture)

    def _draw(self, painter: QPainter, camera: Camera, picture: Picture) -> None:
        place = picture.window.place_in(camera)
        if abs(camera.scale * self._ratio / picture.window.scale - 1) > 1e-9:
            picture.image.setDevicePixelRatio(1.0)
            painter.drawImage(place, picture.image)
            return
        picture.image.setDevicePixelRatio(self._ratio)
        at = (round(place.x() * self._ratio), round(place.y() * self._ratio))
        painter.drawImage(QPointF(*at) / self._ratio, picture.image)

    def _is_covered(self, camera: Camera) -> bool:
        view = QRectF(0, 0, camera.width, camera.height)
        return self._picture is not None and self._picture.window.place_in(camera).contains(view)

    def _needs_picture(self) -> bool:
        if self._camera is None or self._waiting is not None or self._stale:
            return True
        if self._picture is None or self._given is None:
            return self._given is not None
        window = self._picture.window
        if abs(window.scale / (self._camera.scale * self._ratio) - 1) > 1e-9:
            return True
        room = _MARGIN / 3
        near = QRectF(0, 0, self._camera.width, self._camera.height)
        return not window.place_in(self._camera).contains(near.adjusted(-room, -room, room, room))

    def _start(self) -> None:
        self._work.start(self._catch_up(), self._receive)

    def _catch_up(self) -> Generator[None, None, Picture | None]:
        yield
        if self._waiting is not None:
            points = yield from sort_points(self._waiting)
            self.points, self._waiting, self._picture = points, None, None
            self.sorted.emit()
        if self._given is None or self._camera is None:
            return None
        if self._shades is None:
            self._shades = yield from self._given.sorting(self.points.order)
        camera = self._camera
        whole = fitted_camera(self.points.box, camera.width, camera.height)
        radius = point_radius(self.points.count, camera, whole.scale) * self._ratio
        window = window_of(camera, self._ratio, margin=round(_MARGIN * self._ratio))
        self._stale = False
        return (yield from paint_points(self.points, self._shades, window, radius, self._paper))

    def _receive(self, picture: Picture | None) -> None:
        if picture is None:
            return
        self._picture = picture
        if picture.window.box(margin=0).contains(self.points.box):
            self._overview = picture
        self.painted.emit()
        if self._camera is not None and self._needs_picture():
            self._start()
