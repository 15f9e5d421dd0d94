"""What makes two texts the same text, and when a text is too short to judge."""

import hashlib
import re
import unicodedata

SHORT_WORD = 6  # letters or digits from which a single word says enough
SHORT_UNSPACED = 4  # the same for scripts that set no spaces between words
_UNSPACED = (
    (0x0E00, 0x0EFF),  # Thai, Lao
    (0x1000, 0x109F),  # Burmese
    (0x1780, 0x17FF),  # Khmer
    (0x3040, 0x30FF),  # kana
    (0x3400, 0x9FFF),  # Chinese characters
    (0xF900, 0xFAFF),
    (0x20000, 0x3FFFF),
)
_FIRST_UNSPACED = chr(_UNSPACED[0][0])
_ENOUGH_SIGNS = re.compile(rf"(?:[\W_]*[^\W_]){{{SHORT_WORD}}}")  # letters or digits


def normalise(text: str) -> str:
    """Give the form in which texts are stored and compared.

    Line ends become \\n, characters are composed (Unicode NFC), outer white space goes. Two
    surrogates that make a character become it; a lone one, which no file can hold, is written
    as its code, such as \\ud800. Nothing else changes: case, inner spaces and control
    characters stay. Normalising twice changes nothing.
    """
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    if text.isascii():
        return text.strip()
    return unicodedata.normalize("NFC", whole_characters(text)).strip()


def whole_characters(text: str) -> str:
    """Join pairs of surrogates and write lone ones as their codes, such as \\ud800."""
    try:
        text.encode()
    except UnicodeEncodeError:
        joined = text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")
        return joined.encode("utf-8", "backslashreplace").decode("utf-8")
    return text


def content_hash(text: str) -> str:
    """Give the first 32 hexadecimal digits of the SHA-256 of the normalised text in UTF-8."""
    return hash_normalised(normalise(text))


def hash_normalised(body: str) -> str:
    """Give the `content_hash` of a text that is normalised already."""
    return hashlib.sha256(body.encode()).hexdigest()[:32]


def is_very_short(text: str) -> bool:
    """Tell whether a text is too short for its similarities to mean much.

    True with fewer than three letters or digits ("ok", "...", emoji), or with a single word
    of fewer than `SHORT_WORD` ("thanks" is enough, "yes" is not), or, in scripts written
    without spaces, fewer than `SHORT_UNSPACED` of them. White space parts words.
    """
    head = text[:400]
    is_spaced = head.isascii() or max(head) < _FIRST_UNSPACED
    if is_spaced and _ENOUGH_SIGNS.match(head):
        return False  # nearly every text, told without a look at each of its characters
    signs = [sign for sign in head if sign.isalnum()]
    if any(_is_unspaced(sign) for sign in signs):
        return len(signs) < SHORT_UNSPACED
    if len(signs) < 3:
        return len(text) <= len(head) or is_very_short(text[len(head) :])
    words = [word for word in head.split() if any(sign.isalnum() for sign in word)]
    return len(words) == 1 and len(signs) < SHORT_WORD and len(text) <= len(head)


def _is_unspaced(sign: str) -> bool:
    code = ord(sign)
    return code >= 0x0E00 and any(first <= code <= last for first, last in _UNSPACED)
