"""Errors by lexical overlap: where does the cross-encoder see more than the encoder?

Pairs are put into bands of how many content words their texts share. A scorer that goes by words
errs where few words are shared and the meaning is one, and where many are shared and it is not.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from core.evaluation.columns import pair_of_columns, ranks
from core.evaluation.comparing import interval_of, resampled_as
from core.evaluation.metrics import best_f1
from core.evaluation.similarities import Places
from core.pairs import WordTable

BANDS = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
_MOST_COMMON = 0.2  # of the texts hold it: a word of grammar rather than of content
_FEWEST_TEXTS = 20  # to tell words of grammar by how common they are
_RESAMPLES_AT_ONCE = 100
_ERROR, _SIGNED, _HITS, _WRONG, _PAIRS = range(5)  # what is summed up of every band
_Sums = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class BandError:
    """How one scorer errs in one band; nan where the band says nothing of it."""

    scorer: str
    error: float  # scores: mean distance of ranks, 0 to 1; labels: share of wrong ones
    bias: float  # scores: how much too high it ranks them; labels: too many "same", as a share
    f1: float  # nan for scores, and where nothing is the same or called so


@dataclass(frozen=True, slots=True)
class BandDifference:
    """The error (and F1) of a scorer less that of the first, with 95 % intervals."""

    scorer: str
    error: float  # below 0: it errs less than the first
    error_low: float
    error_high: float
    f1: float
    f1_low: float
    f1_high: float


@dataclass(frozen=True, slots=True)
class Band:
    """The pairs whose overlap is from `low` up to but not `high`; the last band holds 1 too."""

    low: float
    high: float
    pairs: int
    errors: tuple[BandError, ...]
    differences: tuple[BandDifference, ...]  # of every scorer but the first


@dataclass(frozen=True, slots=True)
class OverlapTable:
    """Bands of overlap, rising; `first` is the scorer that the others are compared with."""

    first: str
    bands: tuple[Band, ...]
    thresholds: Mapping[str, float]  # of each scorer; empty for scores
    resampled: str  # "components" or "pairs"


def content_overlap(left: Sequence[str], right: Sequence[str]) -> NDArray[np.float64]:
    """Return the Jaccard index of the content words of each pair, 0 to 1.

    Words are those of `core.pairs.words.words_of`: casefolded runs of letters and digits, pairs of
    characters where a script has no spaces. Words that more than a fifth of the distinct texts
    hold (the, a, is) are left out, whatever the language; not where there are fewer than 20
    texts, nor from a text that has no others.
    """
    texts = list(dict.fromkeys((*left, *right)))
    places = {text: place for place, text in enumerate(texts)}
    table = WordTable.of(texts)
    if len(texts) >= _FEWEST_TEXTS:
        table = _without_common(table)
    a, b = (np.array([places[text] for text in side], np.int64) for side in (left, right))
    return table.overlap(a, b).astype(np.float64)


def errors_by_overlap(
    gold: ArrayLike,
    scores: Mapping[str, ArrayLike],
    overlap: ArrayLike,
    groups: ArrayLike,
    *,
    labelled: bool,
    thresholds: Mapping[str, float] | None = None,
    bands: Sequence[float] = BANDS,
    resamples: int = 1_000,
    seed: int = 0,
) -> OverlapTable:
    """Return how each of `scores` errs on `gold` (n,) in each band of `overlap` (n,).

    Scores: ranks of gold and of score among all pairs, ties at their mean, brought to 0 to 1; the
    error of a pair is the distance of its two ranks. Labels (`labelled`): the error is a wrong
    label at the scorer's threshold, which is that of `thresholds`, best from dev, else the best
    for F1 on these very pairs. The first of `scores` is what the others are compared with.

    Intervals are paired: each resample draws the components of `groups`, as `compare` does, and
    takes every scorer on the same pairs; ranks and thresholds stay as they are. Raises
    `ValueError` for columns that do not fit, an overlap outside the bands, and labels without a
    positive where no threshold is given.
    """
    if not scores:
        raise ValueError("at least one column of scores is needed")
    shared = pair_of_columns(overlap, gold)[0]
    if shared.min() < bands[0] or shared.max() > bands[-1]:
        raise ValueError(f"the overlap must be from {bands[0]} to {bands[-1]}")
    band = np.searchsorted(np.asarray(bands[1:-1]), shared, side="right")
    units, resampled = resampled_as(groups, len(shared))
    chosen = _thresholds(gold, scores, thresholds or {}) if labelled else {}
    parts = {
        name: _labels(gold, column, chosen[name]) if labelled else _residuals(gold, column)
        for name, column in scores.items()
    }
    sums = {name: _summed(part, units, band, len(bands) - 1) for name, part in parts.items()}
    whole = {name: _figures(part.sum(0), labelled=labelled) for name, part in sums.items()}
    drawn = _resampled(sums, labelled=labelled, resamples=resamples, seed=seed)
    first, *others = scores
    counts = np.bincount(band, minlength=len(bands) - 1)
    told = tuple(
        Band(
            low=float(bands[place]),
            high=float(bands[place + 1]),
            pairs=int(counts[place]),
            errors=tuple(BandError(name, *map(float, whole[name][place])) for name in scores),
            differences=tuple(
                _difference(name, whole[name] - whole[first], drawn[name] - drawn[first], place)
                for name in others
            ),
        )
        for place in range(len(bands) - 1)
    )
    return OverlapTable(first, told, chosen, resampled)


def _without_common(table: WordTable) -> WordTable:
    count = len(table.start) - 1
    is_common = np.bincount(table.words, minlength=len(table.numbers)) > _MOST_COMMON * count
    owner = np.repeat(np.arange(count), np.diff(table.start))
    content = ~is_common[table.words]
    keeps = content | (np.bincount(owner[content], minlength=count) == 0)[owner]
    start = np.append(0, np.cumsum(np.bincount(owner[keeps], minlength=count)))
    return WordTable(start.astype(np.int64), table.words[keeps], table.numbers)


def _thresholds(
    gold: ArrayLike, scores: Mapping[str, ArrayLike], given: Mapping[str, float]
) -> dict[str, float]:
    return {
        name: float(given[name]) if name in given else best_f1(gold, column).threshold
        for name, column in scores.items()
    }


def _residuals(gold: ArrayLike, scores: ArrayLike) -> _Sums:
    truth, values = pair_of_columns(gold, scores)
    apart = (ranks(values) - ranks(truth)) / max(len(truth) - 1, 1)
    nothing = np.zeros(len(truth))
    return np.column_stack((np.abs(apart), apart, nothing, nothing, np.ones(len(truth))))


def _labels(gold: ArrayLike, scores: ArrayLike, threshold: float) -> _Sums:
    truth, values = pair_of_columns(gold, scores)
    same, called = truth > 0, values >= threshold
    wrong = same != called
    signed = called.astype(np.float64) - same
    return np.column_stack((wrong, signed, same & called, wrong, np.ones(len(truth))))


def _summed(parts: _Sums, units: Places, band: Places, bands: int) -> _Sums:
    """Return (units, bands, sums)."""
    found = np.zeros((int(units.max()) + 1, bands, parts.shape[1]))
    np.add.at(found, (units, band), parts)
    return found


def _figures(sums: _Sums, *, labelled: bool) -> _Sums:
    """Return error, bias and F1 of (…, sums), nan where they cannot be had."""
    pairs = np.where(sums[..., _PAIRS] == 0, np.nan, sums[..., _PAIRS])
    called = 2 * sums[..., _HITS] + sums[..., _WRONG]
    f1 = 2 * sums[..., _HITS] / np.where(called == 0, np.nan, called)
    if not labelled:
        f1 = np.full_like(f1, np.nan)
    return np.stack((sums[..., _ERROR] / pairs, sums[..., _SIGNED] / pairs, f1), axis=-1)


def _resampled(
    sums: Mapping[str, _Sums], *, labelled: bool, resamples: int, seed: int
) -> dict[str, _Sums]:
    """Return (resamples, bands, figures) of each scorer, all from the same draws."""
    random = np.random.default_rng(seed)
    units = len(next(iter(sums.values())))
    found: dict[str, list[_Sums]] = {name: [] for name in sums}
    for first in range(0, resamples, _RESAMPLES_AT_ONCE):
        count = min(_RESAMPLES_AT_ONCE, resamples - first)
        weights = random.multinomial(units, np.full(units, 1 / units), size=count)
        for name, part in sums.items():
            drawn = np.tensordot(weights.astype(np.float64), part, axes=1)
            found[name].append(_figures(drawn, labelled=labelled))
    return {name: np.concatenate(parts) for name, parts in found.items()}


def _difference(name: str, change: _Sums, drawn: _Sums, place: int) -> BandDifference:
    error_low, error_high = interval_of(drawn[:, place, 0])
    f1_low, f1_high = interval_of(drawn[:, place, 2])
    return BandDifference(
        scorer=name,
        error=float(change[place, 0]),
        error_low=error_low,
        error_high=error_high,
        f1=float(change[place, 2]),
        f1_low=f1_low,
        f1_high=f1_high,
    )
