"""Facts gathered by text, from rows that share texts and files that differ in columns."""

import hashlib
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest

from core.records import ImportReport, ImportSettings, Reading
from core.store import Project, StagedRow

Row = tuple[str | None, str | None, str | None]  # text, city, date


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    with Project.create(tmp_path / "p") as made:
        yield made


def bring(project: Project, name: str, columns: tuple[str, ...], rows: Sequence[Row]) -> None:
    settings = ImportSettings(Reading("table", columns), ("text",))
    source = project.sources.begin(
        name, path=name, sha256=name, size=1, settings=settings,
        run=project.runs.begin("import", {}),
    )  # fmt: skip
    staged = [
        StagedRow(
            place, place, None, (text, city), None if date is None else {"when": date}, text,
            None if text is None else hashlib.sha256(text.encode()).hexdigest()[:32], False,
        )
        for place, (text, city, date) in enumerate(rows, 1)
    ]  # fmt: skip
    project.documents.stage(source, staged)
    project.sources.finish(source, ImportReport(source, name, rows=len(rows)))


def test_rows_are_counted_for_each_text_that_has_any(project: Project) -> None:
    bring(project, "a", ("text", "city"), [("hi", "", None), ("hi", "", None), ("ho", "", None)])
    ids, rows = project.by_text.rows()
    assert (ids.tolist(), rows.tolist()) == ([1, 2], [2, 1])


def test_an_empty_project_has_no_rows_by_text(project: Project) -> None:
    ids, rows = project.by_text.rows()
    assert len(ids) == len(rows) == 0


def test_a_text_has_the_value_of_most_of_its_rows(project: Project) -> None:
    rows: list[Row] = [("hi", "Bern", None), ("hi", "Lyon", None), ("hi", "Lyon", None)]
    bring(project, "a", ("text", "city"), rows)
    told = project.by_text.values("city")
    assert [told.values[code] for code in told.code] == ["Lyon"]


def test_on_a_tie_a_text_has_the_value_of_its_first_row(project: Project) -> None:
    bring(project, "a", ("text", "city"), [("hi", "Zug", None), ("hi", "Aarau", None)])
    told = project.by_text.values("city")
    assert [told.values[code] for code in told.code] == ["Zug"]


def test_texts_without_a_value_are_left_out(project: Project) -> None:
    rows: list[Row] = [("hi", " ", None), ("ho", None, None), ("he", "Bern", None)]
    bring(project, "a", ("text", "city"), rows)
    told = project.by_text.values("city")
    assert (told.texts.tolist(), told.values) == ([3], ("Bern",))


def test_a_column_is_found_wherever_it_stands_in_a_file(project: Project) -> None:
    bring(project, "a", ("text", "city"), [("hi", "Bern", None)])
    bring(project, "b", ("city", "other"), [("Lyon", "x", None)])
    told = project.by_text.values("city")
    assert [told.values[code] for code in told.code] == ["Bern", "Lyon"]


def test_a_column_named_with_quotation_marks_is_found(project: Project) -> None:
    bring(project, "a", ("text", 'the "city"'), [("hi", "Bern", None)])
    assert project.by_text.values('the "city"').values == ("Bern",)


def test_a_text_has_the_date_of_its_earliest_row(project: Project) -> None:
    rows: list[Row] = [
        ("hi", "", "2026-05-03"),
        ("hi", "", "2026-05-02T10:00:00"),
        ("ho", "", None),
    ]
    bring(project, "a", ("text", "city"), rows)
    told = project.by_text.dates("when")
    assert told.texts.tolist() == [1]
    assert told.seconds[0] == np.datetime64("2026-05-02T10:00:00", "s").astype(np.int64)
