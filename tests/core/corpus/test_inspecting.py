import gzip
import json
import os
from pathlib import Path

import pytest

from core.corpus import KINDS, inspect, read_rows
from core.corpus import inspecting as inspecting_module
from core.errors import UserError

DELIMITERS = [",", ";", "\t", "|"]


def cells_of(path, **choices):
    return [row.cells for row in read_rows(path, inspect(path, **choices).reading)]


def said(path, **choices):
    seen = inspect(path, **choices)
    return " ".join((*seen.why, *seen.warnings))


def test_the_sample_is_what_read_rows_gives(write):
    path = write("id,text\n" + "".join(f"{n},row number {n}\n" for n in range(200)))
    seen = inspect(path)
    assert seen.sample == tuple(read_rows(path, seen.reading))[:50]


def test_all_rows_of_a_small_file_are_counted(write):
    seen = inspect(write("id,text\n" + "1,one text\n" * 321))
    assert (seen.rows, seen.rows_exact) == (321, True)


def test_the_rows_of_a_large_file_are_estimated_within_a_tenth(write, monkeypatch):
    monkeypatch.setattr(inspecting_module, "COUNTED_BYTES", 1000)
    monkeypatch.setattr(inspecting_module, "_ESTIMATED", 2000)
    text = "some text " * 20
    seen = inspect(write("id,text\n" + "".join(f"{n:05},{text}\n" for n in range(9000))))
    assert not seen.rows_exact
    assert seen.rows == pytest.approx(9000, rel=0.1)


@pytest.mark.parametrize("delimiter", DELIMITERS)
@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
def test_a_mark_at_the_start_hides_neither_delimiter_nor_first_name(write, delimiter, encoding):
    lines = ["id,text,label", "1,where is it,a", "2,thank you,b", "3,no answer,a"]
    path = write("\n".join(lines).replace(",", delimiter), encoding=encoding)
    assert inspect(path).reading.columns == ("id", "text", "label")
    assert cells_of(path)[1] == ("2", "thank you", "b")


def test_the_reasons_are_told_in_plain_words(write):
    words = said(write("id;text\n1;one\n2;two\n", encoding="utf-8-sig"))
    assert "UTF-8 with a byte order mark" in words
    assert "semicolon: 2 columns in each of the first 3 rows" in words


def test_title_lines_above_the_header_are_skipped_and_said(write):
    path = write("Complaints of 2024\nmade by the desk\n\nid,text,city\n1,late,Lyon\n2,lost,Nice\n")
    seen = inspect(path)
    assert seen.reading.header_line == 4
    assert "two title lines" in " ".join(seen.why)
    assert any("lines 1, 2" in warning for warning in seen.warnings)


def test_a_header_that_comes_late_may_be_chosen(write):
    path = write("a,b\nid,text\n1,one\n")
    assert inspect(path, header_line=2).reading.columns == ("id", "text")
    assert cells_of(path, header_line=2) == [("1", "one")]


def test_without_a_header_columns_are_numbered(write):
    path = write("id,text\n1,one\n")
    assert inspect(path, header_line=None).reading.columns == ("column 1", "column 2")
    assert cells_of(path, header_line=None)[0] == ("id", "text")


def test_a_line_that_is_not_there_cannot_be_the_header(write):
    with pytest.raises(UserError, match="cannot be the header"):
        inspect(write("id,text\n1,one\n"), header_line=99)


def test_a_column_of_sentences_without_a_name_keeps_its_first_row(write):
    path = write("where is my parcel today?\ni want my money back now\nplease call me again\n")
    assert inspect(path).reading.header_line is None
    assert len(cells_of(path)) == 3


def test_a_column_of_sentences_under_a_name_has_a_header(write):
    path = write("verbatim\nwhere is my parcel, please, today?\ni want my money back, all of it\n")
    assert inspect(path).reading.columns == ("verbatim",)


def test_equal_names_of_columns_are_told_apart(write):
    path = write("id,text,text,\n1,a b,c d,e\n2,f g,h i,j\n")
    assert inspect(path).reading.columns == ("id", "text", "text (2)", "column 4")


def test_one_column_needs_no_question(write):
    assert inspect(
        write("remark\nall is well with it here\nnothing else to be said\n")
    ).suggested_text == ("remark",)


def test_a_table_without_usual_names_suggests_its_longest_words(write):
    rows = "".join(f"{n},the parcel of order {n} never came to me,ok\n" for n in range(9))
    assert inspect(write("foo,bar,baz\n" + rows)).suggested_text == ("bar",)


def test_a_table_of_numbers_suggests_no_text(write):
    assert inspect(write("a,b\n1,2\n3,4\n")).suggested_text == ()


def test_title_and_body_are_suggested_together(write):
    rows = "".join(f"{n},Parcel {n},it has not come for {n} days now\n" for n in range(9))
    seen = inspect(write("id,title,body\n" + rows))
    assert (seen.suggested_text, seen.template) == (("title", "body"), "{title}\n{body}")


