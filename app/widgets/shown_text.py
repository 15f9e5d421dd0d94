"""Text as it can be shown: nothing invisible, nothing that Qt cannot hold, in its direction."""

import re
import unicodedata

import numpy as np
import numpy.typing as npt

_PLAIN = {0x09, 0x0A, 0x0D}
_SYMBOLS = {code: 0x2400 + code for code in range(0x20) if code not in _PLAIN}
_SYMBOLS |= {0x7F: 0x2421, 0x2028: 0x0A, 0x2029: 0x0A, 0xFFFC: 0xFFFD}
_SYMBOLS |= dict.fromkeys(range(0x80, 0xA0), 0x2426)
_SURROGATE = re.compile("[\ud800-\udfff]")
_LOOKED_AT = 2_000  # characters, for the direction


def visible(text: str) -> str:
    """`text` with control characters as symbols (␀, ␋) and every line end as one `\\n`.

    As long as `text`, so that spans keep their meaning.
    """
    lines = text.replace("\r\n", " \n").replace("\r", "\n")
    return _SURROGATE.sub("\ufffd", lines).translate(_SYMBOLS)


def is_right_to_left(text: str) -> bool:
    """Whether the first letter with a direction runs from right to left."""
    for letter in text[:_LOOKED_AT]:
        kind = unicodedata.bidirectional(letter)
        if kind in ("R", "AL"):
            return True
        if kind == "L":
            return False
    return False


def qt_places(text: str) -> npt.NDArray[np.int64] | None:
    """Where each character of `text` (and its end) stands in UTF-16; None: where it is."""
    if text.isascii() or max(text, default="") <= "\uffff":
        return None
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    wide = np.concatenate([[0], np.cumsum(codes > 0xFFFF)])
    places: npt.NDArray[np.int64] = np.arange(len(text) + 1, dtype=np.int64) + wide
    return places
