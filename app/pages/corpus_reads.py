"""What the corpus page reads: the facts of a corpus, rows in an order, and one row in full."""

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from app.look.words import count
from app.widgets.tags import Tag
from core.errors import UserError
from core.records import Verdict
from core.store import Document, DocumentFilter, MemberRow, Project, Source

PAGE_ROWS = 200
SHOWN_COPIES = 8
SHOWN_NEAREST = 12
SHOWN_COLUMNS = 6  # of a file's own, before anybody chose
_OWN = "column:"
_REMOVED = Tag("removed", "plain", "−")
_KEPT = Tag("kept", "same", "✓")

Found = TypeVar("Found")
Line = tuple[object, ...]  # the cells of a row, in the order of the columns


@dataclass(frozen=True, slots=True)
class Column:
    """A column of the table; `key` is also what a filter sorts by."""

    key: str
    title: str
    shown: bool = True


@dataclass(frozen=True, slots=True)
class Facts:
    """What the page knows of the corpus before it lists rows."""

    total: int
    columns: tuple[Column, ...]
    sources: tuple[Source, ...]
    marked: dict[str, int]
    is_grouped: bool
    encoder: int | None


@dataclass(frozen=True, slots=True)
class Listing:
    """The rows that a filter leaves, in order, and the first page of them."""

    ids: NDArray[np.int64]
    first: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Nearest:
    """A row whose text is like another's, and what was said of the two."""

    document: Document
    cosine: float
    verdict: Verdict | None


@dataclass(frozen=True, slots=True)
class Detail:
    """One row with everything the program knows of it."""

    document: Document
    tags: tuple[Tag, ...]
    is_grouped: bool
    member: MemberRow | None  # where the last grouping put it
    keeper: Document | None  # the row that stays for it, when that is another one
    group_rows: int
    copies: tuple[Document, ...]  # the first ones, itself left out
    nearest: tuple[Nearest, ...]
    has_pairs: bool


@dataclass(frozen=True, slots=True)
class Unreadable:
    """Why a read failed, in words."""

    why: str


def safely(read: Callable[[Project], Found]) -> Callable[[Project], Found | Unreadable]:
    """Turn faults of the disk into a value that the page can show."""

    def tried(project: Project) -> Found | Unreadable:
        try:
            return read(project)
        except (UserError, sqlite3.DatabaseError) as fault:
            return Unreadable(str(fault))

    return tried


def read_facts(project: Project) -> Facts:
    """Columns, files and counts; for 180,000 rows about half a second."""
    encoder = project.active_encoder()
    number = None if encoder is None else encoder.id
    sources = tuple(project.sources.all())
    return Facts(
        project.documents.count(),
        _columns(sources, project.documents.columns()),
        sources,
        project.documents.marked(encoder=number),
        project.groupings.current() is not None,
        number,
    )


def read_listing(project: Project, wanted: DocumentFilter, facts: Facts) -> Listing:
    """The order of all rows wanted, with the first page read already."""
    ids = project.documents.order(wanted, encoder=facts.encoder)
    return Listing(ids, read_lines(project, ids[:PAGE_ROWS], facts))


def read_lines(
    project: Project, ids: Sequence[int] | NDArray[np.int64], facts: Facts
) -> tuple[Line, ...]:
    """The cells of some rows; a row that has gone meanwhile is an empty one."""
    numbers = [int(number) for number in ids]
    documents = {one.id: one for one in project.documents.get(numbers)}
    members = project.groupings.members_of(numbers)
    marks = _encoder_marks(project, facts.encoder, documents.values())
    return tuple(
        _line(documents[number], facts.columns, members.get(number), marks)
        if number in documents
        else ()
        for number in numbers
    )


