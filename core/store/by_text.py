"""What rows say, gathered by text: how many, which values, which dates."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from sqlite_utils import Database


@dataclass(frozen=True, slots=True)
class TextValues:
    """One value of a column for each text that has any; `code` numbers them in `values`."""

    texts: NDArray[np.int64]  # (n,) by id
    code: NDArray[np.int32]  # (n,)
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TextDates:
    """The earliest date of each text that has any, in seconds since 1970."""

    texts: NDArray[np.int64]  # (n,) by id
    seconds: NDArray[np.float64]  # (n,)


class ByText:
    """Facts about texts as arrays, for whatever draws all of them at once."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def rows(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Ids of the texts that rows hold, in order, and how many rows hold each."""
        found = self._db.conn.execute("SELECT id, rows FROM texts WHERE rows > 0 ORDER BY id")
        table = np.array(found.fetchall(), dtype=np.int64).reshape(-1, 2)
        return table[:, 0], table[:, 1]

    def values(self, column: str) -> TextValues:
        """The value that most rows of a text have in a column, the earliest row's on a tie.

        Empty cells are no values; a text that has nothing else is left out.
        """
        rows = self._db.conn.execute(
            "SELECT text, value FROM (SELECT text, value, row_number() OVER (PARTITION BY text"
            " ORDER BY count(*) DESC, min(source), min(place)) AS rank FROM ("
            "SELECT d.text, d.source, d.place, json_extract(d.cells, '$[' || p.at || ']') AS value"
            " FROM documents d JOIN (SELECT s.id, min(j.key) AS at FROM sources s,"
            " json_each(s.columns) j WHERE j.value = ? GROUP BY s.id) p ON p.id = d.source"
            " WHERE d.live = 1 AND d.text IS NOT NULL"
            ") WHERE trim(value) <> '' GROUP BY text, value) WHERE rank = 1 ORDER BY text",
            (column,),
        ).fetchall()
        codes: dict[str, int] = {}
        code = [codes.setdefault(str(value), len(codes)) for _, value in rows]
        return TextValues(
            np.array([text for text, _ in rows], np.int64), np.array(code, np.int32), tuple(codes)
        )

    def dates(self, column: str) -> TextDates:
        """When the earliest row of each text is dated, by a column of dates."""
        # Asked by key, since no JSON path can name a column with a quotation mark in it.
        rows = self._db.conn.execute(
            "SELECT text, min(at) FROM (SELECT text, (SELECT value FROM json_each(dates)"
            " WHERE key = ?) AS at FROM documents WHERE live = 1 AND text IS NOT NULL"
            " AND dates IS NOT NULL) WHERE at IS NOT NULL GROUP BY text ORDER BY text",
            (column,),
        ).fetchall()
        when = np.array([at[:19] for _, at in rows], dtype="datetime64[s]")
        texts = np.array([text for text, _ in rows], np.int64)
        return TextDates(texts, when.astype(np.int64).astype(np.float64))
