"""Documents: every source row, with all its columns and its place."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlite_utils import Database

from core.store.database import writing
from core.store.staging import LaidRow, StagedRow, lay_out, put_down, take_up


@dataclass(frozen=True, slots=True)
class Document:
    """One source row as pages and exports see it."""

    id: int
    source: int
    source_name: str
    place: int
    line: int
    key: str | None
    text: int | None  # id of its text, None when the row is blank
    body: str
    copies: int  # rows with this very text, this one included
    very_short: bool
    columns: tuple[str, ...]
    cells: tuple[str | None, ...]
    dates: dict[str, str]


@dataclass(frozen=True, slots=True)
class DocumentFilter:
    """Which documents, in which order; empty fields ask for nothing.

    `mark` is one of "copy", "blank", "very short", "long", "unreadable", "kept", "removed".
    `sort` is "place", "text", "length", "copies" or "column:" and the name of a column.
    """

    contains: str = ""
    source: int | None = None
    mark: str = ""
    columns: tuple[tuple[str, str], ...] = ()  # (column name, words it holds)
    text: int | None = None  # rows that hold this very text
    cluster: int | None = None  # rows of this cluster; -1: of none
    decision: str = ""  # "same", "different", "unsure" or "undecided"
    sort: str = "place"
    descending: bool = False


class Documents:
    """The rows of a project."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def stage(self, source: int, rows: Sequence[StagedRow]) -> int:
        """Add unseen rows in one transaction; return how many had a text known before."""
        self.put_down(lay_out(rows))
        return self.take_up(source)

    def put_down(self, rows: Sequence[LaidRow]) -> None:
        """The first half of `stage`, of rows from `lay_out`; it changes nothing of the project."""
        put_down(self._db.conn, rows)

    def take_up(self, source: int) -> int:
        """The other half of `stage`, in SQLite alone, which lets another thread run meanwhile."""
        with writing(self._db) as connection:
            return take_up(connection, source)

    def count(self) -> int:
        """How many rows the project holds."""
        return int(
            self._db.conn.execute("SELECT count(*) FROM documents WHERE live = 1").fetchone()[0]
        )

    def marked(self, *, encoder: int | None = None) -> dict[str, int]:
        """How many rows have each mark that a filter can ask for."""
        # Through the texts: each is looked at once, however many rows hold it.
        row = self._db.conn.execute(
            "SELECT coalesce(sum(t.rows) FILTER (WHERE t.rows > 1), 0),"
            " coalesce(sum(t.rows) FILTER (WHERE t.very_short = 1), 0),"
            " coalesce(sum(t.rows) FILTER (WHERE v.windows > 1), 0),"
            " coalesce(sum(t.rows) FILTER (WHERE v.unreadable = 1), 0), coalesce(sum(t.rows), 0)"
            " FROM texts t LEFT JOIN vectors v ON v.encoder = ? AND v.text = t.id"
            " WHERE t.rows > 0",
            (encoder,),
        ).fetchone()
        total = self.count()
        removed = self._db.conn.execute(
            "SELECT count(*) FROM members m JOIN documents d ON d.id = m.document AND d.live = 1"
            " WHERE m.grouping = (SELECT max(id) FROM groupings) AND m.reason <> 'kept'"
        ).fetchone()[0]
        return {"copy": row[0], "very short": row[1], "long": row[2], "unreadable": row[3],
                "blank": total - row[4], "removed": removed, "kept": total - removed}  # fmt: skip

    def columns(self) -> list[str]:
        """The names of all columns of all files, in the order they came."""
        names: dict[str, None] = {}
        for (told,) in self._db.conn.execute(
            "SELECT columns FROM sources WHERE state = 'ready' ORDER BY id"
        ):
            names.update(dict.fromkeys(json.loads(told)))
        return list(names)

    def order(self, wanted: DocumentFilter, *, encoder: int | None = None) -> NDArray[np.int64]:
        """The ids of the documents wanted, in order: what a table scrolls over."""
        where, values = _conditions(self._db, wanted, encoder)
        by, more = _sorting(self._db, wanted)
        rows = self._db.conn.execute(
            "SELECT d.id FROM documents d LEFT JOIN texts t ON t.id = d.text"
            f" WHERE d.live = 1 {where} ORDER BY {by}",
            [*values, *more],
        )
        return np.fromiter((row[0] for row in rows), dtype=np.int64)

    def texts(self, wanted: DocumentFilter, *, encoder: int | None = None) -> NDArray[np.int64]:
        """The texts of the documents wanted, each once, by id."""
        where, values = _conditions(self._db, wanted, encoder)
        rows = self._db.conn.execute(
            "SELECT DISTINCT d.text FROM documents d LEFT JOIN texts t ON t.id = d.text"
            f" WHERE d.live = 1 AND d.text IS NOT NULL {where} ORDER BY d.text",
            values,
        )
        return np.fromiter((row[0] for row in rows), dtype=np.int64)

    def named(self, name: str) -> Document | None:
        """The document with this number, or else with this value of the id column."""
        if name.isdecimal() and len(name) < 19 and (found := self.get([int(name)])):
            return found[0]
        row = self._db.conn.execute(
            "SELECT id FROM documents WHERE key = ? AND live = 1 ORDER BY id DESC LIMIT 1", (name,)
        ).fetchone()
        return self.get([row[0]])[0] if row is not None else None

    def get(self, ids: Sequence[int]) -> list[Document]:
        """The documents with these ids, in the order asked for; unknown ids are left out."""
        found: dict[int, Document] = {}
        for start in range(0, len(ids), 900):
            part = [int(number) for number in ids[start : start + 900]]
            marks = ",".join("?" * len(part))
            for row in self._db.conn.execute(f"{_SELECT} WHERE d.id IN ({marks})", part):
                found[row[0]] = _document(row)
        return [found[int(number)] for number in ids if int(number) in found]

    def of_text(self, text: int, *, count: int = 1000) -> list[Document]:
        """The rows that hold this text, by place."""
        rows = self._db.conn.execute(
            f"{_SELECT} WHERE d.text = ? AND d.live = 1 ORDER BY d.source, d.place LIMIT ?",
            (text, count),
        )
        return [_document(row) for row in rows.fetchall()]

    def first_of_texts(self, texts: Sequence[int]) -> dict[int, Document]:
        """The first row, by place, of each of these texts; texts without a row are left out."""
        first: dict[int, int] = {}
        for start in range(0, len(texts), 900):
            part = [int(text) for text in texts[start : start + 900]]
            marks = ",".join("?" * len(part))
            rows = self._db.conn.execute(
                f"SELECT text, id FROM documents WHERE text IN ({marks}) AND live = 1"
                " ORDER BY source DESC, place DESC",
                part,
            )
            first.update(rows)
        found = {row.id: row for row in self.get(list(first.values()))}
        return {text: found[document] for text, document in first.items()}

    def stream(self, *, page: int = 2000) -> Iterator[list[Document]]:
        """All rows by place, a page at a time; no read stays open between pages."""
        source, place = 0, 0
        while True:
            rows = self._db.conn.execute(
                f"{_SELECT} WHERE d.live = 1 AND (d.source, d.place) > (?, ?)"
                " ORDER BY d.source, d.place LIMIT ?",
                (source, place, page),
            ).fetchall()
            if not rows:
                return
            yield [_document(row) for row in rows]
            source, place = rows[-1][1], rows[-1][3]

    def keeping_facts(self, date_column: str | None = None) -> list[tuple[int, int, int, str]]:
        """(document, text, rank of place, date or "") of every row with a text, by place."""
        date = "''" if date_column is None else f"coalesce({_DATE}, '')"
        values = () if date_column is None else (date_column,)
        rows = self._db.conn.execute(
            f"SELECT id, text, {date} FROM documents WHERE live = 1 AND text IS NOT NULL"
            " ORDER BY source, place",
            values,
        )
        return [(row[0], row[1], place, row[2]) for place, row in enumerate(rows.fetchall())]


