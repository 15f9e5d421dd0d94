"""Points into pixels: how much of each pixel they cover, and in which colour."""

from collections.abc import Generator, Iterator
from dataclasses import dataclass
from math import log1p
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from app.widgets.scatter_disc import PHASES, Kernel
from app.widgets.scatter_points import Floats, Points
from app.widgets.scatter_shades import Shades
from app.widgets.scatter_window import Window

Whole = npt.NDArray[np.int64]
_WORK = 40_000  # pixels touched between two pauses
_MOST = 40_000  # points between two pauses
_FINEST = 64  # steps of cover
_HALF = 32  # bits of a sum; two share a number, which halves the time that adding takes
_LOW = 2**32 - 1

Kind = TypeVar("Kind", bound=np.generic)


@dataclass(frozen=True, slots=True)
class Planes:
    """Sums per pixel (rows, columns), in whole numbers: the same in whatever order they came.

    The one in the upper half of a number, and the one in its lower half.
    """

    context: Whole  # cover of the points that are grey
    red_green: Whole  # of the others, times their cover
    blue_cover: Whole
    unit: float  # cover of one step; a pixel that one disc covers wholly holds 1
    pad: int  # pixels around the picture, for discs that reach into it

    @property
    def cover(self) -> Floats:
        """The cover of the points that are not grey."""
        return (self.blue_cover >> _HALF).astype(np.float32) * np.float32(self.unit)

    def clear(self) -> None:
        for plane in (self.context, self.red_green, self.blue_cover):
            plane.fill(0)


