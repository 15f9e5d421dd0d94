"""Names on a map: the important ones first, and never one over another."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from math import inf
from time import perf_counter
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QFontMetricsF, QImage, QPainter

from app.look.theme import Theme, font
from app.widgets.scatter_camera import Camera
from app.widgets.scatter_lettering import HALO, Lettering
from app.widgets.scatter_points import Points
from app.widgets.scatter_room import GAP, place

_FADED = 0.38


class MapLabel(NamedTuple):
    """A name at a spot of the map; heavier ones come first. `key` comes back when clicked."""

    text: str
    x: float
    y: float
    weight: float
    key: Hashable


@dataclass(frozen=True, slots=True)
class Placed:
    """A label that found room: `box` around its spot (at 0, 0), in pixels of the view."""

    at: int
    box: QRectF


@dataclass(frozen=True, slots=True)
class Written:
    """One line of a label in the view: its middle, its base line, and its height in pixels."""

    text: str
    middle: float
    base: float
    pixels: int


class _Corners(NamedTuple):
    """Where labels in sight begin in the view."""

    at: list[int]  # places among those that found room
    spots: npt.NDArray[np.float64]  # (n, 2) left and top


class LabelPainter:
    """Places and draws the labels of a map; which ones are seen depends on the scale alone."""

    def __init__(
        self,
        labels: Sequence[MapLabel],
        points: Points,
        theme: Theme,
        lettering: Lettering | None = None,
    ) -> None:
        heaviest_first = sorted(labels, key=lambda label: (-label.weight, label.text))
        self._labels = [label for label in heaviest_first if label.text.strip()]
        self._theme = theme
        self._lettering = lettering or Lettering(theme)
        units = [points.to_unit(label.x, label.y) for label in self._labels]
        self._spots = np.array(units, dtype=np.float64).reshape(-1, 2)
        heaviest = max((label.weight for label in self._labels), default=1.0)
        self._pixels = [_pixels(label, heaviest, theme) for label in self._labels]
        self._words = [
            self._lettering.words(label.text, pixels)
            for label, pixels in zip(self._labels, self._pixels, strict=True)
        ]
        self._sizes = np.array(
            [(words.width, words.height) for words in self._words], dtype=np.float64
        ).reshape(-1, 2)
        self._lit: frozenset[Hashable] | None = None
        self._placed: tuple[float, list[Placed]] = (-1.0, [])
        self._corners: npt.NDArray[np.float64] = np.empty((0, 4))  # of the boxes of those
        self._middles: npt.NDArray[np.float64] = np.empty((0, 2))  # their spots on the map
        self._images: dict[float, list[QImage | None]] = {}  # by ratio, of every label once drawn

    def light(self, keys: frozenset[Hashable] | None) -> None:
        """Give room first to the labels of `keys` and let all others fade; None: all alike."""
        if keys != self._lit:
            self._lit, self._placed = keys, (-1.0, [])

    def placed(self, camera: Camera) -> list[Placed]:
        """The labels that have room at the camera's scale, in sight or not."""
        if self._placed[0] != camera.scale:
            ranks = np.array([not self._is_lit(label) for label in self._labels], dtype=np.bool_)
            order = np.argsort(ranks, kind="stable")
            spots = self._spots[order] * (camera.scale, -camera.scale)
            found = [
                Placed(int(order[at]), _box(self._sizes[order[at]], across, down))
                for at, across, down in place(spots, self._sizes[order])
            ]
            self._placed = (camera.scale, found)
            ends = [placed.box.getCoords() for placed in found]
            self._corners = np.array(ends, dtype=np.float64).reshape(-1, 4)
            self._middles = self._spots[[placed.at for placed in found]]
        return self._placed[1]

    def boxes(self, camera: Camera) -> list[tuple[MapLabel, QRectF]]:
        """The labels in sight and their boxes in the view."""
        return [(self._labels[placed.at], box) for placed, box in self._in_sight(camera)]

    @property
    def family(self) -> str:
        return font(self._theme, "meta").family()

    def written(self, camera: Camera) -> list[Written]:
        """The lines of the labels in sight, for files that hold text."""
        lines = []
        for placed, box in self._in_sight(camera):
            words = self._words[placed.at]
            metrics = QFontMetricsF(words.font)
            for number, line in enumerate(words.lines):
                base = box.top() + metrics.height() * number + metrics.ascent()
                lines.append(Written(line, box.center().x(), base, words.font.pixelSize()))
        return lines

    def label_at(self, spot: QPointF, camera: Camera) -> MapLabel | None:
        for label, box in self.boxes(camera):
            if box.contains(spot):
                return label
        return None

    def with_room(self, camera: Camera, box: QRectF) -> Camera:
        """The camera far enough back for the labels at the rim to be seen whole."""
        for _ in range(3):
            view = QRectF(0, 0, camera.width, camera.height)
            over = 0.0
            for _label, label_box in self.boxes(camera):
                over = max(
                    over,
                    view.left() - label_box.left(),
                    label_box.right() - view.right(),
                    view.top() - label_box.top(),
                    label_box.bottom() - view.bottom(),
                )
            if over <= 0:
                return camera
            share = max(1 - 2 * (over + GAP) / min(camera.width, camera.height), 0.6)
            camera = camera.zoomed(share, camera.to_view(box.center().x(), box.center().y()))
        return camera

    def paint(
        self,
        painter: QPainter,
        camera: Camera,
        *,
        ratio: float,
        hot: Hashable | None = None,
        patience_s: float = inf,
    ) -> bool:
        """Draw those in sight, and the `hot` one in full even where it would fade.

        After `patience_s` words that were never drawn before are left for the next time, and the
        answer is False.
        """
        is_whole, end = True, perf_counter() + patience_s
        images = self._images.setdefault(ratio, [None] * len(self._labels))
        placed, corners = self.placed(camera), self._corners_in_sight(camera)
        # Hundreds of names in each frame: what is the same for all of them is done at once.
        snapped = np.round((corners.spots - HALO) * ratio) / ratio
        for at, (left, top) in zip(corners.at, snapped.tolist(), strict=True):
            number = placed[at].at
            image = images[number]
            if image is None:
                text, pixels = self._labels[number].text, self._pixels[number]
                if not self._lettering.is_drawn(text, pixels, ratio) and perf_counter() > end:
                    is_whole = False
                    continue
                image = images[number] = self._lettering.image(text, pixels, ratio)
            label = self._labels[number]
            is_full = self._is_lit(label) or (hot is not None and label.key == hot)
            painter.setOpacity(1.0 if is_full else _FADED)
            painter.drawImage(QPointF(left, top), image)
        painter.setOpacity(1.0)
        return is_whole

    def draw_all(self, camera: Camera, ratio: float) -> None:
        """Draw the words in sight ahead, however long that takes."""
        for placed, _box in self._in_sight(camera):
            self._lettering.image(self._labels[placed.at].text, self._pixels[placed.at], ratio)

    def _is_lit(self, label: MapLabel) -> bool:
        return self._lit is None or label.key in self._lit

    def _in_sight(self, camera: Camera) -> list[tuple[Placed, QRectF]]:
        placed, corners = self.placed(camera), self._corners_in_sight(camera)
        return [
            (placed[at], QRectF(QPointF(left, top), placed[at].box.size()))
            for at, (left, top) in zip(corners.at, corners.spots.tolist(), strict=True)
        ]

    def _corners_in_sight(self, camera: Camera) -> _Corners:
        middles = self._middles
        across = camera.width / 2 + (middles[:, 0] - camera.x) * camera.scale
        down = camera.height / 2 - (middles[:, 1] - camera.y) * camera.scale
        left, top, right, bottom = self._corners.T
        seen = (across + right > 0) & (across + left < camera.width)
        seen &= (down + bottom > 0) & (down + top < camera.height)
        at = np.flatnonzero(seen)
        spots = np.stack([across[at] + left[at], down[at] + top[at]], axis=1)
        return _Corners(at.tolist(), spots)


def _box(size: npt.NDArray[np.float64], across: float, down: float) -> QRectF:
    width, height = size.tolist()
    return QRectF(across - width / 2, down - height / 2, width, height)


def _pixels(label: MapLabel, heaviest: float, theme: Theme) -> int:
    """The size of the letters: of more weight, larger."""
    share = max(label.weight, 0.0) / heaviest if heaviest > 0 else 0.0
    return round(theme.sizes.meta + 3 * float(share**0.5))
