"""Points into pixels: how much of each pixel they cover, and in which colour."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil, log1p, pi, sqrt

import numpy as np
import numpy.typing as npt

from app.widgets.scatter_points import Floats, Points
from app.widgets.scatter_shades import Shades
from app.widgets.scatter_window import Window

_PHASES = 4  # positions inside a pixel, each way, at which a disc is drawn
_WORK = 100_000  # pixels touched between two pauses
GROWTH = (1.0, 1.35, 1.8, 2.4)  # radius of each size
_OWN_PIXEL = 0.62  # radius below which a point is just its pixel


@dataclass(frozen=True, slots=True)
class Kernel:
    """A disc as coverage of the pixels around it, for each place of its middle in a pixel."""

    down: npt.NDArray[np.int64]  # (k,) rows from the pixel of the middle
    right: npt.NDArray[np.int64]
    cover: Floats  # (phases ** 2, k)


@dataclass(frozen=True, slots=True)
class Planes:
    """Sums per pixel; a pixel that one disc covers wholly holds 1."""

    context: Floats  # (rows, columns) of the points that are grey
    cover: Floats  # of the others
    color: Floats  # (3, rows, columns), times their cover
    pad: int  # pixels around the picture, for discs that reach into it


def held_cover(radius: float) -> float:
    """The pixels that a disc covers in all; small ones never vanish."""
    return max(pi * radius * radius, 0.35)


def disc(radius: float) -> Kernel:
    """The kernel of a disc; small ones cover less than their pixel but never vanish."""
    if radius < _OWN_PIXEL:
        none = np.zeros(1, np.int64)
        cover = np.full((_PHASES**2, 1), held_cover(radius), np.float32)
        return Kernel(none, none, cover)
    radius = sqrt(radius * radius - 1 / 12)  # the soft edge adds that much to the area
    reach = ceil(radius + 0.5)
    steps = np.arange(-reach, reach + 1)
    down, right = (grid.ravel() for grid in np.meshgrid(steps, steps, indexing="ij"))
    middles = (np.arange(_PHASES) + 0.5) / _PHASES - 0.5
    cover = np.array(
        [
            np.clip(radius + 0.5 - np.hypot(down - y, right - x), 0.0, 1.0)
            for y in middles
            for x in middles
        ],
        dtype=np.float32,
    )
    touched = cover.any(axis=0)
    return Kernel(down[touched], right[touched], np.ascontiguousarray(cover[:, touched]))


def planes_for(columns: int, rows: int, kernels: list[Kernel]) -> Planes:
    """Empty planes for a picture of that size and such discs."""
    pad = 2 * (max(int(np.abs(kernel.down).max()) for kernel in kernels) + 1)
    shape = rows + 2 * pad, columns + 2 * pad
    return Planes(
        np.zeros(shape, np.float32), np.zeros(shape, np.float32), np.zeros((3, *shape), np.float32),
        pad,
    )  # fmt: skip


def kernels_for(radius: float, shades: Shades) -> list[Kernel]:
    """A disc for each size that points have."""
    return [disc(radius * growth) for growth in (GROWTH if shades.size is not None else (1.0,))]


@dataclass(frozen=True, slots=True)
class Splatting:
    """The sums being made; `steps` makes them, a few milliseconds' work at a time."""

    points: Points
    shades: Shades
    window: Window
    kernels: list[Kernel]
    planes: Planes

    def steps(self) -> Iterator[None]:
        for plane in (self.planes.context, self.planes.cover, self.planes.color):
            plane.fill(0)
        size = max(_WORK // self.kernels[0].cover.shape[1], 500)
        box = self.window.box(margin=self.planes.pad)
        for part in _gathered(self.points.runs(box), size):
            self._add(part)
            yield

    def _add(self, part: "slice | npt.NDArray[np.int64]") -> None:
        pad, window = self.planes.pad, self.window
        across = (self.points.x[part] - np.float32(window.left)) * np.float32(window.scale)
        across += np.float32(pad)
        down = (np.float32(window.top) - self.points.y[part]) * np.float32(window.scale)
        down += np.float32(pad)
        reach = pad // 2
        seen = (across >= reach) & (across < window.columns + 2 * pad - reach)
        seen &= (down >= reach) & (down < window.rows + 2 * pad - reach)
        context = self.shades.context[part]
        index = self.shades.index[part]
        for step, kernel in enumerate(self.kernels):
            chosen = seen if self.shades.size is None else seen & (self.shades.size[part] == step)
            grey, colored = chosen & context, chosen & ~context
            if grey.any():
                _stamp(self.planes, kernel, across[grey], down[grey], None)
            if colored.any():
                rgb = np.take(self.shades.palette, index[colored], axis=0)
                _stamp(self.planes, kernel, across[colored], down[colored], rgb)


def _gathered(runs: list[tuple[int, int]], size: int) -> "Iterator[slice | npt.NDArray[np.int64]]":
    """The runs in parts of about `size` points, which lie near one another."""
    waiting: list[npt.NDArray[np.int64]] = []
    held = 0
    for start, stop in runs:
        if stop - start > size // 2:
            if waiting:
                yield np.concatenate(waiting)
                waiting, held = [], 0
            for at in range(start, stop, size):
                yield slice(at, min(at + size, stop))
            continue
        waiting.append(np.arange(start, stop))
        held += stop - start
        if held >= size:
            yield np.concatenate(waiting)
            waiting, held = [], 0
    if waiting:
        yield np.concatenate(waiting)


def _stamp(
    planes: Planes, kernel: Kernel, across: Floats, down: Floats, rgb: Floats | None
) -> None:
    """Add a disc at each spot, to the grey plane or to those of the colours."""
    columns = planes.cover.shape[1]
    column, row = across.astype(np.int64), down.astype(np.int64)
    middles = row * columns + column
    phase = ((down - row) * _PHASES).astype(np.int64) * _PHASES
    phase += ((across - column) * _PHASES).astype(np.int64)
    covers = np.take(kernel.cover, phase, axis=0)
    places = (middles[:, None] + (kernel.down * columns + kernel.right)).ravel()
    plane = planes.context if rgb is None else planes.cover
    np.add.at(plane.reshape(-1), places, covers.reshape(-1))
    if rgb is not None:
        for channel in range(3):
            share = covers * rgb[:, channel, None]
            np.add.at(planes.color[channel].reshape(-1), places, share.reshape(-1))


@dataclass(frozen=True, slots=True)
class Tone:
    """How coverage becomes opacity: a single point is `single`, the crowded places near 1."""

    single: float
    crowded: float  # the coverage at which nothing is seen through any more

    def opacity(self, cover: Floats) -> Floats:
        """Linear up to one disc, then by the logarithm: ten times the points, one step more."""
        few = np.minimum(cover, 1) * np.float32(self.single)
        rise = (1 - self.single) / max(log1p(max(self.crowded - 1, 0.0)), 1e-3)
        more = np.log1p(np.maximum(cover - 1, 0)) * np.float32(rise)
        opaque: Floats = np.minimum(few + more, 1).astype(np.float32)
        return opaque


def tone_for(crowded: float) -> Tone:
    """The tone for a coverage `crowded` where most points are: the fuller, the fainter each."""
    return Tone(max(0.92 - 0.09 * log1p(max(crowded - 0.5, 0.0)), 0.42), max(crowded, 2.0))


def write_colors(
    planes: Planes,
    grey: tuple[float, float, float],
    tone: Tone,
    paper: tuple[float, float, float],
    into: npt.NDArray[np.uint32],
) -> None:
    """Lay the sums over `paper`, `grey` first, and write them as 0xffrrggbb (rows, columns)."""
    rows, columns = into.shape
    part = (slice(planes.pad, planes.pad + rows), slice(planes.pad, planes.pad + columns))
    context, cover = planes.context[part].ravel(), planes.cover[part].ravel()
    touched = np.flatnonzero(context + cover)
    behind = tone.opacity(context[touched])
    sums = cover[touched]
    before = tone.opacity(sums)
    safe = np.maximum(sums, 1e-6)
    packed = np.full(len(touched), 0xFF, np.uint32)
    for channel in range(3):
        under = paper[channel] + (grey[channel] - paper[channel]) * behind
        color = planes.color[(channel, *part)].ravel()[touched] / safe
        packed <<= 8
        packed |= np.rint(under + (color - under) * before).astype(np.uint32)
    pixels = np.full(rows * columns, _packed(*paper), np.uint32)
    pixels[touched] = packed
    into[:] = pixels.reshape(rows, columns)


def _packed(red: float, green: float, blue: float) -> int:
    return 0xFF000000 | (round(red) << 16) | (round(green) << 8) | round(blue)
