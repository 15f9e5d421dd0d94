"""Verdicts that are newer than the grouping on show."""

from dataclasses import dataclass, replace

from app.pages.duplicates_reads import Candidate, Case
from core.records import Verdict

Pair = tuple[int, int]
_ORDER = {"waiting": 0, "removed": 1, "decided": 2}


@dataclass(frozen=True, slots=True)
class Given:
    """One verdict; `fewer` is by how much it lessened the waiting pairs of group `kept`."""

    kept: int
    other: int
    verdict: Verdict | None
    fewer: int
    number: int


class FreshVerdicts:
    """What was decided since the last grouping was read, on top of what the store says."""

    def __init__(self) -> None:
        self._given: dict[Pair, Given] = {}
        self._leads: dict[int, tuple[int, int]] = {}  # kept text → listed one, number
        self.number = 0  # of the last verdict

    def give(self, kept: int, candidate: Candidate, verdict: Verdict | None, review: float) -> None:
        """Note a verdict on a candidate of the group of a kept text."""
        pair = _pair(candidate.partner(kept, verdict), candidate.text)
        before = self._given.get(pair)
        fewer = 0 if before is None else before.fewer
        if candidate.place == "waiting" and verdict is not None:
            fewer = fewer + 1
        elif candidate.place == "decided" and verdict is None and _is_near(candidate, review):
            fewer = fewer - 1
        self.number += 1
        self._given[pair] = Given(
            self.listed(kept), candidate.text, verdict, fewer, self.number
        )  # fmt: skip

    def lead(self, text: int, instead_of: int) -> None:
        """Note that a text is kept now in place of another, whose group it leads."""
        self.number += 1
        self._leads[text] = self.listed(instead_of), self.number

    def listed(self, kept: int) -> int:
        """The text under which the group of a kept text was listed last."""
        return self._leads[kept][0] if kept in self._leads else kept

    @property
    def leads(self) -> dict[int, int]:
        """Texts that are kept in place of another since the last grouping: text → other."""
        return {text: listed for text, (listed, _) in self._leads.items()}

    def forget(self, kept: int, other: int) -> None:
        """Drop a verdict that could not be stored or was undone."""
        self._given.pop(_pair(kept, other), None)

    def clear(self) -> None:
        self._given, self._leads = {}, {}

    def drop_known(self, number: int) -> None:
        """A grouping is here that knows of every verdict up to this number."""
        self._given = {pair: one for pair, one in self._given.items() if one.number > number}
        self._leads = {text: one for text, one in self._leads.items() if one[1] > number}

    def fewer(self, kept: int) -> int:
        """By how much fewer pairs of this listed group wait."""
        return sum(one.fewer for one in self._given.values() if one.kept == kept)

    @property
    def all_fewer(self) -> int:
        return sum(one.fewer for one in self._given.values())

    @property
    def merged(self) -> set[int]:
        """Texts just decided the same as a kept one: their own groups are about to go."""
        return {one.other for one in self._given.values() if one.verdict is Verdict.SAME}

    def on(self, case: Case) -> Case:
        """The case with these verdicts in it, in the order of its list."""
        kept = case.kept.text or 0
        told = [self._told(kept, one) for one in case.candidates]
        told.sort(key=lambda one: _ORDER[one.place])
        return replace(case, candidates=tuple(told))

    def _told(self, kept: int, candidate: Candidate) -> Candidate:
        given = self._given.get(_pair(kept, candidate.text))
        if given is None and candidate.beside is not None:
            given = self._given.get(_pair(candidate.beside.text or 0, candidate.text))
        if given is None:
            return candidate
        place = candidate.place
        if place == "waiting" and given.verdict is not None:
            place = "decided"
        elif place == "decided" and given.verdict is None:
            place = "waiting"
        return replace(candidate, verdict=given.verdict, place=place)


def _pair(a: int, b: int) -> Pair:
    return (min(a, b), max(a, b))


def _is_near(candidate: Candidate, review: float) -> bool:
    measured = candidate.cosine is not None and candidate.cosine >= review
    return measured and candidate.beside is None
