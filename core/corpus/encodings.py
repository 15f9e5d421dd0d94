"""Which encoding a file is in: marks first, then strict UTF-8, then a guess that says so."""

import codecs
from dataclasses import dataclass
from pathlib import Path

from charset_normalizer import from_bytes

from core.corpus.opening import MIXED, bom_encoding, codec_for, first_bad_byte, open_bytes
from core.errors import UserError

_SAMPLE = 1 << 18
_STEP = 1 << 20
_CANDIDATES = (  # in order of preference where the guesses are equally good
    "cp1252",
    "cp932",
    "gb18030",
    "big5",
    "cp949",
    "euc_jp",
    "cp950",
    "iso8859_15",
    "latin_1",
    "cp1250",
    "cp1251",
    "koi8_r",
    "cp1253",
    "cp1254",
    "cp1255",
    "cp1256",
    "cp1257",
    "iso8859_2",
    "cp874",
)
_OFFERED = ("utf-8", "cp1252", "cp1250", "cp1251", "utf-16", "cp932", "gb18030", "big5", "cp949")
_TWINS = {"cp950": "big5", "latin_1": "cp1252", "iso8859_15": "cp1252"}  # alike but for rarities
_NAMES = {
    "utf-8": "UTF-8",
    "utf-8-sig": "UTF-8 with a byte order mark",
    "utf-16": "UTF-16 with a byte order mark",
    "utf-32": "UTF-32 with a byte order mark",
    "utf-16-le": "UTF-16 (little-endian) without a byte order mark",
    "utf-16-be": "UTF-16 (big-endian) without a byte order mark",
    MIXED: "UTF-8 with stray Windows-1252 bytes",
    "cp1252": "Windows-1252 (western European)",
    "latin_1": "Latin-1 (western European)",
    "iso8859_15": "Latin-9 (western European)",
    "cp1250": "Windows-1250 (central European)",
    "iso8859_2": "Latin-2 (central European)",
    "cp1251": "Windows-1251 (Cyrillic)",
    "koi8_r": "KOI8-R (Cyrillic)",
    "cp1253": "Windows-1253 (Greek)",
    "cp1254": "Windows-1254 (Turkish)",
    "cp1255": "Windows-1255 (Hebrew)",
    "cp1256": "Windows-1256 (Arabic)",
    "cp1257": "Windows-1257 (Baltic)",
    "cp874": "Windows-874 (Thai)",
    "cp932": "Shift-JIS (Japanese)",
    "euc_jp": "EUC-JP (Japanese)",
    "gb18030": "GB18030 (Chinese)",
    "big5": "Big5 (Chinese)",
    "cp950": "Big5 (Chinese)",
    "cp949": "EUC-KR (Korean)",
}


@dataclass(frozen=True, slots=True)
class EncodingGuess:
    """An encoding that decodes the whole file, why it was chosen, and others to offer."""

    encoding: str
    why: str
    warning: str = ""  # not empty where a person should look at the accented letters
    others: tuple[str, ...] = ()


def encoding_name(encoding: str) -> str:
    """Name an encoding as people know it."""
    return _NAMES.get(encoding, encoding)


def guess_encoding(path: Path) -> EncodingGuess:
    """Find an encoding in which every byte of the file has a meaning.

    Reads the file once (UTF-8) or a few times (others), in constant memory.
    """
    with open_bytes(path) as stream:
        head = stream.read(_SAMPLE)
    marked = bom_encoding(head)
    if marked is not None:
        return _if_whole(path, marked, encoding_name(marked)) or _mixed(path)
    wide = _utf16_without_mark(head)
    if wide is not None and first_bad_byte(path, wide) is None:
        return EncodingGuess(wide, encoding_name(wide), others=offered(path, wide))
    refuse_binary(path, head)
    bad = first_bad_byte(path, "utf-8")
    if bad is None:
        why = "plain ASCII, which UTF-8 includes" if _is_ascii(path) else "UTF-8"
        return EncodingGuess("utf-8", why, others=offered(path, "utf-8"))
    sample, wide_letters, invalid = _telling_sample(path)
    if wide_letters >= 3 and wide_letters > invalid:
        return _mixed(path)
    return _guess(path, sample)


def offered(path: Path, chosen: str) -> tuple[str, ...]:
    """List the encodings worth offering: the chosen one, then those that the start allows."""
    with open_bytes(path) as stream:
        head = stream.read(1 << 16)
    if bom_encoding(head) in ("utf-16", "utf-32"):
        return (chosen,)
    plausible = [name for name in _OFFERED if name != chosen and _decodes(head, name)]
    return (chosen, *plausible)


