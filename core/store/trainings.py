"""Trainings: encoders that were taught in this project, and the evidence for each."""

import json
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout
from sqlite_utils import Database

from core.errors import UserError
from core.store.database import writing
from core.store.kept_trainings import steps_reached
from core.store.runs import now

LOCK = "training.lock"
_JSON = ("data", "options", "figures", "curve", "held_curve", "examples", "how")


@dataclass(frozen=True, slots=True)
class TrainingRecord:
    """One finished training; `state` is ready, used or discarded."""

    id: int
    run: int | None
    name: str
    folder: str  # of the new encoder
    base_name: str
    base_folder: str
    state: str
    made_at: str
    data: dict[str, Any]  # same, different, imported, trained_on, held_out
    options: dict[str, Any]
    figures: dict[str, Any]  # metric, before, after, low, high, how, threshold …
    curve: list[list[float]]  # [step, loss]
    held_curve: list[list[float]]  # [step, score]
    examples: dict[str, Any]  # better, worse: lists of pairs
    how: dict[str, Any]  # recipe, stages, seed, versions …: all it takes to do it again


@dataclass(frozen=True, slots=True)
class InterruptedTraining:
    """A training that a kill or a fault cut off, and that can go on from where it was."""

    run: int
    started: str
    state: str  # interrupted or failed
    error: str
    recipe: str
    title: str
    examples: int
    base_name: str
    step: int  # at the last checkpoint, over all stages
    planned: int


class Trainings:
    """The trainings of a project; what each learns from is kept in a folder of its run."""

    def __init__(self, db: Database, folder: Path) -> None:
        self._db = db
        self._folder = folder  # of the project

    def add(
        self,
        *,
        run: int | None,
        name: str,
        folder: str,
        base_name: str,
        base_folder: str,
        data: Mapping[str, Any],
        options: Mapping[str, Any],
        figures: Mapping[str, Any],
        curve: Sequence[Sequence[float]],
        held_curve: Sequence[Sequence[float]],
        examples: Mapping[str, Any],
        how: Mapping[str, Any] | None = None,
    ) -> int:
        """Write down a finished training; return its number."""
        whole = (data, options, figures, curve, held_curve, examples, how or {})
        told = [json.dumps(one, ensure_ascii=False) for one in whole]
        with writing(self._db) as connection:
            cursor = connection.execute(
                "INSERT INTO trainings (run, name, folder, base_name, base_folder, state, made_at,"
                f" {', '.join(_JSON)}) VALUES (?, ?, ?, ?, ?, 'ready', ?, ?, ?, ?, ?, ?, ?, ?)",
                (run, name, folder, base_name, base_folder, now(), *told),
            )
            return int(cursor.lastrowid or 0)

    def kept(self, run: int) -> Path:
        """The folder of what a run's training learns from, and of its checkpoints."""
        return self._folder / "trainings" / str(run)

    def remove(self, training: int) -> None:
        """Delete a training: its encoder, what it learnt from and its record.

        The record goes first, so that a stop in between leaves files and no dead record.
        """
        record = self.get(training)
        with writing(self._db) as connection:
            connection.execute("DELETE FROM trainings WHERE id = ?", (training,))
        shutil.rmtree(self._folder / record.folder, ignore_errors=True)
        if record.run is not None:
            self.drop(record.run)

    def drop(self, run: int) -> None:
        """Delete what a run's training learnt from and its checkpoints."""
        shutil.rmtree(self.kept(run), ignore_errors=True)

    def interrupted(self) -> list[InterruptedTraining]:
        """Trainings that were cut off and can go on, the newest first."""
        rows = self._db.conn.execute(
            "SELECT id, started, state, error, inputs FROM runs WHERE workflow = 'train'"
            " AND state IN ('interrupted', 'failed') ORDER BY id DESC"
        )
        return [
            _interrupted(self.kept(row[0]), *row)
            for row in rows.fetchall()
            if any(self.kept(row[0]).glob("*"))
        ]

    def alone(self) -> FileLock:
        """Take the lock that one training at a time holds; raises `UserError` beside another.

        The operating system frees it when the holder ends, however it ends.
        """
        lock = FileLock(self._folder / LOCK, thread_local=False)
        try:
            lock.acquire(timeout=0)
        except Timeout as taken:
            raise UserError(
                "A training is running already.",
                "Wait until it ends, or stop it and keep the best, and start again.",
            ) from taken
        return lock

    def mark(self, training: int, state: str) -> None:
        """Call a training ready, used or discarded."""
        with writing(self._db) as connection:
            connection.execute("UPDATE trainings SET state = ? WHERE id = ?", (state, training))

    def listed(self) -> list[TrainingRecord]:
        """All trainings, the newest first."""
        rows = self._db.conn.execute(
            "SELECT id, run, name, folder, base_name, base_folder, state, made_at,"
            f" {', '.join(_JSON)} FROM trainings ORDER BY id DESC"
        )
        return [
            TrainingRecord(*row[:8], *(json.loads(told) for told in row[8:]))
            for row in rows.fetchall()
        ]

    def get(self, training: int) -> TrainingRecord:
        """One training by its number; raises KeyError when there is none."""
        found = [one for one in self.listed() if one.id == training]
        if not found:
            raise KeyError(training)
        return found[0]


def _interrupted(
    kept: Path, run: int, started: str, state: str, error: str | None, inputs: str
) -> InterruptedTraining:
    told = json.loads(inputs)
    return InterruptedTraining(
        run, started, state, error or "", told.get("recipe", ""), told.get("title", ""),
        int(told.get("examples", 0)), told.get("base", ""), steps_reached(kept),
        int(told.get("planned", 0)),
    )  # fmt: skip  # one figure after the other
