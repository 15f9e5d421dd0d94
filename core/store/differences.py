"""The newest difference: what taking another encoder into use gained and lost."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray
from sqlite_utils import Database

from core.records import Verdict
from core.store.database import writing
from core.store.groupings import Groupings
from core.store.meta import Meta
from core.store.runs import now

Column: TypeAlias = NDArray[Any]
_SEEN = 5e-4  # of a bound: a smaller difference is one of rounding
# What a difference was made from, by the names that `Differences.moved` gives back.
ENCODER, CORPUS, BOUNDS, DECISIONS = "encoder", "corpus", "bounds", "decisions"


@dataclass(frozen=True, slots=True)
class Bounds:
    """From which cosine on rows are removed automatically, and from which on they are shown."""

    threshold: float
    review: float

    def is_near(self, other: "Bounds") -> bool:
        """Whether both are the same in the figures that people see."""
        moved = (self.threshold - other.threshold, self.review - other.review)
        return max(map(abs, moved)) < _SEEN


@dataclass(frozen=True, slots=True)
class NewDifference:
    """A difference to be stored; `counts` are of all there is, the lists only what is kept."""

    encoders: tuple[int, int]  # before, after
    bounds: tuple[Bounds, Bounds]
    inputs: Mapping[str, int]  # the counters of change (corpus, decisions) it was made from
    counts: Mapping[str, int]
    # Columns of equal length, in the order of the tables without `difference` and `place`;
    # those of texts begin with the place of their group, in its order.
    pairs: tuple[Column, ...]  # left, right, gained, before, after, stood, stands
    groups: tuple[Column, ...]  # kind, kept, texts_before, texts_after, joined, gone
    texts: tuple[Column, ...]  # group, kept, text, joined, before, after, stood, stands


@dataclass(frozen=True, slots=True)
class DifferenceRecord:
    """Which change of the encoder it is about, and how much came and went in all.

    `counts`: gained, lost and stayed pairs, risen (to review before, removed automatically
    now) and fallen ones, groups_gained, groups_lost, groups_changed, texts compared.
    """

    id: int
    made_at: str
    encoder_before: int
    encoder_after: int
    name_before: str
    name_after: str
    before: Bounds
    after: Bounds
    inputs: dict[str, int]
    counts: dict[str, int]


class ChangedPair(NamedTuple):
    """A pair gained or lost; `stood` and `stands` are a `core.records.Stand`."""

    place: int
    left: int
    right: int
    gained: bool
    before: float
    after: float
    stood: int
    stands: int
    verdict: Verdict | None


class ChangedGroup(NamedTuple):
    """A group gained, lost or changed, by the texts that its kept text stands for."""

    place: int
    kind: str  # gained, lost or changed
    kept: int
    texts_before: int
    texts_after: int
    joined: int
    gone: int


class ChangedText(NamedTuple):
    """A text that joined a group or left it, and the kept text to read it beside."""

    group: int  # the place of the group
    kept: int
    text: int
    joined: bool
    before: float
    after: float
    stood: int
    stands: int
    verdict: Verdict | None


class Differences:
    """Keeps one difference; a new one takes the place of the last."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def replace(self, new: NewDifference) -> int:
        """Store a difference in place of the last one, in one transaction; its number."""
        before, after = new.bounds
        with writing(self._db) as connection:
            connection.execute("DELETE FROM differences")
            cursor = connection.execute(
                "INSERT INTO differences (made_at, encoder_before, encoder_after,"
                " threshold_before, review_before, threshold_after, review_after, inputs, counts)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (now(), *new.encoders, before.threshold, before.review, after.threshold,
                 after.review, json.dumps(new.inputs), json.dumps(new.counts)),
            )  # fmt: skip
            number = int(cursor.lastrowid or 0)
            connection.executemany(
                "INSERT INTO difference_pairs VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                ((number, at, *row) for at, row in enumerate(_rows(new.pairs))),
            )
            connection.executemany(
                "INSERT INTO difference_groups VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                ((number, at, *row) for at, row in enumerate(_rows(new.groups))),
            )
            connection.executemany(
                "INSERT INTO difference_texts VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                ((number, row[0], at, *row[1:]) for at, row in enumerate(_rows(new.texts))),
            )
        return number

    def current(self) -> DifferenceRecord | None:
        """The difference kept, None before the first."""
        row = self._db.conn.execute(
            "SELECT d.id, d.made_at, d.encoder_before, d.encoder_after, b.name, a.name,"
            " d.threshold_before, d.review_before, d.threshold_after, d.review_after, d.inputs,"
            " d.counts FROM differences d JOIN encoders b ON b.id = d.encoder_before"
            " JOIN encoders a ON a.id = d.encoder_after ORDER BY d.id DESC LIMIT 1"
        ).fetchone()
        if row is None:
            return None
        number, made_at, before, after, name_before, name_after, *bounds, inputs, counts = row
        return DifferenceRecord(
            number, made_at, before, after, name_before, name_after, Bounds(*bounds[:2]),
            Bounds(*bounds[2:]), json.loads(inputs), json.loads(counts),
        )  # fmt: skip  # in the order of the query

    def moved(self, record: DifferenceRecord) -> frozenset[str]:
        """What it was made from and is not so any more: encoder, corpus, bounds, decisions."""
        meta, grouping = Meta(self._db), Groupings(self._db).current()
        used = meta.get("encoder")
        found = {kind for kind in (CORPUS, DECISIONS)
                 if meta.revision(kind) != record.inputs.get(kind)}  # fmt: skip
        if used is None or int(used) != record.encoder_after:
            found.add(ENCODER)
        now_at = None if grouping is None else Bounds(grouping.threshold, grouping.review)
        if now_at is not None and not now_at.is_near(record.after):
            found.add(BOUNDS)
        return frozenset(found)

    def pairs(
        self, *, gained: bool | None = None, undecided: bool = False, count: int = -1
    ) -> list[ChangedPair]:
        """The pairs kept, the largest change first; None for gained and lost ones.

        Pairs with a text that no row holds any more are left out.
        """
        rows = self._db.conn.execute(
            "SELECT p.place, p.left, p.right, p.gained, p.before, p.after, p.stood, p.stands,"
            " d.verdict FROM difference_pairs p"
            " JOIN texts l ON l.id = p.left AND l.rows > 0"
            " JOIN texts r ON r.id = p.right AND r.rows > 0"
            " LEFT JOIN decisions d ON d.left = p.left AND d.right = p.right"
            f" WHERE p.difference = {_NEWEST} AND p.gained = coalesce(:gained, p.gained)"
            " AND (NOT :undecided OR d.verdict IS NULL) ORDER BY p.place LIMIT :count",
            {"gained": gained, "undecided": undecided, "count": count},
        ).fetchall()
        return [
            ChangedPair(place, left, right, bool(gained), before, after, stood, stands, _said(told))
            for place, left, right, gained, before, after, stood, stands, told in rows
        ]

    def groups(self, *, kind: str | None = None, count: int = -1) -> list[ChangedGroup]:
        """The groups kept, the one with the most moved texts first; None for every kind."""
        rows = self._db.conn.execute(
            "SELECT g.place, g.kind, g.kept, g.texts_before, g.texts_after, g.joined, g.gone"
            " FROM difference_groups g JOIN texts k ON k.id = g.kept AND k.rows > 0"
            f" WHERE g.difference = {_NEWEST} AND g.kind = coalesce(:kind, g.kind)"
            " ORDER BY g.place LIMIT :count",
            {"kind": kind, "count": count},
        )
        return [ChangedGroup(*row) for row in rows.fetchall()]

    def texts(self, *, undecided: bool = False) -> list[ChangedText]:
        """The texts that joined or left any of the groups kept, group by group."""
        rows = self._db.conn.execute(
            "SELECT t.place, t.kept, t.text, t.joined, t.before, t.after, t.stood, t.stands,"
            " d.verdict FROM difference_texts t"
            " JOIN texts k ON k.id = t.kept AND k.rows > 0"
            " JOIN texts x ON x.id = t.text AND x.rows > 0"
            " LEFT JOIN decisions d ON d.left = min(t.kept, t.text)"
            " AND d.right = max(t.kept, t.text)"
            f" WHERE t.difference = {_NEWEST} AND (NOT :undecided OR d.verdict IS NULL)"
            " ORDER BY t.place, t.at",
            {"undecided": undecided},
        ).fetchall()
        return [
            ChangedText(place, kept, text, bool(joined), before, after, stood, stands, _said(told))
            for place, kept, text, joined, before, after, stood, stands, told in rows
        ]


_NEWEST = "(SELECT max(id) FROM differences)"


def _rows(columns: tuple[Column, ...]) -> Iterable[tuple[Any, ...]]:
    return zip(*(np.asarray(column).tolist() for column in columns), strict=True)


def _said(told: str | None) -> Verdict | None:
    return None if told is None else Verdict(told)
