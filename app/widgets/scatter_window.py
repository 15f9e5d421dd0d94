"""A camera's view counted in the pixels of a picture."""

from dataclasses import dataclass, replace

from PySide6.QtCore import QPointF, QRectF

from app.widgets.scatter_camera import Camera


@dataclass(frozen=True, slots=True)
class Window:
    """The part of the map in a picture of `columns` by `rows` pixels, y upwards in the map."""

    left: float
    top: float
    scale: float  # pixels per unit of the map
    columns: int
    rows: int

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
