"""Texts to token numbers, flat and small, and the windows of long texts."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

_TEXTS_AT_ONCE = 1_000
_CHARACTERS_AT_ONCE = 200_000
_PIECE = 100_000  # characters; longer texts are tokenized in pieces, cut before a space


@dataclass(frozen=True, slots=True)
class TextTokenizer:
    """A fast tokenizer without truncation and padding, and what stands around every text."""

    backend: Any  # tokenizers.Tokenizer
    before: NDArray[np.int32]  # special tokens ahead of a text
    after: NDArray[np.int32]  # special tokens behind it
    unknown: int  # -1: the tokenizer knows every character
    padding: int
    lower_case: bool = False
    prompt: str = ""
    prompt_tokens: int = 0

    @property
    def specials(self) -> int:
        return len(self.before) + len(self.after)

    @property
    def stand_in(self) -> NDArray[np.int32]:
        """What is read in place of a text that comes to nothing; it counts as unknown."""
        return np.array([self.padding if self.unknown < 0 else self.unknown], np.int32)

    def tokenize(self, texts: Sequence[str]) -> Iterator[list[NDArray[np.int32]]]:
        """Yield the tokens of every text, prompt included, some texts at a time, in order."""
        for start, stop in portions(texts, _TEXTS_AT_ONCE, _CHARACTERS_AT_ONCE):
            pieces: list[str] = []
            counts: list[int] = []
            for text in texts[start:stop]:
                cut = _pieces(self._prepare(text))
                pieces += cut
                counts.append(len(cut))
            yield list(self._joined(pieces, counts))

    def with_specials(self, tokens: NDArray[np.int32]) -> NDArray[np.int32]:
        return np.concatenate((self.before, tokens, self.after))

    def _prepare(self, text: str) -> str:
        if not text.isascii():  # half a surrogate pair has no UTF-8 form
            text = text.encode("utf-8", "replace").decode("utf-8")
        text = self.prompt + text
        return text.lower() if self.lower_case else text

    def _joined(self, pieces: list[str], counts: list[int]) -> Iterator[NDArray[np.int32]]:
        encodings = self.backend.encode_batch_fast(pieces, add_special_tokens=False)
        tokens = [np.array(encoding.ids, np.int32) for encoding in encodings]
        first = 0
        for count in counts:
            yield tokens[first] if count == 1 else np.concatenate(tokens[first : first + count])
            first += count


def portions(
    texts: Sequence[str], most_texts: int, most_characters: int
) -> Iterator[tuple[int, int]]:
    """Yield ranges that hold at most so many texts and characters, but at least one text."""
    return spans(map(len, texts), most_texts, most_characters)


def spans(sizes: Iterable[int], most_items: int, most_size: int) -> Iterator[tuple[int, int]]:
    """Yield ranges of at most so many items and so large together, but of at least one item."""
    start = stop = size = 0
    for own in sizes:
        full = stop - start == most_items or size + own > most_size
        if full and stop > start:
            yield start, stop
            start, size = stop, 0
        size += own
        stop += 1
    if start < stop:
        yield start, stop


def window_starts(tokens: int, room: int) -> NDArray[np.int64]:
    """Return where the windows of a text of so many tokens begin.

    Every window is `room` tokens long, neighbours share at least an eighth, and together they
    reach from the first token to the last. A text that fits has one window.
    """
    if tokens <= room:
        return np.zeros(1, np.int64)
    stride = room - room // 8
    steps = -(-(tokens - room) // stride)
    return np.arange(steps + 1, dtype=np.int64) * (tokens - room) // steps


def _pieces(text: str) -> list[str]:
    pieces = []
    while len(text) > _PIECE:
        cut = text.rfind(" ", 1, _PIECE)
        cut = _PIECE if cut < 1 else cut
        pieces.append(text[:cut])
        text = text[cut:]
    return [*pieces, text]
