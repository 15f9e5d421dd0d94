import csv
import errno
import json
import os
from pathlib import Path

import pyarrow.parquet
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from python_calamine import load_workbook

from core.errors import UserError
from core.store import table_formats
from core.store.tables import (
    ID_COLUMN,
    SUFFIXES,
    Column,
    TableWriter,
    guard,
    unguard,
    was_guarded,
    write_table,
)

RISKY = ["=1+1", "+1", "-1", "@a", "\t=x", "\rx", "  =x", "'=x", "''-x", "' @x", "\u200b=x", "＝x"]
QUIET = ["", "a", "'quoted'", "it's", "'", "3-4", "a=b", "'' x", "1", " ' =x"]
ODD = [
    "\x00",
    "\x0b!",
    "a\rb\nc\r\nd",
    '"',
    'a,"b";\tc',
    " lead",
    "trail ",
    "_x0000_",
    "_x005F_x0000_",
]
ODD += [
    "<r>bold</r>",
    "&lt;<b>",
    "\u2028\x85",
    "😀 é 文",
    "NA",
    "null",
    "001",
    "1e5",
    "http://a.example",
]
TEXTS = [*RISKY, *QUIET, *ODD]

any_text = st.one_of(
    st.text(max_size=30),
    st.text(alphabet="'=+-@ \t\r\n\"_x05F\x00,;<r>", max_size=12),
    st.sampled_from(TEXTS),
)
any_rows = st.lists(st.tuples(st.just("7"), any_text), min_size=1, max_size=6)
often = settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


def read_delimited(path: Path, delimiter: str) -> list[tuple[str, ...]]:
    csv.field_size_limit(10_000_000)
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = [tuple(row) for row in csv.reader(file, delimiter=delimiter)]
    if was_guarded(rows[0]):
        rows = [tuple(unguard(cell) for cell in row) for row in rows]
    return rows[1:]


def read_jsonl(path: Path) -> list[tuple[str, ...]]:
    with path.open(encoding="utf-8", newline="\n") as file:
        return [tuple(json.loads(line).values()) for line in file]


def read_xlsx(path: Path, sheet: int = 0) -> list[tuple[object, ...]]:
    book = load_workbook(str(path))
    rows = book.get_sheet_by_index(sheet).to_python(skip_empty_area=False)
    return [tuple(row) for row in rows][1:]


def read_parquet(path: Path) -> list[tuple[object, ...]]:
    return [tuple(row.values()) for row in pyarrow.parquet.read_table(path).to_pylist()]


@given(st.one_of(any_text, st.text()))
def test_unguard_takes_back_exactly_what_guard_added(text):
    assert unguard(guard(text)) == text


@given(any_text)
def test_no_guarded_cell_begins_with_a_sign_that_a_spreadsheet_runs(text):
    assert guard(text).strip("\x00 \t\r\n\x0b")[:1] not in set("=+-@")


@pytest.mark.parametrize("text", RISKY)
def test_risky_cells_get_one_apostrophe(text):
    assert guard(text) == "'" + text


@pytest.mark.parametrize("text", QUIET)
def test_other_cells_stay_as_they_are(text):
    assert guard(text) == text


@often
@given(any_rows)
def test_csv_gives_back_any_text(tmp_path, rows):
    write_table(tmp_path / "t.csv", [ID_COLUMN, "text"], rows)
    assert read_delimited(tmp_path / "t.csv", ",") == rows


@often
@given(any_rows)
def test_tsv_gives_back_any_text(tmp_path, rows):
    write_table(tmp_path / "t.tsv", [ID_COLUMN, "text"], rows)
    assert read_delimited(tmp_path / "t.tsv", "\t") == rows


@often
@given(any_rows)
def test_jsonl_gives_back_any_text(tmp_path, rows):
    write_table(tmp_path / "t.jsonl", [ID_COLUMN, "text"], rows)
    assert read_jsonl(tmp_path / "t.jsonl") == rows


@often
@given(any_rows)
def test_parquet_gives_back_any_text(tmp_path, rows):
    write_table(tmp_path / "t.parquet", [ID_COLUMN, "text"], rows)
    assert read_parquet(tmp_path / "t.parquet") == rows


