"""Sums over files: what an encoder is, and whether its files are the ones expected."""

import hashlib
from collections.abc import Iterable, Mapping
from pathlib import Path

from core.errors import UserError

ENCODING_VERSION = 1  # raise it whenever the same files and texts would give other vectors


def fingerprint_of(folder: Path, files: Iterable[Path], *, precision: str) -> str:
    """Return 32 hexadecimal digits that change with any file, its place or the precision.

    Reads every byte; where the folder lies does not matter.
    """
    whole = hashlib.sha256(f"samesense encoding {ENCODING_VERSION} {precision}\n".encode())
    for file in sorted(files):
        whole.update(f"{file.relative_to(folder).as_posix()} {sha256_of(file)}\n".encode())
    return whole.hexdigest()[:32]


def verify(folder: Path, expected: Mapping[str, str]) -> None:
    """Raise `UserError` unless every named file of `folder` has the SHA-256 given for it."""
    for name, wanted in expected.items():
        file = folder / name
        if not file.is_file():
            raise UserError(
                f"The file {name} is missing in {folder}.", "Fetch the encoder's folder again."
            )
        if sha256_of(file) != wanted.lower():
            raise UserError(
                f"The file {name} in {folder} is not the one expected: its SHA-256 differs.",
                "It was damaged or changed; fetch the encoder's folder again.",
            )


def sha256_of(file: Path) -> str:
    """Return the SHA-256 of a file as 64 hexadecimal digits."""
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
