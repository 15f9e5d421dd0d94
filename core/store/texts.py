"""Texts: what the rows say, each once."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from sqlite_utils import Database


@dataclass(frozen=True, slots=True)
class TextTable:
    """All texts that rows hold now, as arrays of equal length ordered by id."""

    ids: NDArray[np.int64]
    rows: NDArray[np.int64]  # how many rows hold the text
    length: NDArray[np.int64]  # in characters
    very_short: NDArray[np.bool_]
    hash_rank: NDArray[np.int64]  # rank of the content hash, to break ties by


class Texts:
    """The unique texts of a project."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def count(self) -> int:
        """How many distinct texts the rows hold."""
        return int(self._db.conn.execute("SELECT count(*) FROM texts WHERE rows > 0").fetchone()[0])

    def table(self) -> TextTable:
        """The texts in use, as arrays."""
        found = self._db.conn.execute(
            "SELECT id, rows, length, very_short, hash FROM texts WHERE rows > 0 ORDER BY id"
        ).fetchall()
        hashes = np.array([row[4] for row in found], dtype="U32")
        rank = np.empty(len(found), dtype=np.int64)
        rank[np.argsort(hashes, kind="stable")] = np.arange(len(found))
        numbers = np.array([row[:4] for row in found], dtype=np.int64).reshape(-1, 4)
        return TextTable(
            numbers[:, 0], numbers[:, 1], numbers[:, 2], numbers[:, 3].astype(bool), rank
        )

    def bodies(self, ids: Sequence[int] | NDArray[np.int64]) -> list[str]:
        """The texts with these ids, in this order; raises KeyError for an unknown one."""
        found: dict[int, str] = {}
        numbers = [int(number) for number in ids]
        for start in range(0, len(numbers), 900):
            part = numbers[start : start + 900]
            marks = ",".join("?" * len(part))
            found.update(
                self._db.conn.execute(f"SELECT id, body FROM texts WHERE id IN ({marks})", part)
            )
        return [found[number] for number in numbers]

    def very_short_among(self, ids: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Which of these texts are marked as very short."""
        rows = self._db.conn.execute("SELECT id FROM texts WHERE very_short = 1")
        marked: NDArray[np.bool_] = np.isin(ids, np.array(rows.fetchall(), np.int64).ravel())
        return marked

    def encoder_marks(self, encoder: int, ids: Sequence[int]) -> dict[int, tuple[bool, bool]]:
        """By text: is it longer than the model, can the encoder not read it; encoded ones only."""
        found: dict[int, tuple[bool, bool]] = {}
        for start in range(0, len(ids), 900):
            part = [int(number) for number in ids[start : start + 900]]
            marks = ",".join("?" * len(part))
            rows = self._db.conn.execute(
                "SELECT text, windows > 1, unreadable FROM vectors"
                f" WHERE encoder = ? AND text IN ({marks})",
                [encoder, *part],
            )
            found.update({row[0]: (bool(row[1]), bool(row[2])) for row in rows})
        return found

    def without_vector(self, encoder: int) -> NDArray[np.int64]:
        """Ids of the texts in use that this encoder has not encoded yet."""
        rows = self._db.conn.execute(
            "SELECT t.id FROM texts t LEFT JOIN vectors v ON v.encoder = ? AND v.text = t.id"
            " WHERE t.rows > 0 AND v.text IS NULL ORDER BY t.id",
            (encoder,),
        )
        return np.fromiter((row[0] for row in rows), dtype=np.int64)

    def sample(self, count: int, *, seed: int = 0) -> list[str]:
        """Up to `count` texts in use, drawn with a seed."""
        ids = self._db.conn.execute("SELECT id FROM texts WHERE rows > 0 ORDER BY id").fetchall()
        numbers = np.array([row[0] for row in ids], dtype=np.int64)
        if len(numbers) > count:
            numbers = np.sort(np.random.default_rng(seed).choice(numbers, count, replace=False))
        return self.bodies(numbers)

    def stream(
        self, ids: NDArray[np.int64], *, page: int = 5000
    ) -> Iterator[tuple[NDArray[np.int64], list[str]]]:
        """Pages of (ids, bodies) over the texts given."""
        for start in range(0, len(ids), page):
            part = ids[start : start + page]
            yield part, self.bodies(part)
