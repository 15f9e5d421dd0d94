"""Judged pairs that were brought in from files, to teach an encoder with."""

from collections.abc import Iterable
from dataclasses import dataclass

from sqlite_utils import Database

from core.store.database import writing
from core.store.runs import now


@dataclass(frozen=True, slots=True)
class PairFile:
    """A file of judged pairs."""

    id: int
    name: str
    pairs: int
    kind: str  # "score": from 0 to 1; "label": 0 or 1
    note: str  # how its judgements were read
    added_at: str


class JudgedPairs:
    """The imported pairs of a project; their texts need not be in the corpus."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def add(
        self,
        *,
        name: str,
        path: str,
        sha256: str,
        kind: str,
        note: str,
        pairs: Iterable[tuple[str, str, float]],
    ) -> tuple[PairFile, bool]:
        """Take a file in; return it and whether it is new (the same bytes count once)."""
        known = [file for file in self.files() if file.id in self._numbers("sha256 = ?", sha256)]
        if known:
            return known[0], False
        with writing(self._db) as connection:
            cursor = connection.execute(
                "INSERT INTO pair_files (name, path, sha256, pairs, kind, note, added_at)"
                " VALUES (?, ?, ?, 0, ?, ?, ?)",
                (name, path, sha256, kind, note, now()),
            )
            number = int(cursor.lastrowid or 0)
            connection.executemany(
                "INSERT INTO judged_pairs VALUES (?, ?, ?, ?, ?)",
                ((number, place, left, right, float(score))
                 for place, (left, right, score) in enumerate(pairs)),
            )  # fmt: skip
            connection.execute(
                "UPDATE pair_files SET pairs = (SELECT count(*) FROM judged_pairs WHERE file = id)"
                " WHERE id = ?",
                (number,),
            )
        return next(file for file in self.files() if file.id == number), True

    def remove(self, file: int) -> None:
        """Forget a file and its pairs."""
        with writing(self._db) as connection:
            connection.execute("DELETE FROM pair_files WHERE id = ?", (file,))

    def files(self) -> list[PairFile]:
        """The files in the order they came."""
        rows = self._db.conn.execute(
            "SELECT id, name, pairs, kind, note, added_at FROM pair_files ORDER BY id"
        )
        return [PairFile(*row) for row in rows.fetchall()]

    def count(self) -> int:
        """How many pairs were brought in."""
        return int(self._db.conn.execute("SELECT count(*) FROM judged_pairs").fetchone()[0])

    def all(self) -> list[tuple[str, str, float]]:
        """Every pair as (left, right, score from 0 to 1), by file and place."""
        rows = self._db.conn.execute(
            "SELECT left, right, score FROM judged_pairs ORDER BY file, place"
        )
        return [(str(left), str(right), float(score)) for left, right, score in rows.fetchall()]

    def _numbers(self, condition: str, *values: object) -> set[int]:
        rows = self._db.conn.execute(f"SELECT id FROM pair_files WHERE {condition}", values)
        return {int(row[0]) for row in rows.fetchall()}
