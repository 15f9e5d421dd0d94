"""Where the words of a query stand in a text."""

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from core.word_query import Piece, WordQuery

Span = tuple[int, int]


def marks(body: str, query: WordQuery) -> list[Span]:
    """The (start, end) of all that the query found in `body`, ascending, none touching another.

    Counted in characters of `body`. Case and accents do not matter, as in the search by
    words. Where a piece stands as a whole word, or one begins with it and it may go on, its
    appearances inside of other words are not marked.
    """
    words = _Words.of(body)
    return _joined(span for piece in query.pieces for span in _spans(piece, words))


@dataclass(frozen=True, slots=True)
class _Words:
    """A text as it is compared: characters folded, which may make one none or two."""

    folded: str
    origin: Sequence[int]  # for each folded character and the end: its place in the text
    words: Sequence[Span]  # in folded characters

    @staticmethod
    def of(text: str) -> "_Words":
        folded: list[str] = []
        origin: list[int] = []
        words: list[Span] = []
        start = -1
        for place, sign in enumerate(text):
            plain, is_word = _fold(sign)
            if is_word and start < 0:
                start = len(origin)
            elif not is_word and start >= 0:
                words.append((start, len(origin)))
                start = -1
            folded.append(plain)
            origin += [place] * len(plain)
        if start >= 0:
            words.append((start, len(origin)))
        return _Words("".join(folded), [*origin, len(text)], [w for w in words if w[0] < w[1]])

    def span(self, start: int, end: int) -> Span:
        """Folded characters as a span of the text; marks on the last one belong to it."""
        last = self.origin[end - 1]
        return self.origin[start], max(last + 1, self.origin[end])


def _spans(piece: Piece, body: _Words) -> list[Span]:
    if piece.is_words:
        found = list(_whole(piece, body))
        if found or not piece.can_be_part:
            return found
    return list(_parts(_Words.of(piece.text).folded, body))


def _whole(piece: Piece, body: _Words) -> Iterator[Span]:
    """Runs of words that are those of the piece; the last may only begin with its last."""
    own = _Words.of(piece.text)
    wanted = [own.folded[start:end] for start, end in own.words]
    if not wanted:
        return
    texts = [body.folded[start:end] for start, end in body.words]
    for first in range(len(texts) - len(wanted) + 1):
        run = texts[first : first + len(wanted)]
        last = run[-1].startswith(wanted[-1]) if piece.is_begun else run[-1] == wanted[-1]
        if last and run[:-1] == wanted[:-1]:
            end = body.words[first + len(wanted) - 1][0] + len(wanted[-1])
            yield body.span(body.words[first][0], end)


def _parts(wanted: str, body: _Words) -> Iterator[Span]:
    if not wanted:
        return
    at = body.folded.find(wanted)
    while at >= 0:
        yield body.span(at, at + len(wanted))
        at = body.folded.find(wanted, at + len(wanted))


def _joined(spans: Iterator[Span]) -> list[Span]:
    joined: list[Span] = []
    for start, end in sorted(spans):
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return joined


@lru_cache(maxsize=8_192)
def _fold(sign: str) -> tuple[str, bool]:
    """A character without case and accent, and whether it belongs to words.

    Accents go where the index of words drops them: from letters of the Latin alphabet.
    """
    if "\u0300" <= sign <= "\u036f":
        return "", True
    kind = unicodedata.category(sign)
    base = unicodedata.normalize("NFD", sign)[0].casefold()
    folded = base if base.isascii() else sign.casefold()
    return folded, kind[0] in "LN" or kind in ("Mn", "Mc")
