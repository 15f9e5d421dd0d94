"""What the search page says of an answer, and of there being none."""

from dataclasses import dataclass

from app.look.words import count, counted
from app.pages.duplicates_opening import opening
from app.pages.search_question import Answer, is_full

_QUOTED = 60  # characters of a question


@dataclass(frozen=True, slots=True)
class Nothing:
    """A sentence, a note and what the one button does: "filters", "meaning" or nothing."""

    sentence: str
    note: str = ""
    button: str = ""
    does: str = ""


def found_words(answer: Answer) -> str:
    """How much was found, how, and by what it was ordered anew."""
    if not answer.checked_by:
        return _found(answer)
    checked = sum(hit.checked is not None for hit in answer.hits)
    found = _found(answer)
    # Ahead of the rest, for a narrow window cuts the end off.
    who = f"{count(checked)} checked" if checked < len(answer.hits) else "Checked"
    return f"{who} by {answer.checked_by}: {found[0].lower()}{found[1:]}"


def _found(answer: Answer) -> str:
    shown = counted(len(answer.hits), "text")
    if answer.question.like is not None:
        return f"The {shown} nearest to this one"
    if answer.by == "words":
        return (
            f"The best {shown} with these words" if is_full(answer) else f"{shown} with these words"
        )
    if answer.by == "both":
        return f"The best {shown} by meaning and words"
    return f"The {shown} nearest in meaning"


def nothing_of(answer: Answer, *, can_mean: bool) -> Nothing:
    """Why nothing was found, and what could be done."""
    question = answer.question
    quoted = f"“{opening(question.words, length=_QUOTED)}”"
    if answer.allowed == 0:
        sentence = "No text passes these filters."
    elif question.like is not None:
        sentence = "No other text is near this one."
    elif answer.by == "words":
        sentence = f"Nothing holds {quoted}."
    else:
        sentence = f"Nothing was found for {quoted}."
    filters = question.filter.chips
    if filters:
        on = "One filter is on" if len(filters) == 1 else f"{count(len(filters))} filters are on"
        button = "Remove the filter" if len(filters) == 1 else "Remove the filters"
        return Nothing(sentence, f"{on}: {', '.join(filters)}.", button, "filters")
    if question.like is not None:
        return Nothing(sentence, answer.note)
    if question.by == "words" and can_mean:
        note = "Texts that say the same in other words are found by meaning."
        return Nothing(sentence, note, "Search by meaning", "meaning")
    return Nothing(sentence, "Try fewer or other words.")


def without_filters(found: int, asked: int) -> str:
    """What the filters hide, when so many texts were asked for without them."""
    if not found:
        return "Without the filters nothing is found either."
    told = f"{count(asked)} texts or more" if found >= asked else counted(found, "text")
    return f"Without the filters {told} would be found."


def more_words(answer: Answer) -> str:
    """The button that asks for more; empty where there are no more."""
    following = answer.question.more
    is_all = answer.allowed is not None and answer.allowed <= len(answer.hits)
    if following is None or not is_full(answer) or is_all:
        return ""
    return f"Show {count(following)}"
