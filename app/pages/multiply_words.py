"""What the multiply page says, from plain figures."""

from collections.abc import Mapping
from typing import Any

from app.look.words import count, counted
from app.pages.multiply_scene import Gold, Scene, Step, is_better
from app.pages.teach_plan import Said

_KINDS = {
    "cross-encoder": ("Reads both texts of a pair at once", "cross-encoder"),
    "encoders": ("The encoders of all seeds together", "mean of the encoders"),
    "mixed": ("Both together", "mean of both kinds"),
}
_METRICS = {
    "average precision": "1 where every pair that is the same lies above every other",
    "spearman": "1 where pairs are in the very order of their scores",
}


def gold_said(gold: Gold) -> Said:
    """A plain verdict over the judged pairs."""
    pairs = counted(gold.pairs, "judged pair")
    if not gold.pairs:
        return Said("There are no judged pairs yet", "", "plain", "info")
    if gold.stop is not None:
        words = f"{gold.stop.sentence} {gold.stop.remedy}".strip()
        return Said(f"{pairs}: not enough yet", words, "different", "cross")
    grave = [one for one in gold.findings if one.severity == "warns"]
    if grave:
        words = " ".join(f"{one.sentence} {one.remedy}".strip() for one in grave)
        return Said(f"{pairs}: enough to try", words, "unsure", "warning")
    words = "Enough to teach a teacher, to compare it and to judge what comes of it."
    return Said(f"{pairs}: enough", words, "same", "check")


def parts_said(gold: Gold) -> str:
    """Where the judged pairs come from."""
    parts = [
        counted(gold.decisions, "decision") if gold.decisions else "",
        f"{count(gold.imported)} imported" if gold.imported else "",
        counted(gold.corrections, "corrected label") if gold.corrections else "",
    ]
    told = " · ".join(one for one in parts if one)
    if gold.decisions + gold.imported + gold.corrections != gold.pairs and told:
        told += ". What was judged twice counts once, and what is no pair does not count."
    return told


def split_said(gold: Gold) -> str:
    """How the judged pairs are parted, for those who cannot see the bar."""
    if gold.is_shared:
        return f"{count(gold.learn)} teach, {count(gold.dev)} compare and judge"
    return f"{count(gold.learn)} teach, {count(gold.dev)} compare, {count(gold.test)} judge"


def verdict_said(teachers: Mapping[str, Any]) -> Said:
    """The verdict over teachers in plain words."""
    best = teachers["teachers"][int(teachers["best"])]
    change = f"{signed(best['change'])} on {counted(int(teachers['pairs']), 'pair')}"
    if teachers.get("is_chance"):
        return Said(
            "No teacher knows more than chance",
            "What the best of them says of pairs it has not learnt from is no better than "
            "guessing, so its labels would be noise.",
            "different", "cross",
        )  # fmt: skip  # in the order of the fields
    if not is_better(teachers):
        return Said(
            "No teacher is better than its pupil",
            f"The best stands {change} against the encoder it would teach: its labels would teach "
            "nothing that the judged pairs do not.",
            "different", "cross",
        )  # fmt: skip  # as above
    if teachers.get("is_sure"):
        return Said(
            "The teacher is better than its pupil",
            f"It stands {change} neither has learnt from, so its labels have something to teach.",
            "same", "check",
        )  # fmt: skip  # as above
    return Said(
        "The teacher may be better than its pupil",
        f"It stands {change} neither has learnt from, which may be chance. Labelling can be "
        "tried; the end tells whether it paid.",
        "unsure", "warning",
    )  # fmt: skip  # as above


def teacher_names(teacher: Mapping[str, Any]) -> tuple[str, str]:
    """A teacher in plain words, and the field's word for it."""
    plain, term = _KINDS.get(str(teacher["kind"]), ("", ""))
    if not plain:
        return str(teacher["name"]), "a scorer of your own"
    return plain, term


def metric_said(metric: str) -> str:
    """What a figure means: `Average precision: 1 where …`."""
    name = metric[:1].upper() + metric[1:]
    meaning = _METRICS.get(metric.lower(), "")
    return f"{name}: {meaning}." if meaning else f"{name}."


def interval_said(change: float, low: float | None, high: float | None) -> str:
    """`+0.041 (+0.010 to +0.072)`."""
    if low is None or high is None:
        return signed(change)
    return f"{signed(change)} ({signed(low)} to {signed(high)})"


def spread_said(mean: float, spread: float | None) -> str:
    """`0.801 ± 0.006`, where there are several seeds."""
    return f"{mean:.3f}" if spread is None else f"{mean:.3f} ± {spread:.3f}"


def signed(number: float) -> str:
    """`+0.041`, `−0.003`; what rounds to nothing has no sign."""
    told = f"{number:+.3f}".replace("-", "−")
    return "0.000" if told[1:] == "0.000" else told


def sheet_said(sheet: Mapping[str, Any]) -> str:
    """Counts that add up: `4,500 labelled = 4,120 to learn from + 380 left out`."""
    kept, dropped = int(sheet.get("pairs") or 0), int(sheet.get("dropped") or 0)
    corrected = int(sheet.get("corrected") or 0)
    told = f"{count(kept + dropped)} labelled = {count(kept)} to learn from + "
    told += f"{count(dropped)} left out"
    return f"{told} · {count(corrected)} corrected by you" if corrected else told


def step_said(scene: Scene, step: Step) -> str:
    """Where a step stands, in a few words."""
    record, gold = scene.record, scene.gold
    if step == "gold":
        return "" if gold is None else counted(gold.pairs, "judged pair")
    if record is None:
        return _FIRST[step]
    if step == "teachers":
        best = record.teachers["teachers"][int(record.teachers["best"])]
        is_sure = record.teachers.get("is_sure")
        told = ("better" if is_sure else "perhaps better") if is_better(record.teachers) else ""
        return f"{told or 'not better'}, {signed(best['change'])}"
    if not scene.has_sheet:
        return _FIRST[step]
    sheet = record.sheet
    if step == "pairs":
        made = int(sheet.get("pairs") or 0) + int(sheet.get("dropped") or 0)
        return f"{counted(made, 'pair')} labelled"
    if step == "sheet":
        return f"{count(int(sheet.get('pairs') or 0))} to learn from"
    if scene.training is None:
        return _FIRST[step]
    figures = scene.training.figures.get("augmentation", {}).get("figures", {})
    return f"{signed(float(figures.get('change') or 0.0))} against gold alone"


_FIRST: dict[Step, str] = {
    "gold": "",
    "teachers": "which one may label?",
    "pairs": "which ones to label?",
    "sheet": "look before you trust",
    "teach": "does it pay?",
}
