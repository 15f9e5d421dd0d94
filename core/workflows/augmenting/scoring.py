"""What scorers by their names say of pairs."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from core.examples import ScoredPairs
from core.progress import Progress, Steps
from core.workflows.scorers import open_scorer
from core.workflows.teaching_figures import metric_of

Scores = NDArray[np.float32]
Groups = tuple[tuple[str, ...], ...]  # scorers whose means are averaged


def score_pairs(name: str, pairs: ScoredPairs, *, device: str) -> Steps[Scores]:
    """Return (n,) scores of one scorer: cosines of an encoder, what a cross-encoder says."""
    opened = open_scorer(name, device=device, both_orders=True)
    texts = list(dict.fromkeys((*pairs.left, *pairs.right)))
    place = {text: number for number, text in enumerate(texts)}
    left, right = (np.array([place[text] for text in side], np.int64) for side in pairs.columns)
    found = yield from opened.scorer(texts, left, right)
    return found.main.astype(np.float32)


def score_sides(
    name: str, sides: Sequence[ScoredPairs], *, device: str
) -> Steps[tuple[Scores, ...]]:
    """Score several sets of pairs at one go."""
    together = ScoredPairs(
        sum((side.left for side in sides), ()), sum((side.right for side in sides), ()),
        np.concatenate([side.score for side in sides]),
    )  # fmt: skip  # two columns and the scores
    yield Progress("Scoring held-out pairs")
    found = yield from score_pairs(name, together, device=device)
    ends = np.cumsum([len(side) for side in sides])[:-1]
    return tuple(np.split(found, ends))


def mean_of(groups: Sequence[Sequence[Scores]]) -> Scores:
    """Return the mean over groups of the mean of each group's scores, within 0 and 1."""
    means = [np.mean(np.stack(list(group)), axis=0) for group in groups]
    told: Scores = np.clip(np.mean(means, axis=0), 0, 1).astype(np.float32)
    return told


def figure_on(pairs: ScoredPairs, scores: NDArray[np.floating]) -> float:
    """Return how well scores (n,) agree with what people said; larger is better."""
    figure = metric_of(pairs)[1]
    if figure is None:
        raise ValueError("gold pairs are scored")
    return float(figure(pairs.score.astype(np.float64), scores.astype(np.float64)))
