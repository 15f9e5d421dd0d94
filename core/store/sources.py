"""Imported files: how they were read, what they brought, and how they go again."""

import json
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import asdict, dataclass, replace
from typing import Any

from sqlite_utils import Database

from core.records import DateColumn, ImportReport, ImportSettings, Reading
from core.store.database import loading, writing
from core.store.meta import bump
from core.store.runs import now
from core.store.word_search import expect_many_texts, made_anew

_CHUNK = 20_000


@dataclass(frozen=True, slots=True)
class Source:
    """A file as it was imported."""

    id: int
    name: str
    path: str
    sha256: str
    bytes: int
    settings: ImportSettings
    columns: tuple[str, ...]
    report: ImportReport | None
    imported_at: str | None


class Sources:
    """The files of a project. A source is seen only once its import has finished."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def begin(
        self, name: str, *, path: str, sha256: str, size: int, settings: ImportSettings, run: int
    ) -> int:
        """Open an import; its rows stay unseen until `finish`."""
        with writing(self._db) as connection:
            expect_many_texts(connection)
            cursor = connection.execute(
                "INSERT INTO sources (name, path, sha256, bytes, settings, columns, state, run)"
                " VALUES (?, ?, ?, ?, ?, ?, 'importing', ?)",
                (name, path, sha256, size, json.dumps(asdict(settings)),
                 json.dumps(settings.reading.columns), run),
            )  # fmt: skip
            return int(cursor.lastrowid or 0)

    def loading(self) -> AbstractContextManager[None]:
        """Where many rows are brought in; see `database.loading`."""
        return loading(self._db)

    def note(self, source: int, notes: Sequence[tuple[int, str]]) -> None:
        """Keep what was unusual, by line."""
        with writing(self._db) as connection:
            connection.executemany(
                "INSERT INTO notes (source, line, message) VALUES (?, ?, ?)",
                [(source, line, message) for line, message in notes],
            )

    def finish(self, source: int, report: ImportReport) -> ImportReport:
        """Let the rows be seen, in one transaction; count updated and unchanged rows."""
        with writing(self._db) as connection:
            row = connection.execute(
                "SELECT name, settings FROM sources WHERE id = ?", (source,)
            ).fetchone()
            settings = _settings(row[1])
            unchanged = updated = 0
            if settings.id_column is not None and settings.updates:
                unchanged, updated = _replace_earlier(connection, source, row[0], settings)
            connection.execute(
                "UPDATE documents SET live = 1 WHERE source = ? AND replaced_by IS NULL", (source,)
            )
            _recount(connection, "SELECT text FROM documents WHERE source = ?", (source,))
            if updated:
                _recount(
                    connection,
                    "SELECT o.text FROM documents o JOIN documents n ON o.replaced_by = n.id"
                    " WHERE n.source = ?",
                    (source,),
                )
            final = replace(report, source=source, updated=updated, unchanged=unchanged)
            connection.execute(
                "UPDATE sources SET state = 'ready', report = ?, imported_at = ? WHERE id = ?",
                (json.dumps(asdict(replace(final, notes=()))), now(), source),
            )
            _drop_lonely_texts(connection)
            bump(connection, "corpus")
        return final

    def remove(self, source: int) -> Iterator[int]:
        """Take an import out again, yielding rows removed so far.

        Rows it had replaced come back, and rows that a later file brought unchanged stay. It is
        gone from sight with the first step; a stop in between is finished by `sweep`. Decisions
        stay, and with them the texts they are about.
        """
        with writing(self._db) as connection:
            connection.execute("UPDATE sources SET state = 'removing' WHERE id = ?", (source,))
            touched = connection.execute(
                "SELECT DISTINCT text FROM documents WHERE source = ? AND text IS NOT NULL"
                " UNION SELECT text FROM documents WHERE replaced_by IN"
                " (SELECT id FROM documents WHERE source = ?) AND text IS NOT NULL",
                (source, source),
            ).fetchall()
            _hand_over(connection, source)
            connection.execute("UPDATE documents SET live = 0 WHERE source = ?", (source,))
            connection.executemany(
                "UPDATE texts SET rows = (SELECT count(*) FROM documents WHERE text = texts.id"
                " AND live = 1) WHERE id = ?",
                touched,
            )
            bump(connection, "corpus")
        yield from self._purge(source)

    def sweep(self) -> list[str]:
        """Clear what a stopped import or removal left; return the files not imported."""
        rows = self._db.conn.execute(
            "SELECT id, name, state FROM sources WHERE state <> 'ready' ORDER BY id"
        ).fetchall()
        for source, _, _ in rows:
            for _rows in self._purge(source):
                pass
        return [name for _, name, state in rows if state == "importing"]

    def discard(self, source: int) -> None:
        """Forget an import given up, also where its rows can be seen since a moment ago."""
        state = self._db.conn.execute(
            "SELECT state FROM sources WHERE id = ?", (source,)
        ).fetchone()
        for _rows in self.remove(source) if state == ("ready",) else self._purge(source):
            pass

    def all(self) -> list[Source]:
        """Every imported file, oldest first."""
        rows = self._db.conn.execute(f"{_SELECT} WHERE state = 'ready' ORDER BY id")
        return [_source(row) for row in rows.fetchall()]

    def with_hash(self, sha256: str) -> Source | None:
        """The imported file with these very bytes, if there is one."""
        row = self._db.conn.execute(
            f"{_SELECT} WHERE state = 'ready' AND sha256 = ? ORDER BY id DESC", (sha256,)
        ).fetchone()
        return None if row is None else _source(row)

    def notes(self, source: int, *, first: int = 0, count: int = 1000) -> list[tuple[int, str]]:
        """What was unusual in a file: (line, sentence), by line."""
        rows = self._db.conn.execute(
            "SELECT line, message FROM notes WHERE source = ? ORDER BY line LIMIT ? OFFSET ?",
            (source, count, first),
        )
        return [(int(line), str(message)) for line, message in rows.fetchall()]

    def _purge(self, source: int) -> Iterator[int]:
        gone = 0
        while True:
            with writing(self._db) as connection:
                connection.execute(
                    "DELETE FROM keepers WHERE document IN (SELECT id FROM documents"
                    " WHERE source = ? LIMIT ?)",
                    (source, _CHUNK),
                )
                cursor = connection.execute(
                    "DELETE FROM documents WHERE id IN (SELECT id FROM documents"
                    " WHERE source = ? LIMIT ?)",
                    (source, _CHUNK),
                )
                if cursor.rowcount == 0:
                    _drop_lonely_texts(connection)
                    connection.execute("DELETE FROM sources WHERE id = ?", (source,))
                    return
            gone += cursor.rowcount
            yield gone


_SELECT = (
    "SELECT id, name, path, sha256, bytes, settings, columns, report, imported_at FROM sources"
)


def _replace_earlier(
    connection: Any, source: int, name: str, settings: ImportSettings
) -> tuple[int, int]:
    earlier = (
        "SELECT id FROM sources WHERE name = :name AND state = 'ready' AND id <> :source"
        " AND json_extract(settings, '$.id_column') = :column"
    )
    values = {"name": name, "source": source, "column": settings.id_column}
    if connection.execute(f"SELECT NOT EXISTS ({earlier})", values).fetchone()[0]:
        return 0, 0
    # Where a file repeats an id, its nth row meets the nth row before. The older rows stand in
    # a table with a key, for two bare lists of rows would be compared each with each.
    connection.execute(
        "CREATE TEMP TABLE older (key, nth, id, PRIMARY KEY (key, nth, id)) WITHOUT ROWID"
    )
    connection.execute(
        "INSERT INTO older SELECT key, row_number() OVER (PARTITION BY source, key"
        " ORDER BY place), id FROM documents"
        f" WHERE live = 1 AND key IS NOT NULL AND source IN ({earlier})",
        values,
    )
    connection.execute(
        "CREATE TEMP TABLE matched AS SELECT n.id AS new, o.id AS old,"
        " d.cells = n.cells AND d.text IS n.text AND d.dates IS n.dates AS alike"
        " FROM (SELECT id, key, cells, text, dates, row_number() OVER"
        " (PARTITION BY key ORDER BY place) AS nth FROM documents"
        " WHERE source = :source AND key IS NOT NULL) n"
        " CROSS JOIN older o ON o.key = n.key AND o.nth = n.nth"
        " CROSS JOIN documents d ON d.id = o.id",
        values,
    )
    connection.execute("DROP TABLE older")
    connection.execute("CREATE INDEX temp.matched_new ON matched (new, alike)")
    connection.execute("CREATE INDEX temp.matched_old ON matched (old, alike)")
    unchanged = connection.execute(
        # The row from before stands in for the same row of this file, which stays unseen.
        "UPDATE documents SET replaced_by = (SELECT max(old) FROM matched WHERE new = id AND alike)"
        " WHERE id IN (SELECT new FROM matched WHERE alike)"
    ).rowcount
    updated = connection.execute(
        "UPDATE documents SET live = 0, replaced_by = (SELECT new FROM matched WHERE old = id)"
        " WHERE id IN (SELECT old FROM matched WHERE NOT alike AND new NOT IN"
        " (SELECT new FROM matched WHERE alike))"
    ).rowcount
    connection.execute(
        "INSERT OR IGNORE INTO keepers (document, at) SELECT m.new, k.at FROM keepers k"
        " JOIN matched m ON m.old = k.document"
        " JOIN documents d ON d.id = m.old AND d.replaced_by = m.new"
    )
    connection.execute("DROP TABLE matched")
    return int(unchanged), int(updated)


def _hand_over(connection: Any, source: int) -> None:
    """Give what the rows of `source` stand in for to others, or let it be seen again."""
    # A row's heir is its own successor, else the first later row that was the same.
    connection.execute(
        "CREATE TEMP TABLE heirs AS SELECT r.id AS gone, coalesce(r.replaced_by,"
        " (SELECT min(l.id) FROM documents l WHERE l.replaced_by = r.id AND l.id > r.id)) AS heir"
        " FROM documents r WHERE r.source = ?",
        (source,),
    )
    connection.execute("CREATE INDEX temp.heirs_gone ON heirs (gone)")
    connection.execute(
        "UPDATE documents SET replaced_by = (SELECT nullif(heir, documents.id) FROM heirs"
        " WHERE gone = documents.replaced_by) WHERE replaced_by IN (SELECT gone FROM heirs)"
    )
    connection.execute(
        "UPDATE documents SET live = 1 WHERE live = 0 AND replaced_by IS NULL"
        " AND source IN (SELECT id FROM sources WHERE state = 'ready')"
    )
    connection.execute(
        "INSERT OR IGNORE INTO keepers (document, at) SELECT h.heir, k.at FROM keepers k"
        " JOIN heirs h ON h.gone = k.document WHERE h.heir IS NOT NULL"
    )
    connection.execute("DROP TABLE heirs")


def _recount(connection: Any, texts: str, values: tuple[Any, ...]) -> None:
    connection.execute(
        "UPDATE texts SET rows = (SELECT count(*) FROM documents WHERE text = texts.id"
        f" AND live = 1) WHERE id IN ({texts})",
        values,
    )


def _drop_lonely_texts(connection: Any) -> None:
    """Drop texts that no row holds and no decision is about, with their vectors and pairs."""
    connection.execute(
        "CREATE TEMP TABLE lonely AS SELECT id FROM texts WHERE rows = 0"
        " AND NOT EXISTS (SELECT 1 FROM documents WHERE text = texts.id)"
        " AND id NOT IN (SELECT left FROM decisions UNION SELECT right FROM decisions"
        " UNION SELECT left FROM edit_changes WHERE what = 'decision'"
        " UNION SELECT right FROM edit_changes WHERE what = 'decision')"
    )
    lonely = "(SELECT id FROM lonely)"
    pairings = connection.execute("SELECT id FROM pairings").fetchall()
    for (pairing,) in pairings:
        for side in ("left", "right"):
            connection.execute(
                f"DELETE FROM pairs WHERE pairing = ? AND {side} IN {lonely}", (pairing,)
            )
    for side in ("left", "right"):
        connection.execute(
            "DELETE FROM checked_pairs WHERE cross_encoder IN (SELECT id FROM cross_encoders)"
            f" AND {side} IN {lonely}"
        )
    connection.execute(
        f"DELETE FROM vectors WHERE encoder IN (SELECT id FROM encoders) AND text IN {lonely}"
    )
    # Rows at the end of a matrix are used again, so no pass may claim to have seen them.
    connection.execute(
        "UPDATE pairings SET rows_done = min(rows_done, (SELECT coalesce(max(row), -1) + 1"
        " FROM vectors WHERE encoder = pairings.encoder))"
    )
    gone, all_texts = connection.execute(
        "SELECT (SELECT count(*) FROM lonely), (SELECT count(*) FROM texts)"
    ).fetchone()
    with made_anew(connection) if gone * 2 > all_texts else nullcontext():
        connection.execute(f"DELETE FROM texts WHERE id IN {lonely}")
    connection.execute("DROP TABLE lonely")


def _settings(told: str) -> ImportSettings:
    values = json.loads(told)
    reading = values.pop("reading")
    return ImportSettings(
        reading=Reading(**{**reading, "columns": tuple(reading["columns"])}),
        text_columns=tuple(values.pop("text_columns")),
        date_columns=tuple(DateColumn(**column) for column in values.pop("date_columns")),
        **values,
    )


def _source(row: tuple[Any, ...]) -> Source:
    number, name, path, sha256, size, settings, columns, report, at = row
    told = None if report is None else json.loads(report)
    return Source(
        number, name, path, sha256, size, _settings(settings), tuple(json.loads(columns)),
        None if told is None else ImportReport(**{**told, "notes": ()}), at,
    )  # fmt: skip
