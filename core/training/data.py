"""What an encoder learns from: judged pairs, and random pairs that hold it where it is."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.examples import Examples, Rows


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

    @property
    def columns(self) -> tuple[tuple[str, ...], ...]:
        return self.left, self.right

    def part(self, some: slice) -> "Background":
        """Neighbouring pairs of these."""
        cosine = None if self.cosine is None else self.cosine[some]
        return Background(self.left[some], self.right[some], cosine)


def nothing_random() -> Background:
    """Return `Background` without pairs."""
    return Background((), (), np.empty(0, np.float32))


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
    """Examples that were not learnt from, and their cosines by the old and the new encoder.

    Of triplets a cosine is by how much the second text is nearer than the third. `groups`
    numbers the component of each: examples bound by shared texts are no independent witnesses.
    """

    examples: Examples
    before: NDArray[np.float32]
    after: NDArray[np.float32]
    groups: Rows
    note: str = ""  # a sentence where the figures must be read with care

    def __len__(self) -> int:
        return len(self.examples)
