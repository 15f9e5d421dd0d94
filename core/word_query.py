"""What a person typed into a search box, cut into the pieces that are looked for."""

import re
import unicodedata
from dataclasses import dataclass

MOST_PIECES = 32  # more add nothing: a pasted page is found by its first words
LONGEST_PIECE = 256  # characters; what lies behind is not looked at
SHORTEST_PART = 3  # characters from which an index of trigrams finds parts of words

_QUOTES = re.compile('["“”„‟«»]')
# Thai and Lao, Burmese, Khmer, kana, ideographs and their marks: written without spaces.
_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"
)
_SYLLABIC = re.compile("[\u1100-\u11ff\u3130-\u318f\uac00-\ud7af]")  # Hangul: one sign says much


@dataclass(frozen=True, slots=True)
class Piece:
    """A word, an exact phrase or a run of signs, as typed (in Unicode's NFC)."""

    text: str
    is_required: bool = False  # it stood in quotation marks
    is_begun: bool = False  # it may be the beginning of a word that is still being typed

    @property
    def is_words(self) -> bool:
        """Whether it consists of words with bounds, rather than signs that stand anywhere."""
        return has_word(self.text) and not _UNSPACED.search(self.text)

    @property
    def can_be_part(self) -> bool:
        """Whether it says enough to be looked for inside of words."""
        return (
            len(self.text) >= SHORTEST_PART
            or not self.is_words
            or _SYLLABIC.search(self.text) is not None
        )


@dataclass(frozen=True, slots=True)
class WordQuery:
    """The pieces of a query, each once, in order; without any, nothing is found."""

    pieces: tuple[Piece, ...] = ()

    @staticmethod
    def parse(text: str) -> "WordQuery":
        """Cut what was typed: words, and "exact phrases" in any kind of quotation marks.

        Nothing in it is an operator. Marks without a word or a symbol (*, -, ...) fall away,
        a quotation mark without its partner counts as a space, and the last word may go on.
        """
        parts = _QUOTES.split(_clean(text))
        if len(parts) % 2 == 0:
            parts[-2:] = [f"{parts[-2]} {parts[-1]}"]
        pieces: dict[str, Piece] = {}
        for number, part in enumerate(parts):
            quoted = number % 2 == 1
            for words in [" ".join(part.split())] if quoted else map(_bare, part.split()):
                if _says_something(words):
                    cut = len(words) > LONGEST_PIECE
                    piece = Piece(words[:LONGEST_PIECE].rstrip(), quoted, cut)
                    known = pieces.get(words.casefold())
                    if known is None or quoted:
                        pieces[words.casefold()] = piece
        kept = list(pieces.values())[:MOST_PIECES]
        if kept and not kept[-1].is_required and _can_go_on(kept[-1].text):
            kept[-1] = Piece(kept[-1].text, is_begun=True)
        return WordQuery(tuple(kept))

    def __bool__(self) -> bool:
        return bool(self.pieces)


def has_word(text: str) -> bool:
    """Whether there is a letter, a digit or the like in it."""
    return any(unicodedata.category(sign)[0] in "LN" for sign in text)


def _can_go_on(word: str) -> bool:
    """Whether so few words begin with it that they are worth finding."""
    return len(word) > 1 or _SYLLABIC.search(word) is not None


def _says_something(words: str) -> bool:
    return has_word(words) or any(unicodedata.category(sign) in ("So", "Sc") for sign in words)


def _bare(word: str) -> str:
    """The word without the punctuation around it, but with the signs of C#, 5 % and @name."""
    first, last = 0, len(word)
    while first < last and _is_idle(word[first]):
        first += 1
    while first < last and _is_idle(word[last - 1]):
        last -= 1
    return word[first:last]


def _is_idle(sign: str) -> bool:
    return sign not in "#%&@" and (unicodedata.category(sign)[0] == "P" or sign in "^~|=<>`")


def _clean(text: str) -> str:
    """Join halves of characters, drop lone ones and control characters, compose."""
    whole = text.encode("utf-16", "surrogatepass").decode("utf-16", "ignore")
    spaced = "".join(" " if unicodedata.category(sign) == "Cc" else sign for sign in whole)
    return unicodedata.normalize("NFC", spaced)
