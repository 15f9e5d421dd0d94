"""Augmentations: how few gold pairs became many silver ones, and what a person made of these."""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from sqlite_utils import Database

from core.store.database import writing
from core.store.runs import now

MEASURED, LABELLED, TRAINED, DROPPED = "measured", "labelled", "trained", "dropped"
_BY_HAND, _BY_RULE = 1, 2  # who left a silver pair out
_COLUMNS = "id, run, state, made_at, options, gold, teachers, sheet, training"


@dataclass(frozen=True, slots=True)
class AugmentationRecord:
    """One augmentation; the mappings are plain values as the workflows wrote them."""

    id: int
    run: int | None
    state: str  # measured, labelled, trained or dropped
    made_at: str
    options: dict[str, Any]
    gold: dict[str, Any]  # how many pairs teach, compare and judge, and notes
    teachers: dict[str, Any]  # the verdict over them
    sheet: dict[str, Any]  # bands, densities and warnings; empty before labelling
    training: int | None  # that came of it


class SilverRow(NamedTuple):
    """A silver pair: the teacher's label, and a person's word where there is one."""

    place: int
    left: str
    right: str
    score: float
    corrected: float | None
    dropped: bool
    by_hand: bool = False  # dropped by a person, not by rebalancing


class Augmentations:
    """The augmentations of a project and their silver pairs; their texts may be of no corpus."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def add(
        self,
        *,
        run: int | None,
        options: Mapping[str, Any],
        gold: Mapping[str, Any],
        teachers: Mapping[str, Any],
    ) -> int:
        """Keep that teachers were compared; return the number of the augmentation."""
        with writing(self._db) as connection:
            row = connection.execute(
                "INSERT INTO augmentations (run, state, made_at, options, gold, teachers, sheet)"
                " VALUES (?, ?, ?, ?, ?, ?, '{}')",
                (
                    run,
                    MEASURED,
                    now(),
                    *(json.dumps(dict(one)) for one in (options, gold, teachers)),
                ),
            )
            return int(row.lastrowid or 0)

    def label(
        self,
        augmentation: int,
        pairs: Iterable[tuple[str, str, float]],
        *,
        options: Mapping[str, Any],
        sheet: Mapping[str, Any],
    ) -> None:
        """Keep silver pairs in place of those there were, in one transaction.

        What a person corrected stays, as gold: on the same pair, or as one that is left out.
        """
        with writing(self._db) as connection:
            rows = connection.execute(
                "SELECT left, right, score, corrected FROM silver_pairs"
                " WHERE augmentation = ? AND corrected IS NOT NULL ORDER BY place",
                (augmentation,),
            ).fetchall()
            said = {frozenset(row[:2]): row for row in rows}
            connection.execute("DELETE FROM silver_pairs WHERE augmentation = ?", (augmentation,))
            new = [
                (left, right, score, (said.pop(frozenset((left, right)), None) or (None,))[-1], 0)
                for left, right, score in pairs
            ]
            connection.executemany(
                "INSERT INTO silver_pairs"
                " (augmentation, place, left, right, score, corrected, dropped)"
                " VALUES (?, ?, ?, ?, ?, ?, ?)",
                (
                    (augmentation, place, *pair)
                    for place, pair in enumerate((*new, *((*row, 1) for row in said.values())))
                ),
            )
            connection.execute(
                "UPDATE augmentations SET state = ?, options = ?, sheet = ?, training = NULL"
                " WHERE id = ?",
                (LABELLED, json.dumps(dict(options)), json.dumps(dict(sheet)), augmentation),
            )

    def correct(self, augmentation: int, place: int, score: float | None) -> None:
        """Put a person's word in place of a label, or take it back; raises KeyError without one."""
        with writing(self._db) as connection:
            found = connection.execute(
                "UPDATE silver_pairs SET corrected = ? WHERE augmentation = ? AND place = ?",
                (score, augmentation, place),
            )
            if not found.rowcount:
                raise KeyError(place)

    def drop(self, augmentation: int, places: Sequence[int], *, dropped: bool = True) -> None:
        """Leave pairs out of what is learnt, or take them in again."""
        with writing(self._db) as connection:
            connection.executemany(
                "UPDATE silver_pairs SET dropped = ? WHERE augmentation = ? AND place = ?",
                ((int(dropped), augmentation, place) for place in places),
            )

    def rebalance(self, augmentation: int, kept: Collection[int]) -> None:
        """Leave out all pairs but these places, in place of those rebalancing left out before.

        What a person left out stays out, and what a person corrected stays in.
        """
        with writing(self._db) as connection:
            connection.execute(
                "UPDATE silver_pairs SET dropped = 0 WHERE augmentation = ? AND dropped = ?",
                (augmentation, _BY_RULE),
            )
            connection.executemany(
                "UPDATE silver_pairs SET dropped = ? WHERE augmentation = ? AND place = ?"
                " AND dropped = 0 AND corrected IS NULL",
                (
                    (_BY_RULE, augmentation, row[0])
                    for row in connection.execute(
                        "SELECT place FROM silver_pairs WHERE augmentation = ?", (augmentation,)
                    ).fetchall()
                    if row[0] not in kept
                ),
            )

    def retell(self, augmentation: int, sheet: Mapping[str, Any]) -> None:
        """Replace what is told of the silver pairs, once some of them changed."""
        with writing(self._db) as connection:
            connection.execute(
                "UPDATE augmentations SET sheet = ? WHERE id = ?",
                (json.dumps(dict(sheet)), augmentation),
            )

    def mark(self, augmentation: int, state: str, *, training: int | None = None) -> None:
        """Call an augmentation labelled, trained or dropped."""
        with writing(self._db) as connection:
            connection.execute(
                "UPDATE augmentations SET state = ?, training = coalesce(?, training) WHERE id = ?",
                (state, training, augmentation),
            )

    def remove(self, augmentation: int) -> None:
        """Delete an augmentation; what a person corrected in it stays, as gold."""
        with writing(self._db) as connection:
            connection.execute(
                "DELETE FROM silver_pairs WHERE augmentation = ? AND corrected IS NULL",
                (augmentation,),
            )
            connection.execute(
                "UPDATE augmentations SET state = ? WHERE id = ?", (DROPPED, augmentation)
            )

    def listed(self) -> list[AugmentationRecord]:
        """All that were not dropped, the newest first."""
        rows = self._db.conn.execute(
            f"SELECT {_COLUMNS} FROM augmentations WHERE state <> ? ORDER BY id DESC", (DROPPED,)
        )
        return [_record(row) for row in rows.fetchall()]

    def get(self, augmentation: int) -> AugmentationRecord:
        """One augmentation; raises KeyError when there is none."""
        row = self._db.conn.execute(
            f"SELECT {_COLUMNS} FROM augmentations WHERE id = ?", (augmentation,)
        ).fetchone()
        if row is None:
            raise KeyError(augmentation)
        return _record(row)

    def silver(
        self,
        augmentation: int,
        *,
        low: float = 0.0,
        high: float = 1.0,
        offset: int = 0,
        count: int | None = None,
    ) -> list[SilverRow]:
        """Silver pairs with a label from `low` up to `high` (1.0 included), in their order."""
        upper = "<=" if high >= 1.0 else "<"
        rows = self._db.conn.execute(
            "SELECT place, left, right, score, corrected, dropped FROM silver_pairs"
            f" WHERE augmentation = ? AND score >= ? AND score {upper} ? ORDER BY place"
            " LIMIT ? OFFSET ?",
            (augmentation, low, high, -1 if count is None else count, offset),
        )
        return [_silver(row) for row in rows.fetchall()]

    def corrections(self) -> list[tuple[str, str, float]]:
        """All pairs that a person corrected, the oldest augmentation first: they are gold."""
        rows = self._db.conn.execute(
            "SELECT left, right, corrected FROM silver_pairs WHERE corrected IS NOT NULL"
            " ORDER BY augmentation, place"
        )
        return [(str(left), str(right), float(score)) for left, right, score in rows.fetchall()]


def _silver(row: Sequence[Any]) -> SilverRow:
    place, left, right, score, corrected, dropped = row
    return SilverRow(place, left, right, score, corrected, bool(dropped), dropped == _BY_HAND)


def _record(row: Sequence[Any]) -> AugmentationRecord:
    number, run, state, made_at, *told, training = row
    options, gold, teachers, sheet = map(json.loads, told)
    return AugmentationRecord(number, run, state, made_at, options, gold, teachers, sheet, training)
