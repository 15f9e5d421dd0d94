"""The points of a map in an order in which those of one place lie together."""

from collections.abc import Generator, Iterator
from dataclasses import dataclass
from math import log2

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QRectF

Floats = npt.NDArray[np.float32]
Truths = npt.NDArray[np.bool_]
_SIDE = 256  # cells to a side: their numbers fit 16 bits, which NumPy sorts by radix
_SLACK = 0.05  # cells by which single precision may misplace a point
_SLICE = 100_000  # points between two pauses while building


@dataclass(frozen=True, slots=True)
class Points:
    """The points in unit coordinates, sorted by the cells of a grid, row by row, upwards.

    The longer side of the map measures 1; cells at the rim reach out to the farthest point, so
    that a few stray points do not make the others crowd into one cell.
    """

    x: Floats
    y: Floats
    order: npt.NDArray[np.int64]  # the place in the caller's order, of each sorted point
    starts: npt.NDArray[np.int64]  # where each cell starts, and the end
    corner: tuple[float, float]  # of the unit square, in the caller's coordinates
    span: float  # the caller's units to one unit
    grid: tuple[float, float, float, float]  # left, bottom, cells per unit across and up
    ends: tuple[float, float, float, float]  # left, bottom, width and height of all points
    crowding: float  # points per square unit where most points are

    @property
    def count(self) -> int:
        return len(self.order)

    @property
    def box(self) -> QRectF:
        """All points, in unit coordinates."""
        return QRectF(*self.ends)

    def to_unit(self, x: float, y: float) -> tuple[float, float]:
        return (x - self.corner[0]) / self.span, (y - self.corner[1]) / self.span

    def from_unit(self, x: float, y: float) -> tuple[float, float]:
        return self.corner[0] + x * self.span, self.corner[1] + y * self.span

    def spot(self, point: int) -> tuple[float, float]:
        """Where a point of the caller's order is, in unit coordinates."""
        at = int(np.flatnonzero(self.order == point)[0])
        return float(self.x[at]), float(self.y[at])

    def runs(self, box: QRectF) -> list[tuple[int, int]]:
        """Stretches of points that hold all those in `box`, and some beside it; in order."""
        left, right = self._columns(box.left(), box.right())
        low, high = self._rows(box.top(), box.bottom())
        if left == 0 and right == _SIDE - 1:
            whole = int(self.starts[low * _SIDE]), int(self.starts[(high + 1) * _SIDE])
            return [whole] if whole[0] < whole[1] else []
        rows = np.arange(low, high + 1) * _SIDE
        starts, stops = self.starts[rows + left], self.starts[rows + right + 1]
        some = starts < stops
        return list(zip(starts[some].tolist(), stops[some].tolist(), strict=True))

    def nearest(self, x: float, y: float, within: float) -> int:
        """The point nearest to a spot, in the caller's order; -1 if none is `within` reach."""
        box = QRectF(x - within, y - within, 2 * within, 2 * within)
        best, best_square = -1, within * within
        for start, stop in self.runs(box):
            across = self.x[start:stop] - np.float32(x)
            up = self.y[start:stop] - np.float32(y)
            squares = across * across + up * up
            found = int(np.argmin(squares))
            if squares[found] <= best_square:
                best, best_square = start + found, float(squares[found])
        return -1 if best < 0 else int(self.order[best])

    def inside(self, outline: npt.NDArray[np.float64]) -> Truths:
        """Which points lie inside a closed outline (m, 2), in the caller's order.

        Even-odd: where the outline crosses itself the twice enclosed is outside. Each edge looks
        only at the points of its rows, so that the cost hardly depends on the number of edges.
        """
        within = np.zeros(self.count, dtype=np.bool_)
        if len(outline) >= 3 and self.count:
            for (x1, y1), (x2, y2) in zip(outline, np.roll(outline, -1, axis=0), strict=True):
                self._toggle_left_of(within, float(x1), float(y1), float(x2), float(y2))
        result = np.zeros(self.count, dtype=np.bool_)
        result[self.order] = within
        return result

    def box_of_some(self, mask: Truths) -> QRectF:
        """The box around the points that `mask` (in the caller's order) names; null if none."""
        chosen = np.take(mask, self.order)
        return box_of(self.x[chosen], self.y[chosen])

    def _toggle_left_of(self, within: Truths, x1: float, y1: float, x2: float, y2: float) -> None:
        if y1 == y2:
            return
        low, high = min(y1, y2), max(y1, y2)
        first, last = self._rows(low, high)
        start, stop = int(self.starts[first * _SIDE]), int(self.starts[(last + 1) * _SIDE])
        y = self.y[start:stop]
        slope = np.float32((x2 - x1) / (y2 - y1))
        crossed = (y >= np.float32(low)) & (y < np.float32(high))
        crossed &= self.x[start:stop] < np.float32(x1) + (y - np.float32(y1)) * slope
        within[start:stop] ^= crossed

    def _columns(self, low: float, high: float) -> tuple[int, int]:
        left, _, across, _ = self.grid
        return _cell((low - left) * across - _SLACK), _cell((high - left) * across + _SLACK)

    def _rows(self, low: float, high: float) -> tuple[int, int]:
        _, bottom, _, up = self.grid
        return _cell((low - bottom) * up - _SLACK), _cell((high - bottom) * up + _SLACK)


