"""Small facts about a project: its name, its active encoder, counters of what moved."""

import sqlite3

from sqlite_utils import Database

from core.store.database import writing


class Meta:
    """Named facts; counters called `*_revision` rise with every change of that kind."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def get(self, key: str) -> str | None:
        """The fact, or None."""
        row = self._db.conn.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        return None if row is None else str(row[0])

    def set(self, key: str, value: str) -> None:
        """Write the fact down."""
        with writing(self._db) as connection:
            connection.execute(
                "INSERT INTO meta (key, value) VALUES (?, ?)"
                " ON CONFLICT (key) DO UPDATE SET value = excluded.value",
                (key, value),
            )

    def revision(self, kind: str) -> int:
        """How often `kind` (corpus, decisions) has changed."""
        return int(self.get(f"{kind}_revision") or 0)


def bump(connection: sqlite3.Connection, kind: str) -> None:
    """Count a change of `kind` inside the caller's transaction."""
    connection.execute(
        "INSERT INTO meta (key, value) VALUES (?, '1')"
        " ON CONFLICT (key) DO UPDATE SET value = CAST(value AS INTEGER) + 1",
        (f"{kind}_revision",),
    )
