"""Which colour each point of a map has, and which points step back into grey."""

from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
from PySide6.QtGui import QColor

from app.look.cluster_colors import context_color, unclustered_color
from app.look.theme import Theme

_SIZE_STEPS = 4


@dataclass(frozen=True, slots=True)
class Shades:
    """A row of `palette` per point; -1 is grey. Points lie in any one order, always the same."""

    index: npt.NDArray[np.int32]  # (n,)
    palette: npt.NDArray[np.float32]  # (k + 1, 3) 0 to 255; the last row is the grey of -1
    context: npt.NDArray[np.bool_]  # (n,) those drawn first, in `grey`
    grey: tuple[float, float, float]
    size: npt.NDArray[np.uint8] | None = None  # (n,) 0 to 3; none: all 0

    def sorting(self, order: npt.NDArray[np.int32]) -> Generator[None, None, "Shades"]:
        """The shades of the points in another order, with pauses."""
        index = np.take(self.index, order)
        yield
        context = np.take(self.context, order)
        yield
        size = None if self.size is None else np.take(self.size, order)
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
    return Shades(inside.astype(np.int32, copy=False), table, context, _rgb(grey), size)


def index_of_values(values: npt.NDArray[np.floating]) -> npt.NDArray[np.int32]:
    """Values as places in the ramp of `value_ramp`: smallest 0, largest 255, not-a-number -1.

    Where all are equal they stand at the end that is seen best.
    """
    finite = np.isfinite(values)
    index = np.full(len(values), -1, dtype=np.int32)
    if not finite.any():
        return index
    known = values[finite].astype(np.float64)
    low, high = float(known.min()), float(known.max())
    steps = 255.0 if high <= low else (known - low) / (high - low) * 255
    index[finite] = np.rint(steps)
    return index


def size_steps(copies: npt.NDArray[np.integer]) -> npt.NDArray[np.uint8]:
    """Copies as four sizes: 1, 2 to 5, 6 to 30, more."""
    return np.searchsorted(np.array([2, 6, 31]), copies, side="right").astype(np.uint8)


def _repeated(index: npt.NDArray[np.int32], count: int) -> npt.NDArray[np.int32]:
    return np.where(index < 0, -1, index % count).astype(np.int32)


def _rgb(color: QColor) -> tuple[float, float, float]:
    return float(color.red()), float(color.green()), float(color.blue())
