"""One figure from many: the mean and the standard deviation over folds or seeds."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike


@dataclass(frozen=True, slots=True)
class Aggregate:
    """The mean of some values and how far they scatter."""

    mean: float
    deviation: float  # of a sample, divided by n - 1; nan where there is one value
    n: int

    def words(self, *, scale: float = 100, places: int = 2) -> str:
        """Say it as papers do: 84.67 ± 0.19 (n = 10)."""
        mean = f"{self.mean * scale:.{places}f}"
        if self.n == 1:
            return f"{mean} (n = 1)"
        return f"{mean} ± {self.deviation * scale:.{places}f} (n = {self.n})"


def aggregated(values: ArrayLike) -> Aggregate:
    """Return mean and sample standard deviation; raise `ValueError` unless finite and some."""
    found = np.asarray(values, np.float64)
    if found.ndim != 1 or not len(found) or not np.isfinite(found).all():
        raise ValueError("one column of finite numbers is needed")
    deviation = float(found.std(ddof=1)) if len(found) > 1 else float("nan")
    return Aggregate(float(found.mean()), deviation, len(found))


def aggregated_by_name(rows: Sequence[Mapping[str, float]]) -> dict[str, Aggregate]:
    """Aggregate each figure over the runs or folds that gave it; every row has the same names."""
    if any(row.keys() != rows[0].keys() for row in rows):
        raise ValueError("every run must have the same figures")
    return {name: aggregated([row[name] for row in rows]) for name in (rows[0] if rows else ())}
