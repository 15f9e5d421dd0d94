"""Make the small project of the schema of today, to be opened by every later version.

Run once per released schema, from the repository's root: `python tests/upgrades/make_project.py
tests/upgrades/schema-4`. Never run it again for a schema that was released.
"""

import hashlib
import sys
from pathlib import Path

import numpy as np

from core.records import ImportReport, ImportSettings, Reading, Verdict
from core.store import (
    DATABASE,
    ClusterLabels,
    ClusterRow,
    GroupRow,
    JudgedRow,
    MapPoints,
    MemberRow,
    PairTable,
    Project,
    ReviewRow,
    Shown,
    StagedRow,
    TreeTable,
    VectorBatch,
)
from core.store.differences import Bounds, NewDifference

ROWS = (
    ("1", "My card was charged twice.", "Lyon"),
    ("2", "My card was charged twice.", "Nice"),
    ("3", "I was charged two times with my card.", "Lyon"),
    ("4", "Where is my parcel?", None),
    ("5", None, "Nice"),
    ("6", "=1+1 \x00 Zoë 文書 🙂", "Łódź"),
)


def make(folder: Path) -> None:
    """A project with all that this version can hold, and an undone step."""
    with Project.create(folder) as project:
        project.meta.set("name", "Schema 4")
        _bring(project, "first.csv", ROWS)
        _bring(project, "first.csv", (("4", "Where is my parcel now?", None),))
        encoder = _encode(project)
        run = project.runs.begin("pairs", {"floor": 0.7})
        pairing = project.pairs.begin(encoder, floor=0.7, run=run)
        project.pairs.add(pairing.id, _pairs((1, 2, 0.93), (1, 3, 0.75)), rows_done=4)
        for _ in project.pairs.finish(pairing.id):
            pass
        project.runs.end(run, "finished", outcome={"pairs": 2})
        _chart(project, encoder)
        _teach(project)
        project.decisions.decide([(1, 2)], Verdict.SAME, title="Same")
        project.decisions.decide([(1, 3)], Verdict.DIFFERENT, title="Different")
        project.decisions.keep(1, [2], title="Keep #1")
        project.decisions.decide([(2, 3)], Verdict.UNSURE, title="Unsure")
        project.decisions.undo()
        _group(project)
        _check(project)
        _compare(project, encoder)
        _augment(project)
        project._db.conn.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        project._db.conn.execute("VACUUM")
    for left_over in ("writer.lock", f"{DATABASE}-wal", f"{DATABASE}-shm"):
        (folder / left_over).unlink(missing_ok=True)


def _bring(project: Project, name: str, rows: tuple[tuple[str | None, ...], ...]) -> None:
    settings = ImportSettings(
        Reading("table", ("id", "text", "city"), "utf-8", ","), ("text",), id_column="id"
    )
    run = project.runs.begin("import", {})
    source = project.sources.begin(
        name, path=name, sha256=f"{len(rows)}", size=1, settings=settings, run=run
    )
    project.documents.stage(
        source,
        [
            StagedRow(
                place, place + 1, row[0], row, {"when": f"2024-05-{place:02}"}, row[1],
                None if row[1] is None else hashlib.sha256(row[1].encode()).hexdigest()[:32],
                False,
            )
            for place, row in enumerate(rows, 1)
        ],
    )  # fmt: skip
    project.sources.note(source, [(3, "an odd line")])
    project.sources.finish(source, ImportReport(source, name, rows=len(rows)))
    project.runs.end(run, "finished")


def _encode(project: Project) -> int:
    encoder = project.vectors.encoder(
        "0123", name="tiny", folder="tiny", dimension=4, precision="fp32", settings={"seed": 1}
    )
    waiting = project.texts.without_vector(encoder.id)
    n = len(waiting)
    vectors = np.eye(4, dtype=np.float32)[np.arange(n) % 4]
    project.vectors.append(
        encoder,
        VectorBatch(
            waiting, vectors, np.full(n, 7, np.int32), np.ones(n, np.int32), np.zeros(n, bool),
            np.zeros((0, 4), np.float32),
        ),
    )  # fmt: skip
    project.meta.set("encoder", str(encoder.id))
    return encoder.id


def _pairs(*pairs: tuple[int, int, float]) -> PairTable:
    left, right, cosine = zip(*pairs, strict=True)
    return PairTable(
        np.array(left), np.array(right), np.array(cosine, np.float32),
        np.full(len(pairs), 0.4, np.float32), np.array([0, 1], np.uint8),
    )  # fmt: skip