@often
@given(any_rows)
def test_xlsx_gives_back_any_text_but_two_noncharacters(tmp_path, rows):
    rows = [(key, text.replace("\ufffe", "").replace("\uffff", "")) for key, text in rows]
    write_table(tmp_path / "t.xlsx", [ID_COLUMN, "text"], rows)
    assert read_xlsx(tmp_path / "t.xlsx") == rows


def test_xlsx_holds_texts_as_texts_never_as_formulas(tmp_path):
    write_table(tmp_path / "t.xlsx", ["text"], [["=1+1"], ["12"], ["http://a.example"]])
    assert read_xlsx(tmp_path / "t.xlsx") == [("=1+1",), ("12",), ("http://a.example",)]


@pytest.mark.parametrize("suffix", [".csv", ".tsv"])
def test_raw_tables_are_not_taken_for_guarded_ones(tmp_path, suffix):
    path = tmp_path / f"t{suffix}"
    rows = [("1", text) for text in TEXTS]
    write_table(path, [ID_COLUMN, "text"], rows, raw=True)
    assert read_delimited(path, "," if suffix == ".csv" else "\t") == rows


def test_headers_that_a_spreadsheet_would_run_are_guarded(tmp_path):
    write_table(tmp_path / "t.csv", [ID_COLUMN, "=cmd"], [])
    assert (tmp_path / "t.csv").read_bytes() == b"\xef\xbb\xbfsamesense_id,'=cmd\r\n"


def test_numbers_keep_their_sign_and_gain_no_apostrophe(tmp_path):
    columns = [Column("n", "integer"), Column("x", "real"), "text"]
    write_table(tmp_path / "t.csv", columns, [(-3, -3.5, -4)])
    assert read_delimited(tmp_path / "t.csv", ",") == [("-3", "-3.5", "-4")]


@pytest.mark.parametrize("suffix", [".jsonl", ".parquet"])
def test_typed_formats_keep_numbers_and_missing_cells(tmp_path, suffix):
    path = tmp_path / f"t{suffix}"
    columns = [Column("n", "integer"), Column("x", "real"), "text"]
    write_table(path, columns, [(-3, -3.5, "a"), (None, None, None)])
    read = read_jsonl if suffix == ".jsonl" else read_parquet
    assert read(path) == [(-3, -3.5, "a"), (None, None, None)]


def test_whole_numbers_too_large_for_a_spreadsheet_are_written_as_text(tmp_path):
    write_table(tmp_path / "t.xlsx", [Column("n", "integer")], [[2**60], [5]])
    assert read_xlsx(tmp_path / "t.xlsx") == [(str(2**60),), (5.0,)]


def test_a_repeated_column_name_loses_nothing(tmp_path):
    write_table(tmp_path / "t.jsonl", ["a", "a", "a"], [("1", "2", "3")])
    assert read_jsonl(tmp_path / "t.jsonl") == [("1", "2", "3")]


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_cell_of_200_kb_is_kept_whole_or_refused(tmp_path, suffix):
    path = tmp_path / f"t{suffix}"
    text = "word " * 40_000
    if suffix == ".xlsx":
        with pytest.raises(UserError, match=r"Row 2 .* “text”"):
            write_table(path, [ID_COLUMN, "text"], [("1", "short"), ("2", text)])
        assert list(tmp_path.iterdir()) == []
        return
    write_table(path, [ID_COLUMN, "text"], [("1", text)])
    readers = {".jsonl": read_jsonl, ".parquet": read_parquet}
    delimiter = "," if suffix == ".csv" else "\t"
    read = readers.get(suffix, lambda path: read_delimited(path, delimiter))
    assert read(path) == [("1", text)]


def test_a_spreadsheet_cell_is_measured_in_utf16(tmp_path):
    with pytest.raises(UserError, match="40,000 characters"):
        write_table(tmp_path / "t.xlsx", ["text"], [["😀" * 20_000]])


def test_rows_past_the_limit_of_a_sheet_go_on_in_the_next(tmp_path):
    sink = table_formats.XlsxSink(tmp_path / "t.xlsx", [Column("n")], sheet_rows=3)
    sink.write([["1"], ["2"], ["3"]])
    sink.finish()
    sheets = [read_xlsx(tmp_path / "t.xlsx", number) for number in (0, 1)]
    assert sheets == [[("1",), ("2",)], [("3",)]]


