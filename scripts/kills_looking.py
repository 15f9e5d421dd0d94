"""What `kills.py` looks at in a project whose program was killed."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.encoders import Encoder
from core.records import Verdict
from core.store import Project

_SAMPLE = 20
_CLOSE = 1e-5  # how far two encodings of one text may be apart, in fp32


@dataclass(frozen=True, slots=True)
class Result:
    """Everything a project holds, named by places and texts, not by numbers of rows."""

    documents: list[tuple[int, str | None, str]]  # place, id, text
    vectors: dict[str, NDArray[np.float32]]  # by text
    pairs: dict[tuple[str, str], float]  # cosine by texts
    floor: float
    members: set[tuple[int, int, str]]  # place, place of the kept row, reason
    decisions: dict[str, int]

    def differences(self, expected: "Result") -> list[str]:
        """In what this differs from an undisturbed run."""
        found = []
        if self.documents != expected.documents:
            found.append(f"{len(self.documents)} rows, not the {len(expected.documents)}")
        if self.vectors.keys() != expected.vectors.keys():
            found.append(f"{len(self.vectors)} texts, not the {len(expected.vectors)}")
        elif any(_apart(self.vectors[t], v) for t, v in expected.vectors.items()):
            found.append("other vectors")
        odd = self.pairs.keys() ^ expected.pairs.keys()
        both = {**self.pairs, **expected.pairs}
        # A cosine at the very floor may round to either side of it.
        if any(both[pair] > self.floor + _CLOSE for pair in odd):
            found.append(f"{len(odd)} pairs in one of the two only")
        if self.members != expected.members:
            found.append(f"{len(self.members ^ expected.members)} rows grouped in another way")
        if self.decisions != expected.decisions:
            found.append(f"decisions {self.decisions}, not {expected.decisions}")
        return found


def result_of(project: Project) -> Result:
    """Read everything a project holds."""
    rows = [row for page in project.documents.stream() for row in page]
    place = {row.id: row.place for row in rows}
    body = {row.text: row.body for row in rows if row.text is not None}
    encoder, pairing = project.active_encoder(), project.pairs.current()
    if encoder is None or pairing is None:
        raise RuntimeError("the steps before were not done")
    table = project.vectors.table(encoder)
    pairs = project.pairs.table(pairing)
    return Result(
        [(row.place, row.key, row.body) for row in rows],
        {body[int(text)]: np.array(table.vectors[row])
         for text, row in zip(table.texts, table.rows, strict=True)},
        {_named(body, int(a), int(b)): float(cosine)
         for a, b, cosine in zip(pairs.left, pairs.right, pairs.cosine, strict=True)},
        pairing.floor,
        {(place[m.document], place[m.keeper], m.reason)
         for page in project.groupings.stream_members() for m in page},
        project.decisions.counts(),
    )  # fmt: skip


def ids_of(project: Project) -> dict[str, int]:
    """The number of each text."""
    rows = [row for page in project.documents.stream() for row in page]
    return {row.body: row.text for row in rows if row.text is not None}


def look(
    folder: Path, step: str, expected: Result, encoder: Encoder, rng: random.Random
) -> tuple[list[str], str]:
    """What is wrong with a project right after a kill, and what opening it told."""
    faults = []
    with Project.open_read_only(folder) as project:
        seen = project.documents.count()
        if seen not in (0, len(expected.documents)) or (seen == 0 and step != "import"):
            faults.append(f"{seen} rows are seen")
        running = {run.workflow for run in project.runs.latest() if run.state == "running"}
        half = _value(project, "SELECT count(*) FROM sources WHERE state = 'importing'")
    with Project.open(folder) as project:
        told = {run.workflow for run in project.recovery.runs}
        if told != running or not told <= {step}:
            faults.append(f"opening told of {told}, and {running} had not ended")
        if len(project.recovery.dropped_imports) != half:
            faults.append("a dropped import was not told")
        faults += _ill(project) + _sums_off(project)
        faults += _wrong_vectors(project, encoder, rng)
    if told:
        return faults, "told as interrupted"
    return faults, "nothing to tell"


def lost_decisions(
    project: Project,
    pairs: Sequence[tuple[int, int]],
    acknowledged: Sequence[int],
    verdict: Callable[[int], Verdict],
) -> list[str]:
    """Acknowledged decisions that are not there, and decisions that nobody made."""
    lost = [at for at in acknowledged if project.decisions.verdict(*pairs[at]) != verdict(at)]
    faults = [f"{len(lost)} acknowledged decisions are lost"] if lost else []
    there = [at for at, pair in enumerate(pairs) if project.decisions.verdict(*pair) is not None]
    # One may have been stored and not yet acknowledged.
    if acknowledged and len(there) > len(acknowledged) + 1:
        faults.append(f"{len(there)} decisions of {len(acknowledged)} acknowledged")
    return faults


def _ill(project: Project) -> list[str]:
    found = project._db.conn.execute("PRAGMA integrity_check").fetchall()
    loose = project._db.conn.execute("PRAGMA foreign_key_check").fetchall()
    faults = [] if found == [("ok",)] else [f"integrity: {found[:3]}"]
    return faults + ([f"{len(loose)} rows name others that are gone"] if loose else [])


def _sums_off(project: Project) -> list[str]:
    faults = []
    if _value(project, "SELECT count(*) FROM sources WHERE state <> 'ready'"):
        faults.append("an unfinished import was not swept")
    if _value(
        project, "SELECT count(*) FROM documents WHERE source NOT IN (SELECT id FROM sources)"
    ):
        faults.append("rows of no import")
    if _value(
        project,
        "SELECT count(*) FROM texts WHERE rows <> (SELECT count(*) FROM documents"
        " WHERE text = texts.id AND live = 1)",
    ):
        faults.append("texts whose rows are miscounted")
    state = project.state()
    if state.encoded > state.texts or state.texts + state.blank > state.rows:
        faults.append(f"counts that do not add up: {state}")
    grouping = state.grouping
    if grouping is not None:
        counts = grouping.counts
        stored = _value(project, "SELECT count(*) FROM members WHERE document <> keeper")
        if counts["kept"] + counts["removed"] != counts["rows"] or stored != counts["removed"]:
            faults.append(f"groups that do not add up: {counts}, {stored} removed rows")
    return faults


def _wrong_vectors(project: Project, encoder: Encoder, rng: random.Random) -> list[str]:
    active = project.active_encoder()
    if active is None:
        return []
    table = project.vectors.table(active)
    if len(table.texts) != project.vectors.count(active.id):
        return ["vectors of texts that are not in use"]
    if not len(table.texts):
        return []
    at = sorted(rng.sample(range(len(table.texts)), min(_SAMPLE, len(table.texts))))
    at = sorted({*at, len(table.texts) - 1})  # the last one written is the likeliest to be torn
    fresh = encoder.encode(project.texts.bodies(table.texts[at])).vectors
    wrong = [_apart(table.vectors[table.rows[i]], fresh[k]) for k, i in enumerate(at)]
    return [f"{sum(wrong)} of {len(at)} vectors are wrong"] if any(wrong) else []


def _apart(left: NDArray[np.float32], right: NDArray[np.float32]) -> bool:
    return bool(np.abs(left - right).max() > _CLOSE)


def _named(body: dict[int, str], left: int, right: int) -> tuple[str, str]:
    a, b = body[left], body[right]
    return (a, b) if a < b else (b, a)


def _value(project: Project, query: str) -> Any:
    return project._db.conn.execute(query).fetchone()[0]
