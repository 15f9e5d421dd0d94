"""Decisions: what a person said, and the one line of undo and redo, which has no limit."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from sqlite_utils import Database

from core.records import Verdict
from core.store.database import writing
from core.store.meta import bump
from core.store.runs import now

# what, left, right, before, after. "decision": a pair of texts and its verdict; "keeper": a
# row and whether it was chosen; "cluster": a cluster edit and whether it holds; "encoder":
# the number of the encoder in use.
Change: TypeAlias = tuple[str, int, int, str | None, str | None]


@dataclass(frozen=True, slots=True)
class DecisionTable:
    """All decisions as pairs of text ids, (k, 2) each, left smaller than right."""

    same: NDArray[np.int64]
    different: NDArray[np.int64]
    unsure: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Step:
    """One step of undo: its number, its title and the pairs it is about, the first ones."""

    number: int
    title: str
    pairs: tuple[tuple[int, int], ...]


class Decisions:
    """Verdicts on pairs of texts, and keepers chosen by hand.

    Every call that changes something is one step of undo. Texts are named by id; a text that
    a decision is about is never dropped, so decisions outlive imports, encoders and runs.
    """

    def __init__(self, db: Database) -> None:
        self._db = db

    def decide(
        self,
        pairs: Iterable[tuple[int, int]],
        verdict: Verdict | None,
        *,
        title: str,
        keeper: tuple[int, Sequence[int]] | None = None,
    ) -> int:
        """Give every pair this verdict (None takes it back); return how many changed.

        `keeper` names a row to keep and the rows that lose that mark, as for `keep`; it
        belongs to the same step of undo.
        """
        wanted = sorted({(min(a, b), max(a, b)) for a, b in pairs if a != b})
        after = None if verdict is None else str(verdict)
        with writing(self._db) as connection:
            changes: list[Change] = []
            for left, right in wanted:
                row = connection.execute(
                    "SELECT verdict FROM decisions WHERE left = ? AND right = ?", (left, right)
                ).fetchone()
                before = None if row is None else row[0]
                if before != after:
                    changes.append(("decision", left, right, before, after))
            decided = len(changes)
            if keeper is not None:
                changes += self._keeping(*keeper)
            self._apply_as_edit(changes, title)
        return decided

    def keep(self, document: int, instead_of: Sequence[int], *, title: str) -> None:
        """Make this row the kept one of its group; other rows named lose that mark."""
        with writing(self._db):
            self._apply_as_edit(self._keeping(document, instead_of), title)

    def record(self, changes: list[Change], *, title: str) -> None:
        """Make changes of another kind one step of undo; call it inside a write."""
        self._apply_as_edit(changes, title)

    def kinds_of_next(self, *, back: bool) -> set[str]:
        """What undo (`back`) or redo would change: decision, keeper, cluster, encoder."""
        which = "undone = 0 ORDER BY id DESC" if back else "undone = 1 ORDER BY id"
        rows = self._db.conn.execute(
            "SELECT DISTINCT what FROM edit_changes"
            f" WHERE edit = (SELECT id FROM edits WHERE {which} LIMIT 1)"
        )
        return {str(row[0]) for row in rows.fetchall()}

    def undo(self) -> str | None:
        """Take the newest step back; return its title, None when there is none."""
        return self._turn("undone = 0 ORDER BY id DESC", back=True)

    def redo(self) -> str | None:
        """Do the step undone last again; return its title, None when there is none."""
        return self._turn("undone = 1 ORDER BY id", back=False)

    def next_undo(self) -> str | None:
        """The title of the step that undo would take back."""
        return self._title("undone = 0 ORDER BY id DESC")

    def next_redo(self) -> str | None:
        """The title of the step that redo would do again."""
        return self._title("undone = 1 ORDER BY id")

    def steps(self) -> tuple[Step | None, Step | None]:
        """The step that undo would take back and the one that redo would do again."""
        return self._step("undone = 0 ORDER BY id DESC"), self._step("undone = 1 ORDER BY id")

    def of_text(self, text: int) -> list[tuple[int, Verdict]]:
        """What was said of this text and another one that rows hold now, by its id."""
        return [(other, verdict) for _, other, verdict in self.of_texts([text])]

    def of_texts(self, texts: Sequence[int]) -> list[tuple[int, int, Verdict]]:
        """What was said of any of these texts and another one that rows hold now.

        Each as (one of `texts`, the other, verdict), by these ids; what was said of two of
        `texts` comes once from either side.
        """
        found: list[tuple[int, int, Verdict]] = []
        for start in range(0, len(texts), 900):
            part = [int(text) for text in texts[start : start + 900]]
            marks = ",".join("?" * len(part))
            rows = self._db.conn.execute(
                "SELECT one, other, verdict FROM (SELECT left AS one, right AS other, verdict"
                f" FROM decisions WHERE left IN ({marks}) UNION ALL SELECT right, left, verdict"
                f" FROM decisions WHERE right IN ({marks}))"
                " JOIN texts ON texts.id = other AND texts.rows > 0",
                [*part, *part],
            )
            found += [(int(one), int(other), Verdict(told)) for one, other, told in rows]
        return sorted(found, key=lambda said: said[:2])

    def verdict(self, a: int, b: int) -> Verdict | None:
        """What was said of two texts."""
        row = self._db.conn.execute(
            "SELECT verdict FROM decisions WHERE left = ? AND right = ?", (min(a, b), max(a, b))
        ).fetchone()
        return None if row is None else Verdict(row[0])

    def table(self) -> DecisionTable:
        """Every decision, by verdict."""
        found: dict[str, list[tuple[int, int]]] = {verdict: [] for verdict in Verdict}
        for left, right, verdict in self._db.conn.execute(
            "SELECT left, right, verdict FROM decisions ORDER BY left, right"
        ):
            found[verdict].append((left, right))
        arrays = {
            verdict: np.array(pairs, dtype=np.int64).reshape(-1, 2)
            for verdict, pairs in found.items()
        }
        return DecisionTable(**arrays)

    def counts(self) -> dict[str, int]:
        """How many pairs have each verdict."""
        found = dict.fromkeys(map(str, Verdict), 0)
        found.update(
            self._db.conn.execute("SELECT verdict, count(*) FROM decisions GROUP BY verdict")
        )
        return found

    def given(self, verdict: Verdict) -> tuple[int, str, str]:
        """How many pairs have this verdict, and when the first and the last was given."""
        row = self._db.conn.execute(
            "SELECT count(*), coalesce(min(at), ''), coalesce(max(at), '') FROM decisions"
            " WHERE verdict = ?",
            (str(verdict),),
        ).fetchone()
        return int(row[0]), str(row[1]), str(row[2])

    def kept_by_hand(self) -> list[int]:
        """Ids of the rows that a person made keepers."""
        rows = self._db.conn.execute("SELECT document FROM keepers ORDER BY document")
        return [row[0] for row in rows.fetchall()]

    def pace(self) -> float | None:
        """Seconds a person took per decision lately (median); None before ten of them."""
        rows = self._db.conn.execute(
            "SELECT e.at FROM edits e WHERE e.undone = 0 AND (SELECT count(*) FROM edit_changes c"
            " WHERE c.edit = e.id AND c.what = 'decision') <= 1 ORDER BY e.id DESC LIMIT 60"
        ).fetchall()
        times = np.array([row[0][:19] for row in rows], dtype="datetime64[s]").astype(np.int64)
        gaps = -np.diff(times)
        gaps = gaps[gaps <= 120]  # longer ones are pauses
        return float(np.median(gaps)) if len(gaps) >= 10 else None

    def _keeping(self, document: int, instead_of: Sequence[int]) -> list[Change]:
        chosen = set(self.kept_by_hand())
        changes: list[Change] = [("keeper", other, 0, "kept", None)
                   for other in sorted(set(instead_of) & chosen - {document})]  # fmt: skip
        if document not in chosen:
            changes.append(("keeper", document, 0, None, "kept"))
        return changes

    def _apply_as_edit(self, changes: list[Change], title: str) -> None:
        if not changes:
            return
        conn = self._db.conn
        conn.execute("DELETE FROM edits WHERE undone = 1")
        edit = conn.execute("INSERT INTO edits (title, at) VALUES (?, ?)", (title, now())).lastrowid
        conn.executemany(
            "INSERT INTO edit_changes VALUES (?, ?, ?, ?, ?, ?)",
            [(edit, *change) for change in changes],
        )
        self._apply(edit, [(what, left, right, after) for what, left, right, _, after in changes])

    def _turn(self, which: str, *, back: bool) -> str | None:
        with writing(self._db) as connection:
            row = connection.execute(
                f"SELECT id, title FROM edits WHERE {which} LIMIT 1"
            ).fetchone()
            if row is None:
                return None
            value = "before" if back else "after"
            changes = connection.execute(
                f"SELECT what, left, right, {value} FROM edit_changes WHERE edit = ?", (row[0],)
            ).fetchall()
            self._apply(row[0], changes)
            connection.execute("UPDATE edits SET undone = ? WHERE id = ?", (int(back), row[0]))
            return str(row[1])

    def _step(self, which: str, *, at_most: int = 20) -> Step | None:
        row = self._db.conn.execute(f"SELECT id, title FROM edits WHERE {which} LIMIT 1").fetchone()
        if row is None:
            return None
        pairs = self._db.conn.execute(
            "SELECT left, right FROM edit_changes WHERE edit = ? AND what = 'decision' LIMIT ?",
            (row[0], at_most),
        ).fetchall()
        return Step(int(row[0]), str(row[1]), tuple((int(a), int(b)) for a, b in pairs))

    def _title(self, which: str) -> str | None:
        row = self._db.conn.execute(f"SELECT title FROM edits WHERE {which} LIMIT 1").fetchone()
        return None if row is None else str(row[0])

    def _apply(self, edit: int | None, changes: Sequence[tuple[str, int, int, str | None]]) -> None:
        conn = self._db.conn
        given = [(left, right, value, now(), edit)
                 for what, left, right, value in changes
                 if what == "decision" and value is not None]  # fmt: skip
        taken = [(left, right) for what, left, right, value in changes
                 if what == "decision" and value is None]  # fmt: skip
        conn.executemany("INSERT OR REPLACE INTO decisions VALUES (?, ?, ?, ?, ?)", given)
        conn.executemany("DELETE FROM decisions WHERE left = ? AND right = ?", taken)
        for what, document, _, value in changes:
            if what == "keeper" and value is None:
                conn.execute("DELETE FROM keepers WHERE document = ?", (document,))
            elif what == "keeper":
                conn.execute(
                    "INSERT OR IGNORE INTO keepers SELECT id, ? FROM documents WHERE id = ?",
                    (now(), document),
                )
        for what, number, _, value in changes:
            if what == "cluster":
                conn.execute(
                    "UPDATE cluster_edits SET active = ? WHERE id = ?", (value is not None, number)
                )
            elif what == "encoder":
                conn.execute("UPDATE meta SET value = ? WHERE key = 'encoder'", (value,))
        if any(what in ("decision", "keeper") for what, *_ in changes):
            bump(conn, "decisions")
