"""What is found in the examples before they teach, as values and in words."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from app.look.words import counted
from app.widgets.tags import Tag, ToneName

Severity = Literal["stops", "warns", "tells"]
_ORDER: tuple[Severity, ...] = ("stops", "warns", "tells")
_TAGS: dict[Severity, tuple[str, ToneName, str]] = {
    "stops": ("Stops", "different", "×"),
    "warns": ("Warning", "unsure", "!"),
    "tells": ("Good to know", "note", "i"),
}


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was found, and what to do about it."""

    severity: Severity
    sentence: str
    remedy: str = ""
    examples: int = 0

    @property
    def tag(self) -> Tag:
        """Its severity as a tag."""
        return Tag(*_TAGS[self.severity])


@dataclass(frozen=True, slots=True)
class Report:
    """Everything that was found, the gravest first."""

    findings: tuple[Finding, ...]
    sentence: str
    counts: tuple[tuple[str, int], ...] = ()

    @property
    def stop(self) -> Finding | None:
        """What stands in the way of a training, None where nothing does."""
        return next((one for one in self.findings if one.severity == "stops"), None)

    @property
    def gravest(self) -> Severity | None:
        found = {one.severity for one in self.findings}
        return next((one for one in _ORDER if one in found), None)


def finding_of(told: Mapping[str, Any]) -> Finding:
    """A finding as the engine tells it."""
    return Finding(
        told["severity"], told["sentence"], told.get("remedy") or "", int(told.get("examples") or 0)
    )


def report_of(outcome: Mapping[str, Any]) -> Report:
    """What the engine said, as values."""
    findings = sorted(
        map(finding_of, outcome["findings"]), key=lambda one: _ORDER.index(one.severity)
    )
    counts = tuple((str(name), int(number)) for name, number in outcome.get("counts") or ())
    return Report(tuple(findings), outcome.get("sentence") or _said(findings), counts)


def _said(findings: list[Finding]) -> str:
    if not findings:
        return "Nothing stands in the way."
    return f"{counted(len(findings), 'thing')} to know before training."
