"""Which words of a text another may stand for: no number, no negation, nothing but letters."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from core.pairs.lexicon import NEGATIONS, NEGATIONS_BESIDE_NE, NUMBER_WORDS

_CHUNK = re.compile(r"\S+")
_MARKED = "@#$€£/\\_&+=~^<>"  # before or behind a word: a handle, a tag, an amount, a path
# Too many words left alone cost nothing, unlike in `core.pairs`, where each flag is looked at.
_NUMBERS = """
zero one thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty thirty forty fifty
sixty seventy eighty ninety hundred hundreds thousand thousands million millions billion billions
dozen dozens half quarter first second third once twice double triple single both
null eins ein eine zwei drei vier fünf sechs sieben acht neun zehn elf zwölf hundert tausend
un une deux trois quatre cinq sept huit neuf dix onze douze cent mille
uno una dos tres cuatro cinco seis siete ocho nueve diez once doce cien mil
due tre quattro cinque sei sette otto nove dieci undici dodici cento
een twee drie vijf zes zeven negen tien twaalf honderd duizend
um uma dois duas três quatro sete oito dez onze doze cem
"""
_MORE_NEGATIONS = "ne hardly barely scarcely unless except"
_KEPT = (
    NEGATIONS | NEGATIONS_BESIDE_NE | {*NUMBER_WORDS, *_NUMBERS.split(), *_MORE_NEGATIONS.split()}
)
# Thai and Lao, Burmese, Khmer, kana, ideographs: written without spaces, so no run is one word.
_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"
)


@dataclass(frozen=True, slots=True)
class Word:
    """A word between blanks, without the punctuation around it."""

    start: int
    stop: int
    is_replaceable: bool


def words_between_blanks(text: str) -> Iterator[Word]:
    """Yield all that holds a letter or a digit between two blanks, in order."""
    for chunk in _CHUNK.finditer(text):
        own = chunk.group()
        first = next((at for at, one in enumerate(own) if one.isalnum()), None)
        if first is None:
            continue
        last = max(at for at, one in enumerate(own) if one.isalnum() or _is_mark(one))
        around = own[:first] + own[last + 1 :]
        word = own[first : last + 1]
        can_go = not any(mark in around for mark in _MARKED) and is_plain_word(word)
        yield Word(chunk.start() + first, chunk.start() + last + 1, can_go)


def is_plain_word(word: str) -> bool:
    """Whether a word is of letters alone, in a script with spaces, and no number or negation."""
    if not word or not all(one.isalpha() or _is_mark(one) for one in word):
        return False
    return _UNSPACED.search(word) is None and not _KEPT & {word.casefold(), folded(word)}


def folded(word: str) -> str:
    """The same for all spellings of a word, large or small, with accents or without."""
    parts = unicodedata.normalize("NFKD", word.casefold())
    return "".join(one for one in parts if not _is_mark(one))


def written_like(word: str, other: str) -> str:
    """Write `word` large or small as the other is."""
    if len(other) > 1 and other.isupper():
        return word.upper()
    return word[:1].upper() + word[1:] if other[:1].isupper() else word


def _is_mark(character: str) -> bool:
    return unicodedata.category(character).startswith("M")
