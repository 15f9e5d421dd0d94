"""The tokens of all texts of a training, each text once."""

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from core.examples import Rows


@dataclass(slots=True)
class TokenTable:
    """The tokens of every text that takes part, specials included."""

    places: dict[str, int]
    tokens: list[NDArray[np.int32]]
    cut: int  # texts longer than one window, of which only the first is read
    lengths: Rows = field(init=False)

    def __post_init__(self) -> None:
        self.lengths = np.array([len(text) for text in self.tokens], np.int64)

    def rows(self, texts: Iterable[str]) -> Rows:
        return np.array([self.places[text] for text in texts], np.int64)

    def of(self, rows: Rows) -> list[NDArray[np.int32]]:
        return [self.tokens[row] for row in rows]


def no_tokens() -> TokenTable:
    """Return `TokenTable` without texts."""
    return TokenTable({}, [], 0)
