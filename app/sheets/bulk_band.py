"""What waits in a band of cosines, with a few of its pairs."""

from dataclasses import dataclass

import numpy as np

from core.store import Project, ReviewRow

SAMPLE = 5
ABOVE_ALL = 1.01  # an upper end of 1.00 takes the pairs at 1.00 along


@dataclass(frozen=True, slots=True)
class Band:
    """What waits between two cosines; `held` of the pairs carry a warning."""

    pairs: int
    held: int
    sample: tuple[tuple[str, str, float], ...]  # kept text, candidate text, cosine


def read_band(project: Project, low: float, high: float, *, flagged: bool, turn: int = 0) -> Band:
    """Count the pairs that would be accepted, and draw a few of them spread over the band.

    Another `turn` draws others. Reads every pair of the band.
    """
    top = ABOVE_ALL if high >= 1.0 else high
    # A pair decided since the last grouping is not asked again.
    decided = {verdict: pairs for verdict, pairs in _decided(project).items() if pairs}
    known = set().union(*decided.values()) if decided else set()
    waiting = [
        row
        for row in project.groupings.band(low, top, flagged=True)
        if (min(row.text, row.candidate), max(row.text, row.candidate)) not in known
    ]
    held = sum(bool(row.flags) for row in waiting)
    chosen = waiting if flagged else [row for row in waiting if not row.flags]
    return Band(len(chosen), held, _sample(project, chosen, turn))


def _decided(project: Project) -> dict[str, set[tuple[int, int]]]:
    table = project.decisions.table()
    return {
        name: {(int(a), int(b)) for a, b in pairs}
        for name, pairs in (
            ("same", table.same), ("different", table.different), ("unsure", table.unsure)
        )
    }  # fmt: skip


def _sample(
    project: Project, rows: list[ReviewRow], turn: int
) -> tuple[tuple[str, str, float], ...]:
    if len(rows) <= SAMPLE:
        chosen = list(range(len(rows)))
    elif turn == 0:
        chosen = np.linspace(0, len(rows) - 1, SAMPLE).astype(int).tolist()
    else:
        chosen = np.random.default_rng(turn).choice(len(rows), SAMPLE, replace=False).tolist()
    picked = [rows[at] for at in sorted(chosen, reverse=True)]
    kept = project.texts.bodies([row.text for row in picked])
    other = project.texts.bodies([row.candidate for row in picked])
    return tuple(
        (left, right, row.cosine) for left, right, row in zip(kept, other, picked, strict=True)
    )