def test_an_id_is_suggested_only_where_its_values_differ(write):
    assert inspect(write("id,text\n1,a b\n2,c d\n")).suggested_id == "id"
    assert inspect(write("id,text\n1,a b\n1,c d\n", "other.csv")).suggested_id is None


def test_dates_are_suggested_with_their_doubt(write):
    path = write("text,sent\nhello there,01/02/2024\ngood bye,03/04/2024\n")
    (date,) = inspect(path).dates
    assert (date.column, date.ambiguous) == ("sent", True)


def test_ragged_rows_are_told_with_their_lines(write):
    path = write("id,text,n\n1,one,5\n2,two\n3,three,5,6\n4,four,5\n5,five,5\n")
    warnings = " ".join(inspect(path).warnings)
    assert "1 row with fewer cells than columns" in warnings and "(line 3)" in warnings
    assert "1 row with more cells than columns" in warnings and "(line 4)" in warnings


def test_a_chosen_delimiter_is_kept(write):
    path = write("a;b,c\n1;2,3\n4;5,6\n")
    assert inspect(path, delimiter=";").reading.columns == ("a", "b,c")


def test_a_delimiter_of_two_characters_is_refused(write):
    with pytest.raises(UserError, match="single character"):
        inspect(write("a||b\n1||2\n"), delimiter="||")


def test_tabs_with_lone_quotation_marks_are_read_plainly(write):
    rows = "".join(f'{n}\t"yes" he said to {n}\n' for n in range(30))
    path = write("id\ttext\n" + rows, "texts.tsv")
    assert inspect(path).reading.quote is None
    assert cells_of(path)[0] == ("0", '"yes" he said to 0')


def test_quotation_marks_that_come_late_are_judged_too(write):
    rows = "".join(f"{n}\tplain text {n}\n" for n in range(3000))
    late = "".join(f'{n}\t"yes" he said to {n}\n' for n in range(50))
    path = write("id\ttext\n" + rows + late, "texts.tsv")
    assert cells_of(path)[-1] == ("49", '"yes" he said to 49')


def test_backslashes_before_quotation_marks_are_understood(write):
    rows = "".join(f'{n},"she said \\"no, {n}\\" twice"\n' for n in range(9))
    assert cells_of(write("id,text\n" + rows))[3] == ("3", 'she said "no, 3" twice')


def test_single_quotation_marks_around_cells_are_taken_off(write):
    rows = "".join(f"'{n}';'text; number {n}'\n" for n in range(9))
    assert cells_of(write("'id';'text'\n" + rows))[2] == ("2", "text; number 2")


@pytest.mark.parametrize("opening", ["'cause it broke", "'tis the season"])
@pytest.mark.parametrize("count", [2, 10, 399, 3000])
def test_apostrophes_at_the_ends_of_texts_swallow_no_rows(write, opening, count):
    texts = [f"message number {n} about parcels" for n in range(count)]
    texts[count // 2 - 1], texts[count // 2] = opening, "that was the boys'"
    path = write("id,message\n" + "".join(f"{n},{text}\n" for n, text in enumerate(texts)))
    seen = inspect(path)
    assert "single" not in seen.why
    rows = list(read_rows(path, seen.reading))
    assert [row.cells[1] for row in rows] == texts
    assert not any(row.oddities for row in rows)


def test_two_rows_that_begin_and_end_with_an_apostrophe_stay_two(write):
    path = write("1,'cause it broke\n2,that was the boys'\n")
    seen = inspect(path, header_line=None)
    assert [row.cells[1] for row in read_rows(path, seen.reading)] == [
        "'cause it broke", "that was the boys'",
    ]  # fmt: skip


def test_a_file_without_quotation_marks_is_not_said_to_have_single_ones(write):
    assert "quotation" not in inspect(write("id,text\n1,late\n2,lost\n")).why


def test_a_text_of_two_lines_among_single_quotation_marks_is_one_row(write):
    texts = [f"late by {n} days" for n in range(40)]
    texts[20] = "late,\nagain"
    path = write("'id','text'\n" + "".join(f"'{n}','{text}'\n" for n, text in enumerate(texts)))
    rows = list(read_rows(path, inspect(path).reading))
    assert [row.cells[1] for row in rows] == texts


def test_gzip_is_unpacked_whatever_its_name(write):
    path = write(gzip.compress(b"id,text\n1,one\n2,two\n"), "texts.csv.gz")
    assert cells_of(path) == [("1", "one"), ("2", "two")]


def test_plain_text_gives_a_text_a_line(write):
    path = write("Hello, world.\nHow are you, friend?\n\nFine.\n", "notes.txt")
    assert inspect(path).reading.kind == "lines"
    assert cells_of(path) == [("Hello, world.",), ("How are you, friend?",), ("",), ("Fine.",)]


def test_regular_columns_in_a_text_file_are_a_table(write):
    rows = "".join(f"{n}\tsome text here\n" for n in range(9))
    assert inspect(write("id\ttext\n" + rows, "texts.txt")).reading.kind == "table"


def test_a_kind_may_be_chosen(write):
    assert inspect(write("a,b\n1,2\n"), kind="lines").reading.columns == ("text",)


def test_an_unknown_kind_is_refused(write):
    with pytest.raises(UserError, match="no kind"):
        inspect(write("a,b\n"), kind="pdf")
    assert "table" in KINDS


@pytest.mark.parametrize("name", ["mit Leerzeichen é.csv", "文書/текст.csv", "שלום عربى.csv"])
def test_paths_in_any_script_work(write, name):
    assert cells_of(write("id,text\n1,one\n2,two\n", name))[0] == ("1", "one")


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(UserError, match="There is no file"):
        inspect(tmp_path / "nothing.csv")


@pytest.mark.parametrize("content", [b"", gzip.compress(b"")])
def test_an_empty_file_is_refused(write, content):
    with pytest.raises(UserError, match="is empty"):
        inspect(write(content, "empty"))


def test_a_file_of_blank_lines_is_refused(write):
    with pytest.raises(UserError, match="no text"):
        inspect(write("\n\n  \n"))


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (b"\x89PNG\r\n\x1a\n" + bytes(200), "PNG"),
        (b"%PDF-1.7\n" + bytes(range(256)), "PDF"),
        (b"PK\x03\x04" + bytes(200), "zip"),
        (bytes(range(256)) * 20, "not a text file"),
    ],
)
@pytest.mark.parametrize("name", ["texts.csv", "texts.txt", "texts.jsonl"])
def test_a_file_that_is_no_text_is_refused(write, content, what, name):
    with pytest.raises(UserError, match=what):
        inspect(write(content, name))


