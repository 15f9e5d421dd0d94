"""Which colour each point of a map has, and which points step back into grey."""

from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
from PySide6.QtGui import QColor

from app.look.cluster_colors import context_color, unclustered_color
from app.look.theme import Theme

_PART = 250_000  # points between two pauses


@dataclass(frozen=True, slots=True)
class Shades:
    """A row of `palette` per point; -1 is grey. Points lie in any one order, always the same."""

    index: npt.NDArray[np.int32]  # (n,)
    palette: npt.NDArray[np.float32]  # (k + 1, 3) 0 to 255; the last row is the grey of -1
    context: npt.NDArray[np.bool_]  # (n,) those drawn first, in `grey`
    grey: tuple[float, float, float]
    size: npt.NDArray[np.uint8] | None = None  # (n,) 0 to 3; none: all 0
    is_missing_only: bool = False  # the grey points are just those of -1

    def sorting(self, order: npt.NDArray[np.int64]) -> Generator[None, None, "Shades"]:
        """The shades of the points in another order, with pauses."""
        index, context = np.empty_like(self.index), np.empty_like(self.context)
        size = None if self.size is None else np.empty_like(self.size)
        for start in range(0, len(order), _PART):
            part = slice(start, start + _PART)
            index[part] = np.take(self.index, order[part])
            if self.is_missing_only:
                context[part] = index[part] < 0
            else:
                context[part] = np.take(self.context, order[part])
            if size is not None and self.size is not None:
                size[part] = np.take(self.size, order[part])
            yield
        return replace(self, index=index, context=context, size=size)


def shades_of(
    index: npt.NDArray[np.int32],
    palette: Sequence[QColor],
    theme: Theme,
    *,
    selected: npt.NDArray[np.bool_] | None = None,
    size: npt.NDArray[np.uint8] | None = None,
) -> Shades:
    """Colours by `index` into `palette`, which repeats; -1 is grey and lies under the others.

    With `selected`, all others turn to the fainter grey of context.
    """
    known = [_rgb(color) for color in palette] or [_rgb(QColor(theme.colours.accent))]
    if selected is None:
        context, grey, missing = index < 0, unclustered_color(theme), unclustered_color(theme)
    else:
        context, grey, missing = ~selected, context_color(theme), QColor(theme.colours.faint)
    table = np.array([*known, _rgb(missing)], dtype=np.float32)
    inside = index if not len(index) or index.max() < len(known) else _repeated(index, len(known))
    return Shades(
        inside.astype(np.int32, copy=False), table, context, _rgb(grey), size,
        is_missing_only=selected is None,
    )  # fmt: skip


def index_of_values(values: npt.NDArray[np.floating]) -> npt.NDArray[np.int32]:
    """Values as places in the ramp of `value_ramp`: smallest 0, largest 255, not-a-number -1.

    Where all are equal they stand at the end that is seen best.
    """
    finite = np.isfinite(values)
    whole = bool(finite.all())
    known = (values if whole else values[finite]).astype(np.float64)
    index = np.full(len(values), -1, dtype=np.int32)
    if not len(known):
        return index
    low, high = float(known.min()), float(known.max())
    if high <= low:
        known.fill(255.0)
    else:
        known -= low
        known *= 255 / (high - low)
        np.rint(known, out=known)
    index[... if whole else finite] = known
    return index


def size_steps(copies: npt.NDArray[np.integer]) -> npt.NDArray[np.uint8]:
    """Copies as four sizes: 1, 2 to 5, 6 to 30, more."""
    steps = (copies >= 2).astype(np.uint8)
    for least in (6, 31):
        steps += copies >= least
    return steps


def _repeated(index: npt.NDArray[np.int32], count: int) -> npt.NDArray[np.int32]:
    return np.where(index < 0, -1, index % count).astype(np.int32)


def _rgb(color: QColor) -> tuple[float, float, float]:
    return float(color.red()), float(color.green()), float(color.blue())
