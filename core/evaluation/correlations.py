"""Scored pairs of vectors under every similarity, as in Sentence-BERT, section 4.1 and 4.2."""

from collections.abc import Iterable
from dataclasses import dataclass

from numpy.typing import ArrayLike

from core.evaluation.metrics import pearson, spearman
from core.evaluation.similarities import SIMILARITIES, Vectors


@dataclass(frozen=True, slots=True)
class Correlation:
    """How scores agree with gold, each -1 to 1; nan where either side never varies."""

    spearman: float
    pearson: float


def correlations(
    gold: ArrayLike, left: Vectors, right: Vectors, names: Iterable[str] = tuple(SIMILARITIES)
) -> dict[str, Correlation]:
    """Return both correlations of `gold` (n,) with each named similarity of rows of (n, d).

    The paper reports Spearman of cosine, and that the negated distances give about the same.
    """
    scores = {name: SIMILARITIES[name](left, right) for name in names}
    return {
        name: Correlation(spearman(gold, column), pearson(gold, column))
        for name, column in scores.items()
    }
