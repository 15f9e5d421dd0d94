"""What is asked on the search page, and what comes back, as plain values."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from app.pages.search_filter import NO_FILTER, SearchFilter

Way = Literal["meaning", "words", "both"]

WAYS: tuple[tuple[Way, str], ...] = (
    ("meaning", "Meaning"),
    ("words", "Words"),
    ("both", "Both"),
)
LEAST_MARK = 3  # letters of a word in a script with spaces
STEPS = (50, 200, 500, 1000)  # how many texts are shown at first, and after each "more"


@dataclass(frozen=True, slots=True)
class Like:
    """A row whose nearest texts are wanted in place of a typed question."""

    document: int
    text: int
    body: str


@dataclass(frozen=True, slots=True)
class Question:
    """Everything that decides which texts are found."""

    words: str = ""
    by: Way = "meaning"
    like: Like | None = None
    filter: SearchFilter = NO_FILTER
    count: int = STEPS[0]

    @property
    def is_empty(self) -> bool:
        return self.like is None and not self.words.strip()

    @property
    def more(self) -> int | None:
        """The next larger number of texts, None at the last."""
        return next((step for step in STEPS if step > self.count), None)

    def values(self) -> dict[str, Any]:
        """The question as the engine takes it."""
        return {
            "text": "" if self.like is not None else self.words.strip(),
            "by": self.by,
            "count": self.count,
            "like": None if self.like is None else self.like.document,
            "filter": self.filter.values(),
        }


@dataclass(frozen=True, slots=True)
class Hit:
    """One text that was found; `body` may be the beginning of a longer one."""

    text: int
    document: int  # its first row
    rows: int
    body: str
    score: float
    cosine: float | None
    marks: tuple[tuple[int, int], ...]
    checked: float | None = None  # by the cross-encoder, where it read the text again


@dataclass(frozen=True, slots=True)
class Answer:
    """What was found for a question, best first."""

    question: Question
    hits: tuple[Hit, ...]
    by: str
    note: str = ""
    allowed: int | None = None  # how many texts the filters let through, where there are some
    is_first_look: bool = False  # by words, while the encoder is still being loaded
    scores: dict[int, float] = field(default_factory=dict)  # text → score
    checked_by: str = ""  # the cross-encoder whose order it is; empty: the order found


def is_full(answer: Answer) -> bool:
    """Whether as many texts were found as were asked for, so that there may be more."""
    return len(answer.hits) >= answer.question.count


def answer_from(
    question: Question, told: Mapping[str, Any], *, is_first_look: bool = False
) -> Answer:
    """Make an answer of what the engine told."""
    # By meaning a word as short as "I" is found by chance; marking it says nothing.
    shortest = 1 if told["by"] == "words" else LEAST_MARK
    hits = tuple(
        Hit(
            one["text"], one["document"], one["rows"], one["body"], float(one["score"]),
            None if one["cosine"] is None else float(one["cosine"]),
            _marks(one["body"], one["marks"], shortest),
        )
        for one in told["hits"]
    )  # fmt: skip
    return Answer(
        question, hits, str(told["by"]), str(told["note"]), told["allowed"], is_first_look,
        {hit.text: hit.score for hit in hits},
    )  # fmt: skip


def _marks(body: str, marks: Sequence[Sequence[int]], shortest: int) -> tuple[tuple[int, int], ...]:
    spans = ((int(start), int(stop)) for start, stop in marks)
    return tuple(
        (start, stop)
        for start, stop in spans
        if stop - start >= shortest or not body[start:stop].isascii()
    )
