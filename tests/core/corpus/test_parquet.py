import datetime

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from core.corpus import inspect, read_rows
from core.corpus.oddities import NOT_TEXT
from core.errors import UserError


@pytest.fixture
def stored(tmp_path):
    def written(**columns):
        path = tmp_path / "texts 文書.parquet"
        pq.write_table(pa.table(columns), path)
        return path

    return written


def test_cells_are_texts_whatever_their_type(stored):
    path = stored(
        text=["null", None],
        n=[1, None],
        x=[2.0, 0.5],
        b=[True, False],
        day=[datetime.date(2024, 3, 1), None],
        when=pa.array([0, None], pa.timestamp("ns")),
        many=[["a", "é"], []],
        kind=pa.array(["k", "k"]).dictionary_encode(),
    )
    seen = inspect(path)
    assert (seen.reading.kind, seen.rows) == ("parquet", 2)
    assert seen.sample[0].cells == (
        *("null", "1", "2", "true", "2024-03-01", "1970-01-01T00:00:00"),
        *('["a","é"]', "k"),
    )
    assert seen.sample[1].cells == (None, None, "0.5", "false", None, None, "[]", "k")


def test_rows_are_streamed_in_order(stored):
    path = stored(text=[f"text {n}" for n in range(9000)])
    rows = list(read_rows(path, inspect(path).reading))
    assert [(row.place, row.cells[0]) for row in rows[::4000]] == [
        (1, "text 0"),
        (4001, "text 4000"),
        (8001, "text 8000"),
    ]


def test_bytes_that_are_no_text_are_marked(stored):
    rows = inspect(stored(raw=[b"caf\xc3\xa9", b"\xff\x00"])).sample
    assert [row.cells for row in rows] == [("café",), ("ff00",)]
    assert [row.oddities for row in rows] == [(), (NOT_TEXT,)]


def test_a_damaged_file_is_refused(stored):
    path = stored(text=["one", "two"])
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(UserError, match="damaged"):
        inspect(path)
