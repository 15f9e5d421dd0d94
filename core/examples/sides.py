"""Splits that somebody else laid down: official files, topics, and the sizes of a paper.

Sentence-BERT (arXiv 1908.10084, section 4.3) splits argument pairs by topic, Augmented SBERT
(arXiv 2010.08240, section 4.1) also at random; official splits share texts as well. Such splits
are kept as they are, so that figures can be set beside published ones, and what they share is
told; a result on the part of the test that shares no text stands beside.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.errors import UserError
from core.examples.kinds import Columned, Examples, Rows
from core.examples.overlapping import Overlap, disjoint, overlap, same_example


@dataclass(frozen=True, slots=True)
class GivenSplit:
    """Sides as they were given, and what is true of them."""

    train: Examples
    test: Examples
    dev: Examples | None
    train_test: Overlap
    train_dev: Overlap | None
    dev_test: Overlap | None
    apart: Rows  # places of the test examples that share no text with training

    @property
    def test_apart(self) -> Examples:
        """The test examples that share no text with training."""
        return self.test.rows(self.apart)

    def sentences(self) -> tuple[str, ...]:
        """Tell the overlap of each two sides, and what is left to judge by without it."""
        told = [self.train_test.sentence("training", "test")]
        if self.train_dev is not None:
            told.append(self.train_dev.sentence("training", "development"))
        if self.dev_test is not None:
            told.append(self.dev_test.sentence("development", "test"))
        if self.train_test.texts:
            told.append(
                f"{len(self.apart):,} of {len(self.test):,} test examples share no text with "
                "training; their result stands beside."
            )
        return tuple(told)


def keep_given(train: Examples, test: Examples, dev: Examples | None = None) -> GivenSplit:
    """Keep an official split as it is and tell what its sides share."""
    if any(side is not None and side.kind != train.kind for side in (test, dev)):
        raise UserError(
            "The files of one split hold examples of different kinds.",
            f"Read all of them as {train.kind}.",
        )
    return GivenSplit(
        train, test, dev, overlap(train, test),
        None if dev is None else overlap(train, dev),
        None if dev is None else overlap(dev, test),
        disjoint(train, test),
    )  # fmt: skip  # three sides, three overlaps


def random_sides(data: Columned, sizes: Sequence[int], *, seed: int = 0) -> tuple[Rows, ...]:
    """Deal examples at random to sides of these sizes, each side's places rising.

    The same pair, in either order, never stands on two sides unless no side has room for all of
    its copies; texts do, which `overlap` tells. What the sizes leave over is dealt to nobody.
    """
    if any(size < 0 for size in sizes) or sum(sizes) > len(data):
        told = " + ".join(f"{size:,}" for size in sizes)
        raise UserError(
            f"There are {len(data):,} examples, too few for sides of {told}.",
            "Ask for smaller sides.",
        )
    random = np.random.default_rng(seed)
    likes = _copies(same_example(data), random)
    room = np.array(sizes, np.int64)
    sides: list[list[int]] = [[] for _ in sizes]
    for copies in likes:
        if not room.any():
            break
        fitting = np.flatnonzero(room >= len(copies))
        if len(fitting):
            side = int(random.choice(fitting, p=room[fitting] / room[fitting].sum()))
            sides[side].extend(copies)
            room[side] -= len(copies)
            continue
        for side in np.flatnonzero(room).tolist():
            taken, copies = copies[: room[side]], copies[room[side] :]
            sides[side].extend(taken)
            room[side] -= len(taken)
    return tuple(np.array(sorted(side), np.int64) for side in sides)


def topic_sides(
    topics: Sequence[str], counts: Sequence[int], *, seed: int = 0
) -> tuple[tuple[Rows, tuple[str, ...]], ...]:
    """Deal whole topics at random to sides of so many topics; return rows and topics of each."""
    known = sorted(set(topics))
    if any(count < 0 for count in counts) or sum(counts) > len(known):
        raise UserError(
            f"There are {len(known)} topics, too few for {' + '.join(map(str, counts))}.",
            "Ask for fewer topics on each side, or split by texts.",
        )
    dealt = [known[place] for place in np.random.default_rng(seed).permutation(len(known))]
    ends = np.cumsum(counts)
    chosen = [
        tuple(sorted(dealt[end - count : end])) for end, count in zip(ends, counts, strict=True)
    ]
    return tuple((rows_of_topics(topics, side), side) for side in chosen)


def rows_of_topics(topics: Sequence[str], wanted: Sequence[str]) -> Rows:
    """Return the places of the examples of these topics, rising."""
    missing = sorted(set(wanted) - set(topics))
    if missing:
        raise UserError(
            f"There is no topic “{missing[0]}”.", f"Choose from {', '.join(sorted(set(topics)))}."
        )
    held = set(wanted)
    return np.array([at for at, topic in enumerate(topics) if topic in held], np.int64)


def topic_folds(topics: Sequence[str]) -> tuple[Rows, tuple[str, ...]]:
    """Return the fold of each example, one a topic, and the topics in the order of the folds."""
    known = tuple(sorted(set(topics)))
    places = {topic: place for place, topic in enumerate(known)}
    return np.array([places[topic] for topic in topics], np.int64), known


def _copies(first: Rows, random: np.random.Generator) -> list[list[int]]:
    """Return the places of every distinct example, most copies first, else in a random order."""
    together: dict[int, list[int]] = {}
    for at, like in enumerate(first.tolist()):
        together.setdefault(like, []).append(at)
    groups = list(together.values())
    shuffled = [groups[place] for place in random.permutation(len(groups))]
    return sorted(shuffled, key=len, reverse=True)
