"""Seats for texts that a person wants apart although one kept text is near to both."""

from collections import defaultdict

import numpy as np

from core.groups.links import Floats, Positions, Truths

Seats = dict[int, tuple[int, float]]


def seat_apart(
    better: Positions,
    worse: Positions,
    cosine: Floats,
    *,
    gone: Truths,
    absorbed: Truths,
    apart: Positions,
) -> Seats:
    """Choose kept texts for the removed texts that must not meet; all texts are ranks.

    From best to worst each takes its nearest kept text where none of its opposites sits,
    or, finding none, is kept itself: `gone` is changed there. Returns (kept, cosine) by text.
    Texts decided different from a kept text need no seat: that link is not among the edges.
    """
    opposites = _opposites(apart, gone & ~absorbed)
    if not opposites:
        return {}
    start, others, cosine = _neighbours(better, worse, cosine, list(opposites), len(gone))
    seats: Seats = {}
    for text in sorted(opposites):
        near = slice(start[text], start[text + 1])
        free = ~gone[others[near]]
        for other in opposites[text]:
            if other in seats:
                free &= others[near] != seats[other][0]
        kept, values = others[near][free], cosine[near][free]
        if len(kept):
            seats[text] = int(kept[values == values[0]].min()), float(values[0])
        else:
            gone[text] = False
            seats[text] = text, float("nan")
    return seats


def _opposites(apart: Positions, removed: Truths) -> dict[int, set[int]]:
    opposites: dict[int, set[int]] = defaultdict(set)
    for a, b in apart[removed[apart].all(axis=1)].tolist():
        opposites[a].add(b)
        opposites[b].add(a)
    return opposites


def _neighbours(
    better: Positions, worse: Positions, cosine: Floats, texts: list[int], n: int
) -> tuple[Positions, Positions, Floats]:
    """The links of `texts`, by text (start, n + 1) and then in descending order of cosine."""
    wanted = np.zeros(n, np.bool_)
    wanted[texts] = True
    down, up = np.flatnonzero(wanted[worse]), np.flatnonzero(wanted[better])
    # Sorting one packed number is several times quicker than sorting by two keys.
    packed = np.sort(np.append(worse[down] << 32 | down, better[up] << 32 | up))
    text, link = packed >> 32, packed & 0xFFFFFFFF
    start = np.searchsorted(text, np.arange(n + 1))
    return start, better[link] + worse[link] - text, cosine[link]
