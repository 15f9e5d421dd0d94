"""Where the words of a question stand in a whole text, for the reader."""

import re
import unicodedata

from app.widgets.word_diff import Span

_PIECES = re.compile(r'"([^"]+)"|(\S+)')
_EDGES = re.compile(r"^\W+|\W+$")
_SHORT = 3  # characters; a shorter piece is marked only where a word begins with it
_LOOKED_AT = 60_000  # characters of a text
_MOST = 500


def pieces_of(words: str) -> list[str]:
    """The words and quoted phrases of a question, without what stands around them."""
    found = (quoted or single for quoted, single in _PIECES.findall(words))
    pieces = (_EDGES.sub("", piece) for piece in found)
    return [piece for piece in dict.fromkeys(pieces) if piece]


def word_spans(text: str, words: str) -> list[Span]:
    """The characters of `text` that a question's words match, in any case, without accents."""
    pieces = [folded for piece in pieces_of(words) if (folded := "".join(_folded(piece)[0]))]
    if not pieces:
        return []
    letters, places = _folded(text[:_LOOKED_AT])
    pattern = re.compile("|".join(_pattern(piece) for piece in pieces))
    spans: list[Span] = []
    for match, _ in zip(pattern.finditer("".join(letters)), range(_MOST), strict=False):
        start, stop = places[match.start()], places[match.end() - 1] + 1
        if spans and start <= spans[-1][1]:
            spans[-1] = (spans[-1][0], max(stop, spans[-1][1]))
        else:
            spans.append((start, stop))
    return spans


def _pattern(piece: str) -> str:
    told = r"\s+".join(re.escape(word) for word in piece.split())
    is_apart = len(piece) < _SHORT and piece.isascii()
    return rf"(?<!\w){told}" if is_apart else told


def _folded(text: str) -> tuple[list[str], list[int]]:
    """Letters without case and accents, and the character of `text` each came from."""
    if text.isascii():
        return list(text.lower()), list(range(len(text)))
    letters: list[str] = []
    places: list[int] = []
    for place, letter in enumerate(text):
        for part in unicodedata.normalize("NFKD", letter).casefold():
            if not unicodedata.combining(part):
                letters.append(part)
                places.append(place)
    return letters, places
