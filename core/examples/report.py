"""Look at examples before they teach: balance, repetitions, leaks, lengths, and how they were read.

What stops comes first, then what warns, then what is good to know; each with its remedy.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from core.errors import UserError
from core.examples.balance import balance_findings, band_counts
from core.examples.findings import Finding, Severity, counted
from core.examples.kinds import Examples
from core.examples.overlapping import overlap
from core.examples.reading import ExampleFile
from core.examples.repeats import repeat_findings

Counter = Callable[[Sequence[str]], NDArray[np.integer]]  # texts to the tokens of each

_MANY_SKIPPED = 0.05  # of a file's rows
_ORDER = tuple(Severity)


@dataclass(frozen=True, slots=True)
class Report:
    """What the examples are and what was found in them, the gravest first."""

    counts: tuple[tuple[str, int], ...]  # of each label, or of each fifth of the scores
    findings: tuple[Finding, ...]

    @property
    def stops(self) -> bool:
        return any(found.severity is Severity.STOPS for found in self.findings)

    def refuse(self) -> None:
        """Raise `UserError` with the first finding that stops, if there is one."""
        for found in self.findings:
            if found.severity is Severity.STOPS:
                raise UserError(found.sentence, found.remedy)


def examine(
    examples: Examples,
    *,
    sides: Mapping[str, Examples] | None = None,
    files: Sequence[ExampleFile] = (),
    tokens: Counter | None = None,
    reads: int | None = None,
    negatives_in_batch: bool = False,
) -> Report:
    """Report on the examples that are to be learnt from.

    `sides` are the others, by their names, such as "test"; what they share with these and with
    one another is told. `files` are the files all came from. `tokens` counts the tokens of texts,
    special ones included, and `reads` is the most that the model reads. With
    `negatives_in_batch` pairs that are all the same will do, but texts with several positives
    are a danger.
    """
    findings = [
        *balance_findings(examples, one_kind_suffices=negatives_in_batch),
        *repeat_findings(examples, negatives_in_batch=negatives_in_batch),
        *leak_findings({"training": examples, **(sides or {})}),
    ]
    for file in files:
        findings += reading_findings(file)
    if tokens is not None and reads is not None:
        findings += length_findings(examples, tokens, reads)
    findings.sort(key=lambda found: _ORDER.index(found.severity))
    return Report(band_counts(examples), tuple(findings))


def leak_findings(sides: Mapping[str, Examples]) -> Iterator[Finding]:
    """Yield what each two sides share; the first is learnt from, and a leak from it is graver."""
    for place, (a, b) in enumerate(combinations(sides, 2)):
        if not len(sides[a]) or not len(sides[b]):
            continue
        shared = overlap(sides[a], sides[b])
        if not shared.texts:
            continue
        learnt = place < len(sides) - 1
        everything = shared.pairs == shared.pairs_b
        left = shared.rows_b - shared.touching
        severity = Severity.WARNS if learnt else Severity.TELLS
        yield Finding(
            Severity.STOPS if learnt and everything else severity,
            shared.sentence(a, b),
            f"Look at the result on the {left:,} {b} examples that share no text too, or split by "
            "connected texts."
            if left
            else "Split by connected texts or by a topic, so that no text stands on both sides.",
            shared.touching,
        )


def length_findings(examples: Examples, tokens: Counter, reads: int) -> Iterator[Finding]:
    """Yield how many texts are longer than the model reads; their ends teach nothing."""
    texts = list(dict.fromkeys(text for column in examples.columns for text in column))
    if not texts:
        return
    counts = np.asarray(tokens(texts))
    if counts.shape != (len(texts),):
        raise ValueError(f"one count a text is needed, not {counts.shape} for {len(texts)}")
    long = int((counts > reads).sum())
    if long:
        yield Finding(
            Severity.WARNS,
            f"{long:,} of {counted(len(texts), 'text', 'texts')} {'is' if long == 1 else 'are'} "
            f"longer than the {reads:,} tokens the model reads (up to "
            f"{int(counts.max()):,}); the rest is cut off.",
            "Shorten them, cut them into parts, or take an encoder that reads more.",
            long,
        )


def reading_findings(file: ExampleFile) -> Iterator[Finding]:
    """Yield the rows of a file that were left out, and what its scores were taken for."""
    rows = len(file.examples) + len(file.skipped) + file.unlabelled
    if file.skipped:
        line, why = file.skipped[0]
        many = len(file.skipped) > _MANY_SKIPPED * rows
        most = 2 * len(file.skipped) > rows
        yield Finding(
            Severity.STOPS if most else Severity.WARNS if many else Severity.TELLS,
            f"{counted(len(file.skipped), 'row', 'rows')} of {rows:,} could not be read, such as "
            f"line {line}: {why}.",
            "Correct these rows, or say which column is which.",
            len(file.skipped),
        )
    if file.unlabelled:
        yield Finding(
            Severity.TELLS,
            f"{counted(file.unlabelled, 'row has', 'rows have')} no label and "
            f"{'was' if file.unlabelled == 1 else 'were'} left out.",
            "",
            file.unlabelled,
        )
    if file.stretched:
        yield Finding(
            Severity.WARNS,
            f"The scores are on no known scale. {file.sentence}",
            "Name the lowest and the highest score of the scale.",
            len(file.examples),
        )
