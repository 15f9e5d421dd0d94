"""What two sides share: a text or a pair seen in training is no test of anything new."""

from dataclasses import dataclass

import numpy as np

from core.examples.kinds import Columned, Rows


@dataclass(frozen=True, slots=True)
class Overlap:
    """How much of `b` stands in `a` too; texts and pairs are counted once each."""

    texts_a: int
    texts_b: int
    texts: int  # that stand in both
    pairs_a: int  # distinct whole examples; a pair is the same in either order
    pairs_b: int
    pairs: int  # that stand in both
    rows_b: int  # examples of b
    touching: int  # examples of b with at least one text of a

    def sentence(self, a: str = "training", b: str = "test") -> str:
        """Say it with the names of the sides."""
        if not self.texts:
            return f"The {a} and the {b} examples share no text."
        return (
            f"The {a} and the {b} examples share {self.texts:,} of {self.texts_b:,} texts and "
            f"{self.pairs:,} of {self.pairs_b:,} whole examples; {self.touching:,} of "
            f"{self.rows_b:,} {b} examples hold a text of the {a} examples."
        )


def overlap(a: Columned, b: Columned) -> Overlap:
    """Count the texts and the whole examples that two sides share.

    Texts are equal where every character is.
    """
    texts_a, texts_b = _texts(a), _texts(b)
    wholes_a, wholes_b = _wholes(a), _wholes(b)
    return Overlap(
        texts_a=len(texts_a), texts_b=len(texts_b), texts=len(texts_a & texts_b),
        pairs_a=len(wholes_a), pairs_b=len(wholes_b), pairs=len(wholes_a & wholes_b),
        rows_b=len(b), touching=len(b) - len(disjoint(a, b)),
    )  # fmt: skip  # counted two by two


def disjoint(train: Columned, test: Columned) -> Rows:
    """Return the places of the test examples that share no text with `train`, rising."""
    known = _texts(train)
    rows = zip(*test.columns, strict=True)
    return np.array([at for at, row in enumerate(rows) if known.isdisjoint(row)], np.int64)


def same_example(data: Columned) -> Rows:
    """Return the first place of each example's like, a pair in either order, (n,)."""
    first: dict[tuple[str, ...], int] = {}
    rows = zip(*data.columns, strict=True)
    found = [first.setdefault(_whole(row), at) for at, row in enumerate(rows)]
    return np.array(found, np.int64)


def _texts(data: Columned) -> set[str]:
    return {text for column in data.columns for text in column}


def _wholes(data: Columned) -> set[tuple[str, ...]]:
    return {_whole(row) for row in zip(*data.columns, strict=True)}


def _whole(row: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(sorted(row)) if len(row) == 2 else row
