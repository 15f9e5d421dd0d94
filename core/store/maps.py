"""The map: where each text lies in the plane."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlite_utils import Database

from core.store.array_cache import ArrayCache
from core.store.database import writing
from core.store.meta import Meta


@dataclass(frozen=True, slots=True)
class MapRecord:
    """A map and what it was made from."""

    id: int
    encoder: int
    options: dict[str, Any]
    inputs: dict[str, Any]
    counts: dict[str, Any]  # texts, new (placed beside the old picture), seeded
    run: int | None


@dataclass(frozen=True, slots=True)
class MapPoints:
    """The place of each text, ordered by text."""

    texts: NDArray[np.int64]  # (n,)
    xy: NDArray[np.float32]  # (n, 2)
    rows: NDArray[np.int64] | None = None  # (n,) how many hold the text; known of what is stored


class Sketches:
    """Unfinished maps in the project's cache, for who looks on; the newest only.

    They are never stored as the map, and go when the layout ends, however it ends.
    """

    def __init__(self, cache: Path) -> None:
        self._cache = ArrayCache(cache)

    def leave(self, texts: NDArray[np.int64], xy: NDArray[np.float32]) -> None:
        """Put where texts (n,), in any order, lie now (n, 2) in place of the sketch before."""
        order = np.argsort(texts)
        self._cache.save("sketch", "newest", {"texts": texts[order], "xy": xy[order]})

    def newest(self) -> MapPoints | None:
        """The newest sketch; None where there is none."""
        held = self._cache.load("sketch", "newest")
        return None if held is None else MapPoints(held["texts"], held["xy"])

    def clear(self) -> None:
        """Drop the sketch."""
        self._cache.clear("sketch")


class Maps:
    """The map of a project; an older one goes when a new one is stored."""

    def __init__(self, db: Database, cache: Path) -> None:
        self._db = db
        self._cache = ArrayCache(cache)
        self.sketches = Sketches(cache)

    def replace(
        self,
        points: MapPoints,
        *,
        encoder: int,
        options: Mapping[str, Any],
        inputs: Mapping[str, Any],
        counts: Mapping[str, Any],
        run: int | None,
    ) -> int:
        """Store a map in place of the last one, in one transaction; return its number."""
        with writing(self._db) as connection:
            connection.execute("DELETE FROM maps")
            cursor = connection.execute(
                "INSERT INTO maps (encoder, options, inputs, counts, run) VALUES (?, ?, ?, ?, ?)",
                (encoder, json.dumps(options), json.dumps(inputs), json.dumps(counts), run),
            )
            number = int(cursor.lastrowid or 0)
            connection.executemany(
                "INSERT INTO coordinates VALUES (?, ?, ?, ?)",
                zip([number] * len(points.texts), points.texts.tolist(), points.xy[:, 0].tolist(),
                    points.xy[:, 1].tolist(), strict=True),
            )  # fmt: skip
        return number

    def current(self) -> MapRecord | None:
        """The map that counts, or None before the first."""
        row = self._db.conn.execute(
            "SELECT id, encoder, options, inputs, counts, run FROM maps ORDER BY id DESC LIMIT 1"
        ).fetchone()
        if row is None:
            return None
        return MapRecord(
            row[0], row[1], json.loads(row[2]), json.loads(row[3]), json.loads(row[4]), row[5]
        )

    def points(self) -> MapPoints:
        """The places of all texts on the map that rows hold now."""
        newest = self._db.conn.execute("SELECT coalesce(max(id), 0) FROM maps").fetchone()[0]
        key = f"{newest}-{Meta(self._db).revision('corpus')}"
        held = self._cache.load("map", key)
        if held is None or set(held) != {"texts", "xy", "rows"}:
            rows = self._db.conn.execute(
                "SELECT c.text, c.x, c.y, t.rows FROM coordinates c JOIN texts t ON t.id = c.text"
                " AND t.rows > 0 WHERE c.map = ? ORDER BY c.text",
                (newest,),
            ).fetchall()
            columns = np.array(rows, np.float64).reshape(-1, 4)
            held = {"texts": columns[:, 0].astype(np.int64),
                    "xy": np.ascontiguousarray(columns[:, 1:3], np.float32),
                    "rows": columns[:, 3].astype(np.int64)}  # fmt: skip
            self._cache.save("map", key, held)
        return MapPoints(held["texts"], held["xy"], held["rows"])
