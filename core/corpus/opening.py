"""Opening files as bytes or as decoded text, with every fault of the world told truly."""

import codecs
import gzip
import io
import stat
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, cast

from core.errors import UserError

MIXED = "utf-8+cp1252"  # UTF-8 whose invalid bytes are read as Windows-1252
BOMS = (  # longest first: the mark of UTF-32 LE begins with that of UTF-16 LE
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_FAMILIES = ("utf-8", "utf-16", "utf-32")
_CHUNK = 1 << 20
_STRAY_BYTES = "samesense-cp1252"


def expect_file(path: Path) -> None:
    """Raise `UserError` for a pipe or a device, which cannot be read twice as an import does."""
    with faults_told(path):
        mode = path.stat().st_mode
    if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
        raise UserError(
            f"{path} is a pipe or a device, not a file.",
            "Save what it gives as a file, and import that.",
        )


def open_bytes(path: Path) -> IO[bytes]:
    """Open `path` for reading; gzip is unpacked, whatever the name ends in."""
    stream = path.open("rb")
    if stream.peek(2)[:2] != b"\x1f\x8b":
        return stream
    stream.close()
    return cast(IO[bytes], gzip.open(path, "rb"))


def open_text(path: Path, encoding: str) -> io.TextIOWrapper:
    """Open `path` as text with line ends untouched; decoding is strict.

    A byte order mark never becomes part of the text. `encoding` is a Python codec name or
    `MIXED`.
    """
    stream = open_bytes(path)
    head = stream.read(4)
    stream.seek(0)
    codec, errors = codec_for(encoding, head)
    return io.TextIOWrapper(stream, encoding=codec, errors=errors, newline="")


def codec_for(encoding: str, head: bytes) -> tuple[str, str]:
    """Give the codec and error handler that read `encoding` in a file that begins with `head`."""
    if encoding == MIXED:
        return "utf-8-sig", _STRAY_BYTES
    try:
        name = codecs.lookup(encoding).name
        with suppress(UnicodeDecodeError):
            b"x".decode(name)  # refused where the codec is not one of texts
    except LookupError:
        raise UserError(
            f'There is no encoding called "{encoding}".',
            "Choose one of the encodings offered, such as utf-8 or cp1252.",
        ) from None
    marked = bom_encoding(head)
    family = next((family for family in _FAMILIES if name.startswith(family)), "")
    if marked and family and marked.startswith(family):
        return marked, "strict"
    return name, "strict"


def bom_encoding(head: bytes) -> str | None:
    """Name the encoding that a byte order mark at the start of `head` stands for."""
    return next((name for mark, name in BOMS if head.startswith(mark)), None)


@contextmanager
def faults_told(path: Path, encoding: str | None = None) -> Iterator[None]:
    """Turn the faults of reading `path` into a `UserError` with the true cause."""
    try:
        yield
    except FileNotFoundError:
        raise UserError(f"There is no file {path}.", "Check the name and the folder.") from None
    except PermissionError:
        raise UserError(
            f"{path.name} may not be read: permission was refused.",
            "Ask for the right to read it, or copy it to a folder of your own.",
        ) from None
    except IsADirectoryError:
        raise UserError(f"{path} is a folder, not a file.", "Choose a file in it.") from None
    except (gzip.BadGzipFile, zlib.error, EOFError) as error:
        raise UserError(
            f"{path.name} is packed with gzip and damaged: {error}.",
            "Fetch the file again; nothing was imported.",
        ) from None
    except UnicodeError:  # a missing byte order mark is no UnicodeDecodeError
        raise undecodable(path, encoding or "utf-8") from None
    except OSError as error:
        raise UserError(
            f"{path.name} could not be read: {error.strerror or error}.",
            "Copy it to this machine's own disk and try again.",
        ) from None


def undecodable(path: Path, encoding: str) -> UserError:
    """Say where the bytes of `path` stop being text in `encoding`."""
    place = first_bad_byte(path, encoding)
    if place is None:
        return UserError(f"{path.name} cannot be read as {encoding}.", "Choose another encoding.")
    offset, line, what = place
    others = [MIXED, "cp1252"] if codecs.lookup(encoding).name.startswith("utf-8") else ["utf-8"]
    return UserError(
        f"{path.name} is not {encoding} throughout: byte {offset:,} ({what}) on line {line:,} "
        "cannot be read.",
        f"Choose another encoding, for example {' or '.join(others)}.",
    )


def first_bad_byte(path: Path, encoding: str) -> tuple[int, int, str] | None:
    """Find the first undecodable byte: its offset (of the unpacked file), line and hex value.

    None if the whole file decodes, or no single byte is to blame. Constant memory, one pass.
    """
    with open_bytes(path) as stream:
        head = stream.read(4)
        stream.seek(0)
        codec, errors = codec_for(encoding, head)
        decoder = codecs.getincrementaldecoder(codec)(errors)
        fed = 0
        line = 1
        after_cr = False
        while True:
            chunk = stream.read(_CHUNK)
            fed += len(chunk)
            try:
                text = decoder.decode(chunk, final=not chunk)
            except UnicodeDecodeError as error:
                before = error.object[: error.start].decode(codec, "ignore")
                bad = error.object[error.start : error.end][:4].hex(" ")
                return fed - len(error.object) + error.start, line + _breaks(before), f"0x{bad}"
            except UnicodeError:
                return None
            if not chunk:
                return None
            line += _breaks(text) - (after_cr and text.startswith("\n"))
            after_cr = text.endswith("\r") if text else after_cr


def _breaks(text: str) -> int:
    return text.count("\n") + text.count("\r") - text.count("\r\n")


def _read_stray_bytes(error: UnicodeError) -> tuple[str, int]:
    """Read invalid UTF-8 as Windows-1252, its five gaps as control characters (as browsers do)."""
    if not isinstance(error, UnicodeDecodeError):
        raise error
    letters = []
    for byte in error.object[error.start : error.end]:
        one = bytes([byte])
        try:
            letters.append(one.decode("cp1252"))
        except UnicodeDecodeError:
            letters.append(one.decode("latin-1"))
    return "".join(letters), error.end


codecs.register_error(_STRAY_BYTES, _read_stray_bytes)
