"""Examples that say nothing, say it twice, or say the contrary of another."""

from collections import defaultdict
from collections.abc import Iterator

import numpy as np

from core.examples.findings import Finding, Severity, counted
from core.examples.kinds import Examples, LabelledPairs, LabelledTexts, ScoredPairs, Triplets
from core.examples.spreading import contradictions

FAR = 0.2  # two scores of one pair that differ by more contradict each other
_SAME_FROM = 0.5  # a score from here on means the same
_SHOWN = 60  # characters of a text in a sentence


def repeat_findings(examples: Examples, *, negatives_in_batch: bool = False) -> Iterator[Finding]:
    """Yield empty texts, texts against themselves, repetitions, contradictions, shared positives.

    Pairs of scores and decisions are the same in either order; other labels may depend on it, so
    that only the same order contradicts. `negatives_in_batch` where the objective takes the other
    pairs of a batch as negatives: then texts with several positives are a danger.
    """
    yield from _empties(examples)
    yield from _selves(examples)
    yield from _repetitions(examples)
    if isinstance(examples, LabelledPairs) and examples.are_decisions:
        yield from _chains(examples)
    elif isinstance(examples, LabelledPairs):
        yield from _turned(examples)
    yield from _shared_positives(examples, negatives_in_batch)


def _empties(examples: Examples) -> Iterator[Finding]:
    rows = zip(*examples.columns, strict=True)
    empty = sum(any(not text.strip() for text in row) for row in rows)
    if empty:
        said = f"{counted(empty, 'example has', 'examples have')} an empty text."
        yield Finding(Severity.WARNS, said, "Remove them or fill in the text.", empty)


def _selves(examples: Examples) -> Iterator[Finding]:
    """A text beside itself: nothing to learn if it is the same, and wrong if it is not."""
    harmless, wrong = _selves_counted(examples)
    if harmless + wrong == len(examples) > 0:
        yield Finding(
            Severity.STOPS,
            f"All {counted(len(examples), 'example sets', 'examples set')} a text beside itself.",
            "Check which columns hold the texts.",
            len(examples),
        )
        return
    if harmless:
        yield Finding(
            Severity.TELLS,
            f"In {counted(harmless, 'example', 'examples')} a text is paired with itself.",
            "Leave them out; they teach nothing.",
            harmless,
        )
    if wrong:
        same = "the counter-example is one of the other two texts"
        said = same if isinstance(examples, Triplets) else "a text is said to differ from itself"
        yield Finding(
            Severity.WARNS,
            f"In {counted(wrong, 'example', 'examples')} {said}.",
            "Correct or remove them.",
            wrong,
        )


def _selves_counted(examples: Examples) -> tuple[int, int]:
    if isinstance(examples, LabelledTexts):
        return 0, 0
    if isinstance(examples, Triplets):
        triples = list(zip(examples.anchor, examples.positive, examples.negative, strict=True))
        wrong = sum(negative in (anchor, positive) for anchor, positive, negative in triples)
        harmless = sum(a == p != n for a, p, n in triples)
        return harmless, wrong
    own = np.array([a == b for a, b in zip(*examples.columns, strict=True)], np.bool_)
    if isinstance(examples, ScoredPairs):
        different = examples.score < _SAME_FROM
    elif examples.are_decisions:
        different = examples.label == 0
    else:
        different = np.zeros(len(examples), np.bool_)
    return int((own & ~different).sum()), int((own & different).sum())


def _repetitions(examples: Examples) -> Iterator[Finding]:
    """Compare every example with the first of the same texts."""
    symmetric = isinstance(examples, ScoredPairs) or (
        isinstance(examples, LabelledPairs) and examples.are_decisions
    )
    said = examples.score if isinstance(examples, ScoredPairs) else examples.bands
    limit = FAR if isinstance(examples, ScoredPairs) else 0
    first: dict[tuple[str, ...], int] = {}
    repeated = 0
    odd: list[tuple[str, ...]] = []
    for at, row in enumerate(zip(*examples.columns, strict=True)):
        before = first.setdefault(tuple(sorted(row)) if symmetric else row, at)
        if before == at:
            continue
        if abs(float(said[before]) - float(said[at])) > limit + 1e-6:
            odd.append(row)
        else:
            repeated += 1
    if isinstance(examples, Triplets):
        odd = _swapped(examples)
    if odd:
        shown = " and ".join(f"“{text[:_SHOWN]}”" for text in odd[0][:2])
        yield Finding(
            Severity.WARNS,
            f"{counted(len(odd), 'example contradicts', 'examples contradict')} an earlier one, "
            f"such as {shown}.",
            "Decide which of them is right and remove the other.",
            len(odd),
        )
    if repeated:
        yield Finding(
            Severity.TELLS,
            f"{counted(repeated, 'example repeats', 'examples repeat')} an earlier one.",
            "Leave them out, or they count twice.",
            repeated,
        )


