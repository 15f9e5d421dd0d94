"""Judgements from many places brought together by what they are about; the newest word counts."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np

from core.examples import (
    DECISIONS,
    ExampleKind,
    LabelledPairs,
    LabelledTexts,
    Rows,
    ScoredPairs,
    Triplets,
)
from core.store import JudgedRow
from core.training import Material, Part

SAME = 0.5  # a score from here on means the same


@dataclass(slots=True)
class Gathered:
    """Judgements by what they are about, and how many of them do not count."""

    scored: dict[tuple[str, str], tuple[float, str]] = field(default_factory=dict)
    labelled: dict[frozenset[str], "_Labels"] = field(default_factory=dict)
    triplets: dict[tuple[str, str, str], str] = field(default_factory=dict)
    texts: dict[frozenset[str], "_Labels"] = field(default_factory=dict)
    contradicted: int = 0
    repeated: int = 0
    odd: tuple[str, ...] = ()  # the texts of the first contradiction

    def take(self, kind: str, names: tuple[str, ...], rows: Iterable[JudgedRow]) -> None:
        """Take in the examples of a file, in their order."""
        told = ExampleKind(kind)
        for row in rows:
            second, third, judged = row.second or "", row.third or "", row.judgement or 0.0
            if told is ExampleKind.TRIPLETS:
                self._triplet((row.first, second, third), row.topic)
            elif told is ExampleKind.LABELLED_TEXTS:
                self._label(self.texts, names, (row.first,), names[int(judged)], row.topic)
            elif told is ExampleKind.SCORED_PAIRS or names == DECISIONS:
                self.score(row.first, second, judged, row.topic)
            else:
                texts = (row.first, second)
                self._label(self.labelled, names, texts, names[int(judged)], row.topic)

    def score(self, left: str, right: str, score: float, topic: str = "") -> None:
        """Take in a pair with its score."""
        pair = ordered(left, right)
        before = self.scored.get(pair)
        if before is not None and (before[0] >= SAME) != (score >= SAME):
            self._contradict(pair)
        elif before is not None:
            self.repeated += 1
        self.scored[pair] = (score, topic)

    def material(self) -> Material:
        """What was taken in, label sets with the most examples first."""
        labelled = sorted(self.labelled.values(), key=lambda one: -len(one.told))
        texts = sorted(self.texts.values(), key=lambda one: -len(one.told))
        return Material(
            _scored_part(self.scored),
            tuple(one.pairs() for one in labelled),
            _triplet_part(self.triplets),
            tuple(one.texts() for one in texts),
        )

    def _label(self, sets: dict[frozenset[str], "_Labels"], names: tuple[str, ...],
              texts: tuple[str, ...], label: str, topic: str) -> None:  # fmt: skip  # one row
        labels = sets.setdefault(frozenset(names), _Labels(names))
        before = labels.told.get(texts)
        if before is not None and before[0] != label:
            self._contradict(texts)
        elif before is not None:
            self.repeated += 1
        labels.told[texts] = (label, topic)

    def _contradict(self, texts: tuple[str, ...]) -> None:
        self.contradicted += 1
        self.odd = self.odd or texts

    def _triplet(self, texts: tuple[str, str, str], topic: str) -> None:
        self.repeated += texts in self.triplets
        self.triplets[texts] = topic


@dataclass(slots=True)
class _Labels:
    """Examples of one set of labels."""

    names: tuple[str, ...]
    told: dict[tuple[str, ...], tuple[str, str]] = field(default_factory=dict)

    def pairs(self) -> Part[LabelledPairs]:
        left, right = _columns(self.told, 2)
        return Part(
            LabelledPairs(left, right, self._numbers(), self.names), _topics(self.told.values())
        )

    def texts(self) -> Part[LabelledTexts]:
        (text,) = _columns(self.told, 1)
        return Part(LabelledTexts(text, self._numbers(), self.names), _topics(self.told.values()))

    def _numbers(self) -> Rows:
        places = {name: place for place, name in enumerate(self.names)}
        return np.array([places[label] for label, _ in self.told.values()], np.int64)


def ordered(left: str, right: str) -> tuple[str, str]:
    """The two texts of a pair, whichever way round they were told."""
    return (left, right) if left <= right else (right, left)


def _scored_part(told: Mapping[tuple[str, str], tuple[float, str]]) -> Part[ScoredPairs]:
    left, right = _columns(told, 2)
    scores = np.array([score for score, _ in told.values()], np.float32)
    return Part(ScoredPairs(left, right, scores), _topics(told.values()))


def _triplet_part(told: Mapping[tuple[str, str, str], str]) -> Part[Triplets]:
    topics = tuple(told.values())
    return Part(Triplets(*_columns(told, 3)), topics if any(topics) else ())


def _columns(told: Iterable[tuple[str, ...]], count: int) -> list[tuple[str, ...]]:
    rows = list(told)
    return [tuple(texts[place] for texts in rows) for place in range(count)]


def _topics(told: Iterable[tuple[object, str]]) -> tuple[str, ...]:
    topics = tuple(topic for _, topic in told)
    return topics if any(topics) else ()
