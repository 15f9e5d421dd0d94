"""Are there enough examples, and of each kind?"""

from collections.abc import Iterator

import numpy as np

from core.examples.findings import Finding, Severity, counted
from core.examples.kinds import Examples, LabelledTexts, ScoredPairs, Triplets
from core.options import FEWEST_JUDGED, FEWEST_OF_A_KIND

_TOO_FEW = 4  # fewer examples have nothing in common that could be learnt
_LOPSIDED = 0.9  # of all examples under one label, or in one band of scores
_NAMED = 3  # labels that are named in a sentence


def balance_findings(examples: Examples, *, one_kind_suffices: bool = False) -> Iterator[Finding]:
    """Yield what is wrong with the number of examples and their labels or scores.

    `one_kind_suffices` where the objective draws its negatives from the batch, so that pairs that
    are all the same are no fault.
    """
    count = len(examples)
    if count < _TOO_FEW:
        yield Finding(
            Severity.STOPS,
            f"There {'is' if count == 1 else 'are'} only {counted(count, 'example', 'examples')}.",
            f"Judge more; {FEWEST_JUDGED} are the fewest that can tell anything.",
            count,
        )
        return
    if count < FEWEST_JUDGED:
        yield Finding(
            Severity.WARNS,
            f"There are only {count:,} examples, too few to tell whether they teach anything.",
            f"Judge more; from {FEWEST_JUDGED} on something can be told.",
            count,
        )
    if isinstance(examples, LabelledTexts) and np.bincount(examples.label).max(initial=0) < 2:
        yield Finding(
            Severity.STOPS,
            "No label has two texts, so no pair of one label can be made.",
            "Give texts that belong together the same label.",
            count,
        )
        return
    if isinstance(examples, Triplets) or one_kind_suffices:
        return
    yield from _label_findings(examples)


def band_counts(examples: Examples) -> tuple[tuple[str, int], ...]:
    """Return how many examples each label has, or each fifth of the scores."""
    names = examples.band_names
    counts = np.bincount(examples.bands, minlength=len(names))
    return tuple(zip(names, counts.tolist(), strict=True))


def _label_findings(examples: Examples) -> Iterator[Finding]:
    counts = band_counts(examples)
    used = [(name, count) for name, count in counts if count]
    scored = isinstance(examples, ScoredPairs)
    if isinstance(examples, ScoredPairs) and len(np.unique(examples.score)) == 1:
        yield Finding(
            Severity.STOPS,
            f"All {len(examples):,} pairs have the score {examples.score[0]:g}.",
            "Add pairs with other scores.",
            len(examples),
        )
    elif not scored and len(used) == 1:
        yield Finding(
            Severity.STOPS,
            f"All {len(examples):,} examples have the label “{used[0][0]}”.",
            "Add examples with another label, or teach by examples of the same alone.",
            len(examples),
        )
        return
    largest = max(used, key=lambda one: one[1])
    if len(used) > 1 and largest[1] > _LOPSIDED * len(examples):
        where = "have a score from" if scored else "have the label"
        told = largest[0] if scored else f"“{largest[0]}”"
        yield Finding(
            Severity.WARNS,
            f"{largest[1]:,} of {len(examples):,} examples {where} {told}.",
            "Add examples of the other kinds, or leave some of these out.",
            largest[1],
        )
    if not scored:
        yield from _scarce(counts)


def _scarce(counts: tuple[tuple[str, int], ...]) -> Iterator[Finding]:
    scarce = [name for name, count in counts if count < FEWEST_OF_A_KIND]
    if scarce:
        shown = ", ".join(f"“{name}”" for name in scarce[:_NAMED])
        more = " and others" if len(scarce) > _NAMED else ""
        yield Finding(
            Severity.WARNS,
            f"{counted(len(scarce), 'label has', 'labels have')} fewer than {FEWEST_OF_A_KIND} "
            f"examples: {shown}{more}.",
            "Add examples of them, or leave these labels out.",
            sum(count for _, count in counts if count < FEWEST_OF_A_KIND),
        )
