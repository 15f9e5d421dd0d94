"""What is said of teachers, silver pairs and what they brought, in plain words."""

from typing import Any

from core.augmentation import Sheet, Verdict
from core.workflows.augmenting.labelling import LabelForecast
from core.workflows.augmenting.learning import AugmentOutcome

_BAR = 30  # characters of the longest bar


def verdict_words(found: Verdict) -> str:
    """Every teacher beside its pupil, and what follows."""
    spread = "" if found.spread is None else f" ± {found.spread:.4f}"
    lines = [
        f"{found.metric} on {found.pairs:,} held-out pairs: {found.pupil:.4f}{spread} by the gold "
        "pairs alone"
    ]
    for place, one in enumerate(found.teachers):
        between = ""
        if one.low is not None and one.high is not None:
            between = f", between {one.low:+.4f} and {one.high:+.4f}"
        mark = " ← teaches" if place == found.best and found.may_label else ""
        lines.append(f"  {one.figure:.4f} {one.name} ({one.change:+.4f}{between}){mark}")
    return "\n".join([*lines, found.sentence])


def forecast_words(found: LabelForecast) -> str:
    """What labelling will cost."""
    return (
        f"{found.scored:,} new pairs of {found.texts:,} texts ({found.source}) will be labelled in "
        f"about {_duration(found.seconds)}; at most {found.most:,} stay."
    )


def sheet_words(sheet: Sheet) -> str:
    """Gold and silver labels by tenths, and what is odd about them."""
    most = max([1, *(max(band.gold, band.silver) for band in sheet.bands)])
    lines = [f"{sheet.pairs:,} silver pairs beside {sheet.gold:,} gold ones:"]
    for band in sheet.bands:
        bar = "█" * round(_BAR * band.silver / most)
        lines.append(
            f"  {band.low:.1f} to {band.high:.1f}  gold {band.gold:>6,}  silver "
            f"{band.silver:>7,}  {bar}".rstrip()
        )
    for warning in sheet.warnings:
        lines.append(f"{warning['sentence']} {warning['remedy']}")
    return "\n".join(lines)


def outcome_words(told: AugmentOutcome) -> str:
    """Base, gold alone, and gold with silver; whether it paid, and why not."""
    figures = told.figures
    lines = [
        f"Taught by {told.gold:,} gold and {told.silver:,} silver pairs labelled by the "
        f"{told.teacher}: {told.folder}",
        f"{figures['metric']} on {figures['held_out']:,} pairs that judged:",
        f"  {figures['base']:.4f} as it came",
        f"  {_spread(figures['gold_only'])} by the gold pairs alone",
        f"  {_spread(figures['augmented'])} by gold and silver",
        *(
            [f"  {_spread(figures['synonyms'])} by gold and synonyms"]
            if "synonyms" in figures
            else []
        ),
        f"  {figures['jaccard']:.4f} by shared words (Jaccard)",
    ]
    if "f1_augmented" in figures:
        for name, title in (("f1", "F1 at the threshold of dev"), ("auc_005", "AUC(0.05)")):
            lines.append(
                f"{title}: {figures[f'{name}_base']:.4f}, {figures[f'{name}_gold_only']:.4f}, "
                f"{figures[f'{name}_augmented']:.4f}"
            )
        lines.append(f"Always the most frequent judgement is right in {figures['majority']:.1%}.")
    return "\n".join([*lines, told.sentence, *told.diagnosis, *told.notes])


def _spread(found: dict[str, Any]) -> str:
    return f"{found['mean']:.4f}" + ("" if found["sd"] is None else f" ± {found['sd']:.4f}")


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"{max(round(seconds), 1)} s"
    return f"{round(seconds / 60):,} min"
