"""Room for boxes beside one another: first come, first served."""

import numpy as np
import numpy.typing as npt

GAP = 5.0  # pixels between two boxes
_SHIFTS = ((0.0, 0.0), (0.0, -0.75), (0.0, 0.75), (0.0, -1.4), (0.0, 1.4), (-0.4, 0.0), (0.4, 0.0))

_Box = tuple[float, float, float, float]  # left, top, right, bottom


def place(
    spots: npt.NDArray[np.float64], sizes: npt.NDArray[np.float64], *, gap: float = GAP
) -> list[tuple[int, float, float]]:
    """Find room for boxes (n, 2) at spots (n, 2), both in pixels, first come first served.

    A box sits on its spot or is shifted a little; returns (index, shift right, shift down) of
    those that touch no earlier one. In plain numbers, since a map that is zoomed asks for every
    frame, and calls of NumPy for few boxes at a time take longer than comparing them.
    """
    if not len(spots):
        return []
    tall = float(sizes[:, 1].max()) + gap
    taken: dict[int, list[_Box]] = {}  # by the rows that a box touches, none lower than a box
    placed: list[tuple[int, float, float]] = []
    both = np.concatenate([spots, sizes], axis=1).tolist()
    for index, (x, y, width, height) in enumerate(both):
        half_width, half_height = width / 2 + gap / 2, height / 2 + gap / 2
        for across, down in _SHIFTS:
            middle, level = x + across * width, y + down * height
            left, right = middle - half_width, middle + half_width
            top, bottom = level - half_height, level + half_height
            row, last = int(top // tall), int(bottom // tall)
            if _is_free(taken.get(row), left, top, right, bottom) and (
                row == last or _is_free(taken.get(last), left, top, right, bottom)
            ):
                for touched in {row, last}:
                    taken.setdefault(touched, []).append((left, top, right, bottom))
                placed.append((index, across * width, down * height))
                break
    return placed


def _is_free(
    others: list[_Box] | None, left: float, top: float, right: float, bottom: float
) -> bool:
    if others is not None:
        for first, upper, end, lower in others:
            if first < right and end > left and upper < bottom and lower > top:
                return False
    return True
