"""Names on a map: the important ones first, and never one over another."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QImage, QPainter, QPainterPath, QPen

from app.look.theme import Theme, font
from app.widgets.scatter_camera import Camera
from app.widgets.scatter_points import Points
from app.widgets.shown_text import visible

_LINE = 15  # characters from which on a label breaks into two lines
_LINES = 2
_GAP = 5.0  # pixels between two labels
_HALO = 2.6  # pixels around the letters
_SHIFTS = ((0.0, 0.0), (0.0, -0.75), (0.0, 0.75), (0.0, -1.4), (0.0, 1.4), (-0.4, 0.0), (0.4, 0.0))
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


@dataclass(frozen=True, slots=True)
class _Words:
    lines: tuple[str, ...]
    font: QFont
    width: float
    height: float


def place(
    spots: npt.NDArray[np.float64], sizes: npt.NDArray[np.float64], *, gap: float = _GAP
) -> list[tuple[int, float, float]]:
    """Find room for boxes (n, 2) at spots (n, 2), both in pixels, first come first served.

    A box sits on its spot or is shifted a little; returns (index, shift right, shift down) of
    those that touch no earlier one.
    """
    taken = np.empty((len(spots), 4))
    used = 0
    placed: list[tuple[int, float, float]] = []
    for index, (spot, size) in enumerate(zip(spots, sizes, strict=True)):
        half = size / 2 + gap / 2
        for across, down in _SHIFTS:
            shift = np.array([across * size[0], down * size[1]])
            low, high = spot + shift - half, spot + shift + half
            others = taken[:used]
            hit = (others[:, 0] < high[0]) & (others[:, 2] > low[0])
            hit &= (others[:, 1] < high[1]) & (others[:, 3] > low[1])
            if not hit.any():
                taken[used] = (*low, *high)
                used += 1
                placed.append((index, float(shift[0]), float(shift[1])))
                break
    return placed


class LabelPainter:
    """Places and draws the labels of a map; which ones are seen depends on the scale alone."""

    def __init__(self, labels: Sequence[MapLabel], points: Points, theme: Theme) -> None:
        heaviest_first = sorted(labels, key=lambda label: (-label.weight, label.text))
        self._labels = [label for label in heaviest_first if label.text.strip()]
        self._theme = theme
        units = [points.to_unit(label.x, label.y) for label in self._labels]
        self._spots = np.array(units, dtype=np.float64).reshape(-1, 2)
        heaviest = max((label.weight for label in self._labels), default=1.0)
        self._words = [_words(label, heaviest, theme) for label in self._labels]
        self._sizes = np.array(
            [(words.width, words.height) for words in self._words], dtype=np.float64
        ).reshape(-1, 2)
        self._lit: frozenset[Hashable] | None = None
        self._placed: tuple[float, list[Placed]] = (-1.0, [])
        self._drawn: dict[tuple[int, float], QImage] = {}

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
            share = max(1 - 2 * (over + _GAP) / min(camera.width, camera.height), 0.6)
            camera = camera.zoomed(share, camera.to_view(box.center().x(), box.center().y()))
        return camera

    def paint(
        self,
        painter: QPainter,
        camera: Camera,
        *,
        ratio: float,
        hot: Hashable | None = None,
    ) -> None:
        """Draw those in sight, and the `hot` one in full even where it would fade."""
        for placed, box in self._in_sight(camera):
            label = self._labels[placed.at]
            is_full = self._is_lit(label) or (hot is not None and label.key == hot)
            painter.setOpacity(1.0 if is_full else _FADED)
            corner = box.topLeft() - QPointF(_HALO, _HALO)
            snapped = QPointF(round(corner.x() * ratio) / ratio, round(corner.y() * ratio) / ratio)
            painter.drawImage(snapped, self._image(placed.at, ratio))
        painter.setOpacity(1.0)

    def _is_lit(self, label: MapLabel) -> bool:
        return self._lit is None or label.key in self._lit

    def _in_sight(self, camera: Camera) -> list[tuple[Placed, QRectF]]:
        view = QRectF(0, 0, camera.width, camera.height)
        shown = []
        for placed in self.placed(camera):
            x, y = self._spots[placed.at].tolist()
            box = placed.box.translated(camera.to_view(x, y))
            if box.intersects(view):
                shown.append((placed, box))
        return shown

    def _image(self, index: int, ratio: float) -> QImage:
        if (index, ratio) not in self._drawn:
            self._drawn[index, ratio] = _draw(self._words[index], self._theme, ratio)
        return self._drawn[index, ratio]


def _box(size: npt.NDArray[np.float64], across: float, down: float) -> QRectF:
    width, height = size.tolist()
    return QRectF(across - width / 2, down - height / 2, width, height)


def _words(label: MapLabel, heaviest: float, theme: Theme) -> _Words:
    share = max(label.weight, 0.0) / heaviest if heaviest > 0 else 0.0
    made = font(theme, "meta", bold=True)
    made.setPixelSize(round(theme.sizes.meta + 3 * share**0.5))
    metrics = QFontMetricsF(made)
    lines = tuple(
        metrics.elidedText(line, Qt.TextElideMode.ElideRight, 15 * metrics.averageCharWidth() * 2)
        for line in _broken(visible(label.text).replace("\n", " ").strip())
    )
    width = max(metrics.horizontalAdvance(line) for line in lines)
    return _Words(lines, made, width + 2, metrics.height() * len(lines))


def _broken(text: str) -> list[str]:
    """One or two lines, broken at the blank nearest to the middle."""
    if len(text) <= _LINE or " " not in text:
        return [text]
    middle = len(text) / 2
    blanks = [at for at, letter in enumerate(text) if letter == " "]
    at = min(blanks, key=lambda blank: abs(blank - middle))
    return [text[:at], text[at + 1 :]]


def _draw(words: _Words, theme: Theme, ratio: float) -> QImage:
    """The words in ink with a halo of paper, so that they read over any point."""
    width, height = words.width + 2 * _HALO, words.height + 2 * _HALO
    image = QImage(
        round(width * ratio) + 1, round(height * ratio) + 1,
        QImage.Format.Format_ARGB32_Premultiplied,
    )  # fmt: skip
    image.setDevicePixelRatio(ratio)
    image.fill(Qt.GlobalColor.transparent)
    metrics = QFontMetricsF(words.font)
    path = QPainterPath()
    for number, line in enumerate(words.lines):
        left = _HALO + (words.width - metrics.horizontalAdvance(line)) / 2
        base = _HALO + metrics.height() * number + metrics.ascent()
        path.addText(QPointF(left, base), words.font, line)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    halo = QColor(theme.colours.paper)
    halo.setAlphaF(0.88)
    painter.strokePath(
        path,
        QPen(halo, 2 * _HALO, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap,
             Qt.PenJoinStyle.RoundJoin),
    )  # fmt: skip
    painter.fillPath(path, QColor(theme.colours.ink))
    painter.end()
    return image
