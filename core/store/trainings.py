"""Trainings: encoders that were taught in this project, and the evidence for each."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlite_utils import Database

from core.store.database import writing
from core.store.runs import now

_JSON = ("data", "options", "figures", "curve", "held_curve", "examples")


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


class Trainings:
    """The trainings of a project."""

    def __init__(self, db: Database) -> None:
        self._db = db

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
    ) -> int:
        """Write down a finished training; return its number."""
        told = [json.dumps(one, ensure_ascii=False)
                for one in (data, options, figures, curve, held_curve, examples)]  # fmt: skip
        with writing(self._db) as connection:
            cursor = connection.execute(
                "INSERT INTO trainings (run, name, folder, base_name, base_folder, state, made_at,"
                f" {', '.join(_JSON)}) VALUES (?, ?, ?, ?, ?, 'ready', ?, ?, ?, ?, ?, ?, ?)",
                (run, name, folder, base_name, base_folder, now(), *told),
            )
            return int(cursor.lastrowid or 0)

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
