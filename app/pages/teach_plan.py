"""What a training would be, as values, and the plain verdict on what there is to learn from."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from app.look.words import count, counted
from app.widgets.tags import ToneName
from core.options import FEWEST_JUDGED, FEWEST_OF_A_KIND, FEWEST_TO_KEEP_ASIDE

Verdict = Literal["none", "counting", "too-few", "cross-validated", "enough"]
_USUAL_SHARE = 0.2  # of the pairs that are kept aside


@dataclass(frozen=True, slots=True)
class Stage:
    """A part of a training, with what it learns by; `first_step` counts over all parts."""

    title: str
    examples: int
    steps: int
    first_step: int


@dataclass(frozen=True, slots=True)
class Forecast:
    """What a training would be; None is something not known yet."""

    verdict: Verdict
    judged: int  # decisions that say same or different
    imported: int
    seconds: float | None = None
    held_out: int | None = None  # examples that test it
    choosing: int = 0  # examples that choose the best moment
    same: int | None = None  # pairs that are used, as are the next
    different: int | None = None
    contradicted: int = 0  # pairs left out, since a newer one says the contrary
    repeated: int = 0  # pairs left out, since a newer one says the same
    examples: int | None = None  # that teach, without those held out
    judged_by: str = "pairs"  # pairs, triplets or labels
    metric: str = ""
    recipe: str = ""
    stages: tuple[Stage, ...] = ()
    notes: tuple[str, ...] = ()  # what is made, drawn or left out
    overlap: tuple[str, ...] = ()
    problem: str = ""  # why it cannot be learnt so
    remedy: str = ""
    memory: str = ""  # what it takes, in words; asked for last, since it is dear to tell
    memory_free: int | None = None  # bytes
    memory_fits: bool = True

    @property
    def total(self) -> int:
        """How many are used, as far as is known."""
        if self.examples:
            return self.examples + (self.held_out or 0) + self.choosing
        if self.problem or self.same is None or self.different is None:
            return self.judged + self.imported
        return self.same + self.different

    @property
    def noun(self) -> str:
        """What one of them is called."""
        return "pair" if self.judged_by == "pairs" else "example"

    @property
    def steps(self) -> int:
        return sum(stage.steps for stage in self.stages)


@dataclass(frozen=True, slots=True)
class Said:
    """A line with what it means."""

    title: str
    words: str
    tone: ToneName
    icon: str


def forecast_of(outcome: Mapping[str, Any]) -> Forecast:
    """What the engine said, as a value."""
    return Forecast(
        outcome["verdict"],
        int(outcome["same"]) + int(outcome["different"]),
        int(outcome["imported"]),
        outcome.get("seconds"),
        outcome.get("held_out"),
        int(outcome.get("choosing", 0)),
        outcome.get("used_same"),
        outcome.get("used_different"),
        int(outcome.get("contradicted", 0)),
        int(outcome.get("repeated", 0)),
        examples=outcome.get("examples"),
        judged_by=outcome.get("judged_by") or "pairs",
        metric=outcome.get("metric") or "",
        recipe=outcome.get("recipe") or "",
        stages=stages_of(outcome.get("stages") or ()),
        notes=tuple(outcome.get("notes") or ()),
        overlap=tuple(outcome.get("overlap") or ()),
        problem=outcome.get("problem") or "",
        remedy=outcome.get("remedy") or "",
        **_memory(outcome.get("memory")),
    )


def _memory(told: Mapping[str, Any] | None) -> dict[str, Any]:
    if told is None:
        return {}
    words = str(told["words"]).partition(":")[0]  # what each part of it takes is for experts
    return {"memory": words, "memory_free": int(told["free"]), "memory_fits": bool(told["fits"])}


def stages_of(told: Any) -> tuple[Stage, ...]:
    """The parts of a training from their plain values."""
    return tuple(
        Stage(
            " and ".join(stage["titles"]),
            sum(map(int, stage["examples"])),
            int(stage["steps"]),
            int(stage["first_step"]),
        )
        for stage in told
    )


def rough_forecast(same: int, different: int, imported: int) -> Forecast:
    """What can be said from counts alone; what imported examples say only the engine knows."""
    pairs, least = same + different + imported, min(same, different)
    verdict: Verdict = "counting"
    if pairs == 0:
        verdict = "none"
    elif pairs < FEWEST_JUDGED or (not imported and least < FEWEST_OF_A_KIND):
        verdict = "too-few"
    elif not imported and pairs < FEWEST_TO_KEEP_ASIDE:
        verdict = "cross-validated"
    elif not imported and least * _USUAL_SHARE >= FEWEST_OF_A_KIND:
        verdict = "enough"
    if imported:
        return Forecast(verdict, same + different, imported)
    return Forecast(verdict, same + different, 0, same=same, different=different)


def verdict_said(forecast: Forecast) -> Said:
    """The plain verdict on what there is, and what to do next."""
    what = _what(forecast)
    if forecast.verdict == "none":
        return Said(
            "Nothing to learn from yet",
            "Decide some pairs on Duplicates, or import examples that were judged elsewhere.",
            "plain",
            "info",
        )
    if forecast.verdict == "counting":
        return Said("Looking at the examples", f"{what}; they are being counted.", "plain", "info")
    if forecast.verdict == "too-few":
        return Said(f"{what}: too few to tell", _too_few(forecast), "unsure", "warning")
    if forecast.verdict == "cross-validated":
        return Said(f"{what}: enough to try, few to test", _few(forecast), "note", "info")
    return Said(f"{what}: enough for a first try", _enough(forecast), "same", "check")


def lacking_said(same: int | None, different: int | None) -> str:
    """Which kind of pairs is missing for a test, as a sentence; empty when none is."""
    if same is None or different is None or min(same, different) >= FEWEST_OF_A_KIND:
        return ""
    pairs = same + different
    if not pairs or (min(same, different) and pairs < FEWEST_JUDGED):
        return ""  # no pairs, or too few of both
    told, missing = ("the same", "different") if different <= same else ("different", "the same")
    if min(same, different):
        return f"Only {min(same, different)} of {counted(pairs, 'pair')} say {missing}: add more."
    said = "The only pair says" if pairs == 1 else f"All {count(pairs)} pairs say"
    return f"{said} {told}: add some that are {missing}."


def _what(forecast: Forecast) -> str:
    if forecast.imported and forecast.judged:
        return counted(forecast.total, "example")
    if forecast.imported:
        return f"{counted(forecast.total, 'imported example')}"
    return counted(forecast.judged, "decision")


def _enough(forecast: Forecast) -> str:
    if forecast.held_out:
        return f"{count(forecast.held_out)} of them are kept aside to test what it learns."
    return "Enough to practise and to test on."


def _too_few(forecast: Forecast) -> str:
    """What is missing until it can be tested."""
    lacking = ""
    if forecast.judged_by == "pairs":
        lacking = lacking_said(forecast.same, forecast.different)
    try_ = f"{lacking} You can try, but nobody can say whether it got better.".strip()
    if forecast.judged_by != "pairs":
        return f"{try_} From {FEWEST_TO_KEEP_ASIDE} examples on it can be tested."
    if forecast.total >= FEWEST_JUDGED:
        return f"{try_} From {FEWEST_OF_A_KIND} of each kind on it can be tested."
    return (
        f"{try_} From {FEWEST_JUDGED} pairs on, with {FEWEST_OF_A_KIND} of each kind, it can be "
        f"tested, from {FEWEST_TO_KEEP_ASIDE} on tested well."
    )


def _few(forecast: Forecast) -> str:
    tested = "It is tested in five parts by turns, and the figure comes with a wide interval."
    if forecast.total < FEWEST_TO_KEEP_ASIDE or forecast.same is None or not forecast.different:
        return f"{tested} {FEWEST_TO_KEEP_ASIDE} or more would tell more."
    kinds = f"{count(forecast.same)} the same and {count(forecast.different)} different"
    return f"{kinds}: too few of a kind to keep some aside. {tested}"
