"""Where the five steps of the multiply page stand, and why one cannot be done now."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from app.pages.multiply_reads import Kept, Multiplied
from app.pages.teach_findings import Finding, finding_of
from core.store import AugmentationRecord, TrainingRecord

Step = Literal["gold", "teachers", "pairs", "sheet", "teach"]
STEPS: tuple[Step, ...] = ("gold", "teachers", "pairs", "sheet", "teach")
TITLES: dict[Step, str] = {
    "gold": "Gold pairs",
    "teachers": "Teacher against pupil",
    "pairs": "New pairs",
    "sheet": "Silver sheet",
    "teach": "Teach",
}
WISH_OF: dict[Step, str] = {
    "teachers": "augment-measure",
    "pairs": "augment-label",
    "teach": "augment-learn",
}

_READ_ONLY = "This project is open for reading only, so nothing can be changed in it here."
_OTHER = (
    "A training is running, and there is one at a time. Wait until it ends, or stop it on the "
    "Teach page."
)
_OWN = "One step is running; this one can be done once it has ended."
_NOT_ENCODED = "The texts are not encoded yet. Find duplicates first, which encodes them."
_NOT_COUNTED = "The judged pairs are being counted."
_GONE = (
    "What it takes to go on is gone from the project's folder. Compare teachers again, which "
    "makes it anew."
)
_REFUSED = (
    "The teacher is not better than the encoder it would teach. Tick “Label all the same” under "
    "step 2 to go on in spite of that."
)


@dataclass(frozen=True, slots=True)
class Gold:
    """How many judged pairs there are, and whether they are enough."""

    pairs: int
    same: int
    different: int
    is_scored: bool
    decisions: int
    imported: int
    corrections: int
    learn: int  # pairs that teach, compare and judge; 0 where nothing can be done
    dev: int
    test: int
    texts: int  # of the pairs that teach
    corpus: int
    findings: tuple[Finding, ...]
    stops: bool

    @property
    def is_shared(self) -> bool:
        """Whether the pairs that compare are those that judge."""
        return self.learn + self.dev + self.test > self.pairs

    @property
    def stop(self) -> Finding | None:
        return next((one for one in self.findings if one.severity == "stops"), None)


@dataclass(frozen=True, slots=True)
class Scene:
    """All that decides what the page shows and allows."""

    seen: Multiplied | None = None
    gold: Gold | None = None
    problem: str = ""  # why the judged pairs cannot be counted
    record: AugmentationRecord | None = None
    writes: bool = True
    running: str = ""  # the wish of this page that runs
    other_runs: bool = False  # a training of another page does
    insists: bool = False  # on labels of a teacher that is not better

    @property
    def kept(self) -> Kept:
        known = None if self.seen is None or self.record is None else self.seen.kept
        return Kept(False, False, False) if known is None else known[self.record_id]

    @property
    def record_id(self) -> int:
        return 0 if self.record is None else self.record.id

    @property
    def has_sheet(self) -> bool:
        return self.record is not None and bool(self.record.sheet)

    @property
    def training(self) -> TrainingRecord | None:
        """What the augmentation taught, None where that was discarded since."""
        if self.seen is None or self.record is None or self.record.training is None:
            return None
        return self.seen.material.training(self.record.training)

    @property
    def is_in_use(self) -> bool:
        """Whether the encoder that was taught is the one in use."""
        training = self.training
        return (
            self.seen is not None
            and training is not None
            and self.seen.material.is_in_use(training)
        )

    @property
    def may_label(self) -> bool:
        """Whether the teacher is better than its pupil, and tells more than chance."""
        return self.record is not None and is_better(self.record.teachers)

    @property
    def can_change(self) -> bool:
        """Whether labels may be corrected and left out now."""
        return (
            self.writes
            and self.has_sheet
            and self.kept.is_whole
            and self.running not in ("augment-label", "augment-learn")
        )

    def is_done(self, step: Step) -> bool:
        if step == "gold":
            return self.gold is not None and not self.gold.stops
        if step == "teachers":
            return self.record is not None
        if step == "teach":
            return self.training is not None
        return self.has_sheet and (step == "pairs" or self.training is not None)

    def why_not(self, step: Step) -> str:
        """Why the deed of a step cannot be done now; nothing where it can."""
        if not self.writes:
            return _READ_ONLY
        if self.running:
            return _OWN
        missing = self._missing(step)
        if missing or step not in WISH_OF:
            return missing
        return _OTHER if self.other_runs else ""

    def growth(self) -> str:
        """What has become of the gold since teachers were compared; nothing where nothing has."""
        if self.record is None or self.gold is None or self.seen is None:
            return ""
        then, now = gold_then(self.record), self.gold.pairs
        again = "Comparing again would count that."
        if now != then:
            more = "grown" if now > then else "shrunk"
            return f"The gold has {more} since: {then:,} pairs then, {now:,} now. {again}"
        if self.record.gold.get("decisions_revision") not in (None, self.seen.revision):
            return f"Decisions were changed since. {again}"
        return ""

    def _missing(self, step: Step) -> str:
        if step == "gold":
            return ""
        if step == "teachers":
            return self._missing_to_compare()
        if self.record is None:
            return "Compare teachers first; that is step 2."
        if step == "pairs" and not (self.may_label or self.insists):
            return _REFUSED
        if step in ("sheet", "teach") and not self.has_sheet:
            return "Label new pairs first; that is step 3."
        if not self.kept.is_whole:
            return _GONE
        if step == "teach" and not self.record.sheet.get("pairs"):
            return "No silver pair is left to learn from. Take some in again in step 4."
        return ""

    def _missing_to_compare(self) -> str:
        material = None if self.seen is None else self.seen.material
        if material is None or material.encoder is None:
            return _NOT_ENCODED
        if material.missing:
            return material.missing
        if self.gold is None:
            return self.problem or _NOT_COUNTED
        stop = self.gold.stop
        return "" if stop is None else f"{stop.sentence} {stop.remedy}".strip()


def gold_of(outcome: Mapping[str, Any]) -> Gold:
    """What the engine said of the judged pairs, as values."""
    told = {name: outcome[name] for name in Gold.__dataclass_fields__ if name != "findings"}
    return Gold(**told, findings=tuple(map(finding_of, outcome["findings"])))


def is_better(teachers: Mapping[str, Any]) -> bool:
    """Whether the verdict over teachers lets one label."""
    return bool(teachers.get("is_better")) and not teachers.get("is_chance")


def gold_then(record: AugmentationRecord) -> int:
    """How many judged pairs there were when teachers were compared."""
    told = record.gold
    judging = int(told.get("test") or 0) if told.get("chooses") else 0
    return int(told.get("learn") or 0) + int(told.get("dev") or 0) + judging
