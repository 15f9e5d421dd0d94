"""What the texts chosen would be decided as: which pairs, and in which words it is told."""

from collections.abc import Sequence
from dataclasses import dataclass

from app.look.words import count, counted
from app.pages.duplicates_opening import opening
from app.pages.search_question import Answer, Hit, Like
from core.records import Verdict

_OPENING = 48  # characters
_NAMES = {Verdict.SAME: "Same", Verdict.DIFFERENT: "Different", Verdict.UNSURE: "Unsure"}
_DONE = {
    Verdict.SAME: "the same",
    Verdict.DIFFERENT: "different",
    Verdict.UNSURE: "unsure",
}


@dataclass(frozen=True, slots=True)
class Choice:
    """Texts chosen in a list of results; `reference` is the one the others are compared with."""

    reference: int | None
    name: str  # of the reference, in words
    others: tuple[int, ...]

    @property
    def pairs(self) -> list[list[int]]:
        """Pairs of texts that a verdict is for."""
        return [] if self.reference is None else [[self.reference, one] for one in self.others]


def choice_of(answer: Answer | None, picked: Sequence[int]) -> Choice:
    """The pairs that a verdict would be for.

    In a list of texts like another each chosen one is compared with that other; else the one
    chosen first with the rest.
    """
    like = None if answer is None else answer.question.like
    if like is not None:
        others = tuple(text for text in picked if text != like.text)
        return Choice(like.text if others else None, _quoted(like.body), others)
    if answer is None or len(picked) < 2:
        return Choice(None, "", ())
    first = next((hit for hit in answer.hits if hit.text == picked[0]), None)
    return Choice(picked[0], "" if first is None else _quoted(first.body), tuple(picked[1:]))


def chosen_words(choice: Choice, picked: int, *, read_only: bool) -> str:
    """What is chosen, for a place with little room."""
    if choice.pairs and not read_only:
        return counted(len(choice.pairs), "pair")
    return f"{count(picked)} chosen" if picked > 1 else ""


def told_of(choice: Choice, *, read_only: bool) -> str:
    """What a verdict would be for, in a sentence; empty where it would be for nothing."""
    if not choice.pairs or read_only:
        return ""
    if len(choice.others) == 1:
        return f"S, D or U decides this text and {choice.name}"
    return f"S, D or U decides {count(len(choice.others))} pairs: each with {choice.name}"


def title_of(choice: Choice, verdict: Verdict) -> str:
    """What the step is called in the list of things to undo."""
    times = f" ×{count(len(choice.others))}" if len(choice.others) > 1 else ""
    return f"{_NAMES[verdict]}{times}: {choice.name}"


def done_words(choice: Choice, verdict: Verdict) -> str:
    """What was decided just now."""
    return f"{counted(len(choice.others), 'pair')} decided {_DONE[verdict]}. Ctrl+Z takes it back."


def like_of(hit: Hit) -> Like:
    """A found text as one that others shall be like."""
    return Like(hit.document, hit.text, hit.body)


def _quoted(body: str) -> str:
    return f"“\u2068{opening(body, length=_OPENING)}\u2069”"  # whatever its direction
