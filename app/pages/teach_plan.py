"""What the teach page says before a training: verdict, recipe and time, from plain figures."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from app.look.words import count, counted, duration
from app.widgets.tags import ToneName
from core.options import FEWEST_JUDGED, FEWEST_OF_A_KIND, FEWEST_TO_KEEP_ASIDE

Verdict = Literal["none", "counting", "too-few", "cross-validated", "enough"]
_USUAL_SHARE = 0.2  # of the pairs that are kept aside


@dataclass(frozen=True, slots=True)
class Forecast:
    """What a training would be; None is something not known yet."""

    verdict: Verdict
    judged: int  # decisions that say same or different
    imported: int
    seconds: float | None = None
    held_out: int | None = None  # pairs that test it
    choosing: int = 0  # pairs that choose the best moment
    same: int | None = None  # pairs that are used, as are the next
    different: int | None = None
    contradicted: int = 0  # pairs left out, since a newer one says the contrary
    repeated: int = 0  # pairs left out, since a newer one says the same

    @property
    def pairs(self) -> int:
        """How many are used, as far as is known."""
        if self.same is None or self.different is None:
            return self.judged + self.imported
        return self.same + self.different


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
    )


def rough_forecast(same: int, different: int, imported: int) -> Forecast:
    """What can be said from counts alone; what imported pairs say only the engine knows."""
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
    pairs = counted(forecast.pairs, "pair")
    if forecast.verdict == "none":
        return Said(
            "Nothing to learn from yet",
            "Decide some pairs on Duplicates, or import pairs that were judged elsewhere.",
            "plain",
            "info",
        )
    if forecast.verdict == "counting":
        return Said("Looking at the pairs", f"{pairs}; what they say is counted.", "plain", "info")
    if forecast.verdict == "too-few":
        return Said("Too few to tell", _too_few(forecast), "unsure", "warning")
    if forecast.verdict == "cross-validated":
        return Said("Enough to try, few to test", _few(forecast), "note", "info")
    return Said("Enough for a first try", f"{pairs} to practise and to test on.", "same", "check")


def lacking_said(same: int | None, different: int | None) -> str:
    """Which kind of pairs is missing for a test, as a sentence; empty when none is."""
    if same is None or different is None or min(same, different) >= FEWEST_OF_A_KIND:
        return ""
    pairs = same + different
    if min(same, different) and pairs < FEWEST_JUDGED:
        return ""  # there are too few of both
    told, missing = ("the same", "different") if different <= same else ("different", "the same")
    if min(same, different):
        return f"Only {min(same, different)} of {counted(pairs, 'pair')} say {missing}: add more."
    said = "The only pair says" if pairs == 1 else f"All {count(pairs)} pairs say"
    return f"{said} {told}: add some that are {missing}."


def recipe_said(
    forecast: Forecast, encoder: str, *, hold: float, share: float, rounds: int | None
) -> list[tuple[str, str]]:
    """What a training does, in sentences with their icons."""
    lines = [("teach", f"The encoder practises on {_material(forecast)}{_rounds(rounds)}.")]
    left_out = left_out_said(forecast)
    if left_out:
        lines.append(("warning" if forecast.contradicted else "info", left_out))
    if hold > 0:
        part = "Half" if abs(hold - 0.5) < 0.005 else f"{hold:.0%}".replace("%", " %")
        lines.append(
            ("lock", f"{part} of each step are other texts held to what it knew, so that the rest "
             "stays as it was.")
        )  # fmt: skip
    else:
        lines.append(
            ("warning", "Nothing is held to what it knew: texts you never judged may move too.")
        )
    lines.append(("check", _test(forecast, share)))
    lines.append(("copy", f"A new encoder is made beside {encoder}, which stays as it is."))
    return lines


def left_out_said(forecast: Forecast) -> str:
    """Which judgements do not count and how many pairs remain; empty where all count."""
    said = []
    if forecast.contradicted:
        verb = "contradicts a newer one" if forecast.contradicted == 1 else "contradict newer ones"
        said.append(f"{counted(forecast.contradicted, 'pair')} {verb}")
    if forecast.repeated:
        verb = "repeats another" if forecast.repeated == 1 else "repeat others"
        said.append(f"{counted(forecast.repeated, 'pair')} {verb}")
    if not said:
        return ""
    is_one = forecast.contradicted + forecast.repeated == 1
    remain = f"{count(forecast.pairs)} {'remains' if forecast.pairs == 1 else 'remain'}"
    left_out = "it is left out" if is_one else "these are left out"
    return f"{' and '.join(said)}; {left_out}, and {remain}."


def time_said(seconds: float | None) -> str:
    if seconds is None:
        return "The time is not known yet; it runs in the background."
    told = duration(seconds)
    return f"{told[0].upper()}{told[1:]} on this machine, in the background."


def _too_few(forecast: Forecast) -> str:
    """What is missing until it can be tested."""
    lacking = lacking_said(forecast.same, forecast.different)
    if forecast.pairs >= FEWEST_JUDGED:
        return (
            f"{lacking or counted(forecast.pairs, 'pair') + '.'} You can try, but nobody can say "
            f"whether it got better. From {FEWEST_OF_A_KIND} of each kind on it can be tested."
        )
    return (
        f"{lacking or counted(forecast.pairs, 'pair') + '.'} You can try, but nobody can say "
        f"whether it got better. From {FEWEST_JUDGED} pairs on, with {FEWEST_OF_A_KIND} of each "
        f"kind, it can be tested, from {FEWEST_TO_KEEP_ASIDE} on tested well."
    )


def _few(forecast: Forecast) -> str:
    pairs = counted(forecast.pairs, "pair")
    tested = "It is tested in five parts by turns, and the figure comes with a wide interval."
    if forecast.pairs < FEWEST_TO_KEEP_ASIDE or forecast.same is None or not forecast.different:
        return f"{pairs}. {tested} {FEWEST_TO_KEEP_ASIDE} or more would tell more."
    kinds = f"{count(forecast.same)} the same and {count(forecast.different)} different"
    return f"{pairs}: {kinds}, too few of a kind to keep some aside. {tested}"


def _material(forecast: Forecast) -> str:
    decisions = f"your {counted(forecast.judged, 'decision')}"
    imported = counted(forecast.imported, "imported pair")
    if forecast.judged and forecast.imported:
        return f"{decisions} and {imported}"
    if forecast.imported:
        return imported
    return decisions if forecast.judged else "the pairs that you decide or import"


def _rounds(rounds: int | None) -> str:
    return "" if rounds is None else f", {'once' if rounds == 1 else f'{rounds} times'}"


def _test(forecast: Forecast, share: float) -> str:
    if forecast.verdict == "none":
        return (
            f"Where there are {FEWEST_TO_KEEP_ASIDE} pairs or more, some are kept aside to test it."
        )
    if forecast.verdict == "counting":
        return "Where enough of them are the same and different, some are used to test it."
    if forecast.verdict == "too-few":
        return "There are too few to keep some aside for a test, so there will be no figure."
    if forecast.verdict == "cross-validated":
        return "For the test it practises five times, each time without a fifth of the pairs."
    held = round(forecast.pairs * share) if forecast.held_out is None else forecast.held_out
    aside = f"{count(held)} of them {'is' if held == 1 else 'are'} kept aside to test it"
    if forecast.choosing:
        aside += f" and {count(forecast.choosing)} to choose the best moment"
    rest = forecast.pairs - held - forecast.choosing
    return f"{aside}; it practises on the other {count(rest)}."
