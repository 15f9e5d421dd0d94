"""Rows on their way in: laid out, put down, taken up in one transaction."""

import json
import sqlite3

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.records import ImportSettings, Reading
from core.store import StagedRow, lay_out

INDEXES = ("texts_words", "texts_trigrams")
odd_text = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)


@given(st.lists(st.none() | odd_text, max_size=4), st.dictionaries(odd_text, odd_text, max_size=2))
def test_cells_and_dates_are_written_as_the_library_would(cells, dates):
    (laid,) = lay_out([StagedRow(1, 2, None, tuple(cells), dates or None, None, None, False)])
    assert laid[3] == json.dumps(cells, ensure_ascii=False, separators=(",", ":"))
    assert laid[4] == (json.dumps(dates) if dates else None)


def test_a_text_is_laid_out_once_with_its_first_row():
    laid = lay_out([_row(1, "same"), _row(2, "same"), _row(3, "other")])
    assert [row[6] for row in laid] == ["same", None, "other"]
    assert [row[5] for row in laid] == ["h-same", "h-same", "h-other"]


def test_texts_are_numbered_without_gaps_in_the_order_of_their_rows(project, source):
    project.documents.stage(source, [_row(1, "b"), _row(2, "a"), _row(3, "b"), _row(4, "c")])
    project.documents.stage(source, [_row(5, "a"), _row(6, "d"), _row(7, None), _row(8, "b")])
    told = project._db.conn.execute("SELECT id, body FROM texts ORDER BY id").fetchall()
    assert told == [(1, "b"), (2, "a"), (3, "c"), (4, "d")]
    held = project._db.conn.execute("SELECT text FROM documents ORDER BY place").fetchall()
    assert [text for (text,) in held] == [1, 2, 1, 3, 2, 4, None, 1]


def test_rows_put_down_are_not_in_the_project(project, source):
    project.documents.put_down(lay_out([_row(1, "a")]))
    assert _counts(project) == (0, 0)
    assert not project._db.conn.in_transaction


def test_rows_put_down_again_replace_those_before(project, source):
    project.documents.put_down(lay_out([_row(1, "a"), _row(2, "b")]))
    project.documents.put_down(lay_out([_row(1, "c")]))
    project.documents.take_up(source)
    assert _counts(project) == (1, 1)


def test_rows_are_taken_up_once(project, source):
    project.documents.stage(source, [_row(1, "a")])
    assert project.documents.take_up(source) == 0
    assert _counts(project) == (1, 1)


def test_a_batch_that_cannot_be_stored_leaves_nothing(project, source):
    project.documents.stage(source, [_row(1, "a")])
    with pytest.raises(sqlite3.IntegrityError):
        project.documents.stage(source, [_row(2, "b"), _row(1, "c")])
    assert _counts(project) == (1, 1)
    for table in INDEXES:
        _expect_agreement(project, table)


def test_more_rows_than_go_into_one_statement_are_all_put_down(project, source):
    project.documents.stage(source, [_row(place, f"text {place}") for place in range(1, 128)])
    assert _counts(project) == (127, 127)


@pytest.mark.parametrize("table", INDEXES)
def test_the_words_agree_with_the_texts_after_many_batches(project, source, table):
    for batch in range(20):
        project.documents.stage(
            source,
            [_row(batch * 30 + n, f"text {batch * n % 97} of\0é{n}京") for n in range(1, 31)],
        )
    _expect_agreement(project, table)


def test_a_text_with_a_nul_keeps_its_length(project, source):
    project.documents.stage(source, [_row(1, "a\0bc")])
    assert project._db.conn.execute("SELECT length FROM texts").fetchone() == (4,)


@pytest.fixture
def source(project):
    settings = ImportSettings(Reading("table", ("text",)), ("text",))
    run = project.runs.begin("import", {})
    return project.sources.begin("f", path="f", sha256="f", size=1, settings=settings, run=run)


def _row(place, body):
    digest = None if body is None else f"h-{body}"
    return StagedRow(place, place, None, (body,), None, body, digest, False)


def _counts(project):
    return tuple(
        project._db.conn.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
        for table in ("documents", "texts")
    )


def _expect_agreement(project, table):
    """SQLite reads all texts and compares; a word too many or too few is a fault."""
    project._db.conn.execute(f"INSERT INTO {table} ({table}, rank) VALUES ('integrity-check', 1)")
