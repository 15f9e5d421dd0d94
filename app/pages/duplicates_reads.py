"""What the duplicates page reads: the list of groups, and one group as a case to decide."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias

from core.options import GroupOptions
from core.records import Verdict
from core.store import Document, GroupFilter, GroupingRecord, GroupRow, MemberRow, Project

Place = Literal["waiting", "removed", "decided"]
_Measured: TypeAlias = tuple[float | None, float | None, int]  # cosine, words, flags
SHOWN_ROWS = 400  # of one group; more would be a table, not a case
SECONDS_PER_DECISION = 4.0  # before the program has seen how fast this person is


@dataclass(frozen=True, slots=True)
class Candidate:
    """A row beside the kept one: it waits for a verdict, is removed, or was decided on."""

    place: Place
    document: Document
    rows: int  # it stands for, itself included
    reason: str = ""  # of a removed row: copy, similar or decided
    cosine: float | None = None
    words: float | None = None
    flags: int = 0
    verdict: Verdict | None = None
    beside: Document | None = None  # what the verdict was given beside, if not the kept row
    checked: float | None = None  # what a cross-encoder says of it beside the kept row

    @property
    def text(self) -> int:
        return self.document.text or 0

    def partner(self, kept: int, verdict: Verdict | None) -> int:
        """The text that this verdict is about, together with the candidate's own."""
        if self.beside is None:
            return kept
        # A row that is removed whatever was said beside another one is judged by the kept one.
        anew = verdict is not None and self.place == "removed" and self.verdict != Verdict.SAME
        return kept if anew else self.beside.text or kept


@dataclass(frozen=True, slots=True)
class Case:
    """A kept row with everything that a person can say something about."""

    kept: Document
    rows: int
    candidates: tuple[Candidate, ...]
    left_out: int = 0  # removed rows beyond those listed


@dataclass(frozen=True, slots=True)
class Listing:
    """The groups that a filter found, and where each is."""

    rows: list[GroupRow]
    at: dict[int, int]  # text → position
    ranks: dict[int, int] = field(default_factory=dict)  # text → order, of all listed so far


@dataclass(frozen=True, slots=True)
class Settings:
    """How the groups were last made, with what can be chosen."""

    options: GroupOptions
    record: GroupingRecord | None
    date_columns: tuple[str, ...]
    sources: tuple[tuple[int, str], ...]
    pace_s: float
    floor: float  # smallest cosine of a pair
    moved: frozenset[str]  # what the grouping was made from and is not so any more
    is_checked: bool = False  # whether a cross-encoder has read any pair


def read_listing(
    project: Project,
    wanted: GroupFilter,
    *,
    ranks: Mapping[int, int] | None = None,
    leads: Mapping[int, int] | None = None,
) -> Listing:
    """All groups wanted; for 200,000 groups this takes most of a second.

    Groups that were listed before keep their order, so that a list does not jump under the
    hand when a decision made one group smaller; new ones come last. `leads` says in whose
    place a kept text came: text → the one kept before.
    """
    rows = project.groupings.listed(wanted)
    known = dict(ranks or {})
    known.update({text: known[old] for text, old in (leads or {}).items() if old in known})
    following = max(known.values(), default=-1) + 1
    new = [row.text for row in rows if row.text not in known]
    known.update({text: rank for rank, text in enumerate(new, start=following)})
    rows.sort(key=lambda row: known[row.text])
    return Listing(rows, {row.text: at for at, row in enumerate(rows)}, known)


def read_settings(project: Project) -> Settings:
    """The settings behind the current grouping, or the defaults."""
    record, pairing = project.groupings.current(), project.pairs.current()
    options = GroupOptions()
    if record is not None:
        options = GroupOptions(
            record.threshold, record.review, record.keep, _held_back(project, record)
        )
    sources = project.sources.all()
    dates = dict.fromkeys(
        column.name for source in sources for column in source.settings.date_columns
    )
    return Settings(
        options,
        record,
        tuple(dates),
        tuple((source.id, source.name) for source in sources),
        project.decisions.pace() or SECONDS_PER_DECISION,
        0.7 if pairing is None else pairing.floor,
        _moved(project, record),
        project.checked.current() is not None,
    )


def read_case(project: Project, kept_text: int, *, also: Sequence[int] = ()) -> Case | None:
    """One group around its kept text; None where no row holds that text any more.

    Candidates come in the order of the list: waiting by falling cosine, then removed, then
    decided. `also` names texts to show in any case, such as one whose decision was undone.
    """
    members = project.groupings.members(kept_text)
    keeper = members[0].keeper if members else None
    kept = _first(project, kept_text, keeper)
    if kept is None:
        return None
    said = _said(project, kept_text, members)
    automatic = {row.text for row in members if row.reason in ("copy", "similar")}
    verdicts = {text: told.verdict for text, told in said.items() if told.beside == kept_text}
    waiting = _waiting(project, kept_text, verdicts, [one for one in also if one not in automatic])
    shown = {one.text for one in waiting}
    removed = [row for row in members if row.document != kept.id and row.text not in shown]
    candidates = waiting + _removed(project, removed[:SHOWN_ROWS], said)
    shown.update(row.text for row in removed)
    candidates += _decided(project, kept_text, said, shown)
    checked = project.checked.of_text(kept_text)
    told = tuple(replace(one, checked=checked.get(one.text)) for one in candidates)
    return Case(kept, max(len(members), 1), told, len(removed[SHOWN_ROWS:]))


