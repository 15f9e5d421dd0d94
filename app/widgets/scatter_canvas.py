"""The picture under a map's view: kept up to date in slices, moved at once."""

from collections.abc import Generator

import numpy as np
from PySide6.QtCore import QObject, QRectF, Signal
from PySide6.QtGui import QColor, QPainter

from app.look.theme import Theme
from app.widgets.scatter_camera import Camera
from app.widgets.scatter_picture import fitted_camera, point_radius
from app.widgets.scatter_points import Floats, Points, sort_points
from app.widgets.scatter_shades import Shades
from app.widgets.scatter_tiles import Look, Tiles
from app.widgets.scatter_work import SlicedWork, finish

_AROUND = 160  # pixels of the view painted beyond each side, for moving about
_HALF_DONE = 0.5  # of a view, from which on it is finished before another scale


class ScatterCanvas(QObject):
    """Owns the sorted points and their colours, and the tiles that a camera sees of them.

    While the camera moves the tiles there are move along, larger or smaller where they have to.
    The true ones take their place all at once, when they fill the view.
    """

    sorted = Signal()  # new points are ready
    painted = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.points: Points = finish(sort_points(np.empty((0, 2), np.float32)))
        self._waiting: Floats | None = None
        self._given: Shades | None = None  # in the caller's order
        self._shades: Shades | None = None  # in the order of the points
        self._shown: Tiles | None = None
        self._coming: Tiles | None = None  # truer ones, until they fill the view
        self._overview: Tiles | None = None  # the last ones that showed all of the map
        self._camera: Camera | None = None
        self._ratio = 1.0
        self._paper = QColor("white")
        self._work = SlicedWork(self)

    @property
    def is_busy(self) -> bool:
        """Whether what is in sight is not yet what it should be."""
        return self._work.is_busy and not self._is_true()

    def show_points(self, xy: Floats) -> None:
        """Sort other points; `sorted` says when. Their colours have to be given anew."""
        self._waiting = xy
        self._given = self._shades = None
        self._coming = self._overview = None
        self._start()

    def show_shades(self, shades: Shades, theme: Theme) -> None:
        """Paint the points in other colours."""
        self._given, self._shades = shades, None
        self._paper = QColor(theme.colours.paper)
        self._coming = self._overview = None
        self._start()

    def look(self, camera: Camera, ratio: float) -> None:
        """See the points through another camera, at `ratio` pixels to one of the view."""
        is_other = (camera, ratio) != (self._camera, self._ratio)
        self._camera, self._ratio = camera, ratio
        if self._given is None or self._waiting is not None:
            return
        if is_other and self._is_overtaken():
            self._coming = None
            self._start()
        elif not self._work.is_busy and (is_other or not self._is_true()):
            self._start()

    def make_way(self) -> None:
        """Let a paint that is due come first; `go_on` says that it has come."""
        self._work.make_way()

    def go_on(self) -> None:
        self._work.go_on()

    def rest(self) -> None:
        """Paint nothing more beside what is in sight: nobody looks."""
        if self._is_true():
            self._work.stop()

    def finish(self) -> None:
        """Do all waiting work now."""
        self._work.finish()

    def paint(self, painter: QPainter, camera: Camera, ratio: float, paper: QColor) -> None:
        """Draw the tiles at hand where they belong now, over paper."""
        shown = self._shown
        is_whole = shown is not None and self._fits(shown, camera, ratio)
        if shown is None or not is_whole or not shown.covers(camera, ratio):
            view = QRectF(0, 0, camera.width, camera.height)
            painter.fillRect(view, paper)
            if self._overview is not None and self._overview is not shown:
                self._overview.draw(painter, camera, ratio)
        if shown is not None:
            shown.draw(painter, camera, ratio)

    def _is_true(self) -> bool:
        """Whether the view is filled by tiles of its own scale, in the colours given last."""
        camera, shown = self._camera, self._shown
        if self._waiting is not None or camera is None:
            return False
        if self._given is None or shown is None:
            return self._given is None
        is_new = self._shades is not None and shown.look.shades is self._shades
        return is_new and self._fits(shown, camera, self._ratio) and shown.covers(
            camera, self._ratio
        )  # fmt: skip

    def _is_overtaken(self) -> bool:
        """Whether the tiles being painted are of a scale that is seen no more."""
        camera, coming = self._camera, self._coming
        if coming is None or camera is None or self._fits(coming, camera, self._ratio):
            return False
        return coming.share(self._seen_by(coming, camera), self._ratio) < _HALF_DONE

    def _fits(self, tiles: Tiles, camera: Camera, ratio: float) -> bool:
        return tiles.look.is_like(camera.scale * ratio, self._radius(camera) * ratio)

    def _radius(self, camera: Camera) -> float:
        whole = fitted_camera(self.points.box, camera.width, camera.height)
        return point_radius(self.points.count, camera, whole.scale)

    def _start(self) -> None:
        self._work.start(self._catch_up(), self._end)

    def _catch_up(self) -> Generator[None, None, None]:
        yield
        if self._waiting is not None:
            points = yield from sort_points(self._waiting)
            self.points, self._waiting, self._shown = points, None, None
            self.sorted.emit()
        if self._given is None or self._camera is None:
            return
        if self._shades is None:
            self._shades = yield from self._given.sorting(self.points.order)
        yield from self._fill(self._shades)

    def _fill(self, shades: Shades) -> Generator[None, None, None]:
        """Paint tile by tile what the camera sees, wherever it goes meanwhile."""
        while self._camera is not None:
            tiles = self._tiles_for(self._camera, shades)
            seen = self._seen_by(tiles, self._camera)
            spot = tiles.missing(seen, self._ratio)
            if spot is not None:
                yield from tiles.paint(spot)
                if tiles is self._shown:
                    self.painted.emit()
                yield
            elif tiles is not self._shown:
                self._show(tiles, self._camera)
            else:
                spot = tiles.missing(seen, self._ratio, around=round(_AROUND * self._ratio))
                if spot is None:
                    return
                yield from tiles.paint(spot)

    def _tiles_for(self, camera: Camera, shades: Shades) -> Tiles:
        """The tiles to go on with: those shown, those that are coming, or new ones."""
        shown, coming, ratio = self._shown, self._coming, self._ratio
        if shown is not None and shown.look.shades is shades and self._fits(shown, camera, ratio):
            self._coming = None
            return shown
        if coming is None or coming.look.shades is not shades:
            look = Look(
                self.points, shades, camera.scale * ratio, self._radius(camera) * ratio,
                self._paper,
            )  # fmt: skip
            self._coming = coming = Tiles(look, shown)
        return coming

    def _seen_by(self, tiles: Tiles, camera: Camera) -> Camera:
        """The camera, as near as the one that the tiles are for."""
        middle = camera.to_view(camera.x, camera.y)
        return camera.zoomed(tiles.look.scale / (camera.scale * self._ratio), middle)

    def _show(self, tiles: Tiles, camera: Camera) -> None:
        self._shown, self._coming = tiles, None
        box = self.points.box
        view = QRectF(0, 0, camera.width, camera.height)
        corners = QRectF(
            camera.to_view(box.left(), box.bottom()), camera.to_view(box.right(), box.top())
        )
        if view.contains(corners):
            self._overview = tiles
        self.painted.emit()

    def _end(self, _nothing: None) -> None:
        """All is painted that the camera saw."""
