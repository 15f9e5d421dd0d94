"""Import: all of a file or nothing of it, and nothing twice."""

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from core.errors import UserError
from core.progress import run_to_end
from core.records import DateColumn, ImportReport
from core.store import DocumentFilter, Project
from core.workflows.exporting import export_table
from core.workflows.importing import import_file, inspect_file, remove_import, settings_for

Bring = Callable[[Project, Path], ImportReport]
Table = Callable[..., Path]


def bodies(project: Project) -> list[str]:
    return [row.body for row in project.documents.get(project.documents.order(DocumentFilter()))]


def test_every_row_is_kept_and_counted(project: Project, table: Table, bring: Bring) -> None:
    report = bring(project, table(["a text here", "", "a text here", "two\nlines"]))
    assert (report.rows, report.blank, report.copied, report.multiline) == (4, 1, 1, 1)
    assert bodies(project) == ["a text here", "", "a text here", "two\nlines"]


def test_the_same_file_again_adds_nothing(project: Project, table: Table, bring: Bring) -> None:
    file = table(["one text", "another text"])
    bring(project, file)
    assert bring(project, file).already_known
    assert project.documents.count() == 2


def test_the_same_file_with_other_settings_is_refused(project: Project, table: Table) -> None:
    file = table(["one text"])
    run_to_end(import_file(project, file, settings_for(inspect_file(file), text=("text",))))
    with pytest.raises(UserError, match="other settings"):
        run_to_end(import_file(project, file, settings_for(inspect_file(file), text=("id",))))


def test_a_newer_file_replaces_rows_by_id_and_removal_restores_them(
    project: Project, table: Table, bring: Bring
) -> None:
    bring(project, table(["first text", "second text"]))
    report = bring(project, table(["first text", "second text, mended", "third text"]))
    assert (report.updated, report.unchanged) == (1, 1)
    assert sorted(bodies(project)) == ["first text", "second text, mended", "third text"]
    run_to_end(remove_import(project, report.source))
    assert sorted(bodies(project)) == ["first text", "second text"]


def test_ids_of_a_file_with_another_name_are_other_rows(
    project: Project, table: Table, bring: Bring
) -> None:
    bring(project, table(["a product"], name="a.csv"))
    bring(project, table(["another product"], name="b.csv"))
    assert project.documents.count() == 2


def test_cancelling_leaves_nothing_half_made(project: Project, table: Table) -> None:
    file = table([f"text number {i}" for i in range(5000)])
    steps = import_file(project, file, settings_for(inspect_file(file), text=("text",)))
    while next(steps).unit != "rows":
        pass
    steps.close()
    assert project.documents.count() == 0
    assert project.texts.count() == 0
    assert project.sources.all() == []
    assert project.runs.latest()[0].state == "cancelled"


def test_a_file_that_breaks_off_brings_nothing(project: Project, tmp_path: Path) -> None:
    file = tmp_path / "broken.jsonl"
    file.write_text('{"text": "a whole line"}\n' * 3000)
    settings = settings_for(inspect_file(file), text=("text",))
    with file.open("a") as stream:
        stream.write('{"text": "half a li')
    with pytest.raises(UserError, match=r"3[,.]?001"):
        run_to_end(import_file(project, file, settings))
    assert project.documents.count() == 0
    assert project.runs.latest()[0].state == "failed"


def test_ambiguous_dates_are_asked_about(project: Project, tmp_path: Path) -> None:
    file = tmp_path / "dates.csv"
    file.write_text("text,date\na first text,03/04/2025\na second text,05/06/2025\n")
    found = inspect_file(file)
    with pytest.raises(UserError, match="day first or month first"):
        settings_for(found, text=("text",), dates=("date",))
    settings = settings_for(found, text=("text",), dates=("date:dmy",))
    assert settings.date_columns == (DateColumn("date", "dmy"),)
    run_to_end(import_file(project, file, settings))
    first = project.documents.get(project.documents.order(DocumentFilter()))[0]
    assert first.dates["date"].startswith("2025-04-03")


def test_a_repeated_id_is_reported_with_both_lines(project: Project, tmp_path: Path) -> None:
    file = tmp_path / "ids.csv"
    file.write_text("id,text\n7,a first text\n7,a second text\n")
    settings = settings_for(inspect_file(file), text=("text",), id_column="id")
    report = run_to_end(import_file(project, file, settings))
    assert report.odd == 1
    assert report.notes == ((3, "the id 7 stands on line 2 too"),)
    assert project.documents.count() == 2


@pytest.mark.parametrize("suffix", ["csv", "tsv", "jsonl", "xlsx", "parquet"])
def test_an_export_imports_again_without_change(
    project: Project, tmp_path: Path, table: Table, bring: Bring, suffix: str
) -> None:
    texts = ["=1+1 is two", "-5 degrees", "@anna wrote", "'=quoted", "plain\nwith break", "\x0bodd"]
    bring(project, table(texts))
    run_to_end(export_table(project, "documents", tmp_path / f"out.{suffix}"))
    file = tmp_path / f"out.{suffix}"
    with Project.create(tmp_path / "again") as again:
        settings = settings_for(inspect_file(file), text=("text",), id_column="id")
        run_to_end(import_file(again, file, settings))
        assert bodies(again) == bodies(project)


def test_a_bad_template_is_refused_before_anything_is_made(table: Callable[..., Path]) -> None:
    with pytest.raises(UserError, match="no column"):
        settings_for(inspect_file(table(["one", "two"])), text=("text",), template="{nope}")


def test_a_file_without_rows_is_not_taken_for_one_without_texts(tmp_path: Path) -> None:
    file = tmp_path / "header.csv"
    file.write_text("id,text\n")
    with pytest.raises(UserError, match="no rows"):
        settings_for(inspect_file(file))


@pytest.mark.skipif(sys.platform != "linux", reason="names of any bytes are a matter of Linux")
def test_a_file_name_that_is_no_text_can_be_imported(
    project: Project, table: Callable[..., Path], bring: Callable[..., ImportReport]
) -> None:
    odd = table(["one text", "two texts"]).rename(
        os.fsdecode(os.fsencode(project.folder) + b"\xff.csv")
    )
    assert "\ufffd" in bring(project, odd).name
