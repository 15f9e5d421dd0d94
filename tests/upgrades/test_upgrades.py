import shutil
from pathlib import Path

import pytest

from core.records import Verdict
from core.store import DATABASE, Project
from core.store.schema import migrations
from core.word_query import WordQuery

RELEASED = sorted(Path(__file__).parent.glob("schema-*"))


@pytest.fixture(params=RELEASED, ids=lambda folder: folder.name)
def opened(request, tmp_path):
    """A copy of a project of a released schema, opened for writing by the program of today."""
    shutil.copytree(request.param, tmp_path / "old")
    with Project.open(tmp_path / "old") as project:
        yield project


def test_there_is_a_project_of_every_schema():
    assert len(RELEASED) == len(migrations._migrations)


def test_rows_texts_and_updates_are_all_there(opened):
    rows = [row for page in opened.documents.stream() for row in page]
    assert [row.body for row in rows] == [
        "My card was charged twice.",
        "My card was charged twice.",
        "I was charged two times with my card.",
        "",
        "=1+1 \x00 Zoë 文書 🙂",
        "Where is my parcel now?",
    ]
    assert rows[4].cells[2] == "Łódź"
    assert rows[0].dates == {"when": "2024-05-01"}


def test_decisions_and_the_way_back_are_there(opened):
    assert opened.decisions.verdict(1, 2) == Verdict.SAME
    assert opened.decisions.verdict(1, 3) == Verdict.DIFFERENT
    assert opened.decisions.kept_by_hand() == [1]
    assert opened.decisions.redo() == "Unsure"
    assert [opened.decisions.undo() for _ in range(4)] == ["Unsure", "Keep #1", "Different", "Same"]


def test_vectors_and_pairs_are_there(opened):
    encoder = opened.active_encoder()
    pairing = opened.pairs.current()
    assert encoder is not None
    assert pairing is not None
    assert opened.vectors.table(encoder).vectors.shape[1] == 4
    assert opened.pairs.table(pairing).right.tolist() == [2, 3]


def test_groups_are_there(opened):
    assert [member.document for member in opened.groupings.members(1)] == [1, 2, 3]
    assert opened.groupings.current().counts["removed"] == 2


def test_removing_the_update_brings_the_row_before_back(opened):
    for _ in opened.sources.remove(2):
        pass
    rows = [row.body for page in opened.documents.stream() for row in page]
    assert rows[3] == "Where is my parcel?"


def test_an_upgraded_project_has_every_table_of_a_new_one(opened, tmp_path):
    def shape(project):
        rows = project._db.conn.execute(
            "SELECT type, name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite_%' ORDER BY name"
        )
        return [(kind, name, " ".join((sql or "").split())) for kind, name, sql in rows.fetchall()]

    with Project.create(tmp_path / "new") as new:
        assert shape(opened) == shape(new)


def test_a_project_of_today_needs_no_backup(tmp_path):
    shutil.copytree(RELEASED[-1], tmp_path / "p")
    with Project.open(tmp_path / "p"):
        pass
    assert list((tmp_path / "p").glob("backup-*")) == []
    assert (tmp_path / "p" / DATABASE).is_file()


def test_words_are_found_in_texts_that_were_there_before(opened):
    assert [text for text, _ in opened.words.search(WordQuery.parse("parcel"), limit=5)]
    assert [text for text, _ in opened.words.search(WordQuery.parse("文書"), limit=5)]


def test_clusters_map_and_trainings_are_there(opened):
    if opened.clusters.current() is None:
        pytest.skip("a project of the first schema has none")
    assert opened.clusters.listed()[0].name == "cards"
    assert opened.cluster_edits.active()[0].op == "rename"
    assert len(opened.maps.points().texts) == opened.texts.count()
    assert opened.trainings.listed()[0].figures["after"] == 0.6
    gold = opened.judged.files()[0]
    assert (gold.kind, gold.names, gold.examples) == ("labelled pairs", ("different", "same"), 1)
    assert opened.judged.rows(gold.id) == [("a", "b", None, 1.0, "")]


def test_triplets_and_how_a_training_came_about_are_there(opened):
    if len(opened.judged.files()) < 2:
        pytest.skip("a project of an earlier schema has none")
    near = opened.judged.files()[1]
    assert (near.kind, near.topics, near.findings[0]["sentence"]) == ("triplets", 1, "Odd.")
    assert opened.judged.rows(near.id) == [("a", "b", "c", None, "cards")]
    assert opened.trainings.listed()[0].how == {"recipe": "decisions", "seed": 0}


def test_checked_pairs_are_there(opened):
    if opened.checked.current() is None:
        pytest.skip("a project of an earlier schema has none")
    assert opened.checked.current().name == "tiny-cross"
    assert opened.checked.of_text(3) == {1: 0.25}


def test_what_a_change_of_the_encoder_brought_is_there(opened):
    record = opened.differences.current()
    if record is None:
        pytest.skip("a project of an earlier schema has none")
    assert (record.before.review, record.after.threshold) == (0.85, 0.9)
    assert record.counts["gained"] == 1
    gained, lost = opened.differences.pairs()
    assert (gained.left, gained.right, gained.gained, gained.verdict) == (1, 2, True, Verdict.SAME)
    assert (lost.stood, lost.stands, lost.verdict) == (1, 0, None)
    assert [group.kind for group in opened.differences.groups()] == ["gained"]
    assert [(one.kept, one.text) for one in opened.differences.texts()] == [(1, 2)]


def test_augmentations_are_there(opened):
    rows = opened._db.conn.execute(
        "SELECT state, left, right, score, corrected, dropped FROM augmentations"
        " JOIN silver_pairs ON augmentation = id ORDER BY place"
    ).fetchall()
    if not rows:
        pytest.skip("a project of an earlier schema has none")
    assert rows == [("labelled", "a", "b", 0.9, None, 0), ("labelled", "a", "c", 0.4, 0.0, 1)]
