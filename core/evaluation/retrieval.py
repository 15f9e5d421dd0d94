"""How well the texts that belong to a question stand at the top of all texts.

Ranks are exact: every question is compared with every row, in blocks. Rows that tie with a relevant
row and are not relevant stand before it, so that no order of rows flatters and an encoder
that finds everything alike gains nothing.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from core.errors import UserError
from core.evaluation.similarities import Vectors
from core.progress import Progress, Steps

Ranks: TypeAlias = NDArray[np.int64]

_COSINES_AT_ONCE = 1 << 24  # 128 MB of float64
_NUMBERS_AT_ONCE = 1 << 20  # of the rows, brought to length 1 in float64
_DECIMALS = 9  # a matrix product gives copies of a row cosines that differ in their last bits


@dataclass(frozen=True, slots=True)
class AtDepth:
    """Figures of the first `depth` rows, each 0 to 1, means over the questions."""

    depth: int
    recall: float  # share of the relevant rows that are there
    mrr: float  # 1 / rank of the first relevant row, 0 where none is there
    ndcg: float  # gain discounted by log2(rank + 1), relative to the best order


@dataclass(frozen=True, slots=True)
class RetrievalQuality:
    """Figures at each depth; questions without a relevant row are left out of all means."""

    questions: int
    left_out: int
    at: tuple[AtDepth, ...]


def retrieval_quality(
    questions: Vectors,
    rows: Vectors,
    relevant: Sequence[Collection[int]],
    *,
    depths: Sequence[int] = (1, 5, 10),
    own: Sequence[int] | None = None,
) -> Steps[RetrievalQuality]:
    """Rank `rows` (n, d) by cosine to each of `questions` (q, d) and look for the relevant ones.

    `relevant[i]` are the rows that belong to question i, `own[i]` the row that is the question
    itself and is never found, -1 for none. Costs q n d multiplications and q n comparisons for
    each relevant row. Raises `UserError` where no question has a relevant row.
    """
    ranks = yield from relevant_ranks(questions, rows, relevant, own=own)
    return quality_of_ranks(ranks, depths=depths)


def relevant_ranks(
    questions: Vectors,
    rows: Vectors,
    relevant: Sequence[Collection[int]],
    *,
    own: Sequence[int] | None = None,
) -> Steps[list[Ranks]]:
    """Return the ranks, rising from 1, of each question's relevant rows."""
    if len(relevant) != len(questions) or (own is not None and len(own) != len(questions)):
        raise ValueError("each question needs its set of relevant rows, and its own row if any")
    if questions.ndim != 2 or rows.ndim != 2 or questions.shape[1] != rows.shape[1]:
        raise ValueError(f"{questions.shape} cannot be compared with {rows.shape}")
    found: list[Ranks] = []
    at_once = max(1, _COSINES_AT_ONCE // max(len(rows), 1))
    for first in range(0, len(questions), at_once):
        yield Progress("Ranking texts", first, len(questions), "questions")
        cosines = _cosines(questions[first : first + at_once], rows)
        for place, column in enumerate(cosines, first):
            wanted = _wanted(relevant[place], len(rows))
            if own is not None and own[place] >= 0:
                column[own[place]] = -np.inf
                wanted = wanted[wanted != own[place]]
            found.append(_ranks(column, wanted))
    return found


def quality_of_ranks(
    ranks: Sequence[Ranks], *, depths: Sequence[int] = (1, 5, 10)
) -> RetrievalQuality:
    """Return the figures of the ranks of each question's relevant rows."""
    if not depths or min(depths) < 1:
        raise ValueError(f"depths of at least 1 are needed, not {list(depths)}")
    asked = [own for own in ranks if len(own)]
    if not asked:
        raise UserError(
            f"None of {len(ranks):,} questions has a text that belongs to it.",
            "Name at least one right text for some of the questions.",
        )
    at = tuple(_at_depth(asked, depth) for depth in depths)
    return RetrievalQuality(len(asked), len(ranks) - len(asked), at)


def _at_depth(ranks: Sequence[Ranks], depth: int) -> AtDepth:
    recall = [float((own <= depth).mean()) for own in ranks]
    first = [1 / int(own[0]) if own[0] <= depth else 0.0 for own in ranks]
    gain = [
        _gain(own[own <= depth]) / _gain(np.arange(1, min(len(own), depth) + 1)) for own in ranks
    ]
    return AtDepth(depth, float(np.mean(recall)), float(np.mean(first)), float(np.mean(gain)))


def _gain(ranks: Ranks) -> float:
    return float((1 / np.log2(ranks + 1)).sum())


def _ranks(cosines: NDArray[np.float64], relevant: Ranks) -> Ranks:
    own = np.sort(cosines[relevant])[::-1]
    others = cosines.copy()
    others[relevant] = -np.inf
    ahead = np.array([np.count_nonzero(others >= cosine) for cosine in own], np.int64)
    return ahead + np.arange(1, len(own) + 1)


def _wanted(relevant: Collection[int], rows: int) -> Ranks:
    wanted = np.unique(np.array(list(relevant), np.int64))
    if len(wanted) and not 0 <= wanted[0] <= wanted[-1] < rows:
        raise ValueError(f"relevant rows must be from 0 to {rows - 1}")
    return wanted


def _cosines(questions: Vectors, rows: Vectors) -> NDArray[np.float64]:
    asked = _directions(questions)
    found = np.empty((len(questions), len(rows)))
    at_once = max(1, _NUMBERS_AT_ONCE // max(rows.shape[1], 1))
    for first in range(0, len(rows), at_once):
        part = slice(first, first + at_once)
        found[:, part] = asked @ _directions(rows[part]).T
    if not np.isfinite(found).all():
        raise ValueError("every number must be finite")
    return np.round(found, _DECIMALS)


def _directions(vectors: Vectors) -> NDArray[np.float64]:
    wide = vectors.astype(np.float64)
    lengths = np.linalg.norm(wide, axis=1, keepdims=True)
    return wide / np.where(lengths == 0, 1, lengths)
