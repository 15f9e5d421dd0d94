"""What the card shows of a kept row and a candidate, and what is said under it."""

from app.look.words import count
from app.pages.duplicates_opening import opening
from app.pages.duplicates_reads import Candidate
from app.widgets.column_compare import ColumnPair
from app.widgets.pair_card import CardContent, CardText
from core.records import FLAG_WORDS, Flag, Verdict, kind_of
from core.store import Document

_NOTES = {
    "copy": "The same text: nothing to decide. K keeps this row.",
    "similar": "Removed automatically. D brings it back.",
    "decided": "You removed it. D brings it back.",
}
_BACK_NOTE = "Both stay, as you said. Backspace asks again."
_UNSURE_NOTE = "Kept, out of the queue. Backspace asks again."

_BESIDE_LENGTH = 40  # characters
_BESIDE_NOTES = {
    Verdict.SAME: "Decided the same",
    Verdict.DIFFERENT: "Decided different",
    Verdict.UNSURE: "Unsure",
}


def card_content(kept: Document, candidate: Candidate) -> CardContent:
    """What the card shows of a kept row and a candidate."""
    is_copy = candidate.text == kept.text
    kind = "copy" if is_copy else ""
    if not is_copy and candidate.words is not None:
        kind = str(kind_of(candidate.words))
    flags = Flag(candidate.flags)
    return CardContent(
        CardText(kept.body, facts_of(kept)),
        CardText(candidate.document.body, facts_of(candidate.document)),
        _columns(kept, candidate.document),
        candidate.cosine,
        candidate.words,
        kind,
        tuple(words for flag, words in FLAG_WORDS.items() if flags & flag),
        candidate.verdict,
        candidate.checked,
    )


def facts_of(document: Document) -> tuple[str, ...]:
    """Where a row stands: its id or line, its file, and how many rows have its text."""
    name = f"#{document.key}" if document.key else f"row {count(document.place)}"
    parts = [name, document.source_name]
    if document.copies > 1:
        parts.append(f"{count(document.copies)} rows with this text")
    return tuple(parts)


def note_on(candidate: Candidate, same_text: bool) -> str:
    """What can be done with a candidate that is not simply waiting."""
    if same_text:
        return _NOTES["copy"]
    if candidate.beside is not None:
        return _beside_note(candidate)
    if candidate.verdict is Verdict.DIFFERENT:
        return _BACK_NOTE
    if candidate.verdict is Verdict.UNSURE:
        return _UNSURE_NOTE
    if candidate.place == "removed":
        return _NOTES.get(candidate.reason, "")
    return ""


def _beside_note(candidate: Candidate) -> str:
    """A verdict given beside a row that was removed for the kept one later."""
    other = opening(candidate.document.body if candidate.beside is None else candidate.beside.body,
                    length=_BESIDE_LENGTH)  # fmt: skip
    told = _BESIDE_NOTES[candidate.verdict or Verdict.UNSURE]
    return f"{told} beside “{other}”, which is removed for this row."


def _columns(kept: Document, other: Document) -> tuple[ColumnPair, ...]:
    """All columns but the text itself, which the card shows large."""
    left = dict(zip(kept.columns, kept.cells, strict=False))
    right = dict(zip(other.columns, other.cells, strict=False))
    names = list(dict.fromkeys([*kept.columns, *other.columns]))
    return tuple(
        ColumnPair(name, left.get(name), right.get(name))
        for name in names
        if not (left.get(name) == kept.body and right.get(name) == other.body)
    )
