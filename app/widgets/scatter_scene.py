"""What a map shows: points, their colours, which are selected, and names."""

from collections.abc import Callable, Hashable, Sequence
from typing import TypeVar

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QColor, QPainter

from app.look.cluster_colors import CLUSTER_COLORS, cluster_palette, value_ramp
from app.look.theme import Theme, current_theme
from app.widgets.scatter_camera import Camera
from app.widgets.scatter_canvas import ScatterCanvas
from app.widgets.scatter_labels import LabelPainter, MapLabel
from app.widgets.scatter_lettering import Lettering
from app.widgets.scatter_points import Floats, Points, Truths
from app.widgets.scatter_shades import Shades, index_of_values, shades_of, size_steps

Palette = Sequence[QColor] | Callable[[Theme], Sequence[QColor]]

_Kind = TypeVar("_Kind", bound=np.generic)
_CLOSE = 1_000_000  # numbers worth a count each
_PATIENCE_S = 0.003  # for drawing words that come into sight, in each frame


class ScatterScene(QObject):
    """Holds everything in the caller's order; the canvas below has its own."""

    changed = Signal()  # paint again
    sorted = Signal()  # new points can be hit and fitted

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.canvas = ScatterCanvas(self)
        self.canvas.sorted.connect(self._take_sorted)
        self.canvas.painted.connect(self.changed)
        self.selected: Truths | None = None
        self.hot: Hashable | None = None  # key of the name under the pointer
        self._count = 0
        self._index: npt.NDArray[np.int32] = np.empty(0, np.int32)
        self._palette: Palette = _clusters
        self._size: npt.NDArray[np.uint8] | None = None
        self._labels: list[MapLabel] = []
        self._belongs: npt.NDArray[np.int64] | None = None
        self._lit: frozenset[Hashable] | None = None
        self._lettering = Lettering(current_theme())
        self.names = LabelPainter((), self.points, current_theme())

    @property
    def points(self) -> Points:
        """The sorted points; those of before while new ones are being sorted."""
        return self.canvas.points

    @property
    def count(self) -> int:
        return self._count

    def show_points(self, xy: Floats) -> None:
        """Take other points (n, 2): one colour, none selected, no names."""
        self._count = len(xy)
        self._index = np.zeros(len(xy), np.int32)
        self._palette, self._size = _plain, None
        self.selected, self._lit = None, None
        self._labels, self._belongs = [], None
        self.canvas.show_points(xy)
        self._shade()

    def show_colors(self, index: npt.NDArray[np.int32], palette: Palette | None) -> None:
        self._index, self._palette = self._checked(index), palette or _clusters
        self._shade()

    def show_values(self, values: npt.NDArray[np.floating]) -> None:
        self._index, self._palette = index_of_values(self._checked(values)), value_ramp
        self._shade()

    def show_sizes(self, copies: npt.NDArray[np.integer] | None) -> None:
        self._size = None if copies is None else size_steps(self._checked(copies))
        if self._size is not None and not self._size.any():
            self._size = None
        self._shade()

    def show_labels(
        self, labels: Sequence[MapLabel], belongs: npt.NDArray[np.integer] | None
    ) -> None:
        self._labels = [MapLabel(*label) for label in labels]
        self._belongs = None if belongs is None else self._checked(belongs).astype(np.int64)
        self._light()
        self._name()

    def select(self, mask: Truths | None) -> None:
        """Select the points of `mask` (n,); None selects nothing and gives all their colours."""
        self.selected = None if mask is None else self._checked(mask).astype(np.bool_)
        if self.selected is not None and not self.selected.any():
            self.selected = None
        self._light()
        self._shade()

    def redress(self) -> None:
        """Take on the theme that the program wears now."""
        self._name()
        self._shade()

    def shades(self, theme: Theme) -> Shades:
        """The colours in the caller's order."""
        palette = self._palette(theme) if callable(self._palette) else self._palette
        return shades_of(self._index, palette, theme, selected=self.selected, size=self._size)

    def names_in(self, theme: Theme) -> LabelPainter:
        if self._lettering.theme != theme:
            self._lettering = Lettering(theme)
        return LabelPainter(self._labels, self.points, theme, self._lettering)

    def paint(self, painter: QPainter, camera: Camera, ratio: float) -> None:
        self.canvas.paint(painter, camera, ratio, QColor(current_theme().colours.paper))
        is_whole = self.names.paint(
            painter, camera, ratio=ratio, hot=self.hot, patience_s=_PATIENCE_S
        )
        if not is_whole:
            self.changed.emit()

    def _checked(self, values: npt.NDArray[_Kind]) -> npt.NDArray[_Kind]:
        if len(values) != self._count:
            raise ValueError(f"{len(values)} values for {self._count} points")
        return values

    def _take_sorted(self) -> None:
        self._name()
        self.sorted.emit()

    def _light(self) -> None:
        self._lit = None
        if self.selected is not None and self._belongs is not None:
            self._lit = frozenset(_met(self._belongs[self.selected]))
        self.names.light(self._lit)
        self.changed.emit()

    def _name(self) -> None:
        self.names = self.names_in(current_theme())
        self.names.light(self._lit)
        self.changed.emit()

    def _shade(self) -> None:
        theme = current_theme()
        self.canvas.show_shades(self.shades(theme), theme)
        self.changed.emit()


def _met(keys: npt.NDArray[np.int64]) -> list[int]:
    """Which whole numbers occur; by counting where they lie close, which sorting is not."""
    low, high = int(keys.min()), int(keys.max())
    if high - low > _CLOSE:
        return [int(key) for key in np.unique(keys)]
    found: list[int] = (np.flatnonzero(np.bincount(keys - low)) + low).tolist()
    return found


def _clusters(theme: Theme) -> Sequence[QColor]:
    return cluster_palette(CLUSTER_COLORS, theme)


def _plain(theme: Theme) -> Sequence[QColor]:
    return [QColor(theme.colours.accent)]
