"""A camera's view counted in the pixels of a picture."""

from dataclasses import dataclass, replace
from math import floor

from PySide6.QtCore import QPointF, QRectF

from app.widgets.scatter_camera import Camera

_TIE = 1e-6  # so that what lies half way goes one way, however it was reckoned


def whole(place: float) -> int:
    """The whole pixel nearest to a place: the same one on whatever way a camera came there."""
    return floor(place + 0.5 + _TIE)


@dataclass(frozen=True, slots=True)
class Window:
    """The part of the map in a picture of `columns` by `rows` pixels, y upwards in the map.

    All pictures at one scale share the pixels of one grid, which begins at (0, 1) of the map and
    goes right and down, so that a point looks the same in each of them.
    """

    left: float
    top: float
    scale: float  # pixels per unit of the map
    columns: int
    rows: int

    @property
    def column(self) -> int:
        """The grid's column that the picture starts at."""
        return whole(self.left * self.scale)

    @property
    def row(self) -> int:
        return whole((1.0 - self.top) * self.scale)

    def box(self, *, margin: float) -> QRectF:
        """The part of the map in sight and `margin` pixels around; `top()` is the smallest y."""
        wide, tall = self.columns / self.scale, self.rows / self.scale
        room = margin / self.scale
        return QRectF(self.left - room, self.top - tall - room, wide + 2 * room, tall + 2 * room)

    def rows_from(self, first: int, count: int) -> "Window":
        """The part of the window that holds `count` of its rows, downwards from `first`."""
        return replace(self, top=self.top - first / self.scale, rows=count)

    def spot(self, x: float, y: float) -> QPointF:
        return QPointF((x - self.left) * self.scale, (self.top - y) * self.scale)

    def place_in(self, camera: Camera) -> QRectF:
        """Where the picture lies in the camera's view, in the view's pixels."""
        corner = camera.to_view(self.left, self.top)
        zoom = camera.scale / self.scale
        return QRectF(corner.x(), corner.y(), self.columns * zoom, self.rows * zoom)


def window_of(camera: Camera, ratio: float, *, margin: int = 0) -> Window:
    """The window of a camera at `ratio` pixels to one of the view, `margin` more on each side."""
    columns = round(camera.width * ratio) + 2 * margin
    rows = round(camera.height * ratio) + 2 * margin
    scale = camera.scale * ratio
    return Window(camera.x - columns / 2 / scale, camera.y + rows / 2 / scale, scale, columns, rows)


def window_at(column: int, row: int, scale: float, columns: int, rows: int) -> Window:
    """The window that starts at that column and row of the grid."""
    return Window(column / scale, 1.0 - row / scale, scale, columns, rows)


def corner_of(camera: Camera, ratio: float) -> tuple[int, int]:
    """The column and the row of the grid at the upper left of a view."""
    scale = camera.scale * ratio
    return (
        whole(camera.x * scale - camera.width * ratio / 2),
        whole((1.0 - camera.y) * scale - camera.height * ratio / 2),
    )
