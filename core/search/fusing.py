"""One ranking out of several."""

from collections.abc import Iterable, Sequence


def fuse(rankings: Iterable[Sequence[int]], *, constant: float = 60) -> list[tuple[int, float]]:
    """Join rankings of items, each best first, into one list of (item, score), best first.

    An item's score is the sum of 1 / (constant + rank) over the rankings it is in, ranks
    counted from 1: reciprocal rank fusion (Cormack, Clarke and Büttcher 2009), which needs
    no common scale. Of equal scores the one met first wins.
    """
    scores: dict[int, float] = {}
    for ranking in rankings:
        for rank, item in enumerate(dict.fromkeys(ranking), 1):
            scores[item] = scores.get(item, 0.0) + 1 / (constant + rank)
    return sorted(scores.items(), key=lambda entry: -entry[1])
