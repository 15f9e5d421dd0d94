"""Judged examples that were brought in from files, to teach an encoder with."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from sqlite_utils import Database

from core.store.database import writing
from core.store.runs import now

_COLUMNS = "id, name, path, sha256, kind, examples, names, topics, counts, findings, note, added_at"


@dataclass(frozen=True, slots=True)
class JudgedFile:
    """A file of judged examples, and what was found in it when it came."""

    id: int
    name: str
    path: str
    sha256: str
    kind: str  # scored pairs, labelled pairs, triplets or labelled texts
    examples: int
    names: tuple[str, ...]  # of the labels
    topics: int  # how many different topics its examples have, 0 where nobody asked
    counts: tuple[tuple[str, int], ...]  # of each label, or of each fifth of the scores
    findings: tuple[dict[str, Any], ...]  # severity, sentence, remedy, examples
    note: str  # how it was read
    added_at: str


class JudgedRow(NamedTuple):
    """One example: as many texts as its kind has, and what stands beside them."""

    first: str
    second: str | None = None
    third: str | None = None
    judgement: float | None = None  # a score from 0 to 1, or the place of a label
    topic: str = ""


class JudgedExamples:
    """The imported examples of a project; their texts need not be in the corpus."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def add(
        self,
        *,
        name: str,
        path: str,
        sha256: str,
        kind: str,
        rows: Iterable[JudgedRow],
        names: Sequence[str] = (),
        note: str = "",
        counts: Sequence[tuple[str, int]] = (),
        findings: Sequence[dict[str, Any]] = (),
    ) -> tuple[JudgedFile, bool]:
        """Take a file in; return it and whether it is new (the same bytes count once)."""
        known = self._where("sha256 = ?", sha256)
        if known:
            return known[0], False
        told = [json.dumps(one, ensure_ascii=False) for one in (names, counts, findings)]
        with writing(self._db) as connection:
            cursor = connection.execute(
                "INSERT INTO example_files (name, path, sha256, kind, examples, names, topics,"
                " counts, findings, note, added_at) VALUES (?, ?, ?, ?, 0, ?, 0, ?, ?, ?, ?)",
                (name, path, sha256, kind, *told, note, now()),
            )
            number = int(cursor.lastrowid or 0)
            connection.executemany(
                "INSERT INTO examples VALUES (?, ?, ?, ?, ?, ?, ?)",
                ((number, place, *row) for place, row in enumerate(rows)),
            )
            connection.execute(
                "UPDATE example_files SET"
                " examples = (SELECT count(*) FROM examples WHERE file = id), topics ="
                " (SELECT count(DISTINCT topic) FROM examples WHERE file = id AND topic <> '')"
                " WHERE id = ?",
                (number,),
            )
        return self.get(number), True

    def remove(self, file: int) -> None:
        """Forget a file and its examples."""
        with writing(self._db) as connection:
            connection.execute("DELETE FROM example_files WHERE id = ?", (file,))

    def files(self) -> list[JudgedFile]:
        """The files in the order they came."""
        return self._where("1 = 1")

    def get(self, file: int) -> JudgedFile:
        """One file by its number; raises KeyError when there is none."""
        found = self._where("id = ?", file)
        if not found:
            raise KeyError(file)
        return found[0]

    def count(self) -> int:
        """How many examples were brought in."""
        return int(self._db.conn.execute("SELECT count(*) FROM examples").fetchone()[0])

    def rows(self, file: int) -> list[JudgedRow]:
        """The examples of a file in their order."""
        rows = self._db.conn.execute(
            "SELECT first, second, third, judgement, topic FROM examples WHERE file = ?"
            " ORDER BY place",
            (file,),
        )
        return [JudgedRow(*row) for row in rows.fetchall()]

    def _where(self, condition: str, *values: object) -> list[JudgedFile]:
        rows = self._db.conn.execute(
            f"SELECT {_COLUMNS} FROM example_files WHERE {condition} ORDER BY id", values
        )
        return [_file(row) for row in rows.fetchall()]


def _file(row: tuple[Any, ...]) -> JudgedFile:
    number, name, path, sha256, kind, examples, names, topics, counts, findings, *rest = row
    note, added_at = rest
    return JudgedFile(
        number, name, path, sha256, kind, examples, tuple(json.loads(names)), topics,
        tuple((label, count) for label, count in json.loads(counts)),
        tuple(json.loads(findings)), note, added_at,
    )  # fmt: skip  # in the order of the table
