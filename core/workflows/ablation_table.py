"""The trials of a grid as a CSV table on the disk, so that a grid broken off goes on."""

import csv
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from core.errors import UserError

_ENDING = ".csv"


@dataclass(frozen=True, slots=True)
class Trial:
    """One training of a grid and what it came to on the examples held out."""

    pooling: str
    objective: str
    concatenation: str
    seed: int
    figure: str
    before: float  # of the encoder as it came, pooled so
    after: float
    steps: int
    seconds: float
    settings: str  # a sum over examples, base and settings, the same in all rows of a table

    @property
    def key(self) -> tuple[str, str, str, int]:
        """What tells it from the others of its table."""
        return self.pooling, self.objective, self.concatenation, self.seed


_NAMES = tuple(found.name for found in fields(Trial))
_WHOLE, _REAL = ("seed", "steps"), ("before", "after", "seconds")


def read_trials(file: Path, *, settings: str) -> tuple[Trial, ...]:
    """Return the trials of a table, none where it is not there yet.

    Raises `UserError` for a file that is no such table, and for one made with other examples,
    another base or other settings.
    """
    if file.suffix.lower() != _ENDING:
        raise UserError(
            f"The table is written as CSV, and {file.name} does not end so.",
            f"Name it {file.stem}{_ENDING}.",
        )
    try:
        with file.open(encoding="utf-8", newline="") as stream:
            rows = csv.DictReader(stream)
            found = tuple(_trial(row) for row in rows)
            names = tuple(rows.fieldnames or ())
    except FileNotFoundError:
        return ()
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise _foreign(file) from error
    if names != _NAMES:
        raise _foreign(file)
    if any(trial.settings != settings for trial in found):
        raise UserError(
            f"{file} holds trials with other examples, another encoder or other settings.",
            "Choose another name for the table, or ask for the same trials again.",
        )
    return found


def write_trials(file: Path, trials: Sequence[Trial]) -> None:
    """Write the table; it is replaced whole or not at all."""
    part = file.with_name(file.name + ".part")
    try:
        with part.open("w", encoding="utf-8", newline="") as stream:
            rows = csv.DictWriter(stream, _NAMES)
            rows.writeheader()
            rows.writerows(asdict(trial) for trial in trials)
        part.replace(file)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise UserError(
            f"The table could not be written to {file}: {error.strerror or error}.",
            "Make room, or choose another place.",
        ) from error


def _trial(row: dict[str, str]) -> Trial:
    values: dict[str, Any] = {
        name: int(row[name]) if name in _WHOLE else float(row[name]) if name in _REAL else row[name]
        for name in _NAMES
    }
    return Trial(**values)


def _foreign(file: Path) -> UserError:
    return UserError(f"{file} is there already and holds no trials.", "Choose another name.")
