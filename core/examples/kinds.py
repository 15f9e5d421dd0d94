"""Judged examples in their four kinds; whatever the kind, its texts can be seen by column."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import pairwise
from typing import ClassVar, Protocol, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from core.errors import UserError

Rows: TypeAlias = NDArray[np.int64]

DECISIONS = ("different", "same")  # the names of labels 0 and 1 that say no and yes
SCORE_BANDS = 5  # bands of equal width that scores are counted in


class ExampleKind(StrEnum):
    """What an example is made of."""

    SCORED_PAIRS = "scored pairs"
    LABELLED_PAIRS = "labelled pairs"
    TRIPLETS = "triplets"
    LABELLED_TEXTS = "labelled texts"


class Columned(Protocol):
    """What splitting and counting need to know of examples of any kind."""

    @property
    def columns(self) -> tuple[tuple[str, ...], ...]:
        """The texts by column, all of one length."""
        ...

    @property
    def bands(self) -> Rows:
        """The band of each example's judgement, from 0: its label, or its score's fifth."""
        ...

    def __len__(self) -> int: ...


@dataclass(frozen=True, slots=True)
class ScoredPairs:
    """Pairs with a score; `weight` is of each pair in the loss, None where all count 1."""

    left: tuple[str, ...]
    right: tuple[str, ...]
    score: NDArray[np.float32]  # (n,), from 0 different to 1 the same
    weight: NDArray[np.float32] | None = None  # (n,), not negative

    kind: ClassVar = ExampleKind.SCORED_PAIRS
    column_names: ClassVar = ("left", "right")

    def __post_init__(self) -> None:
        _check_lengths(self.left, self.right, self.score)
        if not (np.isfinite(self.score) & (self.score >= 0) & (self.score <= 1)).all():
            raise UserError(
                "A pair's score is no number from 0 to 1.",
                "Correct the scores, or name the lowest and the highest score of their scale.",
            )
        if self.weight is not None:
            _check_lengths(self.left, self.weight)
            if not (np.isfinite(self.weight) & (self.weight >= 0)).all():
                raise ValueError("weights are finite and not negative")

    def __len__(self) -> int:
        return len(self.left)

    @property
    def columns(self) -> tuple[tuple[str, ...], ...]:
        return self.left, self.right

    @property
    def bands(self) -> Rows:
        return score_bands(self.score)

    @property
    def band_names(self) -> tuple[str, ...]:
        edges = np.linspace(0, 1, SCORE_BANDS + 1)
        return tuple(f"{low:g} to {high:g}" for low, high in pairwise(edges))

    @property
    def is_labelled(self) -> bool:
        """Whether every score is exactly 0 or 1, as decisions are."""
        return bool(np.isin(self.score, (0, 1)).all())

    def rows(self, index: Rows) -> "ScoredPairs":
        """The pairs at these places, in that order."""
        left, right = _taken(self.columns, index)
        weight = None if self.weight is None else self.weight[index]
        return ScoredPairs(left, right, self.score[index], weight)


@dataclass(frozen=True, slots=True)
class LabelledPairs:
    """Pairs with one of k labels; `names` of exactly `DECISIONS` make them decisions."""

    left: tuple[str, ...]
    right: tuple[str, ...]
    label: Rows  # (n,), places in `names`
    names: tuple[str, ...]

    kind: ClassVar = ExampleKind.LABELLED_PAIRS
    column_names: ClassVar = ("left", "right")

    def __post_init__(self) -> None:
        _check_lengths(self.left, self.right, self.label)
        _check_labels(self.label, self.names)

    def __len__(self) -> int:
        return len(self.left)

    @property
    def columns(self) -> tuple[tuple[str, ...], ...]:
        return self.left, self.right

    @property
    def bands(self) -> Rows:
        return self.label

    @property
    def band_names(self) -> tuple[str, ...]:
        return self.names

    @property
    def are_decisions(self) -> bool:
        """Whether label 1 says the same and label 0 different, whichever text comes first."""
        return self.names == DECISIONS

    def rows(self, index: Rows) -> "LabelledPairs":
        """The pairs at these places, in that order."""
        left, right = _taken(self.columns, index)
        return LabelledPairs(left, right, self.label[index], self.names)


@dataclass(frozen=True, slots=True)
class Triplets:
    """An anchor, a text that means the same, and one that does not."""

    anchor: tuple[str, ...]
    positive: tuple[str, ...]
    negative: tuple[str, ...]

    kind: ClassVar = ExampleKind.TRIPLETS
    column_names: ClassVar = ("anchor", "positive", "negative")
    band_names: ClassVar = ("triplets",)

    def __post_init__(self) -> None:
        _check_lengths(self.anchor, self.positive, self.negative)

    def __len__(self) -> int:
        return len(self.anchor)

    @property
    def columns(self) -> tuple[tuple[str, ...], ...]:
        return self.anchor, self.positive, self.negative

    @property
    def bands(self) -> Rows:
        return np.zeros(len(self), np.int64)

    def rows(self, index: Rows) -> "Triplets":
        """The triplets at these places, in that order."""
        return Triplets(*_taken(self.columns, index))


@dataclass(frozen=True, slots=True)
class LabelledTexts:
    """Single texts with one of k labels, such as intents or topics."""

    text: tuple[str, ...]
    label: Rows  # (n,), places in `names`
    names: tuple[str, ...]

    kind: ClassVar = ExampleKind.LABELLED_TEXTS
    column_names: ClassVar = ("text",)

    def __post_init__(self) -> None:
        _check_lengths(self.text, self.label)
        _check_labels(self.label, self.names)

    def __len__(self) -> int:
        return len(self.text)

    @property
    def columns(self) -> tuple[tuple[str, ...], ...]:
        return (self.text,)

    @property
    def bands(self) -> Rows:
        return self.label

    @property
    def band_names(self) -> tuple[str, ...]:
        return self.names

    def rows(self, index: Rows) -> "LabelledTexts":
        """The texts at these places, in that order."""
        (text,) = _taken(self.columns, index)
        return LabelledTexts(text, self.label[index], self.names)


Examples: TypeAlias = ScoredPairs | LabelledPairs | Triplets | LabelledTexts
_Labelled = TypeVar("_Labelled", LabelledPairs, LabelledTexts)


def score_bands(score: NDArray[np.floating]) -> Rows:
    """Return the fifth that each score from 0 to 1 lies in, 0 to 4; 1 itself lies in the last."""
    fifths: NDArray[np.floating] = np.floor(score * SCORE_BANDS)
    return np.asarray(np.clip(fifths, 0, SCORE_BANDS - 1), np.int64)


def with_names(examples: _Labelled, names: Sequence[str]) -> _Labelled:
    """Number the labels as `names` does, so that two files speak of the same ones.

    Raises `UserError` where an example carries a label that is not among them.
    """
    places = {name: place for place, name in enumerate(names)}
    used = np.unique(examples.label)
    unknown = [examples.names[label] for label in used if examples.names[label] not in places]
    if unknown:
        raise UserError(
            f"The label “{unknown[0]}” is not among {', '.join(names)}.",
            "Use files with the same labels, or correct the spelling of the label.",
        )
    moved = np.array([places.get(name, 0) for name in examples.names], np.int64)
    return replace(examples, label=moved[examples.label], names=tuple(names))


def as_scores(decisions: LabelledPairs) -> ScoredPairs:
    """Return decisions as scores, 1 the same and 0 different.

    Raises `UserError` where the labels do not say yes or no.
    """
    need_decisions(decisions)
    return ScoredPairs(decisions.left, decisions.right, decisions.label.astype(np.float32))


def need_decisions(pairs: LabelledPairs) -> None:
    """Raise `UserError` where the labels do not say yes or no."""
    if not pairs.are_decisions:
        raise UserError(
            f"The labels {', '.join(pairs.names[:5])} do not say the same or different.",
            "Teach by labels, or use pairs that are scored, or judged the same or different.",
        )


def _check_lengths(first: Sequence[str], *others: Sequence[str] | NDArray[np.generic]) -> None:
    shapes = [np.shape(other) if isinstance(other, np.ndarray) else (len(other),)
              for other in others]  # fmt: skip  # np.shape would copy tuples of texts
    if any(shape != (len(first),) for shape in shapes):
        raise ValueError(f"columns of one length are needed, not {len(first)} and {shapes}")


def _check_labels(label: Rows, names: tuple[str, ...]) -> None:
    if label.dtype.kind != "i":
        raise ValueError(f"labels are integers, not {label.dtype}")
    if len(set(names)) != len(names):
        raise ValueError(f"a label is named twice in {names}")
    if len(label) and not 0 <= int(label.min()) <= int(label.max()) < len(names):
        raise ValueError(f"labels from 0 to {len(names) - 1} are needed, one for each name")


def _taken(columns: tuple[tuple[str, ...], ...], index: Rows) -> tuple[tuple[str, ...], ...]:
    if index.dtype.kind not in "iu":
        raise ValueError(f"places are integers, not {index.dtype}")
    places = index.tolist()
    return tuple(tuple(column[place] for place in places) for column in columns)