def _group(project: Project) -> None:
    project.groupings.replace(
        pairing=1, threshold=0.9, review=0.8, keep="first",
        inputs=project.inputs_of_groups(project.pairs.current()),
        counts={"rows": 6, "kept": 4, "removed": 2},
        groups=[GroupRow(1, 1, 3, 2, 0.93, 1, 0.75)],
        members=[
            MemberRow(1, 1, 1, 1, "kept", None, None),
            MemberRow(2, 1, 1, 1, "copy", 1.0, 1.0),
            MemberRow(3, 2, 1, 1, "decided", 0.93, 0.4),
        ],
        waiting=[ReviewRow(1, 3, 0.75, 0.4, 1)], run=1,
    )  # fmt: skip


def _chart(project: Project, encoder: int) -> None:
    texts = project.texts.table().ids
    n = len(texts)
    labels = ClusterLabels(
        texts, np.where(np.arange(n) < 2, 1, -1).astype(np.int32), np.ones(n, np.float32),
        np.zeros(n, np.uint8),
    )  # fmt: skip
    tree = TreeTable(
        np.array([-1, 0], np.int32), np.array([0, 1], np.float32), np.array([0, 2], np.float32),
        np.array([6, 3]), ((), ("card",)), ((), (int(texts[0]),)), texts,
        np.where(np.arange(n) < 2, 1, 0).astype(np.int32), np.ones(n, np.float32),
    )  # fmt: skip
    shown = Shown(
        0, 1.0, {"clusters": 1, "unclustered": 3},
        (ClusterRow(1, "cards", ("card",), 3, 2, (int(texts[0]),), True, False, False, 0),), labels,
    )  # fmt: skip
    project.clusters.replace(
        encoder=encoder, options={}, inputs=project.inputs_of_layout(), levels=[[1]], tree=tree,
        shown=shown, run=None,
    )  # fmt: skip
    project.maps.replace(
        MapPoints(texts, np.arange(2 * n, dtype=np.float32).reshape(n, 2)), encoder=encoder,
        options={}, inputs=project.inputs_of_layout(), counts={"texts": n}, run=None,
    )  # fmt: skip
    project.cluster_edits.add("rename", title="Rename", name="cards", anchors=[texts[:2].tolist()])


def _teach(project: Project) -> None:
    project.judged.add(
        name="gold.csv", path="gold.csv", sha256="a", kind="labelled pairs",
        names=("different", "same"), rows=[JudgedRow("a", "b", judgement=1)],
    )  # fmt: skip
    project.judged.add(
        name="near.csv", path="near.csv", sha256="b", kind="triplets",
        rows=[JudgedRow("a", "b", "c", topic="cards")], counts=(("triplets", 1),),
        findings=({"severity": "tells", "sentence": "Odd.", "remedy": "", "examples": 1},),
    )  # fmt: skip
    project.trainings.add(
        run=None, name="tiny taught 1", folder="encoders/taught-1", base_name="tiny",
        base_folder="tiny", data={"same": 1}, options={}, figures={"before": 0.5, "after": 0.6},
        curve=[[1, 0.1]], held_curve=[], examples={"better": [], "worse": []},
        how={"recipe": "decisions", "seed": 0},
    )  # fmt: skip


def _check(project: Project) -> None:
    checker = project.checked.checker("4567", name="tiny-cross", folder="tiny-cross")
    left, right = np.array([1, 1]), np.array([2, 3])
    project.checked.add(checker.id, left, right, np.array([0.9, 0.25], np.float32))


def _compare(project: Project, encoder: int) -> None:
    project.differences.replace(
        NewDifference(
            (encoder, encoder), (Bounds(0.95, 0.85), Bounds(0.9, 0.8)),
            {"corpus": 2, "decisions": 5}, {"gained": 1, "lost": 1, "groups_gained": 1},
            (np.array([1, 2]), np.array([2, 5]), np.array([True, False]),
             np.array([0.8, 0.9]), np.array([0.93, 0.75]), np.array([0, 1]), np.array([2, 0])),
            (np.array(["gained"]), np.array([1]), np.array([0]), np.array([2]), np.array([1]),
             np.array([0])),
            (np.array([0]), np.array([1]), np.array([2]), np.array([True]), np.array([0.8]),
             np.array([0.93]), np.array([0]), np.array([2])),
        )
    )  # fmt: skip


def _augment(project: Project) -> None:
    statements = (
        "INSERT INTO augmentations VALUES (1, NULL, 'labelled', '2026-01-01T00:00:00+00:00',"
        " '{}', '{}', '{}', '{}', NULL)",
        "INSERT INTO silver_pairs VALUES (1, 0, 'a', 'b', 0.9, NULL, 0)",
        "INSERT INTO silver_pairs VALUES (1, 1, 'a', 'c', 0.4, 0.0, 1)",
    )
    for statement in statements:
        project._db.conn.execute(statement)


if __name__ == "__main__":
    make(Path(sys.argv[1]))