@dataclass(frozen=True, slots=True)
class _Said:
    """A verdict on some text, and the text of the group that it was given beside."""

    beside: int
    verdict: Verdict


def _said(project: Project, kept: int, members: Sequence[MemberRow]) -> dict[int, _Said]:
    """What was said of each text beside the kept one, or else beside a row removed for it."""
    texts = {kept, *(row.text for row in members)}
    decided = {row.text for row in members if row.reason == "decided"}
    told = project.decisions.of_texts(sorted(texts))
    told.sort(key=lambda said: said[0] != kept)
    found: dict[int, _Said] = {}
    for one, other, verdict in told:
        if other == kept:
            continue
        # Of two removed rows the one that "same" removed carries it, else the later one.
        carries = other in decided if verdict is Verdict.SAME else one < other
        if one == kept or other not in texts or carries:
            found.setdefault(other, _Said(one, verdict))
    return found


def _waiting(
    project: Project, kept: int, verdicts: dict[int, Verdict], also: Sequence[int]
) -> list[Candidate]:
    measured: dict[int, _Measured] = {
        row.candidate: (row.cosine, row.words, row.flags)
        for row in project.groupings.waiting(kept)
        # The grouping may be older than a decision.
        if row.candidate not in verdicts
    }
    for text in also:
        if text not in measured and text not in verdicts and text != kept:
            measured[text] = _measured(project, kept, text)
    found = []
    for text, (cosine, words, flags) in measured.items():
        document = _first(project, text)
        if document is not None:
            found.append(Candidate("waiting", document, document.copies, "", cosine, words, flags))
    return sorted(found, key=lambda one: -(one.cosine or 0))


def _removed(project: Project, rows: list[MemberRow], said: Mapping[int, _Said]) -> list[Candidate]:
    documents = {one.id: one for one in project.documents.get([row.document for row in rows])}
    flags = {
        row.text: _measured(project, row.kept_text, row.text)[2]
        for row in rows
        if row.text != row.kept_text
    }
    return [
        Candidate(
            "removed", documents[row.document], 1, row.reason, row.cosine, row.words,
            flags.get(row.text, 0), *_verdict_on(project, row.text, row.kept_text, said),
        )
        for row in rows
        if row.document in documents
    ]  # fmt: skip


def _decided(
    project: Project, kept: int, said: Mapping[int, _Said], shown: set[int]
) -> list[Candidate]:
    found = []
    for text in sorted(said, key=lambda text: (said[text].beside != kept, text)):
        document = None if text in shown else _first(project, text)
        if document is not None:
            cosine, words, flags = _measured(project, kept, text)
            found.append(
                Candidate(
                    "decided", document, document.copies, "", cosine, words, flags,
                    *_verdict_on(project, text, kept, said),
                )
            )  # fmt: skip
    return found


def _verdict_on(
    project: Project, text: int, kept: int, said: Mapping[int, _Said]
) -> tuple[Verdict | None, Document | None]:
    told = said.get(text)
    if told is None or text == kept:
        return None, None
    return told.verdict, None if told.beside == kept else _first(project, told.beside)


def _measured(project: Project, a: int, b: int) -> _Measured:
    pairing = project.pairs.current()
    found = None if pairing is None else project.pairs.between(pairing.id, a, b)
    return (None, None, 0) if found is None else found


def _first(project: Project, text: int, keeper: int | None = None) -> Document | None:
    """The row shown for a text: the one that stays, where that is known."""
    if keeper is None:
        keeper = project.groupings.keeper_of(text)
    if keeper is not None:
        found = project.documents.get([keeper])
        if found and found[0].text == text:
            return found[0]
    rows = project.documents.of_text(text, count=1)
    return rows[0] if rows else None


def _moved(project: Project, record: GroupingRecord | None) -> frozenset[str]:
    """What of rows, pairs and decisions has changed since the grouping."""
    if record is None:
        return frozenset()
    now = project.inputs_of_groups(project.pairs.current())
    return frozenset(name for name, value in now.items() if record.inputs.get(name) != value)


def _held_back(project: Project, record: GroupingRecord) -> bool:
    if record.run is None:
        return True
    return bool(project.runs.get(record.run).options.get("hold_back", True))
