"""Is a teacher better than the encoder it is to teach? Measured before anything is labelled.

Silver labels carry what the teacher knows: one that is no better than its pupil has nothing to give
(Augmented SBERT, arXiv 2010.08240, has a cross-encoder that is 3 to 7 points better throughout).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.evaluation import compare_runs
from core.evaluation.comparing import Figure
from core.examples import Rows
from core.progress import Steps

Scores = NDArray[np.floating]
_SHUFFLES = 200
_BY_CHANCE = 95  # the percentile of shuffled figures that a teacher must exceed


@dataclass(frozen=True, slots=True)
class Candidate:
    """Something that may teach, and what it says of the dev pairs."""

    name: str
    kind: str  # "cross-encoder", "encoders", "mixed" or "given"
    # Scorers, as `samesense evaluate` names them: the mean over groups of each group's mean.
    scorers: tuple[tuple[str, ...], ...]
    dev: Scores  # (n,)


@dataclass(frozen=True, slots=True)
class TeacherFigure:
    """How good a candidate is on dev, and by how much better than the gold-only encoder."""

    name: str
    kind: str
    figure: float
    change: float
    low: float | None  # 95 % interval of the change; None where it cannot be had
    high: float | None
    by_chance: float  # what scores without any sense reach in 19 of 20 cases


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a comparison of teachers says."""

    metric: str
    pairs: int  # of dev
    pupil: float  # mean figure of the encoders taught by gold alone
    spread: float | None  # standard deviation over their seeds; None of a single one
    teachers: tuple[TeacherFigure, ...]  # in the order given
    best: int  # place of the one to take
    is_better: bool  # than the pupil, by whatever it is
    is_sure: bool  # the interval lies above 0
    is_chance: bool  # it tells no more than chance
    sentence: str
    alternatives: tuple[str, ...]  # what to do instead, where it is not better

    @property
    def may_label(self) -> bool:
        return self.is_better and not self.is_chance


def judge_teachers(
    gold: Scores,
    groups: Rows,
    pupil: Scores,
    candidates: Sequence[Candidate],
    *,
    metric: str,
    figure: Figure,
    wanted: str = "auto",
    seed: int = 0,
) -> Steps[Verdict]:
    """Compare candidates with the gold-only encoders on dev and choose one.

    `gold` (n,), `groups` (n,) the component of each pair, `pupil` (s, n) the cosines of the
    encoder of each seed. `wanted` is "auto" for the best, or a kind. The interval is a bootstrap
    over seeds and components. Raises `ValueError` without a candidate of that kind.
    """
    places = [at for at, one in enumerate(candidates) if wanted in ("auto", one.kind)]
    if not places:
        raise ValueError(f"no candidate is a {wanted}")
    truth = np.asarray(gold, np.float64)
    told: list[TeacherFigure] = []
    for candidate in candidates:
        difference = yield from compare_runs(
            truth, pupil, candidate.dev[None], groups, figure=figure, seed=seed
        )
        found = float(figure(truth, np.asarray(candidate.dev, np.float64)))
        chance = _by_chance(truth, candidate.dev, figure, seed)
        told.append(
            TeacherFigure(
                candidate.name, candidate.kind, found, difference.change,
                _finite(difference.low), _finite(difference.high), chance,
            )
        )  # fmt: skip  # in the order of the fields
    best = max(places, key=lambda at: told[at].figure)
    chosen = told[best]
    of_pupil = [float(figure(truth, np.asarray(one, np.float64))) for one in pupil]
    is_chance = not chosen.figure > chosen.by_chance
    is_better = chosen.change > 0
    return Verdict(
        metric, len(truth), float(np.mean(of_pupil)),
        float(np.std(of_pupil, ddof=1)) if len(of_pupil) > 1 else None,
        tuple(told), best, is_better, is_better and (chosen.low or 0.0) > 0, is_chance,
        _sentence(metric, chosen, float(np.mean(of_pupil)), is_chance=is_chance),
        () if is_better and not is_chance else _alternatives(chosen),
    )  # fmt: skip  # in the order of the fields


def _sentence(metric: str, best: TeacherFigure, pupil: float, *, is_chance: bool) -> str:
    if is_chance:
        return (
            f"The {best.name} tells the held-out pairs apart no better than chance "
            f"({metric} {best.figure:.3f}; chance reaches {best.by_chance:.3f})."
        )
    against = f"{metric} {best.figure:.3f} against {pupil:.3f}"
    if best.change <= 0:
        return (
            f"The {best.name} is not better than the encoder it would teach ({against}): its "
            "labels would teach nothing that the gold pairs do not."
        )
    if best.low is not None and best.low > 0:
        return f"The {best.name} is better than the encoder it will teach ({against})."
    return (
        f"The {best.name} looks better than the encoder it will teach ({against}), which may be "
        "chance."
    )


def _alternatives(best: TeacherFigure) -> tuple[str, ...]:
    larger = (
        "Give it a larger teacher: another base for the cross-encoder, or any encoder or "
        "cross-encoder that knows such texts."
    )
    more = "Decide more pairs; they teach the teacher and the encoder alike."
    still = (
        "Teach by the gold pairs alone, with random pairs held still, which is what the Teach page "
        "does."
    )
    if best.kind == "cross-encoder":
        return (larger, "Let several encoders taught by the gold teach together.", more, still)
    return (larger, more, still)


def _by_chance(gold: NDArray[np.float64], scores: Scores, figure: Figure, seed: int) -> float:
    random = np.random.default_rng(seed)
    values = np.asarray(scores, np.float64)
    found = [float(figure(gold, random.permutation(values))) for _ in range(_SHUFFLES)]
    return float(np.nanpercentile(found, _BY_CHANCE))


def _finite(number: float) -> float | None:
    return float(number) if np.isfinite(number) else None
