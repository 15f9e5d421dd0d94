"""Plain text as rows: one text a line, or one text a file."""

import os
from collections.abc import Iterator
from pathlib import Path

from core.corpus.encodings import guess_encoding
from core.corpus.oddities import GUESSED_ENCODING
from core.corpus.opening import faults_told, open_text
from core.errors import UserError
from core.folders import told
from core.records import Reading, SourceRow

LINES_COLUMNS = ("text",)
FOLDER_COLUMNS = ("file", "text")


def line_rows(path: Path, reading: Reading) -> Iterator[SourceRow]:
    """Yield one row a line, blank ones too, so that places and lines agree."""
    with faults_told(path, reading.encoding), open_text(path, reading.encoding or "utf-8") as text:
        for number, line in enumerate(text, start=1):
            cell = line.removesuffix("\n").removesuffix("\r")
            yield SourceRow(number, number, (cell,))


def folder_rows(path: Path, reading: Reading) -> Iterator[SourceRow]:
    """Yield one row for each text file below the folder, in the order of their paths.

    Without an encoding in `reading` each file is judged for itself.
    """
    for place, file in enumerate(text_files(path), start=1):
        with faults_told(file, reading.encoding):
            encoding = reading.encoding
            oddities: tuple[str, ...] = ()
            if encoding is None:
                guess = guess_encoding(file)
                encoding = guess.encoding
                oddities = (GUESSED_ENCODING,) if guess.warning else ()
            with open_text(file, encoding) as text:
                name = told(file.relative_to(path).as_posix())
                yield SourceRow(place, 1, (name, text.read()), oddities)


def text_files(folder: Path) -> list[Path]:
    """List the .txt files below a folder, links to folders not followed; at least one."""
    found: list[Path] = []
    with faults_told(folder):
        for place, _, names in os.walk(folder, onerror=_rise):
            found += [Path(place) / name for name in names if name.lower().endswith(".txt")]
    if not found:
        raise UserError(
            f"The folder {folder.name} holds no .txt file.",
            "Choose a folder of text files, or a single file.",
        )
    return sorted(found, key=lambda file: file.relative_to(folder).as_posix())


def _rise(error: OSError) -> None:
    raise error
