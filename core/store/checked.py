"""Pairs checked again: what a cross-encoder says of two texts, kept by cross-encoder."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from sqlite_utils import Database

from core.store.database import writing
from core.store.runs import now

_AT_ONCE = 400  # pairs in one statement


@dataclass(frozen=True, slots=True)
class CheckerRecord:
    """A cross-encoder that checked pairs here."""

    id: int
    fingerprint: str  # of its files, precision and code, and whether it read both orders
    name: str
    folder: str


class CheckedPairs:
    """What cross-encoders said; the one used last is the one whose scores are shown."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def checker(self, fingerprint: str, *, name: str, folder: str) -> CheckerRecord:
        """Return the record of a cross-encoder, and make it the one used last."""
        with writing(self._db) as connection:
            connection.execute(
                "INSERT INTO cross_encoders (fingerprint, name, folder, used_at, uses)"
                " VALUES (?, ?, ?, ?, (SELECT coalesce(max(uses), 0) + 1 FROM cross_encoders))"
                " ON CONFLICT (fingerprint) DO UPDATE SET name = excluded.name,"
                " folder = excluded.folder, used_at = excluded.used_at, uses = excluded.uses",
                (fingerprint, name, folder, now()),
            )
        found = self.known(fingerprint)
        if found is None:
            raise KeyError(fingerprint)
        return found

    def known(self, fingerprint: str) -> CheckerRecord | None:
        """The record of a cross-encoder, None where it never checked here."""
        return self._one("fingerprint = ?", fingerprint)

    def current(self) -> CheckerRecord | None:
        """The cross-encoder used last, None where no pair was checked."""
        return self._one("1 = 1")

    def add(
        self,
        checker: int,
        left: NDArray[np.int64],
        right: NDArray[np.int64],
        scores: NDArray[np.float32],
    ) -> None:
        """Keep the scores of pairs of texts, in one transaction; an older score of one goes."""
        low, high = np.minimum(left, right).tolist(), np.maximum(left, right).tolist()
        with writing(self._db) as connection:
            connection.executemany(
                "INSERT OR REPLACE INTO checked_pairs VALUES (?, ?, ?, ?)",
                zip([checker] * len(low), low, high, scores.tolist(), strict=True),
            )

    def scores(
        self, checker: int, left: NDArray[np.int64], right: NDArray[np.int64]
    ) -> NDArray[np.float32]:
        """Return the score of each pair, nan where it was not checked."""
        found = np.full(len(left), np.nan, np.float32)
        low, high = np.minimum(left, right).tolist(), np.maximum(left, right).tolist()
        for start in range(0, len(low), _AT_ONCE):
            keys = list(zip(low[start : start + _AT_ONCE], high[start : start + _AT_ONCE],
                            strict=True))  # fmt: skip
            known = self._of_pairs(checker, keys)
            found[start : start + len(keys)] = [known.get(key, np.nan) for key in keys]
        return found

    def of_text(self, text: int) -> dict[int, float]:
        """What the cross-encoder used last said of a text beside each other one."""
        checker = self.current()
        if checker is None:
            return {}
        rows = self._db.conn.execute(
            "SELECT right, score FROM checked_pairs WHERE cross_encoder = :c AND left = :t"
            " UNION ALL SELECT left, score FROM checked_pairs"
            " WHERE cross_encoder = :c AND right = :t",
            {"c": checker.id, "t": text},
        )
        return {int(other): float(score) for other, score in rows.fetchall()}

    def count(self, checker: int) -> int:
        """How many pairs a cross-encoder has checked."""
        row = self._db.conn.execute(
            "SELECT count(*) FROM checked_pairs WHERE cross_encoder = ?", (checker,)
        )
        return int(row.fetchone()[0])

    def _of_pairs(
        self, checker: int, pairs: Sequence[tuple[int, int]]
    ) -> dict[tuple[int, int], float]:
        marks = ",".join("(?, ?)" for _ in pairs)
        rows = self._db.conn.execute(
            "SELECT left, right, score FROM checked_pairs"
            f" WHERE cross_encoder = ? AND (left, right) IN (VALUES {marks})",
            [checker, *(number for pair in pairs for number in pair)],
        )
        return {(left, right): score for left, right, score in rows.fetchall()}

    def _one(self, condition: str, *values: object) -> CheckerRecord | None:
        row = self._db.conn.execute(
            f"SELECT id, fingerprint, name, folder FROM cross_encoders WHERE {condition}"
            " ORDER BY uses DESC LIMIT 1",
            values,
        ).fetchone()
        return None if row is None else CheckerRecord(*row)
