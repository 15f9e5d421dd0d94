"""Files of every kind are taken in, and what is wrong with them is told before they teach."""

from pathlib import Path

import pytest

from core.errors import UserError
from core.progress import run_to_end
from core.records import Verdict
from core.store import Project
from core.workflows.asking import Asked
from core.workflows.examples_desk import Reading, check_examples, import_examples
from core.workflows.lessons import Selection, lesson_of


def write(file: Path, text: str) -> Path:
    file.write_text(text, "utf-8")
    return file


def pairs(file: Path, rows: list[str], header: str = "sentence1,sentence2,label") -> Path:
    return write(file, "\n".join([header, *rows]) + "\n")


def report_of(project: Project, **values):
    return run_to_end(check_examples(project, Asked(values)))


def said(report) -> str:
    return " ".join(f"{one['sentence']} {one['remedy']}" for one in report.findings)


@pytest.mark.parametrize(
    ("text", "kind", "names"),
    [
        ("sentence1,sentence2,score\na,b,0.5\nc,d,0.25\n", "scored pairs", ()),
        ("sentence1,sentence2,label\na,b,1\nc,d,0\n", "labelled pairs", ("different", "same")),
        ("premise,hypothesis,label\na,b,x\nc,d,y\ne,f,z\n", "labelled pairs", ("x", "y", "z")),
        ("anchor,positive,negative\na,b,c\n", "triplets", ()),
        ("text,label\na,p\nb,p\nc,q\nd,q\n", "labelled texts", ("p", "q")),
    ],
)
def test_each_kind_is_kept_and_given_back_as_it_was_read(
    project: Project, tmp_path: Path, text: str, kind: str, names: tuple[str, ...]
):
    file, is_new = import_examples(project, write(tmp_path / "some.csv", text))
    assert (file.kind, file.names, is_new) == (kind, names, True)
    (part,) = lesson_of(project).material.parts()
    rows = [line.split(",") for line in text.splitlines()[1:]]
    width = len(part.examples.columns)
    assert [list(row) for row in zip(*part.examples.columns, strict=True)] == [
        row[:width] for row in rows
    ]
    assert not import_examples(project, tmp_path / "some.csv")[1]


def test_a_topic_column_is_kept_beside_the_examples(project: Project, tmp_path: Path):
    file = pairs(tmp_path / "t.csv", ["a,b,1,x", "c,d,0,y"], "sentence1,sentence2,label,topic")
    found, _ = import_examples(project, file, Reading(topic="topic"))
    assert found.topics == 2
    assert lesson_of(project).material.scored.topics == ("x", "y")


def test_a_file_that_is_gone_from_the_project_is_told(project: Project):
    with pytest.raises(UserError, match="no longer in the project"):
        lesson_of(project, Selection(files=(7,)))


def test_nothing_to_learn_from_stops(prepared: Project):
    report = report_of(prepared)
    assert report.stops
    assert "no judged pairs" in said(report)


def test_three_pairs_in_total_stop(prepared: Project, tmp_path: Path):
    import_examples(prepared, pairs(tmp_path / "p.csv", ["a,b,1", "c,d,0", "e,f,1"]))
    report = report_of(prepared)
    assert report.stops
    assert "only 3 examples" in said(report)


def test_one_label_only_stops_with_the_remedy(prepared: Project, tmp_path: Path):
    import_examples(prepared, pairs(tmp_path / "p.csv", [f"a {n},b {n},1" for n in range(50)]))
    report = report_of(prepared)
    assert report.stops
    assert report.findings[0]["severity"] == "stops"
    assert "Add pairs with other scores." in said(report)


def test_scores_out_of_range_warn_and_name_the_scale(prepared: Project, tmp_path: Path):
    rows = [f"a {n},b {n},{n}" for n in range(50)]
    file = pairs(tmp_path / "p.csv", rows, "sentence1,sentence2,score")
    import_examples(prepared, file)
    assert "Name the lowest and the highest score of the scale." in said(report_of(prepared))


def test_ragged_rows_are_told_with_their_line(prepared: Project, tmp_path: Path):
    rows = [f"a {n},b {n},{n % 2}" for n in range(60)]
    rows[3] = "alone"
    import_examples(prepared, pairs(tmp_path / "p.csv", rows))
    assert "such as line 5" in said(report_of(prepared))


def test_everything_leaking_into_the_given_test_stops(prepared: Project, tmp_path: Path):
    rows = [f"a {n},b {n},{n % 2}" for n in range(60)]
    import_examples(prepared, pairs(tmp_path / "p.csv", rows))
    dev, _ = import_examples(prepared, pairs(tmp_path / "d.csv", rows[:40]))
    report = run_to_end(check_examples(prepared, Asked({}, Selection(dev=dev.id))))
    assert report.stops
    assert "share 80 of 80 texts" in said(report)


def test_pairs_that_all_hang_together_warn(prepared: Project, tmp_path: Path):
    rows = [f"hub,b {n},{n % 2}" for n in range(150)]
    import_examples(prepared, pairs(tmp_path / "p.csv", rows))
    report = report_of(prepared)
    assert not report.stops
    assert "hang together" in said(report)


def test_texts_longer_than_the_model_are_counted(prepared: Project, tmp_path: Path):
    long = "word " * 3_000
    rows = [f"a {n},{long if n == 7 else n},{n % 2}" for n in range(60)]
    import_examples(prepared, pairs(tmp_path / "p.csv", rows))
    assert "longer than the" in said(report_of(prepared))


def test_contradictions_between_decisions_and_files_do_not_stop(prepared: Project, tmp_path: Path):
    rows = [f"a {n},b {n},{n % 2}" for n in range(60)]
    import_examples(prepared, pairs(tmp_path / "p.csv", [*rows, "a 0,b 0,1"]))
    prepared.decisions.decide([(1, 2)], Verdict.SAME, title="Same")
    lesson = lesson_of(prepared)
    assert (lesson.contradicted, len(lesson.data)) == (1, 61)
    assert not report_of(prepared).stops


def test_what_is_good_says_so(prepared: Project, tmp_path: Path):
    rows = [f"a {n},b {n},{n % 2}" for n in range(60)]
    import_examples(prepared, pairs(tmp_path / "p.csv", rows))
    assert report_of(prepared).sentence == "Nothing stands in the way, and nothing is odd."