def read_detail(project: Project, number: int) -> Detail | None:
    """Everything about one row; None when it is not there any more."""
    found = project.documents.get([number])
    if not found:
        return None
    document = found[0]
    member = project.groupings.of_document(number)
    encoder, pairing = project.active_encoder(), project.pairs.current()
    marks = _encoder_marks(project, None if encoder is None else encoder.id, found)
    keeper = None
    if member is not None and member.keeper != number:
        keeper = next(iter(project.documents.get([member.keeper])), None)
    copies: list[Document] = []
    if document.text is not None and document.copies > 1:
        rows = project.documents.of_text(document.text, count=SHOWN_COPIES + 1)
        copies = [row for row in rows if row.id != number][:SHOWN_COPIES]
    return Detail(
        document,
        _tags(document, member, marks),
        project.groupings.current() is not None,
        member,
        keeper,
        0 if member is None else len(project.groupings.members(member.kept_text)),
        tuple(copies),
        () if pairing is None else tuple(_nearest(project, pairing.id, document)),
        pairing is not None,
    )


def row_name(document: Document) -> str:
    """What a row is called: its own id where the file has one, else its place."""
    return f"#{document.key}" if document.key else f"row {count(document.place)}"


def date_words(iso: str) -> str:
    """`2026-05-12` → `12 May 2026`, with the clock where there is one."""
    try:
        then = datetime.fromisoformat(iso)
    except ValueError:
        return iso
    day = f"{then.day} {then:%b} {then.year}"
    return day if "T" not in iso else f"{day}, {then:%H:%M}"


def _columns(sources: Sequence[Source], names: Sequence[str]) -> tuple[Column, ...]:
    dates = {column.name for one in sources for column in one.settings.date_columns}
    # What the table shows in columns of its own already.
    known = {name for one in sources for name in one.settings.text_columns}
    known |= {one.settings.id_column for one in sources if one.settings.id_column}
    rows = {name: sum(_rows(one) for one in sources if name in one.columns) for name in names}
    half = sum(_rows(one) for one in sources) / 2
    # Dates come first, then what most rows have; what few rows have comes last.
    ordered = sorted(names, key=lambda name: (rows[name] < half, name not in dates, -rows[name]))
    own: list[Column] = []
    for name in ordered:
        shown = name not in known and sum(one.shown for one in own) < SHOWN_COLUMNS
        own.append(Column(_OWN + name, name, shown))
    return (Column("place", "#"), Column("text", "Text"), Column("copies", "Marks"), *own)


def _rows(source: Source) -> int:
    return 0 if source.report is None else source.report.rows


def _line(
    document: Document,
    columns: Sequence[Column],
    member: MemberRow | None,
    marks: dict[int, tuple[bool, bool]],
) -> Line:
    cells = dict(zip(document.columns, document.cells, strict=False))
    name: object = document.key or document.place
    text = document.body if document.text is not None else None
    own = [_cell(document, cells, column.title) for column in columns[3:]]
    return (name, text, _tags(document, member, marks), *own)


def _cell(document: Document, cells: dict[str, str | None], name: str) -> str | None:
    date = document.dates.get(name)
    return cells.get(name) if date is None else date_words(date)


def _tags(
    document: Document, member: MemberRow | None, marks: dict[int, tuple[bool, bool]]
) -> tuple[Tag, ...]:
    if document.text is None:
        return (Tag("blank"),)
    tags = []
    if member is not None:
        tags.append(_KEPT if member.reason == "kept" else _REMOVED)
    if document.copies > 1:
        tags.append(Tag(f"copy ×{count(document.copies)}", "note"))
    is_long, is_unreadable = marks.get(document.text, (False, False))
    if is_unreadable:
        tags.append(Tag("unreadable", "unsure", "⚠"))
    if document.very_short:
        tags.append(Tag("very short"))
    if is_long:
        tags.append(Tag("long"))
    return tuple(tags)


def _encoder_marks(
    project: Project, encoder: int | None, documents: Iterable[Document]
) -> dict[int, tuple[bool, bool]]:
    if encoder is None:
        return {}
    texts = {one.text for one in documents if one.text is not None}
    return project.texts.encoder_marks(encoder, sorted(texts))


def _nearest(project: Project, pairing: int, document: Document) -> Iterator[Nearest]:
    if document.text is None:
        return
    verdicts = dict(project.decisions.of_text(document.text))
    for text, cosine in project.pairs.of_text(pairing, document.text, count=SHOWN_NEAREST):
        for row in project.documents.of_text(text, count=1):
            yield Nearest(row, cosine, verdicts.get(text))
