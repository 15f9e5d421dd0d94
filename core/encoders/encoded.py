"""What an encoder gives back for some texts."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Encoded:
    """The vectors of some texts; row `i` of each array speaks of text `positions[i]`.

    `window_vectors` holds the windows of those texts that needed more than one, and only of
    those, one after another in the order of the rows; `windows` says how many each has.
    """

    positions: NDArray[np.int64]  # (n,) places in the sequence that was given
    vectors: NDArray[np.float32]  # (n, d) of length 1
    tokens: NDArray[np.int32]  # (n,) of the text alone: no special tokens, no prompt
    windows: NDArray[np.int32]  # (n,) 1 where the whole text fits
    unreadable: NDArray[np.bool_]  # (n,) more than half of the tokens are unknown, or none is left
    window_vectors: NDArray[np.float32]  # (m, d) of length 1

    def __len__(self) -> int:
        return len(self.positions)


def nothing_encoded(dimension: int) -> Encoded:
    """Return an `Encoded` without rows."""
    return Encoded(
        positions=np.empty(0, np.int64),
        vectors=np.empty((0, dimension), np.float32),
        tokens=np.empty(0, np.int32),
        windows=np.empty(0, np.int32),
        unreadable=np.empty(0, np.bool_),
        window_vectors=np.empty((0, dimension), np.float32),
    )


def in_order(parts: Sequence[Encoded], *, dimension: int) -> Encoded:
    """Join parts into one, sorted by position."""
    if not parts:
        return nothing_encoded(dimension)
    positions = np.concatenate([part.positions for part in parts])
    windows = np.concatenate([part.windows for part in parts])
    order = np.argsort(positions, kind="stable")
    return Encoded(
        positions=positions[order],
        vectors=np.concatenate([part.vectors for part in parts])[order],
        tokens=np.concatenate([part.tokens for part in parts])[order],
        windows=windows[order],
        unreadable=np.concatenate([part.unreadable for part in parts])[order],
        window_vectors=np.concatenate([part.window_vectors for part in parts])[
            _window_rows(windows, order)
        ],
    )


def _window_rows(windows: NDArray[np.int32], order: NDArray[np.intp]) -> NDArray[np.int64]:
    counts = np.where(windows > 1, windows, 0).astype(np.int64)
    starts = np.cumsum(counts) - counts
    runs = [np.arange(starts[row], starts[row] + counts[row]) for row in order if counts[row]]
    return np.concatenate(runs) if runs else np.empty(0, np.int64)
