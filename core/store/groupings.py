"""Groups: which row stays for which rows, as the last grouping found them."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlite_utils import Database

from core.store.database import writing
from core.store.group_filters import GroupFilter, listing_sql


@dataclass(frozen=True, slots=True)
class GroupingRecord:
    """One grouping and the state of things it was made from."""

    id: int
    pairing: int
    threshold: float  # removed automatically from here on
    review: float  # shown to a person from here on
    keep: str
    inputs: dict[str, Any]
    counts: dict[str, int]
    run: int | None


@dataclass(frozen=True, slots=True)
class GroupRow:
    """A kept text with what was removed for it and what waits for a decision."""

    text: int
    keeper: int  # the document that stays
    rows: int  # of the group, the keeper included
    texts: int
    weakest: float | None  # smallest cosine a removed row has to the kept one
    review: int  # candidates waiting
    strongest_review: float | None


@dataclass(frozen=True, slots=True)
class MemberRow:
    """A row of a group; reason is kept, copy, similar or decided."""

    document: int
    text: int
    kept_text: int
    keeper: int
    reason: str
    cosine: float | None
    words: float | None


@dataclass(frozen=True, slots=True)
class ReviewRow:
    """A pair that waits for a person: the kept text and a candidate that is kept so far."""

    text: int
    candidate: int
    cosine: float
    words: float
    flags: int


class Groupings:
    """The current grouping of a project; an older one goes when a new one is stored."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def replace(
        self,
        *,
        pairing: int,
        threshold: float,
        review: float,
        keep: str,
        inputs: Mapping[str, Any],
        counts: Mapping[str, int],
        groups: Iterable[GroupRow],
        members: Iterable[MemberRow],
        waiting: Iterable[ReviewRow],
        run: int,
    ) -> int:
        """Store a grouping in place of the last one, in one transaction; return its number."""
        with writing(self._db) as connection:
            connection.execute("DELETE FROM groupings")
            cursor = connection.execute(
                "INSERT INTO groupings (pairing, threshold, review, keep, inputs, counts, run)"
                " VALUES (?, ?, ?, ?, ?, ?, ?)",
                (pairing, threshold, review, keep, json.dumps(inputs), json.dumps(counts), run),
            )
            number = int(cursor.lastrowid or 0)
            connection.executemany(
                "INSERT INTO groups VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                ((number, g.text, g.keeper, g.rows, g.texts, g.weakest, g.review,
                  g.strongest_review) for g in groups),
            )  # fmt: skip
            connection.executemany(
                "INSERT INTO members VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                ((number, m.document, m.text, m.kept_text, m.keeper, m.reason, m.cosine, m.words)
                 for m in members),
            )  # fmt: skip
            connection.executemany(
                "INSERT INTO review VALUES (?, ?, ?, ?, ?, ?)",
                ((number, r.text, r.candidate, r.cosine, r.words, r.flags) for r in waiting),
            )
        return number

    def current(self) -> GroupingRecord | None:
        """The grouping that counts, or None before the first."""
        row = self._db.conn.execute(
            "SELECT id, pairing, threshold, review, keep, inputs, counts, run FROM groupings"
            " ORDER BY id DESC LIMIT 1"
        ).fetchone()
        if row is None:
            return None
        return GroupingRecord(
            row[0], row[1], row[2], row[3], row[4], json.loads(row[5]), json.loads(row[6]), row[7]
        )

    def listed(self, wanted: GroupFilter | None = None) -> list[GroupRow]:
        """The groups of the current grouping, filtered and sorted; every size of corpus.

        A group is a kept text that stands for other rows or has candidates waiting.
        """
        statement, values = listing_sql(wanted or GroupFilter())
        rows = self._db.conn.execute(statement, values)
        return [GroupRow(*row) for row in rows.fetchall()]

    def members(self, kept_text: int) -> list[MemberRow]:
        """The rows of one group, the keeper first, then by falling cosine."""
        rows = self._db.conn.execute(
            f"{_MEMBERS.format(by=_BY_GROUP)} AND kept_text = ? ORDER BY (document = keeper) DESC,"
            " (reason = 'copy') DESC, cosine DESC, document",
            (kept_text,),
        )
        return [MemberRow(*row) for row in rows.fetchall()]

    def waiting(self, kept_text: int) -> list[ReviewRow]:
        """The candidates of one kept text, best first."""
        rows = self._db.conn.execute(
            "SELECT text, candidate, cosine, words, flags FROM review"
            " WHERE grouping = (SELECT max(id) FROM groupings) AND text = ?"
            " ORDER BY cosine DESC, candidate",
            (kept_text,),
        )
        return [ReviewRow(*row) for row in rows.fetchall()]

    def band(self, low: float, high: float, *, flagged: bool = False) -> list[ReviewRow]:
        """Pairs waiting with low ≤ cosine < high; held-back ones only when `flagged`."""
        rows = self._db.conn.execute(
            "SELECT text, candidate, cosine, words, flags FROM review"
            " WHERE grouping = (SELECT max(id) FROM groupings) AND cosine >= ? AND cosine < ?"
            " AND (? OR flags = 0) ORDER BY cosine DESC, text, candidate",
            (low, high, flagged),
        )
        return [ReviewRow(*row) for row in rows.fetchall()]

    def kept_texts(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The texts in groups, by id, and the text that is kept for each of them."""
        found = self._db.conn.execute(
            "SELECT DISTINCT text, kept_text FROM members"
            " WHERE grouping = (SELECT max(id) FROM groupings) ORDER BY text"
        )
        columns = np.fromiter(chain.from_iterable(found), np.int64).reshape(-1, 2).T
        return columns[0], columns[1]

    def home(self, text: int) -> int:
        """The text that is kept for this one: itself where no row of it was removed."""
        row = self._db.conn.execute(
            "SELECT m.kept_text FROM documents d JOIN members m ON m.document = d.id"
            " AND m.grouping = (SELECT max(id) FROM groupings) WHERE d.text = ? AND d.live = 1"
            " LIMIT 1",
            (text,),
        ).fetchone()
        return text if row is None else int(row[0])

    def keeper_of(self, text: int) -> int | None:
        """The row that stays of a kept text's group; None for a text that leads no group."""
        row = self._db.conn.execute(
            "SELECT keeper FROM groups WHERE grouping = (SELECT max(id) FROM groupings)"
            " AND text = ?",
            (text,),
        ).fetchone()
        return None if row is None else int(row[0])

    def openings(self, texts: Sequence[int], *, length: int = 200) -> dict[int, str]:
        """The first `length` characters of these texts; unknown ids are left out."""
        found: dict[int, str] = {}
        for start in range(0, len(texts), 900):
            part = [int(number) for number in texts[start : start + 900]]
            marks = ",".join("?" * len(part))
            found.update(
                self._db.conn.execute(
                    f"SELECT id, substr(body, 1, {int(length)}) FROM texts WHERE id IN ({marks})",
                    part,
                )
            )
        return found

    def of_document(self, document: int) -> MemberRow | None:
        """Where a row went; None for a row that stands alone."""
        row = self._db.conn.execute(f"{_EACH} AND document = ?", (document,)).fetchone()
        return None if row is None else MemberRow(*row)

    def members_of(self, documents: Sequence[int]) -> dict[int, MemberRow]:
        """Where each of these rows went, by document; rows that stand alone are left out."""
        found: dict[int, MemberRow] = {}
        for start in range(0, len(documents), 900):
            part = [int(number) for number in documents[start : start + 900]]
            marks = ",".join("?" * len(part))
            for row in self._db.conn.execute(f"{_EACH} AND document IN ({marks})", part):
                found[row[0]] = MemberRow(*row)
        return found

    def stream_members(self, *, page: int = 5000) -> Iterator[list[MemberRow]]:
        """Rows of groups by document id, a page at a time; no read stays open in between."""
        last = 0
        while True:
            rows = self._db.conn.execute(
                f"{_EACH} AND document > ? ORDER BY document LIMIT ?", (last, page)
            ).fetchall()
            if not rows:
                return
            yield [MemberRow(*row) for row in rows]
            last = rows[-1][0]

    def duplicates_of_older(self) -> dict[int, int]:
        """By file: how many of its rows are removed for, or kept instead of, an older file's."""
        rows = self._db.conn.execute(
            "SELECT d.source, count(*) FROM members m JOIN documents d ON d.id = m.document"
            " WHERE m.grouping = (SELECT max(id) FROM groupings) AND EXISTS (SELECT 1"
            " FROM members o JOIN documents e ON e.id = o.document WHERE o.grouping = m.grouping"
            " AND o.kept_text = m.kept_text AND e.source < d.source) GROUP BY d.source"
        )
        return {int(source): int(count) for source, count in rows.fetchall()}


_MEMBERS = (
    "SELECT document, text, kept_text, keeper, reason, cosine, words FROM members{by}"
    " WHERE grouping = (SELECT max(id) FROM groupings)"
)
# Without statistics the planner would walk all members for every group.
_EACH = _MEMBERS.format(by="")
_BY_GROUP = " INDEXED BY members_group"
