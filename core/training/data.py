"""What an encoder learns from: judged pairs, and random pairs that hold it where it is."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from core.errors import UserError

Rows: TypeAlias = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class TrainData:
    """Judged pairs; `score` is what their cosine should be, 0 different to 1 the same."""

    left: tuple[str, ...]
    right: tuple[str, ...]
    score: NDArray[np.float32]
    weight: NDArray[np.float32] | None = None  # of each pair in the loss; None: all count 1

    def __post_init__(self) -> None:
        columns = [len(self.right), len(self.score)]
        columns += [] if self.weight is None else [len(self.weight)]
        if any(length != len(self.left) for length in columns):
            raise ValueError(f"columns of one length are needed, not {len(self.left)}, {columns}")
        if not (np.isfinite(self.score).all() and (np.abs(self.score) <= 1).all()):
            raise UserError(
                "A pair's score is no number from 0 to 1.", "Correct the file of judged pairs."
            )

    def __len__(self) -> int:
        return len(self.left)

    @property
    def is_labelled(self) -> bool:
        """Whether every score is exactly 0 or 1, as decisions are."""
        return bool(np.isin(self.score, (0, 1)).all())

    def rows(self, rows: Rows) -> "TrainData":
        """The pairs at these places, in that order."""
        return TrainData(
            tuple(self.left[row] for row in rows),
            tuple(self.right[row] for row in rows),
            self.score[rows],
            None if self.weight is None else self.weight[rows],
        )


@dataclass(frozen=True, slots=True)
class Background:
    """Random pairs of the corpus; `cosine` is the old encoder's, None where it is to be found.

    A fifth of them, at most 200, is never learnt from: on these it is measured how far the new
    encoder moved what nobody asked it to move.
    """

    left: tuple[str, ...]
    right: tuple[str, ...]
    cosine: NDArray[np.float32] | None = None

    def __len__(self) -> int:
        return len(self.left)

    def first(self, count: int) -> "Background":
        """The first pairs of these."""
        cosine = None if self.cosine is None else self.cosine[:count]
        return Background(self.left[:count], self.right[:count], cosine)


def nothing_judged() -> TrainData:
    """Return `TrainData` without pairs."""
    return TrainData((), (), np.empty(0, np.float32))


def random_pairs(
    texts: Sequence[str],
    vectors: NDArray[np.float32] | None = None,
    *,
    count: int = 20_000,
    seed: int = 0,
) -> Background:
    """Draw pairs of two different texts at random, with the cosines of their `vectors`.

    Each pair begins with the text that the last one ended with: neighbours then share a text, and
    a batch of them costs half as much, while every single pair is as random as any. Row `i` of
    `vectors` belongs to text `i` and has length 1. Fewer than two texts give none; a pair may
    come twice, and texts that stand twice in `texts` may meet their copy.
    """
    if len(texts) < 2:
        return Background((), (), np.empty(0, np.float32))
    random = np.random.default_rng(seed)
    walk = np.cumsum(random.integers(1, len(texts), count + 1)) % len(texts)
    left, right = walk[:-1], walk[1:]
    cosine = None
    if vectors is not None:
        cosine = np.einsum("ij,ij->i", vectors[left], vectors[right]).astype(np.float32)
        usable = np.isfinite(cosine)
        left, right, cosine = left[usable], right[usable], cosine[usable]
    return Background(tuple(texts[row] for row in left), tuple(texts[row] for row in right), cosine)


@dataclass(frozen=True, slots=True)
class Judged:
    """Pairs that were not learnt from, and their cosines by the old and the new encoder.

    `groups` numbers the component of each pair: pairs bound by shared texts are no independent
    witnesses.
    """

    pairs: TrainData
    before: NDArray[np.float32]
    after: NDArray[np.float32]
    groups: Rows
    note: str = ""  # a sentence where the figures must be read with care

    def __len__(self) -> int:
        return len(self.pairs)
