"""A file into a project, beside the same tables and index fed with rows parsed before."""

import csv
import shutil
import sqlite3
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import Any

from core.bench.asked import Asked
from core.bench.interleave import Measured, interleave, told_runs
from core.bench.machine import measure_machine
from core.bench.report import Report, report_of
from core.bench.texts import bench_texts
from core.progress import Progress, Steps, run_to_end
from core.store import DATABASE, Project
from core.workflows.importing import import_file, inspect_file, settings_for

PREPARSED = "plain sqlite3, the same tables and indexes, rows parsed before"
# What makes SQLite's tables of words quick: many texts to a statement, since it writes their
# indexes out after each, room in memory for the words of all of them, and few merges.
_AT_ONCE = 10_000
_SETTINGS = (("hashsize", 32 << 20), ("automerge", 16), ("crisismerge", 64))
_TEXT = "id, hash, body, length, very_short, rows"
_TRIALS = 3


@dataclass(slots=True)
class _Desk:
    """A folder for the runs, the file they import, and what came of the last import."""

    home: Path
    file: Path
    runs: int = 0
    stored: dict[str, int] = field(default_factory=dict)  # bytes, documents, texts

    def new(self) -> Path:
        """A folder that is not there yet; the one of the run before goes."""
        shutil.rmtree(self.home / f"{self.runs}.samesense", ignore_errors=True)
        self.runs += 1
        return self.home / f"{self.runs}.samesense"


def bench_import(asked: Asked) -> Steps[Report]:
    """Time the import of one table, from looking into it to rows that can be searched."""
    machine = yield from measure_machine()
    texts = yield from bench_texts(asked)
    with tempfile.TemporaryDirectory(prefix="samesense-bench-") as home:
        yield Progress("Writing the table")
        desk = _Desk(Path(home), Path(home) / "table.csv")
        write_table(desk.file, texts.bodies)
        with Project.create(Path(home) / "empty.samesense"):
            pass
        rows = _parsed(desk)
        sides: dict[str, Callable[[], Any]] = {
            "Samesense": lambda: _import(desk),
            PREPARSED: lambda: _feed(desk, rows),
        }
        timings = yield from interleave(sides, title="Importing", repeats=asked.repeats)
        yield Progress("Measuring the limit")
        limit = _copied(desk.file, desk.stored["bytes"])
    ours, theirs = (timings[name].outcome for name in sides)
    quality = {
        "documents": ours["documents"],
        "texts": ours["texts"],
        "stored_alike": ours == theirs,
        "share_of_preparsed": timings[PREPARSED].seconds / timings["Samesense"].seconds,
        "database_mb": desk.stored["bytes"] / 2**20,
        "notes": [
            texts.told,
            f"{told_runs(timings)} Into a new project each time, with an id and a date column.",
            "The limit reads the table and writes the bytes of the database, one after another.",
        ],
    }
    return report_of(
        "import", len(texts.bodies), machine, timings, limit_seconds=limit, quality=quality
    )


def write_table(file: Path, bodies: list[str]) -> None:
    """Write texts as a table with an id and a date."""
    with file.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream)
        writer.writerow(("id", "date", "text"))
        for number, body in enumerate(bodies):
            date = f"20{10 + number % 15}-{1 + number % 12:02}-{1 + number % 28:02}"
            writer.writerow((f"row-{number}", date, body))


def import_into(folder: Path, table: Path) -> float:
    """Import such a table into a new project; return the seconds from looking into it on."""
    with Project.create(folder) as project:
        begun = time.perf_counter()
        found = inspect_file(table)
        settings = settings_for(found, text=("text",), id_column="id", dates=("date:ymd",))
        run_to_end(import_file(project, table, settings, expected=found.rows))
        return time.perf_counter() - begun


def _import(desk: _Desk) -> Measured:
    folder = desk.new()
    seconds = import_into(folder, desk.file)
    return Measured(seconds, _counted(desk, folder))


def _parsed(desk: _Desk) -> tuple[list[Any], list[Any]]:
    """What an import stores: (texts, documents), ready to be inserted."""
    _import(desk)
    folder = desk.home / f"{desk.runs}.samesense"
    connection = sqlite3.connect(folder / DATABASE)
    try:
        texts = connection.execute(f"SELECT {_TEXT} FROM texts ORDER BY id").fetchall()
        documents = connection.execute(
            "SELECT source, place, line, key, text, cells, dates, live FROM documents ORDER BY id"
        ).fetchall()
    finally:
        connection.close()
    return texts, documents


def _feed(desk: _Desk, rows: tuple[list[Any], list[Any]]) -> Measured:
    """Insert the rows into an empty project in one transaction, without any of our code."""
    folder = desk.new()
    shutil.copytree(desk.home / "empty.samesense", folder)
    texts, documents = rows
    connection = sqlite3.connect(folder / DATABASE, isolation_level=None)
    try:
        for pragma in ("journal_mode=WAL", "synchronous=NORMAL", "cache_size=-65536"):
            connection.execute(f"PRAGMA {pragma}")
        connection.execute(f"CREATE TEMP TABLE came ({_TEXT})")
        begun = time.perf_counter()
        connection.execute("BEGIN IMMEDIATE")
        for table, (setting, value) in product(("texts_words", "texts_trigrams"), _SETTINGS):
            connection.execute(
                f"INSERT INTO {table} ({table}, rank) VALUES (?, ?)", (setting, value)
            )
        for start in range(0, len(texts), _AT_ONCE):
            connection.executemany(
                "INSERT INTO came VALUES (?, ?, ?, ?, ?, ?)", texts[start : start + _AT_ONCE]
            )
            connection.execute(
                f"INSERT INTO texts ({_TEXT}) SELECT * FROM came ORDER BY came.rowid"
            )
            connection.execute("DELETE FROM came")
        connection.executemany(
            "INSERT INTO documents (source, place, line, key, text, cells, dates, live)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            documents,
        )
        connection.execute("COMMIT")
        seconds = time.perf_counter() - begun
    finally:
        connection.close()
    return Measured(seconds, _counted(desk, folder))


def _counted(desk: _Desk, folder: Path) -> dict[str, int]:
    """How many rows stand in each table, and in the index of words."""
    connection = sqlite3.connect(folder / DATABASE)
    try:
        told = {
            name: int(connection.execute(f"SELECT count(*) FROM {name}").fetchone()[0])
            for name in ("documents", "texts", "texts_words_docsize", "texts_trigrams_docsize")
        }
    finally:
        connection.close()
    desk.stored = {**told, "bytes": (folder / DATABASE).stat().st_size}
    return told


def _copied(file: Path, size: int) -> float:
    """The least seconds in which the file is read and so many bytes are written."""
    best = float("inf")
    block = bytes(1 << 20)
    to = file.with_suffix(".copy")
    for _ in range(_TRIALS):
        begun = time.perf_counter()
        with file.open("rb") as stream:
            while stream.read(1 << 20):
                pass
        with to.open("wb") as stream:
            for start in range(0, size, len(block)):
                stream.write(block[: size - start])
        best = min(best, time.perf_counter() - begun)
    return best
