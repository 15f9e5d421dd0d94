"""Judged examples of every kind come back as they were stored."""

import pytest

from core.store import JudgedRow, Project


def test_judged_pairs_are_taken_in_once(project: Project):
    told = {"name": "gold.csv", "path": "/gold.csv", "sha256": "a", "kind": "scored pairs"}
    rows = [JudgedRow("a", "b", judgement=1.0), JudgedRow("a", "c", judgement=0.0)]
    file, is_new = project.judged.add(**told, rows=rows)
    assert (file.examples, is_new) == (2, True)
    again, is_new = project.judged.add(**told, rows=rows[:1])
    assert (again.id, is_new) == (file.id, False)
    assert project.judged.rows(file.id) == rows
    project.judged.remove(file.id)
    assert project.judged.count() == 0
    assert project.judged.files() == []


def test_a_file_tells_its_labels_topics_and_findings(project: Project):
    found = {"severity": "warns", "sentence": "Odd.", "remedy": "Look.", "examples": 2}
    file, _ = project.judged.add(
        name="nli.csv", path="/nli.csv", sha256="b", kind="labelled pairs",
        names=("no", "maybe", "yes"), note="Read.", counts=(("no", 1), ("yes", 1)),
        findings=(found,),
        rows=[JudgedRow("a", "b", judgement=0, topic="x"), JudgedRow("c", "d", judgement=2)],
    )  # fmt: skip
    held = project.judged.get(file.id)
    assert (held.names, held.topics, held.counts) == (
        ("no", "maybe", "yes"), 1, (("no", 1), ("yes", 1)),
    )  # fmt: skip
    assert held.findings == (found,)
    assert [row.topic for row in project.judged.rows(file.id)] == ["x", ""]
    with pytest.raises(KeyError):
        project.judged.get(file.id + 1)


def test_triplets_and_labelled_texts_come_back_as_they_were(project: Project):
    for kind, row in (
        ("triplets", JudgedRow("a", "b", "c")), ("labelled texts", JudgedRow("a", judgement=1)),
    ):  # fmt: skip
        file, _ = project.judged.add(
            name=kind, path=kind, sha256=kind, kind=kind, names=("p", "q"), rows=[row]
        )
        assert project.judged.rows(file.id) == [row]
