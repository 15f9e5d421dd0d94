"""What there is to learn from, by kind; each kind may be missing."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any, Generic, TypeAlias, TypeVar

import numpy as np

from core.examples import (
    Examples,
    LabelledPairs,
    LabelledTexts,
    Rows,
    ScoredPairs,
    Triplets,
    disjoint,
)

Kind = TypeVar("Kind", ScoredPairs, LabelledPairs, Triplets, LabelledTexts)


@dataclass(frozen=True, slots=True)
class Part(Generic[Kind]):
    """Examples of one kind, and the topic of each where their files told it."""

    examples: Kind
    topics: tuple[str, ...] = ()  # one an example, "" where it is not known; or none at all

    def __len__(self) -> int:
        return len(self.examples)

    def rows(self, index: Rows) -> "Part[Kind]":
        """The examples at these places, in that order."""
        topics = tuple(self.topics[at] for at in index.tolist()) if self.topics else ()
        return Part(self.examples.rows(index), topics)

    def without_texts_of(self, others: Examples) -> "Part[Kind]":
        """The examples that share no text with the others."""
        return self.rows(disjoint(others, self.examples))


AnyPart: TypeAlias = Part[ScoredPairs] | Part[LabelledPairs] | Part[Triplets] | Part[LabelledTexts]
MAINS = ("scored", "labelled", "triplets", "texts")  # the parts that examples can judge from


def no_scored() -> Part[ScoredPairs]:
    return Part(ScoredPairs((), (), np.empty(0, np.float32)))


def no_triplets() -> Part[Triplets]:
    return Part(Triplets((), (), ()))


@dataclass(frozen=True, slots=True)
class Material:
    """Everything that teaches; pairs judged yes or no are scored 1 and 0.

    Labelled pairs and texts stand by their set of labels, the most examples first. `hard` are
    pairs that mean the same, each with a near text that is taken to differ.
    """

    scored: Part[ScoredPairs] = field(default_factory=no_scored)
    labelled: tuple[Part[LabelledPairs], ...] = ()
    triplets: Part[Triplets] = field(default_factory=no_triplets)
    texts: tuple[Part[LabelledTexts], ...] = ()
    hard: Part[Triplets] = field(default_factory=no_triplets)

    def __len__(self) -> int:
        return sum(len(part) for part in self.parts())

    def parts(self) -> Iterator[AnyPart]:
        """Everything that was judged, whatever its kind; nothing empty."""
        whole: tuple[AnyPart, ...] = (self.scored, *self.labelled, self.triplets, *self.texts)
        yield from (part for part in whole if len(part))

    def counts(self) -> dict[str, int]:
        """How many examples there are of each kind that is there."""
        found: dict[str, int] = {}
        for part in self.parts():
            kind = str(part.examples.kind)
            found[kind] = found.get(kind, 0) + len(part)
        return found

    def without_texts_of(self, others: Examples) -> "Material":
        """All examples that share no text with the others."""
        return Material(
            self.scored.without_texts_of(others),
            tuple(part.without_texts_of(others) for part in self.labelled),
            self.triplets.without_texts_of(others),
            tuple(part.without_texts_of(others) for part in self.texts),
            self.hard.without_texts_of(others),
        )

    def main(self, name: str) -> AnyPart:
        """One of `MAINS`; of several label sets the first, and nothing where there is none."""
        if name == "scored":
            return self.scored
        if name == "triplets":
            return self.triplets
        if name == "labelled":
            return self.labelled[0] if self.labelled else no_scored()
        return self.texts[0] if self.texts else no_scored()

    def with_main(self, name: str, part: AnyPart) -> "Material":
        """The same with other examples in place of `main(name)`."""
        if name in ("scored", "triplets"):
            told: dict[str, Any] = {name: part}
        else:
            told = {name: (part, *getattr(self, name)[1:])}
        return replace(self, **told)
