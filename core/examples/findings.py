"""What is found in examples before they teach: how grave it is, a sentence, and a remedy."""

from dataclasses import dataclass
from enum import StrEnum


class Severity(StrEnum):
    """What a finding does to a training."""

    STOPS = "stops"  # nothing can be learnt
    WARNS = "warns"  # what is learnt or measured is probably not what is meant
    TELLS = "tells"  # good to know


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was found."""

    severity: Severity
    sentence: str
    remedy: str = ""
    examples: int = 0  # how many examples it concerns


def counted(count: int, one: str, many: str) -> str:
    """Say a number with its noun, `1 pair` or `2,000 pairs`."""
    return f"1 {one}" if count == 1 else f"{count:,} {many}"