def refuse_binary(path: Path, head: bytes) -> None:
    """Raise `UserError` where `head` shows that the file holds no text."""
    known = next((what for mark, what in _NOT_TEXT if head.startswith(mark)), None)
    controls = sum(head.count(bytes([byte])) for byte in _CONTROLS)
    if known is None and (controls <= len(head) // 20 or len(head) < 8):
        return
    raise UserError(
        f"{path.name} is {known}, not texts." if known else f"{path.name} is not a text file.",
        "Choose a CSV, JSON, text, Excel or Parquet file, or a folder of text files.",
    )


_CONTROLS = bytes((*range(9), *range(14, 27), 28, 29, 30))
_NOT_TEXT = (
    (b"\x89PNG", "a PNG picture"),
    (b"\xff\xd8\xff", "a JPEG picture"),
    (b"GIF8", "a GIF picture"),
    (b"%PDF", "a PDF document"),
    (b"PK\x03\x04", "a zip archive"),
    (b"PK\x05\x06", "an empty zip archive"),
    (b"7z\xbc\xaf", "a 7z archive"),
    (b"Rar!", "a RAR archive"),
    (b"SQLite format 3", "a SQLite database"),
    (b"\x7fELF", "a program"),
    (b"\x28\xb5\x2f\xfd", "packed with Zstandard"),
    (b"BZh", "packed with bzip2"),
    (b"\xfd7zXZ", "packed with xz"),
    (b"{\\rtf", "a rich-text (RTF) document"),
)


def _if_whole(path: Path, encoding: str, why: str) -> EncodingGuess | None:
    if first_bad_byte(path, encoding) is not None:
        return None
    return EncodingGuess(encoding, why, others=offered(path, encoding))


def _mixed(path: Path) -> EncodingGuess:
    bad = first_bad_byte(path, "utf-8")
    offset, line, what = bad or (0, 1, "")
    _, _, invalid = _telling_sample(path)
    if bom_encoding(_head(path)) not in (None, "utf-8-sig"):
        raise UserError(
            f"{path.name} begins with a UTF-16 or UTF-32 byte order mark but is damaged.",
            "Save it again as UTF-8 in the program that made it.",
        )
    return EncodingGuess(
        MIXED,
        "UTF-8, but not throughout",
        warning=(
            f"The file is UTF-8 except for {invalid:,} invalid bytes, the first ({what}) at byte "
            f"{offset:,} on line {line:,}. They are read as Windows-1252; check those letters, or "
            "read the whole file as Windows-1252 (cp1252)."
        ),
        others=(MIXED, *(name for name in offered(path, "cp1252") if name != "utf-8")),
    )


def _guess(path: Path, sample: bytes) -> EncodingGuess:
    matches = [
        (name, match.chaos, match.coherence)
        for match in from_bytes(sample, cp_isolation=list(_CANDIDATES))
        for name in match.could_be_from_charset
    ]
    least = min((chaos for _, chaos, _ in matches), default=0.0)
    calm = [match for match in matches if match[1] <= least + 0.02]
    most = max((coherence for *_, coherence in calm), default=0.0)
    best = [name for name, _, coherence in calm if coherence >= most - 0.03]
    if "euc_jp" in best and _holds_kana(sample):
        best = ["euc_jp"]  # GB18030 gives the same bytes the same kana, which no Chinese text has
    rest = [name for name, *_ in matches if name not in best]
    ranked = sorted(best, key=_preference) + sorted(rest, key=_preference)
    for name in dict.fromkeys((*ranked, "cp1252", "latin_1")):
        if first_bad_byte(path, name) is not None:
            continue
        sure = name in best and (most > 0.3 or len({_TWINS.get(n, n) for n in best}) == 1)
        others = (name, *(other for other in ranked if other != name), *offered(path, name)[1:])
        return EncodingGuess(
            name,
            f"{encoding_name(name)}, {'judged' if sure else 'guessed'} by its letters",
            warning=""
            if sure
            else f"The encoding is a guess ({encoding_name(name)}): look whether the accented "
            "letters are right, else choose another.",
            others=tuple(dict.fromkeys(others)),
        )
    raise UserError(
        f"The encoding of {path.name} was not recognised.",
        "Choose it, or save the file as UTF-8.",
    )


def _holds_kana(sample: bytes) -> bool:
    text = sample.decode("euc_jp", "ignore")
    return sum("\u3040" <= sign <= "\u30ff" for sign in text) * 10 > len(text)


def _preference(name: str) -> int:
    return _CANDIDATES.index(name) if name in _CANDIDATES else len(_CANDIDATES)


def _telling_sample(path: Path) -> tuple[bytes, int, int]:
    """Collect lines that hold non-ASCII bytes; count valid and invalid UTF-8 sequences in all."""
    kept: list[bytes] = []
    size = 0
    valid = 0
    invalid = 0
    with open_bytes(path) as stream:
        while chunk := stream.read(_STEP):
            chunk += stream.readline(_STEP)
            if chunk.isascii():
                continue
            good = chunk.decode("utf-8", "ignore")
            valid += len(good) - len(good.encode("ascii", "ignore"))
            invalid += len(chunk) - len(good.encode("utf-8"))
            if size < _SAMPLE:
                lines = [line for line in chunk.splitlines(keepends=True) if not line.isascii()]
                kept.append(b"".join(lines)[:_SAMPLE])
                size += len(kept[-1])
    return b"".join(kept), valid, invalid


def _utf16_without_mark(head: bytes) -> str | None:
    even = head[0::2].count(0)
    odd = head[1::2].count(0)
    if max(even, odd) < max(1, len(head) // 200) or min(even, odd) * 20 > max(even, odd):
        return None
    if head.isascii() and (even + odd) * 3 < len(head):
        return None  # stray NUL characters in a file of single bytes
    name = "utf-16-le" if odd > even else "utf-16-be"
    text = head[: len(head) // 2 * 2].decode(name, "ignore")
    letters = sum(letter.isalnum() or letter.isspace() for letter in text[:2000])
    return name if letters * 2 > len(text[:2000]) else None


def _is_ascii(path: Path) -> bool:
    with open_bytes(path) as stream:
        return all(chunk.isascii() for chunk in iter(lambda: stream.read(_STEP), b""))


def _head(path: Path) -> bytes:
    with open_bytes(path) as stream:
        return stream.read(4)


def _decodes(head: bytes, name: str) -> bool:
    if name == "utf-16" and bom_encoding(head) != "utf-16":
        return False
    codec, errors = codec_for(name, head)
    try:
        codecs.getincrementaldecoder(codec)(errors).decode(head)
    except UnicodeDecodeError:
        return False
    return True
