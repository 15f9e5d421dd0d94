"""Words of any language, without lists of any."""

import re
import unicodedata
from functools import lru_cache

_NOISE = re.compile(r"https?://\S+|www\.\S+|&#?\w+;|<[^<>]{1,80}>")
# Scripts that put no space between words: Thai to Tibetan, Khmer, kana, Han, their extensions.
_UNSPACED = re.compile(
    "[\u0e01-\u0fff\u1000-\u109f\u1780-\u17ff\u3041-\u30ff\u3400-\u9fff\uf900-\ufaff\uff66-\uff9d"
    "\U00020000-\U0003ffff]+"
)


def tokens(text: str) -> list[str]:
    """Return the words of `text` as they stand there; unspaced scripts as pairs of characters.

    Addresses, tags and entities of HTML are left out. "don't", "top-up", "C++" and "C#" are
    words.
    """
    found: list[str] = []
    for word in _any_word().findall(_NOISE.sub(" ", text)):
        if word.isascii():
            found.append(word)
        else:
            found += _with_pairs(word)
    return found


def key_of(word: str) -> str:
    """Return what is counted as one word: case and compatible forms folded."""
    if word.isascii():
        return word.lower()
    return unicodedata.normalize("NFKC", word).casefold()


def is_unspaced(word: str) -> bool:
    """Say whether `word` is a pair of characters rather than a word."""
    return not word.isascii() and _UNSPACED.match(word) is not None


def tells_little(word: str) -> bool:
    """Say whether `word` is a single letter or has no letter at all."""
    return len(word) < 2 or not any(map(str.isalpha, word))


def are_variants(one: str, other: str) -> bool:
    """Say whether two keys look like forms of one word: refund, refunds, refunded."""
    short, long = sorted((one, other), key=len)
    if long.startswith(short):
        extra = len(long) - len(short)
        return extra <= (3 if len(short) > 3 else 1) or long[len(short)] in "'’-"
    same = next((i for i, (a, b) in enumerate(zip(short, long, strict=False)) if a != b), 0)
    return same >= 4 and len(long) - same <= 3


@lru_cache(1)
def _any_word() -> re.Pattern[str]:
    """A word with its combining marks, which Python does not count as parts of words."""
    points = (chr(code) for code in range(0x300, 0x10000))
    marks = "".join(point for point in points if unicodedata.category(point) in ("Mn", "Mc"))
    return re.compile(rf"\w[\w{marks}]*(?:['’\-][\w{marks}]+)*(?:\+\+|#(?!\w))?")


def _with_pairs(word: str) -> list[str]:
    found, start = [], 0
    for run in _UNSPACED.finditer(word):
        found.append(word[start : run.start()])
        characters, start = run.group(), run.end()
        if len(characters) == 1:
            found.append(characters)
        else:
            found += [characters[i : i + 2] for i in range(len(characters) - 1)]
    found.append(word[start:])
    return [part.strip("'’-") for part in found if part.strip("'’-")]
