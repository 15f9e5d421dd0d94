"""What part of a map a view shows, and how large."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QMarginsF, QPointF, QRectF

_BESIDE = 10.0  # pixels that a point stays away from what covers a part of the view
_CLOSEST = 4_000.0  # times the scale at which all is seen
_FARTHEST = 0.5


@dataclass(frozen=True, slots=True)
class Camera:
    """Looks at (`x`, `y`) of the map, y upwards, from a view of `width` by `height` pixels."""

    x: float
    y: float
    scale: float  # pixels per unit of the map
    width: float
    height: float

    def to_view(self, x: float, y: float) -> QPointF:
        return QPointF(
            self.width / 2 + (x - self.x) * self.scale, self.height / 2 - (y - self.y) * self.scale
        )

    def to_map(self, spot: QPointF) -> tuple[float, float]:
        return (
            self.x + (spot.x() - self.width / 2) / self.scale,
            self.y - (spot.y() - self.height / 2) / self.scale,
        )

    def many_to_map(self, spots: list[QPointF]) -> npt.NDArray[np.float64]:
        """Spots of the view as an array (n, 2) of the map."""
        return np.array([self.to_map(spot) for spot in spots], dtype=np.float64).reshape(-1, 2)

    def panned(self, right: float, down: float) -> "Camera":
        """The camera after the map was dragged that many pixels."""
        return replace(self, x=self.x - right / self.scale, y=self.y + down / self.scale)

    def zoomed(self, factor: float, about: QPointF) -> "Camera":
        """The camera closer by `factor`, with what is under `about` still under it."""
        x, y = self.to_map(about)
        scale = self.scale * factor
        return replace(
            self,
            x=x - (about.x() - self.width / 2) / scale,
            y=y + (about.y() - self.height / 2) / scale,
            scale=scale,
        )

    def resized(self, width: float, height: float) -> "Camera":
        return replace(self, width=max(width, 1.0), height=max(height, 1.0))

    def held(self, fitted_scale: float) -> "Camera":
        """The camera, neither so near nor so far that the map is lost from sight."""
        scale = min(max(self.scale, _FARTHEST * fitted_scale), _CLOSEST * fitted_scale)
        return replace(self, scale=scale)


def fitted(
    box: QRectF, width: float, height: float, *, margin: float, covered: Sequence[QRectF] = ()
) -> Camera:
    """The camera that shows all of `box` (of the map) with `margin` pixels around it.

    Nothing of the box lies under the `covered` parts of the view, which are near its edges; of
    the ways past them, beside or below each, the one that shows the box largest is taken. A box
    without width and height is looked at from a distance of one unit.
    """
    cameras = [
        _fitted_within(box, width, height, margins)
        for margins in _ways_past(covered, width, height, margin)
    ]
    return max(cameras, key=lambda camera: camera.scale)


def _ways_past(
    covered: Sequence[QRectF], width: float, height: float, margin: float
) -> list[QMarginsF]:
    """The margins that leave all covers out, each by its nearer upright or level side."""
    sides = []
    for cover in covered:
        right, bottom = width - cover.left(), height - cover.top()
        across = QMarginsF(cover.right() + _BESIDE, 0, 0, 0)
        down = QMarginsF(0, cover.bottom() + _BESIDE, 0, 0)
        if right < cover.right():
            across = QMarginsF(0, 0, right + _BESIDE, 0)
        if bottom < cover.bottom():
            down = QMarginsF(0, 0, 0, bottom + _BESIDE)
        sides.append((down, across))
    least = QMarginsF(margin, margin, margin, margin)
    return [_widest((least, *chosen)) for chosen in product(*sides)]


def _widest(margins: Sequence[QMarginsF]) -> QMarginsF:
    return QMarginsF(
        max(one.left() for one in margins),
        max(one.top() for one in margins),
        max(one.right() for one in margins),
        max(one.bottom() for one in margins),
    )


def _fitted_within(box: QRectF, width: float, height: float, margins: QMarginsF) -> Camera:
    inner_width = max(width - margins.left() - margins.right(), 0.4 * width, 1.0)
    inner_height = max(height - margins.top() - margins.bottom(), 0.4 * height, 1.0)
    scales = [
        inner / side
        for inner, side in ((inner_width, box.width()), (inner_height, box.height()))
        if side > 0
    ]
    scale = min(scales, default=min(inner_width, inner_height))
    middle = box.center()
    # The box is in the middle of what is left, the camera in the middle of the view.
    right = (margins.left() - margins.right()) / 2
    down = (margins.top() - margins.bottom()) / 2
    camera = Camera(middle.x(), middle.y(), scale, max(width, 1.0), max(height, 1.0))
    return camera.panned(right, down)