def test_a_damaged_gzip_file_is_refused(write):
    packed = gzip.compress(os.urandom(5000).hex().encode())[:-400]
    with pytest.raises(UserError, match="damaged"):
        inspect(write(packed, "texts.csv.gz"))


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read all")
def test_a_file_that_may_not_be_read_is_told(write):
    path = write("id,text\n1,one\n")
    path.chmod(0)
    with pytest.raises(UserError, match="permission"):
        inspect(path)


def test_a_header_without_rows_is_told(write):
    seen = inspect(write("id,text\n"), header_line=1)
    assert seen.rows == 0
    assert "There is no row below the header." in seen.warnings


MESSY = {
    "begrotingsanalyse-2011.csv": ("utf-8", ",", 6, 20, 37),
    "characters.csv": ("big5", ",", 1, 18, 382),
    "comma_in_quotes.csv": ("utf-8", ",", 1, 5, 1),
    "escaped_quotes.csv": ("utf-8", ",", 1, 2, 2),
    "excel_pasting.csv": ("utf-8", ",", 4, 9, 17),
    "long.csv": ("utf-8", None, None, 1, 4000),
    "mixedGLB.csv": ("utf-8", ",", 4, 19, 133),
    "newlines.csv": ("utf-8", ",", 1, 3, 3),
    "null.csv": ("utf-8", ",", None, 4, 10),
    "simple.psv": ("utf-8", "|", 1, 6, 28),
    "spanish_chars.csv": ("cp1252", ",", 1, 8, 116),
    "utf-16le_encoded.csv": ("utf-16", ",", 1, 19, 327),
    "utf8.csv": ("utf-8", ",", 1, 3, 2),
    "utf8bom.csv": ("utf-8-sig", ",", None, 2, 1),
}


@pytest.fixture
def messy() -> Path:
    folder = Path(os.environ.get("SAMESENSE_DATA", "")) / "messy"
    if not os.environ.get("SAMESENSE_DATA") or not folder.is_dir():
        pytest.skip("SAMESENSE_DATA names no folder with the messy tables")
    return folder


@pytest.mark.parametrize("name", MESSY)
def test_messy_tables_are_read_sensibly(messy, name):
    seen = inspect(messy / name)
    reading = seen.reading
    found = (reading.encoding, reading.delimiter, reading.header_line, len(reading.columns))
    assert (*found, seen.rows) == MESSY[name]


@pytest.mark.parametrize("name", ["comma_in_quotes", "escaped_quotes", "newlines", "utf8"])
def test_messy_tables_equal_their_right_reading(messy, name):
    path = messy / f"{name}.csv"
    reading = inspect(path).reading
    right = json.loads((messy / f"{name}.json").read_text("utf-8"))
    rows = read_rows(path, reading)
    assert [dict(zip(reading.columns, row.cells, strict=True)) for row in rows] == right


@pytest.mark.parametrize("name", ["comma_in_quotes", "escaped_quotes", "newlines", "utf8"])
def test_the_same_rows_come_from_json(messy, name):
    table, array = messy / f"{name}.csv", messy / f"{name}.json"
    assert cells_of(array) == cells_of(table)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_pipe_is_refused_instead_of_waited_for(tmp_path):
    os.mkfifo(tmp_path / "rows.csv")
    with pytest.raises(UserError, match="pipe or a device"):
        inspect(tmp_path / "rows.csv")
