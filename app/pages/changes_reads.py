"""What the page of changes reads: the difference kept, its lines, and two texts to decide on."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from app.pages.duplicates_card import card_content
from app.pages.duplicates_reads import Candidate
from app.widgets.pair_card import CardContent
from core.records import STAND_WORDS, Stand, Verdict
from core.store import ChangedGroup, DifferenceRecord, Document, Project
from core.store.decisions import Step

What = Literal["pairs", "groups"]
Kind = Literal["gained", "lost", "joined", "gone"]
Pair: TypeAlias = tuple[int, int]  # ids of texts, the smaller one first


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which lines to list; `kind` is all, gained, lost or, of groups, changed."""

    what: What = "pairs"
    kind: str = "all"
    undecided: bool = False


@dataclass(frozen=True, slots=True)
class ChangeLine:
    """Two texts whose standing changed; in a group `first` is the kept one."""

    first: int
    second: int
    kind: Kind
    before: float
    after: float
    stood: int
    stands: int
    group: ChangedGroup | None = None

    @property
    def pair(self) -> Pair:
        return min(self.first, self.second), max(self.first, self.second)

    @property
    def measured(self) -> str:
        """Such as `cosine 0.81 → 0.93  ·  left alone → to review`."""
        stood, stands = STAND_WORDS[Stand(self.stood)], STAND_WORDS[Stand(self.stands)]
        told = f"cosine {self.before:.2f} → {self.after:.2f}"
        return f"{told}  ·  {stood} → {stands}" if stood != stands else f"{told}  ·  {stood}"


Line: TypeAlias = ChangeLine | ChangedGroup  # a group is the heading of its lines


@dataclass(frozen=True, slots=True)
class Listing:
    """The lines wanted, in order, and what was said of each pair of them."""

    lines: tuple[Line, ...]
    verdicts: dict[Pair, Verdict | None]


@dataclass(frozen=True, slots=True)
class Standing:
    """The difference kept, and how far it still holds."""

    record: DifferenceRecord | None
    moved: frozenset[str]  # encoder, corpus, bounds, decisions
    in_use: str  # the encoder in use, empty before the first
    has_groups: bool


@dataclass(frozen=True, slots=True)
class Card:
    """What the card shows of a line, and the rows it is about."""

    content: CardContent
    first: int  # ids of documents
    second: int


Steps: TypeAlias = tuple[Step | None, Step | None]  # what undo and redo would turn


def read_standing(project: Project) -> Standing:
    """The difference kept, if there is one, and what has moved since."""
    record, used = project.differences.current(), project.active_encoder()
    return Standing(
        record,
        frozenset() if record is None else project.differences.moved(record),
        "" if used is None else used.name,
        project.groupings.current() is not None,
    )


def read_lines(project: Project, wanted: Wanted) -> Listing:
    """The lines wanted; at most 20,000 pairs, or 20,000 texts of 5,000 groups."""
    verdicts: dict[Pair, Verdict | None] = {}
    lines: list[Line] = []
    if wanted.what == "pairs":
        gained = None if wanted.kind == "all" else wanted.kind == "gained"
        for one in project.differences.pairs(gained=gained, undecided=wanted.undecided):
            kind: Kind = "gained" if one.gained else "lost"
            line = ChangeLine(one.left, one.right, kind, *one[4:8])
            verdicts[line.pair] = one.verdict
            lines.append(line)
        return Listing(tuple(lines), verdicts)
    told = None if wanted.kind == "all" else wanted.kind
    groups = {group.place: group for group in project.differences.groups(kind=told)}
    shown = -1
    for text in project.differences.texts(undecided=wanted.undecided):
        group = groups.get(text.group)
        if group is None:
            continue
        if shown != group.place:
            lines.append(group)
            shown = group.place
        line = ChangeLine(
            text.kept, text.text, "joined" if text.joined else "gone", *text[4:8], group
        )
        verdicts[line.pair] = text.verdict
        lines.append(line)
    return Listing(tuple(lines), verdicts)


def read_verdicts(project: Project, what: What) -> tuple[dict[Pair, Verdict | None], Steps]:
    """What was said of every pair that can be listed, and the steps of undo as they are now."""
    return read_lines(project, Wanted(what)).verdicts, project.decisions.steps()


def read_card(project: Project, line: ChangeLine) -> Card | None:
    """Both texts with their columns; None where no row holds one of them any more."""
    first, second = _row_of(project, line.first), _row_of(project, line.second)
    if first is None or second is None:
        return None
    pairing = project.pairs.current()
    found = None if pairing is None else project.pairs.between(pairing.id, *line.pair)
    _, words, flags = (None, None, 0) if found is None else found
    content = card_content(
        first, Candidate("waiting", second, second.copies, words=words, flags=flags)
    )
    # Whether it is a near-copy the overlap of words tells; the room is for what changed.
    return Card(replace(content, measured=line.measured, kind=""), first.id, second.id)


def read_openings(project: Project, texts: Sequence[int]) -> dict[int, str]:
    """The beginnings of texts."""
    return project.groupings.openings(texts)


def _row_of(project: Project, text: int) -> Document | None:
    """The row shown for a text: the one that stays of its group, else its first."""
    keeper = project.groupings.keeper_of(text)
    rows = project.documents.get([keeper]) if keeper is not None else []
    if rows and rows[0].text == text:
        return rows[0]
    first = project.documents.of_text(text, count=1)
    return first[0] if first else None
