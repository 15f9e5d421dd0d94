"""A picture of the points at one scale, in tiles that are painted when they come into sight."""

from collections.abc import Generator
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRect, QRectF
from PySide6.QtGui import QColor, QImage, QPainter

from app.widgets.scatter_camera import Camera
from app.widgets.scatter_picture import Brush, pixels_of
from app.widgets.scatter_points import Points
from app.widgets.scatter_shades import Shades
from app.widgets.scatter_splat import Located
from app.widgets.scatter_window import corner_of, whole, window_at

SIDE = 256  # pixels of a tile
_MOST = 240  # tiles from which on those far off are dropped, a quarter of a megabyte each
_ALIKE = 1e-9  # part by which scales differ that are the same

Spot = tuple[int, int]  # column and row among the tiles


@dataclass(frozen=True, slots=True)
class Look:
    """How points are seen: what a tile depends on, besides its place."""

    points: Points
    shades: Shades  # in the order of the points
    scale: float  # pixels per unit of the map
    radius: float  # of a point, in pixels
    paper: QColor

    def has_places_of(self, other: "Look") -> bool:
        """Whether the same points lie in the same pixels, in discs of the same sizes."""
        is_alike = self.points is other.points and self.is_like(other.scale, other.radius)
        return is_alike and (self.shades.size is None) == (other.shades.size is None)

    def is_like(self, scale: float, radius: float) -> bool:
        return (
            abs(self.scale / scale - 1) <= _ALIKE and abs(self.radius / radius - 1) <= _ALIKE
        )  # fmt: skip


class Tiles:
    """The tiles painted so far; the same ones make up the picture wherever the camera came from."""

    def __init__(self, look: Look, like: "Tiles | None" = None) -> None:
        """Begin with none; `like` are tiles that perhaps differ in their colours only."""
        self.look = look
        self._brush: Brush | None = None
        self._images: dict[Spot, QImage] = {}
        # Where points lie in each tile: finding that out takes longer than colouring them.
        self._located: dict[Spot, list[Located]] = {}
        if like is not None and like.look.has_places_of(look):
            self._located = like._located

    def covers(self, camera: Camera, ratio: float) -> bool:
        """Whether nothing of the view is still to be painted."""
        return all(spot in self._images for spot in self._spots(camera, ratio, 0))

    def share(self, camera: Camera, ratio: float) -> float:
        """The part of the view that is painted."""
        spots = self._spots(camera, ratio, 0)
        return sum(spot in self._images for spot in spots) / len(spots)

    def missing(self, camera: Camera, ratio: float, *, around: int = 0) -> Spot | None:
        """The tile of the view to be painted next, the nearest to its middle; None: none is left.

        With those `around` pixels beyond the view; then tiles far off are dropped, if they are
        many.
        """
        spots = self._spots(camera, ratio, around)
        left = [one for one in spots if one not in self._images]
        if around and len(self._images) > _MOST:
            self._images = {one: self._images[one] for one in spots if one in self._images}
            self._located = {one: self._located[one] for one in spots if one in self._located}
        if not left:
            return None
        column, row = corner_of(camera, ratio)
        x = (column + camera.width * ratio / 2) / SIDE - 0.5
        y = (row + camera.height * ratio / 2) / SIDE - 0.5
        return min(left, key=lambda one: (one[0] - x) ** 2 + (one[1] - y) ** 2)

    def paint(self, spot: Spot) -> Generator[None, None, None]:
        """Paint a tile, with pauses."""
        look = self.look
        window = window_at(spot[0] * SIDE, spot[1] * SIDE, look.scale, SIDE, SIDE)
        if self._brush is None:
            self._brush = Brush.of(
                look.points, look.shades, look.scale, look.radius, look.paper, size=(SIDE, SIDE)
            )
            yield
        image = QImage(SIDE, SIDE, QImage.Format.Format_RGB32)
        self._located[spot] = yield from self._brush.paint(
            window, pixels_of(image), self._located.get(spot)
        )
        self._images[spot] = image

    def draw(self, painter: QPainter, camera: Camera, ratio: float) -> None:
        """Draw the tiles where they belong in the view; larger or smaller where scales differ."""
        zoom = camera.scale * ratio / self.look.scale
        if abs(zoom - 1) <= _ALIKE:
            self._draw_true(painter, camera, ratio)
        else:
            self._draw_scaled(painter, camera, ratio, zoom)

    def _draw_true(self, painter: QPainter, camera: Camera, ratio: float) -> None:
        column, row = corner_of(camera, ratio)
        for spot in self._spots(camera, ratio, 0):
            image = self._images.get(spot)
            if image is not None:
                image.setDevicePixelRatio(ratio)
                at = QPointF(spot[0] * SIDE - column, spot[1] * SIDE - row)
                painter.drawImage(at / ratio, image)

    def _draw_scaled(self, painter: QPainter, camera: Camera, ratio: float, zoom: float) -> None:
        left = camera.x * camera.scale * ratio - camera.width * ratio / 2
        top = (1.0 - camera.y) * camera.scale * ratio - camera.height * ratio / 2
        view = QRect(0, 0, whole(camera.width * ratio), whole(camera.height * ratio))
        for (across, down), image in self._images.items():
            # From edge to edge in whole pixels, so that no gap opens between two tiles.
            x, right = (whole(one * SIDE * zoom - left) for one in (across, across + 1))
            y, bottom = (whole(one * SIDE * zoom - top) for one in (down, down + 1))
            place = QRect(x, y, right - x, bottom - y)
            if not place.isEmpty() and place.intersects(view):
                image.setDevicePixelRatio(1.0)
                painter.drawImage(
                    QRectF(x / ratio, y / ratio, place.width() / ratio, place.height() / ratio),
                    image,
                )  # fmt: skip

    def _spots(self, camera: Camera, ratio: float, margin: int) -> list[Spot]:
        """The tiles that a view shows at this look's scale, and those `margin` pixels around."""
        column, row = corner_of(camera, ratio)
        columns, rows = whole(camera.width * ratio), whole(camera.height * ratio)
        return [
            (across, down)
            for down in range((row - margin) // SIDE, (row + rows - 1 + margin) // SIDE + 1)
            for across in range(
                (column - margin) // SIDE, (column + columns - 1 + margin) // SIDE + 1
            )
        ]