def test_parquet_row_groups_are_bounded_by_their_characters(tmp_path, monkeypatch):
    monkeypatch.setattr(table_formats, "_GROUP_CHARACTERS", 100)
    write_table(tmp_path / "t.parquet", ["text"], [["x" * 60]] * 6)
    assert pyarrow.parquet.ParquetFile(tmp_path / "t.parquet").num_row_groups == 3


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_the_count_of_rows_is_returned(tmp_path, suffix):
    assert write_table(tmp_path / f"t{suffix}", ["n"], ([str(n)] for n in range(2500))) == 2500


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_failing_row_source_leaves_the_earlier_file_and_nothing_else(tmp_path, suffix):
    path = tmp_path / f"t{suffix}"
    path.write_bytes(b"earlier")

    def rows():
        for number in range(1500):
            yield [str(number)]
        raise RuntimeError("the source broke")

    with pytest.raises(RuntimeError):
        write_table(path, ["n"], rows())
    assert [(p.name, p.read_bytes()) for p in tmp_path.iterdir()] == [(path.name, b"earlier")]


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_workflow_closed_between_batches_leaves_nothing(tmp_path, suffix):
    def workflow():
        with TableWriter(tmp_path / f"t{suffix}", ["n"]) as table:
            for _ in range(10):
                yield table.write([["x"]])

    steps = workflow()
    next(steps)
    next(steps)
    steps.close()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_full_disk_is_told_and_the_earlier_file_stays(tmp_path, suffix, monkeypatch):
    path = tmp_path / f"t{suffix}"
    path.write_bytes(b"earlier")

    def full(_number):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(UserError, match="disk is full"):
        write_table(path, ["n"], [["1"]])
    assert [(p.name, p.read_bytes()) for p in tmp_path.iterdir()] == [(path.name, b"earlier")]


def test_a_target_in_use_is_told_and_stays(tmp_path, monkeypatch):
    path = tmp_path / "t.csv"
    path.write_bytes(b"earlier")

    def locked(_self, _target):
        raise PermissionError(errno.EACCES, "in use")

    monkeypatch.setattr(Path, "replace", locked)
    with pytest.raises(UserError, match="open in another program"):
        write_table(path, ["n"], [["1"]])
    assert [(p.name, p.read_bytes()) for p in tmp_path.iterdir()] == [("t.csv", b"earlier")]


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="this user may write anywhere")
def test_a_folder_that_may_not_be_written_is_told(tmp_path):
    tmp_path.chmod(0o500)
    try:
        with pytest.raises(UserError, match="Nothing may be written"):
            write_table(tmp_path / "t.csv", ["n"], [["1"]])
    finally:
        tmp_path.chmod(0o700)


def test_a_missing_folder_is_told(tmp_path):
    with pytest.raises(UserError, match="There is no folder"):
        write_table(tmp_path / "no" / "t.csv", ["n"], [["1"]])


def test_a_folder_in_the_place_of_the_file_is_told(tmp_path):
    (tmp_path / "t.csv").mkdir()
    with pytest.raises(UserError, match="is a folder"):
        write_table(tmp_path / "t.csv", ["n"], [["1"]])


def test_an_unknown_suffix_is_refused_with_the_known_ones(tmp_path):
    with pytest.raises(UserError, match=r"\.csv, \.tsv, \.jsonl, \.xlsx or \.parquet"):
        write_table(tmp_path / "t.doc", ["n"], [])


def test_a_row_of_the_wrong_length_is_a_bug_that_rises(tmp_path):
    with pytest.raises(ValueError, match="2 cells for 1 columns"):
        write_table(tmp_path / "t.csv", ["n"], [["1", "2"]])


def test_nothing_is_lost_in_a_path_with_accents_and_spaces(tmp_path):
    folder = tmp_path / "Zoë 文書"
    folder.mkdir()
    write_table(folder / "kept rows.CSV", ["n"], [["1"]])
    assert [path.name for path in folder.iterdir()] == ["kept rows.CSV"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_device_or_pipe_is_never_replaced(tmp_path):
    os.mkfifo(tmp_path / "rows.csv")
    with pytest.raises(UserError, match="not a file"):
        write_table(tmp_path / "rows.csv", ["a"], [["1"]])
