"""What the teach page says of a finished training, from plain figures."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from app.look.words import count, counted, duration, relative_date
from app.pages.teach_plan import lacking_said
from app.widgets.tags import Tag
from core.store import TrainingRecord

_STILL, _NEARLY = 0.02, 0.05  # mean change of a random pair's cosine
_STOPS = {
    "done": "",
    "enough": "stopped by hand",
    "not finite": "stopped, the loss was no longer a number",
}


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
        return _untold_said(figures)
    low, high = figures.get("low"), figures.get("high")
    if low is None or high is None:
        return ""
    if low > 0:
        return f"It got better on {_unseen(figures)}."
    if is_worse(figures):
        return f"It got worse on {_unseen(figures)}: keep the encoder you have."
    return f"The change on {_unseen(figures)} may be chance."


def result_tag(figures: Mapping[str, Any]) -> Tag:
    """The same in a word or two."""
    low, high = figures.get("low"), figures.get("high")
    if not score_said(figures) or low is None or high is None:
        return Tag("not tested", "plain", "?")
    if low > 0:
        return Tag("got better", "same", "▲")
    return Tag("got worse", "different", "▼") if high < 0 else Tag("may be chance", "plain", "≈")


def apart_said(figures: Mapping[str, Any]) -> str:
    """The result on examples that share no text with what was learnt, where a split was given."""
    apart = figures.get("apart")
    if not apart:
        return ""
    low, high = apart.get("low"), apart.get("high")
    between = "" if low is None or high is None else f" (between {signed(low)} and {signed(high)})"
    return (
        f"On the {count(int(apart['examples']))} that share no text with what it learnt: "
        f"{apart['before']:.2f} → {apart['after']:.2f}{between}."
    )


def is_clearly_better(record: TrainingRecord) -> bool:
    """Whether the figure says so and the examples do not say the contrary."""
    low = record.figures.get("low")
    better, worse = (len(record.examples.get(key) or ()) for key in ("better", "worse"))
    return bool(score_said(record.figures)) and low is not None and low > 0 and better >= worse


def is_worse(figures: Mapping[str, Any]) -> bool:
    """Whether the whole interval lies below nothing."""
    high = figures.get("high")
    return bool(score_said(figures)) and high is not None and high < 0


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
        noun = "pair" if figures.get("judged_by", "pairs") == "pairs" else "example"
        words.append(f"{counted(int(practised), noun)} practised")
    held = figures.get("held_out")
    if held:
        how = " by turns" if figures.get("how") == "cross-validated" else ""
        words.append(f"{count(int(held))} tested{how}")
    contradicted = figures.get("contradicted")
    if contradicted:
        words.append(f"{count(int(contradicted))} contradicted, left out")
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


def _unseen(figures: Mapping[str, Any]) -> str:
    judged = {"triplets": "triplets", "labels": "examples"}
    return f"{judged.get(str(figures.get('judged_by')), 'pairs')} it has not practised on"


def _untold_said(figures: Mapping[str, Any]) -> str:
    lacking = lacking_said(figures.get("same"), figures.get("different"))
    if lacking:
        return f"It could not be tested whether it got better. {lacking}"
    if figures.get("stopped") == "enough" and figures.get("verdict") != "too-few":
        return "Stopped before it was tested, so nobody can say whether it got better."
    return "Too few examples to tell whether it got better."


def _is_untold(figures: Mapping[str, Any]) -> bool:
    return figures.get("how") == "too few to tell"