def _swapped(triplets: Triplets) -> list[tuple[str, ...]]:
    """Triplets whose negative is, with the same anchor, an earlier one's positive, or reversed."""
    near: set[tuple[str, str]] = set()
    far: set[tuple[str, str]] = set()
    odd: list[tuple[str, ...]] = []
    for anchor, positive, negative in zip(*triplets.columns, strict=True):
        if (anchor, negative) in near or (anchor, positive) in far:
            odd.append((anchor, negative if (anchor, negative) in near else positive))
        near.add((anchor, positive))
        far.add((anchor, negative))
    return odd


def _chains(decisions: LabelledPairs) -> Iterator[Finding]:
    """Contradictions through a third text; those on the very same pair are told as such."""
    same = {frozenset(pair) for pair, label in
            zip(zip(*decisions.columns, strict=True), decisions.label.tolist(), strict=True)
            if label == 1}  # fmt: skip  # one set
    odd = [
        at
        for at in contradictions(decisions).tolist()
        if decisions.left[at] != decisions.right[at]
        and frozenset((decisions.left[at], decisions.right[at])) not in same
    ]
    if odd:
        left, right = decisions.left[odd[0]][:_SHOWN], decisions.right[odd[0]][:_SHOWN]
        yield Finding(
            Severity.WARNS,
            f"{counted(len(odd), 'pair is', 'pairs are')} judged different although others bind "
            f"the texts as the same, such as “{left}” and “{right}”.",
            "Look at the texts between them and correct one decision.",
            len(odd),
        )


def _turned(pairs: LabelledPairs) -> Iterator[Finding]:
    """The same pair the other way round under another label, which may well be meant."""
    labels: dict[tuple[str, ...], set[int]] = defaultdict(set)
    odd = 0
    rows = zip(zip(*pairs.columns, strict=True), pairs.label.tolist(), strict=True)
    for (left, right), label in rows:
        odd += left != right and bool(labels.get((right, left), set()) - {label})
        labels[left, right].add(label)
    if odd:
        yield Finding(
            Severity.TELLS,
            f"{counted(odd, 'pair stands', 'pairs stand')} the other way round under another "
            "label.",
            "That is right where a label depends on the order, as entailment does; else correct "
            "them.",
            odd,
        )


def _shared_positives(examples: Examples, negatives_in_batch: bool) -> Iterator[Finding]:
    partners: dict[str, set[str]] = defaultdict(set)
    for left, right in _positives(examples):
        if left != right:
            partners[left].add(right)
            partners[right].add(left)
    shared = sum(len(texts) > 1 for texts in partners.values())
    if shared:
        yield Finding(
            Severity.WARNS if negatives_in_batch else Severity.TELLS,
            f"{counted(shared, 'text has', 'texts have')} several texts that mean the same.",
            "They are masked in a batch, so that none is taken for another's negative."
            if negatives_in_batch
            else "",
            shared,
        )


def _positives(examples: Examples) -> Iterator[tuple[str, str]]:
    if isinstance(examples, Triplets):
        yield from zip(examples.anchor, examples.positive, strict=True)
    elif isinstance(examples, ScoredPairs):
        keep = np.flatnonzero(examples.score >= _SAME_FROM).tolist()
        yield from ((examples.left[at], examples.right[at]) for at in keep)
    elif isinstance(examples, LabelledPairs) and examples.are_decisions:
        keep = np.flatnonzero(examples.label == 1).tolist()
        yield from ((examples.left[at], examples.right[at]) for at in keep)