def box_of(x: Floats, y: Floats) -> QRectF:
    if not len(x):
        return QRectF()
    left, bottom = float(x.min()), float(y.min())
    return QRectF(left, bottom, float(x.max()) - left, float(y.max()) - bottom)


def sort_points(xy: Floats) -> Generator[None, None, Points]:
    """Put points (n, 2) in our order, with a pause every few milliseconds' work."""
    count = len(xy)
    corner, span = _extent(xy)
    x, y = np.empty(count, np.float32), np.empty(count, np.float32)
    for part in _parts(count):
        x[part] = (xy[part, 0].astype(np.float64) - corner[0]) / span
        y[part] = (xy[part, 1].astype(np.float64) - corner[1]) / span
        yield
    grid = _grid(x, y)
    cells = np.empty(count, np.uint16)
    for part in _parts(count):
        column = _cells((x[part] - np.float32(grid[0])) * np.float32(grid[2]))
        row = _cells((y[part] - np.float32(grid[1])) * np.float32(grid[3]))
        cells[part] = row * _SIDE + column
        yield
    counts = np.bincount(cells, minlength=_SIDE * _SIDE)
    starts = np.concatenate([[0], np.cumsum(counts)])
    yield
    order = np.empty(count, np.int64)
    yield from _sort_cells(cells, starts, order)
    sorted_x, sorted_y = np.empty(count, np.float32), np.empty(count, np.float32)
    for part in _parts(count):
        sorted_x[part] = np.take(x, order[part])
        sorted_y[part] = np.take(y, order[part])
        yield
    box = box_of(x, y)
    ends = (box.left(), box.top(), box.width(), box.height())
    crowding = _crowding(starts, grid, count)
    return Points(sorted_x, sorted_y, order, starts, corner, span, grid, ends, crowding)


def _crowding(
    starts: npt.NDArray[np.int64], grid: tuple[float, float, float, float], count: int
) -> float:
    """Points per square unit where most points are: the 95th percentile, seen by points.

    Counted in blocks of cells that would hold some eight points were they spread evenly.
    """
    if not count:
        return 0.0
    side = int(min(max(2 ** round(log2(max(count / 8, 1)) / 2), 1), _SIDE))
    cells = np.diff(starts).reshape(side, _SIDE // side, side, _SIDE // side)
    counts = np.sort(cells.sum(axis=(1, 3)), axis=None)
    reached = int(np.searchsorted(np.cumsum(counts), 0.95 * count))
    blocks = grid[2] * grid[3] * (side / _SIDE) ** 2
    return float(counts[min(reached, len(counts) - 1)]) * blocks


def _sort_cells(
    cells: npt.NDArray[np.uint16], starts: npt.NDArray[np.int64], order: npt.NDArray[np.int64]
) -> Iterator[None]:
    """Fill the stable `order` of the cells, part by part: sorting all at once takes too long."""
    free = starts[:-1].copy()  # the next place of each cell
    for part in _parts(len(cells)):
        own = np.argsort(cells[part], kind="stable")
        in_order = np.take(cells[part], own)
        counts = np.bincount(in_order, minlength=len(free))
        rank = np.arange(len(own)) - np.take(np.cumsum(counts) - counts, in_order)
        order[np.take(free, in_order) + rank] = part.start + own
        free += counts
        yield


def _extent(xy: Floats) -> tuple[tuple[float, float], float]:
    if not len(xy):
        return (0.0, 0.0), 1.0
    left, right, bottom, top = (
        float(end) for side in (xy[:, 0], xy[:, 1]) for end in (side.min(), side.max())
    )
    span = max(right - left, top - bottom)
    return (left, bottom), span if span > 0 else 1.0


def _grid(x: Floats, y: Floats) -> tuple[float, float, float, float]:
    """Cells over where nearly all points are, judged from a sample."""
    if not len(x):
        return 0.0, 0.0, float(_SIDE), float(_SIDE)
    step = max(len(x) // 20_000, 1)
    left, right = np.quantile(x[::step], (0.002, 0.998)).tolist()
    bottom, top = np.quantile(y[::step], (0.002, 0.998)).tolist()
    wide, tall = max(right - left, 1e-3), max(top - bottom, 1e-3)
    return (
        left - 0.05 * wide,
        bottom - 0.05 * tall,
        _SIDE / (1.1 * wide),
        _SIDE / (1.1 * tall),
    )


def _cell(place: float) -> int:
    return int(min(max(place, 0.0), _SIDE - 1.0))


def _cells(places: Floats) -> npt.NDArray[np.int32]:
    held = np.clip(places, 0, _SIDE - 1, out=places)
    return held.astype(np.int32)


def _parts(count: int) -> Iterator[slice]:
    for start in range(0, count, _SLICE):
        yield slice(start, min(start + _SLICE, count))
