"""The vectors of a matrix that can be compared, and how they are read from it."""

import numpy as np
from numpy.typing import NDArray

from core.pairs.ranking import Floats, Rows


class Comparable:
    """Some rows of a matrix, which may be on the disk, and their Euclidean lengths.

    The order is that of a pass over them, not always that of the matrix.
    """

    def __init__(
        self, vectors: NDArray[np.float32], used: Rows, lengths: NDArray[np.float64]
    ) -> None:
        self._vectors = vectors
        self.used = used  # (u,) rows of the matrix
        self.lengths = lengths  # (u,), above 0

    def __len__(self) -> int:
        return len(self.used)

    @property
    def numbers(self) -> int:
        return int(self._vectors.shape[1])

    def reorder(self, order: Rows) -> None:
        """Go through them in another order from now on."""
        self.used, self.lengths = self.used[order], self.lengths[order]

    def exact(self, part: slice | Rows) -> Floats:
        """Some of them as they are, (m, d)."""
        return np.ascontiguousarray(self._vectors[self.used[part]], np.float32)

    def unit(self, part: slice | Rows) -> Floats:
        """Some of them with a length of 1, rounded to float32."""
        # No usable vector is so short or long that its inverse length leaves float32.
        units: Floats = self.exact(part) * (1 / self.lengths[part]).astype(np.float32)[:, None]
        return units

    def cosines(self, rows: slice, columns: slice) -> Floats:
        """The cosines of all pairs of a tile, (r, c), computed in float64."""
        left = self.exact(rows).astype(np.float64)
        right = left if rows == columns else self.exact(columns).astype(np.float64)
        dots = left @ right.T
        dots /= self.lengths[rows][:, None]
        dots /= self.lengths[columns]
        return np.clip(dots, -1, 1).astype(np.float32)