# Asked by key, since no JSON path can name a column with a quotation mark in it.
_DATE = "(SELECT value FROM json_each(dates) WHERE key = ?)"
_SELECT = (
    "SELECT d.id, d.source, s.name, d.place, d.line, d.key, d.text, t.body, t.rows,"
    " t.very_short, s.columns, d.cells, d.dates FROM documents d JOIN sources s ON s.id = d.source"
    " LEFT JOIN texts t ON t.id = d.text"
)


def _document(row: tuple[Any, ...]) -> Document:
    number, source, name, place, line, key, text, body, copies, short, columns, cells, dates = row
    return Document(
        number, source, name, place, line, key, text, body or "", copies or 0, bool(short),
        _names(columns), tuple(json.loads(cells)), json.loads(dates) if dates else {},
    )  # fmt: skip


@lru_cache(maxsize=64)
def _names(told: str) -> tuple[str, ...]:
    return tuple(json.loads(told))


_MARKS = {
    "copy": "t.rows > 1",
    "blank": "d.text IS NULL",
    "very short": "t.very_short = 1",
    "long": "EXISTS (SELECT 1 FROM vectors v WHERE v.encoder = ? AND v.text = d.text"
    " AND v.windows > 1)",
    "unreadable": "EXISTS (SELECT 1 FROM vectors v WHERE v.encoder = ? AND v.text = d.text"
    " AND v.unreadable = 1)",
    "removed": "EXISTS (SELECT 1 FROM members m WHERE m.document = d.id"
    " AND m.grouping = (SELECT max(id) FROM groupings) AND m.reason <> 'kept')",
    "kept": "NOT EXISTS (SELECT 1 FROM members m WHERE m.document = d.id"
    " AND m.grouping = (SELECT max(id) FROM groupings) AND m.reason <> 'kept')",
}