def planes_for(columns: int, rows: int, kernels: list[Kernel], *, points: int = 0) -> Planes:
    """Empty planes for a picture of that size and such discs; `points` may lie on one pixel."""
    pad = 2 * (max(int(np.abs(kernel.down).max()) for kernel in kernels) + 1)
    shape = rows + 2 * pad, columns + 2 * pad
    steps = _FINEST
    while steps > 1 and points * 255 * steps >= 2**31:
        steps //= 2
    unit = float(kernels[0].cover.max()) / steps
    return Planes(
        np.zeros(shape, np.int64), np.zeros(shape, np.int64), np.zeros(shape, np.int64), unit, pad,
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Located:
    """Points in sight and the pixels of the planes where they lie, whatever their colours."""

    points: Whole  # (m,)
    middles: Whole  # (m,)
    phase: npt.NDArray[np.uint8]  # (m,) where inside the pixel


@dataclass(frozen=True, slots=True)
class Splatting:
    """The sums being made; `steps` makes them, a few milliseconds' work at a time.

    `located` is what another splatting of the same points, window and discs has found out.
    """

    points: Points
    shades: Shades
    window: Window
    kernels: list[Kernel]
    planes: Planes
    located: list[Located] | None = None

    def steps(self) -> Generator[None, None, list[Located]]:
        self.planes.clear()
        words = _words_of(self.shades)
        if self.located is not None:
            for some in self.located:
                self._add(some, words)
                yield
            return self.located
        touched = int((self.kernels[0].cover > 0).sum(axis=1).max())
        size = max(min(_WORK // touched, _MOST), 500)
        found = []
        for part in _gathered(self.points.runs(self.window.box(margin=self.planes.pad)), size):
            some = self._locate(part)
            if len(some.points):
                self._add(some, words)
                found.append(some)
            yield
        return found

    def _locate(self, part: list[slice]) -> Located:
        column, across = self._pixels(_of(self.points.x, part), self.window.column)
        row, down = self._pixels(np.float32(1) - _of(self.points.y, part), self.window.row)
        tall, wide = self.planes.context.shape
        reach = self.planes.pad // 2
        seen = (column >= reach) & (column < wide - reach) & (row >= reach) & (row < tall - reach)
        at = np.flatnonzero(seen)
        row *= np.int32(wide)
        row += column
        points = np.concatenate([np.arange(one.start, one.stop) for one in part])
        return Located(
            np.take(points, at), np.take(row, at).astype(np.int64),
            np.take(down * np.uint8(PHASES) + across, at),
        )  # fmt: skip

    def _add(self, some: Located, words: tuple[Whole, Whole]) -> None:
        index = np.take(self.shades.index, some.points)
        context = np.take(self.shades.context, some.points)
        size = None if self.shades.size is None else np.take(self.shades.size, some.points)
        has_grey = bool(context.any())
        for step, kernel in enumerate(self.kernels):
            if size is None and not has_grey:
                self._stamp(kernel, some.middles, some.phase, index, words)
                continue
            under, over = context, ~context
            if size is not None:
                under, over = under & (size == step), over & (size == step)
            colored, grey = np.flatnonzero(over), np.flatnonzero(under)
            if len(colored):
                own = index[colored]
                self._stamp(kernel, some.middles[colored], some.phase[colored], own, words)
            if len(grey):
                self._stamp(kernel, some.middles[grey], some.phase[grey], None, words)

    def _pixels(
        self, places: Floats, first: int
    ) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.uint8]]:
        """The pixels of the planes where points lie, and where inside of them.

        Reckoned from the edge of the map, not of the window, so that all windows agree.
        """
        fine = (places * np.float32(self.window.scale * PHASES)).astype(np.int32)
        inside = (fine & 3).astype(np.uint8)
        fine >>= 2
        fine += self.planes.pad - first
        return fine, inside

    def _stamp(
        self,
        kernel: Kernel,
        middles: Whole,
        phase: npt.NDArray[np.uint8],
        index: npt.NDArray[np.int32] | None,
        words: tuple[Whole, Whole],
    ) -> None:
        """Add a disc at each pixel, to the grey plane or to those of the colours."""
        steps = np.rint(kernel.cover / np.float32(self.planes.unit)).astype(np.int64)
        offsets = kernel.down * self.planes.context.shape[1] + kernel.right
        if len(offsets) == 1:
            self._put(middles, steps[0], index, words)
            return
        order = np.argsort(phase, kind="stable")
        middles = middles[order]
        index = None if index is None else index[order]
        ends = np.cumsum(np.bincount(phase, minlength=PHASES**2)).tolist()
        for kind, (start, end) in enumerate(zip([0, *ends], ends, strict=False)):
            if start < end:
                touched = np.flatnonzero(steps[kind])
                places = (middles[start:end, None] + offsets[touched]).ravel()
                own = None if index is None else index[start:end]
                self._put(places, steps[kind, touched], own, words)

    def _put(
        self,
        places: Whole,
        steps: Whole,
        index: npt.NDArray[np.int32] | None,
        words: tuple[Whole, Whole],
    ) -> None:
        """Add `steps` (k,) of cover at the places (n * k,) of points in the colours `index`."""
        if index is None:
            count = len(places) // len(steps)
            np.add.at(self.planes.context.reshape(-1), places, np.tile(steps, count))
            return
        for plane, word in zip((self.planes.red_green, self.planes.blue_cover), words, strict=True):
            own = np.take(word, index)
            np.add.at(plane.reshape(-1), places, (own[:, None] * steps).ravel())


def _words_of(shades: Shades) -> tuple[Whole, Whole]:
    """The palette as red and green, blue and one: a sum of them is a sum of each."""
    red, green, blue = np.rint(shades.palette).astype(np.int64).T
    return red | (green << _HALF), blue | (1 << _HALF)


def _of(values: npt.NDArray[Kind], part: list[slice]) -> npt.NDArray[Kind]:
    """The values of the points of a part."""
    return values[part[0]] if len(part) == 1 else np.concatenate([values[one] for one in part])


def _gathered(runs: list[tuple[int, int]], size: int) -> Iterator[list[slice]]:
    """The runs in parts of `size` points, which lie near one another."""
    waiting: list[slice] = []
    room = size
    for start, stop in runs:
        at = start
        while stop - at >= room:
            yield [*waiting, slice(at, at + room)]
            at += room
            waiting, room = [], size
        if at < stop:
            waiting.append(slice(at, stop))
            room -= stop - at
    if waiting:
        yield waiting


@dataclass(frozen=True, slots=True)
class Tone:
    """How coverage becomes opacity: a single point is `single`, the crowded places near 1."""

    single: float
    crowded: float  # the coverage at which nothing is seen through any more

    def opacity(self, cover: Floats) -> Floats:
        """Linear up to one disc, then by the logarithm: ten times the points, one step more."""
        few = np.minimum(cover, 1) * np.float32(self.single)
        rise = (1 - self.single) / max(log1p(max(self.crowded - 1, 0.0)), 1e-3)
        more = np.log(np.maximum(cover, 1)) * np.float32(rise)
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
    red_green, blue_cover = planes.red_green[part].ravel(), planes.blue_cover[part].ravel()
    into.fill(_packed(*paper))
    context = planes.context[part].ravel() if planes.context[part].any() else None
    touched = np.flatnonzero(blue_cover if context is None else blue_cover | context)
    if not len(touched):
        return
    first, second = red_green[touched], blue_cover[touched]
    sums = (second >> _HALF).astype(np.float32)
    before = tone.opacity(sums * np.float32(planes.unit))
    share = before / np.maximum(sums, 1)
    through = 1 - before
    behind = None
    if context is not None:
        behind = tone.opacity(context[touched].astype(np.float32) * np.float32(planes.unit))
    packed = np.zeros(len(touched), np.int32)
    for channel, sum_of in enumerate((first & _LOW, first >> _HALF, second & _LOW)):
        under: Floats | np.float32 = np.float32(paper[channel])
        if behind is not None:
            under = under + np.float32(grey[channel] - paper[channel]) * behind
        color = sum_of.astype(np.float32)
        color *= share
        color += under * through
        color += np.float32(0.5)
        packed <<= 8
        packed |= color.astype(np.int32)
    pixels = packed.view(np.uint32) | np.uint32(0xFF000000)
    if into.flags.c_contiguous:
        into.reshape(-1)[touched] = pixels
    else:
        into[touched // columns, touched % columns] = pixels


def _packed(red: float, green: float, blue: float) -> int:
    return 0xFF000000 | (round(red) << 16) | (round(green) << 8) | round(blue)
