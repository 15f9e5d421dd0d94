"""What a cross-encoder gives back for some pairs."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Scored:
    """The scores of some pairs; row `i` of each array speaks of pair `positions[i]`."""

    positions: NDArray[np.int64]  # (n,) places in the sequence that was given
    scores: NDArray[np.float32]  # (n,) with one label, else (n, labels)
    tokens: NDArray[np.int32]  # (n,) read in one order, special tokens included
    cut: NDArray[np.bool_]  # (n,) the pair is longer than the model reads at once

    def __len__(self) -> int:
        return len(self.positions)


def nothing_scored(labels: int) -> Scored:
    """Return a `Scored` without rows."""
    return Scored(
        positions=np.empty(0, np.int64),
        scores=np.empty((0,) if labels == 1 else (0, labels), np.float32),
        tokens=np.empty(0, np.int32),
        cut=np.empty(0, np.bool_),
    )
