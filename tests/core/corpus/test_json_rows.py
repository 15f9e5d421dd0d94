import json

import pytest

from core.corpus import inspect, read_rows
from core.corpus import json_rows as json_module
from core.corpus.oddities import BROKEN_CHARACTER
from core.errors import UserError


def cells_of(path):
    return [row.cells for row in read_rows(path, inspect(path).reading)]


def test_columns_are_the_union_over_the_file_in_the_order_met(write):
    lines = ['{"b": 1}', '{"a": 2, "b": 3}'] + ['{"a": 1}'] * 300 + ['{"late": "x"}']
    seen = inspect(write("\n".join(lines), "texts.jsonl"))
    assert (seen.reading.columns, seen.rows, seen.rows_exact) == (("b", "a", "late"), 303, True)


def test_cells_are_written_as_in_the_file(write):
    value = '{"s":"x","i":12345678901234567890,"f":0.10,"t":true,"n":null,"o":{"k":[1.50,"é"]}}'
    assert cells_of(write(value, "texts.jsonl")) == [
        ("x", "12345678901234567890", "0.10", "true", None, '{"k":[1.50,"é"]}')
    ]


def test_words_for_nothing_are_texts(write):
    assert cells_of(write('{"a": "null"}\n{"a": "NA"}\n{"a": ""}\n', "t.jsonl")) == [
        ("null",),
        ("NA",),
        ("",),
    ]


def test_lines_are_physical_lines(write):
    path = write('{"a": "x"}\n\n{"a": "y"}\n', "texts.jsonl")
    assert [row.line for row in read_rows(path, inspect(path).reading)] == [1, 3]


def test_one_array_gives_its_items_with_their_lines(write):
    path = write('[\n  {"a": "x",\n   "b": 1},\n  {"a": "y"}\n]\n', "texts.json")
    rows = list(read_rows(path, inspect(path).reading))
    assert [(row.line, row.cells) for row in rows] == [(2, ("x", "1")), (4, ("y", None))]


@pytest.mark.parametrize("indent", [None, 2])
def test_an_array_larger_than_what_is_held_is_read_whole(write, monkeypatch, indent):
    monkeypatch.setattr(json_module, "_CHUNK", 16)
    values = [{"n": n, "text": "é,]}[{" * n} for n in range(60)]
    path = write(json.dumps(values, indent=indent, ensure_ascii=False), "texts.json")
    assert cells_of(path) == [(str(v["n"]), v["text"]) for v in values]


def test_values_that_are_no_objects_are_texts(write):
    assert cells_of(write('["one", "two", 3]', "texts.json")) == [("one",), ("two",), ("3",)]


def test_values_laid_out_over_lines_follow_each_other(write):
    path = write('{\n "a": "x"\n}\n{\n "a": "y"\n}\n', "texts.json")
    assert [(row.line, row.cells) for row in inspect(path).sample] == [(1, ("x",)), (4, ("y",))]


@pytest.mark.parametrize(
    ("content", "line"),
    [
        ('{"a": 1}\n{"a": 2}\n{"a": \n{"a": 3}\n', "line 3"),
        ('{"a" 1}\n{"a": 2}\n', "line 1"),
        ('[\n{"a": 1},\n{"a" 2}\n]', "line 3"),
        ('[\n{"a": 1}\n{"a": 2}\n]', "line 3: a comma is missing"),
        ('[\n{"a": 1},\n{"a": 2}\n', "never closed"),
        ('[\n{"a": 1}\n] x', "line 3: something follows"),
    ],
)
def test_broken_json_is_told_with_its_line(write, content, line):
    with pytest.raises(UserError, match=line):
        inspect(write(content, "texts.json"))


def test_half_characters_are_shown_as_codes(write):
    (row,) = inspect(write('{"a": "x\\ud800y \\ud83d\\ude00"}', "texts.jsonl")).sample
    assert (row.cells, row.oddities) == (("x\\ud800y 😀",), (BROKEN_CHARACTER,))


def test_control_characters_survive(write):
    assert cells_of(write('{"a": "x\\u0000y\\u000bz"}', "texts.jsonl")) == [("x\x00y\x0bz",)]


def test_json_without_the_usual_name_is_recognised(write):
    assert inspect(write('{"a": "x"}\n{"a": "y"}\n', "texts.log")).reading.kind == "jsonl"


def test_values_nested_too_deeply_are_told(tmp_path):
    path = tmp_path / "rows.jsonl"
    path.write_text('{"text":' + "[" * 5000 + "]" * 5000 + "}\n")
    with pytest.raises(UserError, match="nested too deeply"):
        inspect(path)


def test_half_characters_in_field_names_are_shown_as_codes(tmp_path):
    path = tmp_path / "rows.jsonl"
    path.write_text('{"text": "one", "k\\udc00": "x"}\n')
    reading = inspect(path).reading
    rows = list(read_rows(path, reading))
    assert (reading.columns, rows[0].cells) == (("text", "k\\udc00"), ("one", "x"))
