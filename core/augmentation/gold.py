"""Gold pairs: whether there are enough, and which of them teach, choose and judge."""

from dataclasses import dataclass, replace

import numpy as np

from core.errors import UserError
from core.examples import Finding, Rows, ScoredPairs, Severity, components, disjoint, split
from core.options import FEWEST_OF_A_KIND

FEWEST_GOLD = 50  # pairs; below, neither a teacher nor a judgement can be had of them
FEW_GOLD = 200  # below, more decisions help more than any label of a teacher
_FEWEST_TO_CHOOSE = 400  # pairs; below, those held out compare the teachers and judge as well
_ONE_SIDED = 0.05
_SAME = 0.5


@dataclass(frozen=True, slots=True)
class GoldSides:
    """The gold pairs that teach, those that choose and compare teachers, and those that judge.

    With few gold pairs `dev` and `test` are the same ones, and no weights are chosen by them.
    """

    learn: ScoredPairs
    dev: ScoredPairs
    test: ScoredPairs
    dev_groups: Rows  # the component of each pair of `dev`
    test_groups: Rows
    chooses: bool
    notes: tuple[str, ...] = ()

    @property
    def held_texts(self) -> frozenset[str]:
        """The texts that no silver pair may hold."""
        return frozenset(
            text for side in (self.dev, self.test) for column in side.columns for text in column
        )


def look_at_gold(pairs: ScoredPairs) -> list[Finding]:
    """Tell whether gold pairs suffice for augmentation, the gravest first."""
    found: list[Finding] = []
    count = len(pairs)
    same = int((pairs.score >= _SAME).sum())
    fewer = min(same, count - same)
    if count < FEWEST_GOLD:
        found.append(
            Finding(
                Severity.STOPS,
                f"There are {count:,} judged pairs; {FEWEST_GOLD} are the least that a teacher can "
                "be made and compared with.",
                f"Decide {FEWEST_GOLD - count:,} more pairs, or import judged pairs.",
                count,
            )
        )
    elif fewer < 2 * FEWEST_OF_A_KIND:
        kind = "the same" if same <= count - same else "different"
        found.append(
            Finding(
                Severity.STOPS,
                f"Only {fewer:,} of {count:,} judged pairs are {kind}: a teacher would learn to "
                "say the other always.",
                f"Decide some more pairs that are {kind}; {2 * FEWEST_OF_A_KIND} are the least.",
                fewer,
            )
        )
    elif fewer < _ONE_SIDED * count:
        kind = "the same" if same <= count - same else "different"
        found.append(
            Finding(
                Severity.WARNS,
                f"Only {fewer:,} of {count:,} judged pairs are {kind}.",
                "Decide some more of them: what a teacher says of the rarer kind is uncertain.",
                fewer,
            )
        )
    if FEWEST_GOLD <= count < FEW_GOLD:
        found.append(
            Finding(
                Severity.WARNS,
                f"{count:,} judged pairs are few: the comparison of teachers will have wide "
                "intervals.",
                f"From {FEW_GOLD} on it becomes reliable.",
                count,
            )
        )
    return found


def gold_sides(
    pairs: ScoredPairs,
    *,
    held_out: float,
    seed: int,
    dev: ScoredPairs | None = None,
    test: ScoredPairs | None = None,
) -> GoldSides:
    """Part gold pairs by connected texts; given sides are kept as they are.

    Raises `UserError` where they do not suffice, or where those held out could tell nothing.
    """
    for finding in look_at_gold(pairs):
        if finding.severity is Severity.STOPS:
            raise UserError(finding.sentence, finding.remedy)
    if dev is not None or test is not None:
        return _given(pairs, dev, test, held_out=held_out, seed=seed)
    sides = split(pairs, share=held_out, seed=seed)
    learn, held = pairs.rows(sides.train), pairs.rows(sides.held)
    notes: tuple[str, ...] = (sides.note,) if sides.note else ()
    if len(pairs) >= _FEWEST_TO_CHOOSE:
        halves = split(held, share=0.5, seed=seed)
        chosen, judging = held.rows(halves.train), held.rows(halves.held)
        if _tells(chosen) and _tells(judging):
            return _sides(learn, chosen, judging, chooses=True, notes=notes)
    if not _tells(held):
        raise UserError(
            "Too few of the held-out pairs are of one kind to compare a teacher by.",
            "Decide more pairs of the rarer kind, or hold out a larger share.",
        )
    said = f"The same {len(held):,} held-out pairs compare the teachers and judge the outcome."
    return _sides(learn, held, held, chooses=False, notes=(*notes, said))


def refuse_early_choice(sides: GoldSides, *, stop_early: bool) -> None:
    """Raise `UserError` where a seed is to be chosen early and no pairs are there to choose by."""
    if stop_early and not sides.chooses:
        raise UserError(
            "Too few gold pairs are held out to choose a seed by and to judge by others.",
            f"Teach all seeds to the end, or decide more pairs; {_FEWEST_TO_CHOOSE} are enough.",
        )


def _given(
    pairs: ScoredPairs,
    dev: ScoredPairs | None,
    test: ScoredPairs | None,
    *,
    held_out: float,
    seed: int,
) -> GoldSides:
    """Keep given sides; where no dev file is given, a part of the gold is held out for it."""
    learn = pairs
    notes: tuple[str, ...] = ()
    if dev is None:
        sides = split(pairs, share=held_out, seed=seed)
        learn, dev = pairs.rows(sides.train), pairs.rows(sides.held)
        notes = (sides.note,) if sides.note else ()
    test = dev if test is None else test
    for name, side in (("dev", dev), ("test", test)):
        if not _tells(side):
            raise UserError(
                f"The {name} pairs are too few, or too few of one kind, to tell anything.",
                f"Give it {FEWEST_OF_A_KIND} of each kind at least, the same and different.",
            )
        shared = len(side) - len(disjoint(learn, side))
        if shared:
            notes = (*notes, f"{shared:,} of {len(side):,} {name} pairs share a text with the gold "
                     "pairs learnt from, so figures flatter.")  # fmt: skip  # one sentence
    return _sides(learn, dev, test, chooses=dev is not test, notes=notes)


def _sides(
    learn: ScoredPairs,
    dev: ScoredPairs,
    test: ScoredPairs,
    *,
    chooses: bool,
    notes: tuple[str, ...],
) -> GoldSides:
    return GoldSides(
        replace(learn, weight=None), dev, test, components(*dev.columns), components(*test.columns),
        chooses, notes,
    )  # fmt: skip  # in the order of the fields


def _tells(pairs: ScoredPairs) -> bool:
    same = int((pairs.score >= _SAME).sum())
    return min(same, len(pairs) - same) >= FEWEST_OF_A_KIND and len(np.unique(pairs.score)) > 1
