"""A folder for a new model: refused before the work, or whole at the end, or not there at all."""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from core.errors import UserError

RECORD = "training.json"  # how the model came about; nothing reads a vector from it


def refuse_taken(to: Path) -> None:
    """Raise `UserError` where a folder `to` could not be written; what is there stays."""
    if to.exists() or to.is_symlink():
        raise UserError(f"There is already something at {to}.", "Choose another name.")
    part = _part(to)
    if part.exists() and not (part / RECORD).is_file():
        raise UserError(
            f"There is already something at {part}.", "Move it away, or choose another name."
        )
    place = next(folder for folder in to.absolute().parents if folder.exists())
    try:
        Path(tempfile.mkdtemp(dir=place)).rmdir()
    except OSError as error:
        raise UserError(
            f"No folder can be made at {to} ({error.strerror or error}).",
            "Choose a place you have the right to write in.",
        ) from error


@contextmanager
def whole_folder(to: Path, *, what: str) -> Iterator[Path]:
    """Give an empty folder that becomes `to` at the end; an error or a closing leaves nothing.

    Raises `UserError` where `to` is taken, or the disk will not do.
    """
    refuse_taken(to)
    part = _part(to)
    shutil.rmtree(part, ignore_errors=True)
    try:
        part.mkdir(parents=True)
        yield part
        _make_readable(part)
        part.rename(to)
    except OSError as error:
        raise UserError(
            f"The {what} could not be written to {to}: {error.strerror or error}.",
            "Nothing was changed; make room or choose another folder.",
        ) from error
    finally:
        shutil.rmtree(part, ignore_errors=True)


def _make_readable(folder: Path) -> None:
    """Let whoever may read the record read all: safetensors writes for its owner's eyes alone."""
    mode = (folder / RECORD).stat().st_mode & 0o777
    for file in folder.rglob("*"):
        if file.is_file():
            file.chmod(mode)


def _part(to: Path) -> Path:
    return to.with_name(to.name + ".part")
