"""What the teach page says: verdicts, recipe, results, each from plain figures."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from app.look.words import count, counted, duration, relative_date
from app.widgets.tags import ToneName
from core.store import PairFile, TrainingRecord

Verdict = Literal["none", "too-few", "cross-validated", "enough"]
ENOUGH, FEW = 100, 20  # judged pairs from which on figures are held out, or cross-validated
_STILL, _NEARLY = 0.02, 0.05  # mean change of a random pair's cosine
_STOPS = {
    "done": "",
    "enough": "stopped by hand",
    "not finite": "stopped, the loss was no longer a number",
}


@dataclass(frozen=True, slots=True)
class Forecast:
    """What a training would be; `seconds` None while it is not known."""

    verdict: Verdict
    judged: int  # decisions that say same or different
    imported: int
    seconds: float | None = None
    held_out: int | None = None

    @property
    def pairs(self) -> int:
        return self.judged + self.imported


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
    )


def rough_forecast(judged: int, imported: int) -> Forecast:
    """What can be said from counts alone, until the engine has been asked."""
    pairs = judged + imported
    verdict: Verdict = "enough"
    if pairs == 0:
        verdict = "none"
    elif pairs < FEW:
        verdict = "too-few"
    elif pairs < ENOUGH:
        verdict = "cross-validated"
    return Forecast(verdict, judged, imported)


def verdict_said(forecast: Forecast) -> Said:
    """The plain verdict on what there is, and what to do next."""
    pairs = counted(forecast.pairs, "pair")
    return {
        "none": Said(
            "Nothing to learn from yet",
            "Decide some pairs on Duplicates, or import pairs that were judged elsewhere.",
            "plain",
            "info",
        ),
        "too-few": Said(
            "Too few to tell",
            f"{pairs}. You can try, but nobody can say whether it got better. From {FEW} on it can "
            f"be tested, from {ENOUGH} on tested well.",
            "unsure",
            "warning",
        ),
        "cross-validated": Said(
            "Enough to try, few to test",
            f"{pairs}. It is tested in five parts by turns, and the figure comes with a wide "
            f"interval. {ENOUGH} or more would tell more.",
            "note",
            "info",
        ),
        "enough": Said("Enough for a first try", f"{pairs} to practise and to test on.", "same",
                       "check"),
    }[forecast.verdict]  # fmt: skip


def recipe_said(
    forecast: Forecast, encoder: str, *, hold: float, share: float, rounds: int | None
) -> list[tuple[str, str]]:
    """What a training does, in sentences with their icons."""
    lines = [("teach", f"The encoder practises on {_material(forecast)}{_rounds(rounds)}.")]
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


def time_said(seconds: float | None) -> str:
    if seconds is None:
        return "The time is not known yet; it runs in the background."
    told = duration(seconds)
    return f"{told[0].upper()}{told[1:]} on this machine, in the background."


def score_said(figures: Mapping[str, Any]) -> str:
    """`Average precision 0.71 → 0.79`; empty where nothing was measured."""
    before, after = figures.get("before"), figures.get("after")
    if before is None or after is None or _is_untold(figures):
        return ""
    return f"{metric_of(figures)} {before:.2f} → {after:.2f}"


def change_said(figures: Mapping[str, Any]) -> str:
    """`+0.08, between +0.03 and +0.12`."""
    if not score_said(figures):
        return ""
    change = signed(figures["after"] - figures["before"])
    low, high = figures.get("low"), figures.get("high")
    if low is None or high is None:
        return change
    return f"{change}, between {signed(low)} and {signed(high)}"


def signed(number: float) -> str:
    """`+0.08`, `−0.03`; what rounds to nothing has no sign."""
    told = f"{number:+.2f}".replace("-", "−")
    return "0.00" if told[1:] == "0.00" else told


def result_said(figures: Mapping[str, Any]) -> str:
    """What the figures mean, in a sentence."""
    if not score_said(figures):
        return "Too few held-out pairs to tell whether it got better. Look at the examples."
    low, high = figures.get("low"), figures.get("high")
    if low is None or high is None:
        return ""
    if low > 0:
        return "Better on pairs it has not practised on."
    if high < 0:
        return "Worse on pairs it has not practised on: better not use it."
    return "No clear change on pairs it has not practised on."


def metric_of(figures: Mapping[str, Any]) -> str:
    metric = str(figures.get("metric") or "Score")
    return metric[:1].upper() + metric[1:]


def drift_said(figures: Mapping[str, Any]) -> str:
    """How far the texts nobody judged have moved."""
    drift = figures.get("drift")
    if drift is None:
        return ""
    if drift < _STILL:
        meant = "the rest stayed as it was"
    elif drift < _NEARLY:
        meant = "the rest moved a little"
    else:
        meant = "the rest moved noticeably, so expect other groups"
    return f"Random pairs moved by {drift:.3f} on average: {meant}."


def facts_said(record: TrainingRecord) -> str:
    """What a training was made from, in a line."""
    data, figures = record.data, record.figures
    words = []
    practised = data.get("trained_on")
    if practised:
        words.append(f"{count(int(practised))} pairs practised")
    held = figures.get("held_out")
    if held:
        how = " by turns" if figures.get("how") == "cross-validated" else ""
        words.append(f"{count(int(held))} tested{how}")
    if figures.get("seconds"):
        words.append(duration(float(figures["seconds"])).removeprefix("about "))
    stopped = str(figures.get("stopped") or "")
    stopped = _STOPS.get(stopped, stopped)
    if stopped:
        words.append(stopped)
    return "  ·  ".join(words)


def when_said(made_at: str, now: datetime) -> str:
    then = datetime.fromisoformat(made_at)
    if then.tzinfo is not None:
        then = then.astimezone().replace(tzinfo=None)
    return relative_date(then, now)


def metric_for(files: Sequence[PairFile], figures: Mapping[str, Any] | None = None) -> str:
    """What is measured on held-out pairs: as told, else by what the pairs are."""
    if figures is not None and figures.get("metric"):
        return metric_of(figures)
    return "Spearman" if any(file.kind == "score" for file in files) else "Average precision"


def threshold_said(figures: Mapping[str, Any]) -> str:
    """What becomes of the threshold when the encoder is used."""
    before, after = figures.get("threshold_before"), figures.get("threshold")
    if after is None:
        return "The threshold stays; look at it on Duplicates afterwards."
    precision = figures.get("precision")
    if before is None:
        return f"Duplicates are removed automatically from {after:.2f} on."
    if abs(before - after) < 0.005:
        return f"The threshold stays at {after:.2f}."
    kept = "" if precision is None else f" ({precision:.0%} right)".replace("%", " %")
    return (
        f"Threshold {before:.2f} → {after:.2f}, which keeps the precision on the held-out "
        f"pairs{kept}. You can move it afterwards."
    )


def encoding_said(texts: int, rate: float | None) -> str:
    """What re-encoding costs."""
    again = f"{counted(texts, 'text')} {'is' if texts == 1 else 'are'} encoded again"
    return f"{again}, {duration(texts / rate)}." if rate else f"{again}."


def _is_untold(figures: Mapping[str, Any]) -> bool:
    return figures.get("how") == "too few to tell"


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
        return f"Where there are {ENOUGH} pairs or more, some are kept aside to test it."
    if forecast.verdict == "too-few":
        return "There are too few to keep some aside for a test, so there will be no figure."
    if forecast.verdict == "cross-validated":
        return "For the test it practises five times, each time without a fifth of the pairs."
    held = forecast.held_out
    held = round(forecast.pairs * share) if held is None else held
    return f"{counted(held, 'pair')} {'is' if held == 1 else 'are'} kept aside to test it."
