"""Pairs of texts alike enough to look at, kept by the pass that found them."""

import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlite_utils import Database

from core.store.database import writing
from core.store.meta import Meta

_CHUNK = 50_000


@dataclass(frozen=True, slots=True)
class Pairing:
    """One pass over the vectors of an encoder; rows before `rows_done` are fully paired."""

    id: int
    encoder: int
    floor: float
    rows_done: int
    finished: bool
    run: int | None


@dataclass(frozen=True, slots=True)
class PairTable:
    """Pairs as arrays, highest cosine first; `left` and `right` are ids of texts."""

    left: NDArray[np.int64]
    right: NDArray[np.int64]
    cosine: NDArray[np.float32]
    words: NDArray[np.float32]  # Jaccard overlap of the words, 0 to 1
    flags: NDArray[np.uint8]  # of core.records.Flag


class Pairs:
    """The pairs of a project."""

    def __init__(self, db: Database, cache: Path) -> None:
        self._db = db
        self._cache = cache

    def begin(self, encoder: int, *, floor: float, run: int) -> Pairing:
        """Open a pass; the pairs of the finished one stay until this one is finished too."""
        with writing(self._db) as connection:
            cursor = connection.execute(
                "INSERT INTO pairings (encoder, floor, run) VALUES (?, ?, ?)", (encoder, floor, run)
            )
            number = int(cursor.lastrowid or 0)
        return Pairing(number, encoder, floor, 0, False, run)

    def add(self, pairing: int, table: PairTable, *, rows_done: int) -> None:
        """Add pairs and remember how far the pass has come, in one transaction."""
        low = np.minimum(table.left, table.right).tolist()
        high = np.maximum(table.left, table.right).tolist()
        rows = zip([pairing] * len(low), low, high, table.cosine.tolist(),
                   table.words.tolist(), table.flags.tolist(), strict=True)  # fmt: skip
        with writing(self._db) as connection:
            # A pass that was killed between two blocks of one column meets its pairs again.
            connection.executemany("INSERT OR REPLACE INTO pairs VALUES (?, ?, ?, ?, ?, ?)", rows)
            connection.execute(
                "UPDATE pairings SET rows_done = max(rows_done, ?) WHERE id = ?",
                (rows_done, pairing),
            )

    def finish(self, pairing: int) -> Iterator[int]:
        """Make this pass the one that counts, then clear older ones a chunk at a time."""
        with writing(self._db) as connection:
            connection.execute("UPDATE pairings SET finished = 1 WHERE id = ?", (pairing,))
        self._clear_cache()
        gone = 0
        while True:
            with writing(self._db) as connection:
                # Through the key: a chunk of rows without a rowid is named by its first texts.
                row = connection.execute(
                    "SELECT pairing, max(left) FROM (SELECT pairing, left FROM pairs"
                    " WHERE pairing < ? ORDER BY pairing, left LIMIT ?) GROUP BY pairing",
                    (pairing, _CHUNK),
                ).fetchone()
                if row is None:
                    connection.execute("DELETE FROM pairings WHERE id < ?", (pairing,))
                    return
                gone += connection.execute(
                    "DELETE FROM pairs WHERE pairing = ? AND left <= ?", tuple(row)
                ).rowcount
            yield gone

    def current(self) -> Pairing | None:
        """The pass whose pairs count: the newest finished one."""
        return self._one("finished = 1")

    def unfinished(self, encoder: int) -> Pairing | None:
        """A pass that was stopped and can go on, if it is newer than the finished one."""
        found = self._one("encoder = ?", encoder)
        return None if found is None or found.finished else found

    def of_encoder(self, encoder: int) -> Pairing | None:
        """The newest pass over this encoder's vectors, finished or not."""
        return self._one("encoder = ?", encoder)

    def count(self, pairing: int, *, at_least: float = -1.0) -> int:
        """How many pairs of texts in use reach a cosine."""
        return int(
            self._db.conn.execute(
                "SELECT count(*) FROM pairs p JOIN texts l ON l.id = p.left AND l.rows > 0"
                " JOIN texts r ON r.id = p.right AND r.rows > 0"
                " WHERE p.pairing = ? AND p.cosine >= ?",
                (pairing, at_least),
            ).fetchone()[0]
        )

    def histogram(self, pairing: Pairing, bins: int) -> list[int]:
        """How many pairs fall into each of `bins` equal steps from the floor to 1."""
        low = min(pairing.floor, 0.999)
        counts = [0] * bins
        rows = self._db.conn.execute(
            "SELECT min(max(CAST((cosine - :low) / (1.0 - :low) * :bins AS INTEGER), 0),"
            " :bins - 1) AS bin, count(*) FROM pairs WHERE pairing = :pairing GROUP BY bin",
            {"low": low, "bins": bins, "pairing": pairing.id},
        )
        for at, count in rows.fetchall():
            counts[at] = count
        return counts

    def table(self, pairing: Pairing) -> PairTable:
        """Every pair as arrays, from a cache file that is made when it is missing.

        The cache is keyed by the pass, how far it came and the state of the corpus, whose texts
        take their pairs with them; it may be deleted at any time.
        """
        corpus = Meta(self._db).revision("corpus")
        size = self._size(pairing.id)
        key = f"{pairing.id}-{pairing.rows_done}-{size}-{corpus}"
        file = self._cache / f"pairs-{key}.npy"
        packed = _cached(file)
        if packed is None or len(packed) != size:
            packed = self._write_cache(pairing.id, file)
        return PairTable(*(packed[name] for name in _PACKED.names or ()))

    def stream(self, pairing: int, *, page: int = 5000) -> Iterator[PairTable]:
        """Pairs by their texts' ids, a page at a time; no read stays open between pages."""
        left, right = 0, 0
        while True:
            rows = self._db.conn.execute(
                "SELECT left, right, cosine, words, flags FROM pairs WHERE pairing = ?"
                " AND (left, right) > (?, ?) ORDER BY left, right LIMIT ?",
                (pairing, left, right, page),
            ).fetchall()
            if not rows:
                return
            yield _table(rows)
            left, right = rows[-1][0], rows[-1][1]

    def between(self, pairing: int, left: int, right: int) -> tuple[float, float, int] | None:
        """(cosine, words, flags) of two texts, None where they are below the floor."""
        row = self._db.conn.execute(
            "SELECT cosine, words, flags FROM pairs WHERE pairing = ? AND left = ? AND right = ?",
            (pairing, min(left, right), max(left, right)),
        ).fetchone()
        return None if row is None else (float(row[0]), float(row[1]), int(row[2]))

    def of_text(self, pairing: int, text: int, *, count: int = 20) -> list[tuple[int, float]]:
        """The texts nearest to one, with their cosine, best first."""
        rows = self._db.conn.execute(
            "SELECT other, cosine FROM (SELECT right AS other, cosine FROM pairs"
            " WHERE pairing = :p AND left = :t UNION ALL SELECT left, cosine FROM pairs"
            " WHERE pairing = :p AND right = :t) JOIN texts ON texts.id = other AND rows > 0"
            " ORDER BY cosine DESC, other LIMIT :n",
            {"p": pairing, "t": text, "n": count},
        )
        return [(int(other), float(cosine)) for other, cosine in rows.fetchall()]

    def _one(self, condition: str, *values: object) -> Pairing | None:
        row = self._db.conn.execute(
            "SELECT id, encoder, floor, rows_done, finished, run FROM pairings"
            f" WHERE {condition} ORDER BY id DESC LIMIT 1",
            values,
        ).fetchone()
        return (
            None if row is None else Pairing(row[0], row[1], row[2], row[3], bool(row[4]), row[5])
        )

    def _size(self, pairing: int) -> int:
        row = self._db.conn.execute("SELECT count(*) FROM pairs WHERE pairing = ?", (pairing,))
        return int(row.fetchone()[0])

    def _write_cache(self, pairing: int, file: Path) -> NDArray[Any]:
        """Read the pairs and keep them in `file`, where the disk has room for that."""
        parts = list(self.stream(pairing, page=200_000))
        whole = np.empty(sum(len(part.left) for part in parts), dtype=_PACKED)
        for name in _PACKED.names or ():
            whole[name] = np.concatenate([getattr(part, name) for part in parts] or [[]])
        whole = whole[np.lexsort((whole["right"], whole["left"], -whole["cosine"]))]
        unfinished = file.with_suffix(f".{os.getpid()}.part")
        try:
            file.parent.mkdir(exist_ok=True)
            self._clear_cache()
            with unfinished.open("wb") as stream:
                np.save(stream, whole, allow_pickle=False)
            unfinished.replace(file)
        except OSError:
            # Without its cache the next grouping takes longer, and nothing else.
            with suppress(OSError):
                unfinished.unlink(missing_ok=True)
            return whole
        cached = _cached(file)
        return whole if cached is None else cached

    def _clear_cache(self) -> None:
        for file in self._cache.glob("pairs-*"):
            # Windows keeps a file that another process has mapped; the next time gets it.
            with suppress(OSError):
                file.unlink(missing_ok=True)


_PACKED = np.dtype(
    [("left", "<i8"), ("right", "<i8"), ("cosine", "<f4"), ("words", "<f4"), ("flags", "u1")]
)


def _cached(file: Path) -> NDArray[Any] | None:
    """The memory-mapped cache, None where it is missing or damaged."""
    try:
        packed: NDArray[Any] = np.load(file, mmap_mode="r", allow_pickle=False)
    except (OSError, ValueError, EOFError):
        return None
    return packed if packed.dtype == _PACKED and packed.ndim == 1 else None


def _table(rows: list[tuple[int, int, float, float, int]]) -> PairTable:
    left, right, cosine, words, flags = zip(*rows, strict=True)
    return PairTable(
        np.array(left, np.int64), np.array(right, np.int64), np.array(cosine, np.float32),
        np.array(words, np.float32), np.array(flags, np.uint8),
    )  # fmt: skip
