"""What is known of the seeds tried so far, in a small file beside their checkpoints."""

import json
import math
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from core.errors import UserError

_FILE = "seeds.json"


@dataclass(frozen=True, slots=True)
class TriedSeed:
    """One seed: what the choosing examples said after its share of the steps, and at its end.

    Figures are nan where they say nothing; `final` is None where the seed was not carried on.
    """

    seed: int
    figure: float
    final: float | None = None


@dataclass(slots=True)
class TriedSeeds:
    """The seeds tried so far; what is told of one is on disk before the next begins."""

    folder: Path
    _known: dict[int, tuple[str, TriedSeed]] = field(default_factory=dict)  # with its digest

    def load(self) -> None:
        """Read what is there; raises `UserError` where the file is damaged."""
        file = self.folder / _FILE
        try:
            rows = json.loads(file.read_text("utf-8"))
            self._known = {int(row["seed"]): (str(row["of"]), _tried(row)) for row in rows}
        except FileNotFoundError:
            self._known = {}
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise UserError(
                f"{file} does not say which seeds were tried ({error}).",
                "Remove this file and go on: what each seed has learnt so far is kept beside it.",
            ) from error

    def __contains__(self, seed: int) -> bool:
        return seed in self._known

    def known(self, seed: int, of: str) -> TriedSeed | None:
        """What is known of a seed; raises `UserError` where it was tried with another course."""
        digest, tried = self._known.get(seed, (of, None))
        if digest != of:
            raise UserError(
                f"{self.folder} holds seeds that were tried with other examples or settings.",
                "Search with those again to go on, or remove that folder and begin anew.",
            )
        return tried

    def tell(self, tried: TriedSeed, of: str) -> None:
        """Keep what is known of a seed; raises `UserError` where there is no room for it."""
        self._known[tried.seed] = of, tried
        told = [{"of": digest, **_row(one)} for digest, one in self._known.values()]
        file = self.folder / _FILE
        part = file.with_name(f"{_FILE}.part")
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            part.write_text(json.dumps(told, indent=1) + "\n", "utf-8")
            part.replace(file)
        except OSError as error:
            with suppress(OSError):
                part.unlink(missing_ok=True)
            raise UserError(
                f"Which seeds were tried could not be written to {file} "
                f"({error.strerror or error}).",
                "Make room on that disk, or teach into another folder.",
            ) from error

    def remove(self) -> None:
        for name in (_FILE, f"{_FILE}.part"):
            (self.folder / name).unlink(missing_ok=True)


def _row(tried: TriedSeed) -> dict[str, Any]:
    """Plain values: JSON has no nan, so a figure that says nothing is told as a word."""
    return {
        name: "nan" if isinstance(value, float) and math.isnan(value) else value
        for name, value in asdict(tried).items()
    }


def _tried(row: dict[str, Any]) -> TriedSeed:
    tried = TriedSeed(int(row["seed"]), float(row["figure"]))
    return tried if row["final"] is None else replace(tried, final=float(row["final"]))
