"""Silver pairs: chosen texts with a teacher's soft labels, and what a person made of them."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from core.examples import Rows, ScoredPairs
from core.sampling import keep_ratio, thin

_SAME = 0.5


@dataclass(frozen=True, slots=True)
class Silver:
    """Pairs of texts with labels from 0 to 1; `corrected` is a person's word, nan where none is."""

    left: tuple[str, ...]
    right: tuple[str, ...]
    score: NDArray[np.float32]  # (n,)
    corrected: NDArray[np.float32]  # (n,)
    dropped: NDArray[np.bool_]  # (n,)

    def __len__(self) -> int:
        return len(self.left)

    @property
    def pairs(self) -> ScoredPairs:
        """All of them, with a person's word where there is one."""
        told = np.where(np.isnan(self.corrected), self.score, self.corrected)
        return ScoredPairs(self.left, self.right, told.astype(np.float32))

    @property
    def taught(self) -> ScoredPairs:
        """Those that are learnt from."""
        return self.pairs.rows(np.flatnonzero(~self.dropped))

    def keeping(self, rows: Rows) -> "Silver":
        """Drop all but these, and those that a person corrected, which stay as they are."""
        stays = np.isin(np.arange(len(self)), rows) | ~np.isnan(self.corrected)
        return replace(self, dropped=self.dropped | ~stays)


def new_silver(left: tuple[str, ...], right: tuple[str, ...], score: NDArray[np.float32]) -> Silver:
    """Return silver pairs that nobody has looked at."""
    count = len(left)
    return Silver(left, right, score, np.full(count, np.nan, np.float32), np.zeros(count, np.bool_))


def rebalanced(
    gold: NDArray[np.float32], silver: NDArray[np.float32], *, most: int | None, seed: int
) -> Rows:
    """Return which silver pairs stay so that they are spread as the gold ones; see `thin`.

    Gold that is all yes and no gives its ratio: all silver positives stay, and as many negatives.
    """
    if np.isin(gold, (0, 1)).all():
        of_gold, of_silver = ((one >= _SAME).astype(np.int64) for one in (gold, silver))
        return keep_ratio(of_gold, of_silver, most=most, seed=seed)
    return thin(gold, np.clip(silver, 0, 1), most=most, seed=seed)


def joined(gold: ScoredPairs, silver: ScoredPairs) -> ScoredPairs:
    """Return gold and silver pairs together, gold first."""
    return ScoredPairs(
        gold.left + silver.left, gold.right + silver.right,
        np.concatenate((gold.score, silver.score)).astype(np.float32),
    )  # fmt: skip  # two columns and the scores
