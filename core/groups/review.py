"""What is left for a person to look at, and counts that add up."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.groups.links import (
    Floats,
    Ints,
    LinkTable,
    Positions,
    as_pairs,
    count_at_or_above,
    is_among,
)
from core.groups.stars import Grouping, Reason


@dataclass(frozen=True, slots=True)
class Counts:
    """How the rows of the corpus are divided; kept + copies + similar + decided = rows."""

    rows: int
    kept: int
    copies: int  # rows whose very text another row has
    similar: int  # removed for a link at or above the threshold
    decided: int  # removed because a person said so
    groups: int  # with more than one row
    review: int  # pairs that wait for a person

    @property
    def removed(self) -> int:
        return self.copies + self.similar + self.decided


@dataclass(frozen=True, slots=True)
class Histogram:
    """How many cosines fall between each two of the `edges` (bins + 1,), ascending."""

    edges: NDArray[np.float64]
    counts: NDArray[np.int64]  # (bins,)


def review_pairs(
    grouping: Grouping,
    links: LinkTable,
    *,
    low: float,
    threshold: float,
    same: Ints | None = None,
    different: Ints | None = None,
    unsure: Ints | None = None,
) -> NDArray[np.intp]:
    """Find the links a person should look at: indices into `links`, highest cosine first.

    They join two kept texts whose relation is undecided, and are at or above `low`, or at
    or above `threshold` and yet not used (both texts are representatives, or kept to hold
    different ones apart). What was decided of a text removed by decision counts for its
    representative too.
    """
    n = len(grouping.kept_of)
    cut = count_at_or_above(links.cosine, min(low, threshold))
    left, right = links.left[:cut], links.right[:cut]
    kept = grouping.is_kept
    found = np.flatnonzero(kept[left])
    found = found[kept[right[found]]]
    late = links.cosine[found] < np.float32(low)
    if late.any():
        found = found[~(late & links.held[found])]
    speaks_for = np.where(grouping.reason == Reason.DECIDED, grouping.kept_of, np.arange(n))
    decided = speaks_for[np.concatenate([as_pairs(p) for p in (same, different, unsure)])]
    return found[~is_among(left[found], right[found], decided, n)]


def counts(grouping: Grouping, rows: Ints, *, review: int | Positions = 0) -> Counts:
    """Count rows by what happens to them; `rows` (n,) says how many rows hold each text."""
    rows = np.asarray(rows, np.int64)
    used = rows > 0
    by_reason = np.bincount(grouping.reason[used], minlength=len(Reason))
    in_group = np.bincount(grouping.kept_of, weights=rows, minlength=len(rows))
    return Counts(
        rows=int(rows.sum()),
        kept=int(by_reason[Reason.KEPT]),
        copies=int((rows[used] - 1).sum()),
        similar=int(by_reason[Reason.SIMILAR]),
        decided=int(by_reason[Reason.DECIDED]),
        groups=int((in_group > 1).sum()),
        review=review if isinstance(review, int) else len(review),
    )


def histogram(cosine: Floats, bins: int = 60, *, low: float = 0.7, high: float = 1.0) -> Histogram:
    """Count cosines (descending) in equal bins; those above `high` fall into the last bin."""
    edges = np.linspace(low, high, bins + 1)
    above = np.array([count_at_or_above(cosine, edge) for edge in edges[:-1]] + [0], np.int64)
    return Histogram(edges, above[:-1] - above[1:])
