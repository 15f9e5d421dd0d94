"""A map drawn into an image: for the view, for files, and for the command line."""

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from math import pi, sqrt

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QColor, QImage, QPainter

from app.look.theme import Theme
from app.widgets.scatter_camera import Camera, fitted
from app.widgets.scatter_disc import Kernel, held_cover, kernels_for
from app.widgets.scatter_labels import LabelPainter, MapLabel
from app.widgets.scatter_points import Points, sort_points
from app.widgets.scatter_shades import Shades
from app.widgets.scatter_splat import (
    Located,
    Planes,
    Splatting,
    Tone,
    planes_for,
    tone_for,
    write_colors,
)
from app.widgets.scatter_window import Window, window_of
from app.widgets.scatter_work import finish

MARGIN = 36.0  # pixels around a map that is seen whole
_SMALLEST, _LARGEST = 0.5, 7.0  # radius of a point, in pixels of the view
_BAND = 100_000  # pixels painted at a time: their sums stay near the processor
_FILL = 0.16  # the part of the view's area that all discs would fill side by side


@dataclass(frozen=True, slots=True)
class Picture:
    """An image of the points and the part of the map it shows."""

    image: QImage
    window: Window


def fitted_camera(
    box: QRectF, width: float, height: float, *, covered: Sequence[QRectF] = ()
) -> Camera:
    return fitted(box, width, height, margin=MARGIN, covered=covered)


def point_radius(count: int, camera: Camera, fitted_scale: float) -> float:
    """The radius of a point in pixels of the view: smaller the more there are, larger near by.

    It does not depend on what is in sight, so that it stays while one moves about.
    """
    area = camera.width * camera.height
    far = sqrt(_FILL * area / max(count, 1) / pi)
    far = min(max(far, _SMALLEST), 0.6 * _LARGEST)
    return float(min(far * max(camera.scale / fitted_scale, 0.5) ** 0.5, _LARGEST))


@dataclass(frozen=True, slots=True)
class Brush:
    """What all parts of a picture are painted with."""

    points: Points
    shades: Shades  # in the order of the points
    kernels: list[Kernel]
    planes: Planes
    tone: Tone
    ground: tuple[float, float, float]

    @classmethod
    def of(
        cls,
        points: Points,
        shades: Shades,
        scale: float,
        radius: float,
        paper: QColor,
        *,
        size: tuple[int, int],
    ) -> "Brush":
        """A brush for discs of `radius` pixels in parts of `size` pixels at most."""
        kernels = kernels_for(radius, shades)
        planes = planes_for(*size, kernels, points=points.count)
        tone = tone_for(points.crowding / scale**2 * held_cover(radius))
        ground = (float(paper.red()), float(paper.green()), float(paper.blue()))
        return cls(points, shades, kernels, planes, tone, ground)

    def paint(
        self,
        window: Window,
        pixels: npt.NDArray[np.uint32],
        located: list[Located] | None = None,
    ) -> Generator[None, None, list[Located]]:
        """Paint a window into `pixels`, with pauses; return where points lie in it."""
        found = yield from Splatting(
            self.points, self.shades, window, self.kernels, self.planes, located
        ).steps()
        yield
        write_colors(self.planes, self.shades.grey, self.tone, self.ground, pixels)
        return found


def paint_points(
    points: Points, shades: Shades, window: Window, radius: float, paper: QColor
) -> Generator[None, None, Picture]:
    """Paint discs of `radius` pixels of the image, with pauses after a few milliseconds' work.

    `shades` lie in the order of `points`.
    """
    image = QImage(window.columns, window.rows, QImage.Format.Format_RGB32)
    pixels = pixels_of(image)
    height = min(max(_BAND // window.columns, 16), window.rows)
    size = (window.columns, height)
    brush = Brush.of(points, shades, window.scale, radius, paper, size=size)
    for first in range(0, window.rows, height):
        band = window.rows_from(first, min(height, window.rows - first))
        yield
        yield from brush.paint(band, pixels[first : first + band.rows])
    return Picture(image, window)


def pixels_of(image: QImage) -> npt.NDArray[np.uint32]:
    """The image's own pixels (rows, columns) to write into."""
    flat = np.frombuffer(image.bits(), np.uint32)
    rows: npt.NDArray[np.uint32] = flat.reshape(image.height(), image.bytesPerLine() // 4)
    return rows[:, : image.width()]


def draw_map(
    xy: npt.NDArray[np.float32],
    shades: Shades,
    labels: Sequence[MapLabel],
    size: QSize,
    theme: Theme,
    *,
    scale: float = 1.0,
) -> QImage:
    """The whole map in an image of `size` times `scale` pixels; needs a QGuiApplication.

    `shades` and `xy` (n, 2) lie in the same order.
    """
    points = finish(sort_points(xy))
    camera = fitted_camera(points.box, size.width(), size.height())
    painter = LabelPainter(labels, points, theme)
    camera = painter.with_room(camera, points.box)
    return draw_view(
        points, finish(shades.sorting(points.order)), painter, camera, theme, scale=scale
    )


def draw_view(
    points: Points,
    shades: Shades,
    labels: LabelPainter,
    camera: Camera,
    theme: Theme,
    *,
    scale: float = 1.0,
) -> QImage:
    """What `camera` sees, with labels, at `scale` pixels to one of the view."""
    whole = fitted_camera(points.box, camera.width, camera.height)
    radius = point_radius(points.count, camera, whole.scale) * scale
    window = window_of(camera, scale)
    paper = QColor(theme.colours.paper)
    image = finish(paint_points(points, shades, window, radius, paper)).image
    image.setDevicePixelRatio(scale)
    painter = QPainter(image)
    labels.paint(painter, camera, ratio=scale)
    painter.end()
    return image
