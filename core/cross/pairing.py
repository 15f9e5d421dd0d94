"""Two texts in one row of tokens, cut where both are longer than the model reads."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.encoders.tokenizing import TextTokenizer

Pair = tuple[str, str]
Tokens = NDArray[np.int32]


class ReadText(NamedTuple):
    """The tokens of a text that can be read in a pair, and how many it has in all."""

    tokens: Tokens
    length: int


@dataclass(frozen=True, slots=True)
class PairTokenizer:
    """A tokenizer of texts, and what stands before, between and behind the two of a pair."""

    texts: TextTokenizer
    before: Tokens
    between: Tokens
    after: Tokens
    # The type of every token: before, first text, between, second text, after. None: the model
    # is told of none.
    types: tuple[Tokens, int, Tokens, int, Tokens] | None
    max_tokens: int
    cuts_left: bool = False

    @property
    def specials(self) -> int:
        return len(self.before) + len(self.between) + len(self.after)

    @property
    def room(self) -> int:
        """How many tokens of the two texts together are read."""
        return self.max_tokens - self.specials

    def tokenize(self, texts: Sequence[str]) -> Iterator[list[ReadText]]:
        """Yield the texts as they are read, in order, some at a time.

        Of a text that is longer than the room for both, no more than that is kept.
        """
        for some in self.texts.tokenize(texts):
            yield [ReadText(self._kept(text, self.room).copy(), len(text)) for text in some]

    def joined(self, pairs: Iterable[tuple[ReadText, ReadText]]) -> tuple[Tokens, Tokens | None]:
        """Return the tokens of pairs one after another, special ones included, and their types.

        A pair takes at most `max_tokens`.
        """
        parts: list[Tokens] = []
        types: list[Tokens] = []
        for first, second in pairs:
            here, there = lengths_kept(first.length, second.length, self.room)
            parts += (self.before, self._kept(first.tokens, here), self.between)
            parts += (self._kept(second.tokens, there), self.after)
            if self.types is not None:
                before, one, between, two, after = self.types
                types += (before, np.full(here, one, np.int32), between)
                types += (np.full(there, two, np.int32), after)
        return np.concatenate(parts), np.concatenate(types) if types else None

    def _kept(self, text: Tokens, tokens: int) -> Tokens:
        return text[len(text) - min(tokens, len(text)) :] if self.cuts_left else text[:tokens]


def lengths_kept(first: int, second: int, room: int) -> tuple[int, int]:
    """Return how many tokens of two texts are kept, cutting the longer one first.

    That is `longest_first` of the tokenizers library, which is what sentence-transformers asks
    for: the shorter text stays whole while it fills at most half of the room; two longer ones
    get half each, the longer one (the second of two equal ones) the odd token.
    """
    if first + second <= room:
        return first, second
    short, long = sorted((first, second))
    long = short if short > room else max(short, room - short)
    if short + long > room:
        short = room // 2
        long = short + room % 2
    return (long, short) if first > second else (short, long)


def pair_tokenizer(
    tokenizer: Any, texts: TextTokenizer, *, max_tokens: int, has_types: bool
) -> PairTokenizer | None:
    """Learn from a fast tokenizer of transformers how it joins two texts.

    None where it does not put the first text before the second.
    """
    encoding = texts.backend.encode("a", "a", add_special_tokens=True)
    ids, types = np.array(encoding.ids, np.int32), np.array(encoding.type_ids, np.int32)
    owners = [-1 if owner is None else owner for owner in encoding.sequence_ids]
    one, two = _place(owners, 0), _place(owners, 1)
    if one is None or two is None or two.start < one.start:
        return None
    first_type, second_type = int(types[one.start]), int(types[two.start])
    parts = (slice(0, one.start), slice(one.stop, two.start), slice(two.stop, None))
    before, between, after = (ids[part] for part in parts)
    return PairTokenizer(
        texts=texts,
        before=before,
        between=between,
        after=after,
        types=(types[parts[0]], first_type, types[parts[1]], second_type, types[parts[2]])
        if has_types
        else None,
        max_tokens=max_tokens,
        cuts_left=tokenizer.truncation_side == "left",
    )


def _place(owners: list[int], text: int) -> slice | None:
    """Return where the tokens of a text stand, None where they do not stand together."""
    places = [place for place, owner in enumerate(owners) if owner == text]
    if not places or places[-1] - places[0] + 1 != len(places):
        return None
    return slice(places[0], places[-1] + 1)
