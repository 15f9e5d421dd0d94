"""A case after undo, and a case whose candidate became the kept row."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeAlias

from app.pages.duplicates_reads import Candidate, Case, read_case
from core.records import Verdict
from core.store import Project

# the candidate's text, texts to list in any case, the case
Turned: TypeAlias = tuple[int, tuple[int, ...], Case | None]


def case_at_home(project: Project, text: int, also: Sequence[int]) -> Case | None:
    """The case of the text kept for `text`, which is its own while it is kept."""
    return read_case(project, project.groupings.home(text), also=also)


def case_of_pair(project: Project, left: int, right: int, seen: int | None) -> Turned:
    """The case to show after undo, found by where the pair was `seen` when it was decided."""
    if seen is None:
        seen = left if project.groupings.home(left) == left else right
    home = project.groupings.home(seen)
    if home in (left, right):
        other = right if home == left else left
        return other, (other,), read_case(project, home, also=(other,))
    other = right if project.groupings.home(left) == home else left
    return other, (), read_case(project, home)


def swapped(case: Case, candidate: Candidate, verdict: Verdict | None) -> Case:
    """The case with the candidate's row kept and the kept one in its place.

    What was measured was measured beside the old one, so other figures are left out.
    """
    old, is_copy = case.kept, candidate.text == case.kept.text

    def turned(one: Candidate) -> Candidate:
        if one.document.id != candidate.document.id:
            return one if is_copy else replace(one, cosine=None, words=None)
        if one.place == "removed":
            return replace(one, document=old)
        return replace(one, document=old, place="decided", verdict=verdict, beside=None)

    candidates = tuple(turned(one) for one in case.candidates)
    return replace(case, kept=candidate.document, candidates=candidates)


def keeper_wish(case: Case, candidate: Candidate) -> dict[str, object]:
    """What the wishes "keep" and "decide" are told of the row to keep."""
    return {"document": candidate.document.id, "instead_of": [case.kept.id]}
