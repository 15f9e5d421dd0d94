"""What a person asks a bench for."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Asked:
    """The size of the work, where it comes from, and whom to compare with."""

    rows: int
    files: tuple[Path, ...] = ()
    columns: tuple[str, ...] = ()  # the text columns of the files, where they are not clear
    peers: bool = False
    encoder: str | Path = "default"
    seed: int = 0
    repeats: int = 5  # of each side, where a run takes less than half a minute
