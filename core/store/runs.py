"""Runs: who made which result, from what, when, and how it ended."""

import json
import platform
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib import metadata
from typing import Any

from sqlite_utils import Database

from core.store.database import writing

_NAMED_IN_RUNS = ("samesense", "numpy", "torch", "transformers", "PySide6-Essentials")


@dataclass(frozen=True, slots=True)
class Run:
    """One piece of work; `state` is running, finished, cancelled, failed or interrupted."""

    id: int
    workflow: str
    options: dict[str, Any]
    inputs: dict[str, Any]
    seed: int | None
    versions: dict[str, str]
    device: str | None
    started: str
    ended: str | None
    state: str
    outcome: dict[str, Any] | None
    error: str | None


class Runs:
    """The run records of a project."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def begin(
        self,
        workflow: str,
        options: Mapping[str, Any],
        *,
        inputs: Mapping[str, Any] | None = None,
        seed: int | None = None,
        device: str | None = None,
    ) -> int:
        """Write down that work starts and return the run's number."""
        row = (workflow, json.dumps(options), json.dumps(inputs or {}), seed,
               json.dumps(versions()), device, now(), "running")  # fmt: skip
        with writing(self._db) as connection:
            cursor = connection.execute(
                "INSERT INTO runs (workflow, options, inputs, seed, versions, device, started,"
                " state) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                row,
            )
            return int(cursor.lastrowid or 0)

    def end(
        self,
        run: int,
        state: str,
        *,
        outcome: Mapping[str, Any] | None = None,
        error: str | None = None,
    ) -> None:
        """Write down how a run ended."""
        told = None if outcome is None else json.dumps(outcome)
        with writing(self._db) as connection:
            connection.execute(
                "UPDATE runs SET state = ?, ended = ?, outcome = ?, error = ? WHERE id = ?",
                (state, now(), told, error, run),
            )

    def mark_interrupted(self, *, but: Collection[str] = ()) -> list[Run]:
        """Call every run that never ended interrupted; only for the holder of the lock.

        Runs of the workflows `but` go on in a worker that is alive.
        """
        broken = [run for run in self._where("state = 'running'") if run.workflow not in but]
        if broken:
            with writing(self._db) as connection:
                connection.executemany(
                    "UPDATE runs SET state = 'interrupted', ended = ? WHERE id = ?",
                    [(now(), run.id) for run in broken],
                )
        return broken

    def latest(self, count: int = 50) -> list[Run]:
        """The newest runs, newest first."""
        return self._where("1 = 1", count)

    def get(self, run: int) -> Run:
        """One run by its number; raises KeyError when there is none."""
        found = self._where(f"id = {int(run)}")
        if not found:
            raise KeyError(run)
        return found[0]

    def _where(self, condition: str, count: int = 1000) -> list[Run]:
        rows = self._db.conn.execute(
            "SELECT id, workflow, options, inputs, seed, versions, device, started, ended, state,"
            f" outcome, error FROM runs WHERE {condition} ORDER BY id DESC LIMIT {int(count)}"
        )
        return [_run(row) for row in rows.fetchall()]


def now() -> str:
    """The time as stored: UTC, ISO 8601, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def versions() -> dict[str, str]:
    """Versions of the program and of the libraries that shape its numbers."""
    found = {"python": platform.python_version(), "system": platform.platform(terse=True)}
    for name in _NAMED_IN_RUNS:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return found


def _run(row: tuple[Any, ...]) -> Run:
    number, workflow, options, inputs, seed, made_with, device, started, ended, state = row[:10]
    outcome, error = row[10:]
    return Run(
        number, workflow, json.loads(options), json.loads(inputs), seed, json.loads(made_with),
        device, started, ended, state, None if outcome is None else json.loads(outcome), error,
    )  # fmt: skip