_IN_CLUSTER = (
    "d.text IN (SELECT text FROM memberships WHERE cluster = ?"
    " AND clustering = (SELECT max(id) FROM clusterings))"
)
_DECIDED = "EXISTS (SELECT 1 FROM decisions c WHERE (c.left = d.text OR c.right = d.text) {})"


def _conditions(
    db: Database, wanted: DocumentFilter, encoder: int | None
) -> tuple[str, list[object]]:
    parts: list[str] = []
    values: list[object] = []
    if wanted.contains:
        parts.append(_HOLDS.format("t.body"))
        values += _words(wanted.contains)
    if wanted.source is not None:
        parts.append("d.source = ?")
        values.append(wanted.source)
    if wanted.text is not None:
        parts.append("d.text = ?")
        values.append(wanted.text)
    if wanted.mark:
        parts.append(_MARKS[wanted.mark])
        if "?" in _MARKS[wanted.mark]:
            values.append(encoder)
    if wanted.cluster is not None:
        parts.append(_IN_CLUSTER)
        values.append(wanted.cluster)
    if wanted.decision == "undecided":
        parts.append(f"d.text IS NOT NULL AND NOT {_DECIDED.format('')}")
    elif wanted.decision:
        parts.append(_DECIDED.format("AND c.verdict = ?"))
        values.append(wanted.decision)
    for name, words in wanted.columns:
        cell, places = _cell(db, name)
        parts.append(f"holds({cell}, ?)")
        values += [*places, words.casefold()]
    return "".join(f" AND {part}" for part in parts), values


def _sorting(db: Database, wanted: DocumentFilter) -> tuple[str, list[object]]:
    way = "DESC" if wanted.descending else "ASC"
    values: list[object] = []
    known = {"place": "d.source {way}, d.place {way}", "text": "t.body COLLATE NOCASE {way}",
             "length": "t.length {way}", "copies": "t.rows {way}"}  # fmt: skip
    if wanted.sort in known:
        by = known[wanted.sort].format(way=way)
    else:
        name = wanted.sort.removeprefix("column:")
        cell, places = _cell(db, name)
        # Dates, then numbers, then words, each by their own order, as one expects of a column.
        by = f"{_DATE} {way}, CAST({cell} AS REAL) {way}, {cell} COLLATE NOCASE {way}"
        values = [name, *places, *places]
    return f"{by}, d.source, d.place", values


def _cell(db: Database, name: str) -> tuple[str, list[object]]:
    """The SQL of the cell called `name`, whose position differs from file to file."""
    cases, values = [], []
    for number, told in db.conn.execute("SELECT id, columns FROM sources").fetchall():
        columns = json.loads(told)
        if name in columns:
            cases.append(f"WHEN {int(number)} THEN json_extract(d.cells, ?)")
            values.append(f"$[{columns.index(name)}]")
    if not cases:
        return "NULL", []
    return f"(CASE d.source {' '.join(cases)} END)", list(values)


# SQLite's own LIKE is fast but knows the cases of a to z only and stops at a NUL.
_HOLDS = (
    "CASE WHEN ? AND instr({0}, char(0)) = 0 THEN {0} LIKE ? ESCAPE '\\' ELSE holds({0}, ?) END"
)


def _words(words: str) -> list[object]:
    escaped = words.replace("\\", "\\\\").replace("%", r"\%").replace("_", r"\_")
    return [words.isascii() and "\0" not in words, f"%{escaped}%", words.casefold()]
