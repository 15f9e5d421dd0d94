"""What a person did to clusters: kept beside the algorithm's result and applied to each anew."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from sqlite_utils import Database

from core.store.database import writing
from core.store.decisions import Decisions
from core.store.runs import now

Texts: TypeAlias = Sequence[int] | NDArray[np.int64]  # ids


@dataclass(frozen=True, slots=True)
class ClusterEdit:
    """One edit; clusters are named by the texts they held then, since numbers change."""

    id: int
    op: str  # rename, merge, split, move, exclude or include
    name: str
    anchors: tuple[tuple[int, ...], ...]  # texts of each cluster it is about
    texts: tuple[int, ...]  # moved or split off
    target: tuple[int, ...] | None  # texts of the cluster moved to
    newest: int  # the newest text when the edit was made; those after it came later


class ClusterEdits:
    """The edits of a project, in order."""

    def __init__(self, db: Database, decisions: Decisions) -> None:
        self._db = db
        self._decisions = decisions

    def add(
        self,
        op: str,
        *,
        title: str,
        name: str = "",
        anchors: Sequence[Texts] = (),
        texts: Texts = (),
        target: Texts | None = None,
    ) -> int:
        """Add an edit as one step of undo; return its number."""
        return self.add_all([(op, name, anchors, texts, target)], title=title)[0]

    def add_all(
        self,
        edits: Sequence[tuple[str, str, Sequence[Texts], Texts, Texts | None]],
        *,
        title: str,
    ) -> list[int]:
        """Add edits (op, name, anchors, texts, target) as one step of undo; return their ids."""
        numbers: list[int] = []
        with writing(self._db) as connection:
            newest = connection.execute("SELECT coalesce(max(id), 0) FROM texts").fetchone()[0]
            for op, name, anchors, texts, target in edits:
                cursor = connection.execute(
                    "INSERT INTO cluster_edits (op, name, anchors, texts, target, newest, at)"
                    " VALUES (?, ?, ?, ?, ?, ?, ?)",
                    (op, name, json.dumps([list(map(int, anchor)) for anchor in anchors]),
                     json.dumps(list(map(int, texts))),
                     None if target is None else json.dumps(list(map(int, target))), newest, now()),
                )  # fmt: skip
                numbers.append(int(cursor.lastrowid or 0))
            self._decisions.record(
                [("cluster", number, 0, None, "holds") for number in numbers], title=title
            )
            # An edit undone and then overtaken by another step cannot come back.
            connection.execute(
                "DELETE FROM cluster_edits WHERE active = 0 AND id NOT IN"
                " (SELECT left FROM edit_changes WHERE what = 'cluster')"
            )
        return numbers

    def active(self) -> list[ClusterEdit]:
        """The edits that hold, the oldest first."""
        rows = self._db.conn.execute(
            "SELECT id, op, name, anchors, texts, target, newest FROM cluster_edits"
            " WHERE active = 1 ORDER BY id"
        )
        return [
            ClusterEdit(
                row[0], row[1], row[2], tuple(map(tuple, json.loads(row[3]))),
                tuple(json.loads(row[4])), None if row[5] is None else tuple(json.loads(row[5])),
                row[6],
            )
            for row in rows.fetchall()
        ]  # fmt: skip
