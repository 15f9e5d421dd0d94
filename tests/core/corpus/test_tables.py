import csv
import io
import tracemalloc

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.corpus import LINE_BREAK, inspect, read_rows
from core.corpus import tables as tables_module
from core.corpus.oddities import STRAY_QUOTE, TOO_FEW_CELLS, TOO_MANY_CELLS, UNCLOSED_QUOTE
from core.records import Reading

COLUMNS = ("id", "text", "n")


def rows_of(path, columns=COLUMNS, delimiter=",", **choices):
    reading = Reading(
        "table", columns, encoding="utf-8", delimiter=delimiter, header_line=1, **choices
    )
    return list(read_rows(path, reading))


def test_places_and_lines_are_counted_from_one(write):
    rows = rows_of(write("id,text,n\n1,one,2\n3,four,5\n"))
    assert [(row.place, row.line) for row in rows] == [(1, 2), (2, 3)]


def test_a_line_break_inside_a_cell_met_late_gives_one_row(write):
    plain = "".join(f"{n},text {n},x\n" for n in range(5000))
    path = write("id,text,n\n" + plain + '5000,"first\nsecond\r\nthird",x\n5001,last,x\n')
    rows = list(read_rows(path, inspect(path).reading))
    assert len(rows) == 5002
    assert rows[5000].cells == ("5000", "first\nsecond\r\nthird", "x")
    assert rows[5000].oddities == (LINE_BREAK,)
    assert rows[5001].line == 5005


def test_delimiters_and_quotation_marks_inside_cells_stay(write):
    rows = rows_of(write('id,text,n\n1,"a, ""b"", c",2\n'))
    assert rows[0].cells == ("1", 'a, "b", c', "2")


def test_a_cell_of_200_kilobytes_is_whole(write):
    long = "word " * 40_000
    path = write(f'id,text,n\n1,"{long}",2\n')
    assert next(read_rows(path, inspect(path).reading)).cells[1] == long


@pytest.mark.parametrize("word", ["NA", "null", "None", "nan", "N/A", "#N/A", "NULL"])
def test_words_for_nothing_are_texts(write, word):
    assert rows_of(write(f"id,text,n\n1,{word},2\n"))[0].cells[1] == word


def test_empty_cells_are_empty(write):
    assert rows_of(write('id,text,n\n1,,""\n'))[0].cells == ("1", "", "")


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_any_line_end_is_a_line_end(write, end):
    path = write(end.join(["id,text,n", "1,one,2", "3,four,5"]))
    rows = list(read_rows(path, inspect(path).reading))
    assert [(row.line, row.cells) for row in rows] == [
        (2, ("1", "one", "2")),
        (3, ("3", "four", "5")),
    ]


def test_a_short_row_is_filled_and_marked(write):
    (row,) = rows_of(write("id,text,n\n1,one\n"))
    assert (row.cells, row.oddities) == (("1", "one", None), (TOO_FEW_CELLS,))


def test_a_long_row_loses_nothing(write):
    (row,) = rows_of(write("id,text,n\n1,one,2,3,4\n"))
    assert (row.cells, row.oddities) == (("1", "one", "2,3,4"), (TOO_MANY_CELLS,))


def test_empty_cells_beyond_the_last_column_are_no_oddity(write):
    (row,) = rows_of(write("id,text,n\n1,one,2,,,\n"))
    assert (row.cells, row.oddities) == (("1", "one", "2"), ())


def test_blank_lines_are_passed_over_and_counted(write):
    path = write("id,text,n\n1,one,2\n\n\n3,four,5\n")
    seen = inspect(path)
    assert [row.line for row in seen.sample] == [2, 5]
    assert "Blank lines between the rows, passed over: 2." in seen.warnings


def test_a_blank_line_in_a_single_column_is_a_blank_row(write):
    rows = rows_of(write("text\none\n\ntwo\n"), columns=("text",), delimiter=None)
    assert [row.cells for row in rows] == [("one",), ("",), ("two",)]


def test_commas_in_a_single_column_part_nothing(write):
    rows = rows_of(write("text\none, two, three\n"), columns=("text",), delimiter=None)
    assert (rows[0].cells, rows[0].oddities) == (("one, two, three",), ())


def test_a_mark_never_closed_swallows_no_rows(write):
    path = write('id,text,n\n1,one,2\n2,"open,3\n3,three,4\n4,four,5\n')
    rows = rows_of(path)
    assert [row.cells[0] for row in rows] == ["1", "2", "3", "4"]
    assert (rows[1].cells[1], rows[1].oddities) == ('"open', (UNCLOSED_QUOTE,))
    assert any(
        "never closed" in warning and "line 3" in warning for warning in inspect(path).warnings
    )


def test_a_mark_closed_by_that_of_a_later_row_swallows_no_rows(write):
    rows = rows_of(write('id,text,n\n1,"open,3\n2,two,3\n3,"three, four",4\n4,five,5\n'))
    assert [row.cells[0] for row in rows] == ["1", "2", "3", "4"]
    assert rows[2].cells[1] == "three, four"


def test_an_open_mark_holds_a_bounded_part_of_the_file(write, monkeypatch):
    monkeypatch.setattr(tables_module, "LONGEST_QUOTED", 2000)
    plain = "".join(f"{n},text,x\n" for n in range(2000))
    rows = rows_of(write('id,text,n\n0,"open,x\n' + plain))
    assert len(rows) == 2001
    assert rows[-1].line == 2002


def test_marks_in_odd_places_keep_every_character(write):
    (row,) = rows_of(write('id,text,n\n1,"no" she said,2\n'))
    assert (row.cells[1], row.oddities) == ('"no" she said', (STRAY_QUOTE,))


def test_control_characters_survive(write):
    rows = rows_of(write("id,text,n\n1,a\x00b\x0bc\x1fd\x85e\u2028f,2\n"))
    assert rows[0].cells[1] == "a\x00b\x0bc\x1fd\x85e\u2028f"


@pytest.mark.parametrize("text", ["=1+1", "+49", "-x", "@me", "\tx"])
def test_texts_that_look_like_formulas_are_left_alone(write, text):
    assert rows_of(write(f"id,text,n\n1,{text},2\n"))[0].cells[1] == text


def test_memory_does_not_grow_with_the_file(write):
    path = write("id,text,n\n" + "1,some text that goes on for a while,2\n" * 15_000)
    reading = inspect(path).reading
    tracemalloc.start()
    for _ in read_rows(path, reading):
        pass
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 1_000_000


WORD = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
TRICKY = st.text(st.sampled_from('",;|\t\r\n a\u00e9\u6587\x00'), max_size=12)


@settings(max_examples=150, deadline=None)
@given(
    table=st.lists(st.lists(WORD | TRICKY, min_size=3, max_size=3), max_size=12),
    delimiter=st.sampled_from([",", ";", "\t", "|"]),
    line_end=st.sampled_from(["\n", "\r\n"]),
)
def test_what_the_csv_module_writes_is_read_back(tmp_path_factory, table, delimiter, line_end):
    out = io.StringIO()
    writer = csv.writer(out, delimiter=delimiter, lineterminator=line_end, quoting=csv.QUOTE_ALL)
    writer.writerows([COLUMNS, *table])
    path = tmp_path_factory.mktemp("csv") / "texts.csv"
    path.write_bytes(out.getvalue().encode())
    assert [list(row.cells) for row in rows_of(path, delimiter=delimiter)] == table


@settings(max_examples=100, deadline=None)
@given(
    table=st.lists(st.lists(WORD | TRICKY, min_size=3, max_size=3), min_size=1, max_size=8),
    delimiter=st.sampled_from([",", ";", "\t", "|"]),
)
def test_the_guess_reads_back_what_was_written(tmp_path_factory, table, delimiter):
    out = io.StringIO()
    writer = csv.writer(out, delimiter=delimiter, quoting=csv.QUOTE_ALL)
    writer.writerows([COLUMNS, *table])
    path = tmp_path_factory.mktemp("csv") / "texts.csv"
    path.write_bytes(out.getvalue().encode())
    reading = inspect(path, header_line=1, encoding="utf-8").reading
    assert reading.delimiter == delimiter
    assert [list(row.cells) for row in read_rows(path, reading)] == table
