"""Pair files of every usual shape, and plain words for the others."""

import gzip
import json

import pytest

from core.errors import UserError
from core.examples import read_pairs

HEADERS = [
    "sentence1,sentence2,score",
    "Sentence_1;Sentence_2;Similarity Score",
    "text1\ttext2\tlabel",
    "question1|question2|is_duplicate",
    "left,right,same",
]


@pytest.mark.parametrize("header", HEADERS)
def test_the_usual_headers_are_known(write, header):
    mark = next(mark for mark in ",;\t|" if mark in header)
    pairs = read_pairs(write(f"{header}\nred{mark}blue{mark}0.5\na{mark}b{mark}0.1\n"))
    assert (pairs.left, pairs.right, pairs.gold.tolist()) == (
        ("red", "a"),
        ("blue", "b"),
        [0.5, 0.1],
    )


def test_columns_may_stand_in_any_order(write):
    pairs = read_pairs(write("is_duplicate\tquestion1\tquestion2\tid\n1\tred\tblue\t7\n"))
    assert (pairs.left, pairs.right, pairs.gold.tolist()) == (("red",), ("blue",), [1.0])


def test_a_score_is_preferred_to_a_label(write):
    pairs = read_pairs(write("text1,text2,label,score\na,b,1,0.7\nc,d,0,0.2\n"))
    assert pairs.gold.tolist() == [0.7, 0.2]


def test_sts_benchmark_needs_no_header_and_keeps_its_quotes(write):
    line = 'main\tnews\t2012\t01\t{}\tHe said "yes.\tShe said "no".\n'
    pairs = read_pairs(write(line.format("2.500") + line.format("5.000")))
    assert pairs.left[0] == 'He said "yes.'
    assert pairs.gold.tolist() == [0.5, 1.0]


def test_the_microsoft_paraphrase_header_with_its_mark_is_known(write):
    head = "\ufeffQuality\t#1 ID\t#2 ID\t#1 String\t#2 String\n"
    pairs = read_pairs(write(head + '1\t7\t8\tHe said "a".\tShe said b.\n'))
    assert (pairs.left, pairs.right) == (('He said "a".',), ("She said b.",))


def test_properly_quoted_tabs_are_unquoted(write):
    pairs = read_pairs(write('text1\ttext2\tscore\n"a ""b"""\t"c"\t0.5\n'))
    assert (pairs.left, pairs.right) == (('a "b"',), ("c",))


def test_quoted_line_breaks_and_huge_cells_are_whole(write):
    huge = "x" * 200_000
    pairs = read_pairs(write(f'text1,text2,score\n"a\nb, c",{huge},0.5\n'))
    assert (pairs.left, pairs.right) == (("a\nb, c",), (huge,))


def test_lines_may_end_in_a_carriage_return_alone(write):
    assert read_pairs(write("text1,text2,score\ra,b,1\rc,d,0\r")).right == ("b", "d")


def test_json_lines_are_read_gzipped_too(write):
    rows = [{"sentence1": "a", "sentence2": "b", "label": True}, {"x": 0}]
    packed = gzip.compress("\n".join(map(json.dumps, rows[:1])).encode())
    pairs = read_pairs(write(packed, "pairs.jsonl.gz"))
    assert (pairs.kind, pairs.gold.tolist()) == ("label", [1.0])


@pytest.mark.parametrize(
    ("numbers", "kind", "note"),
    [
        ("0 1 1", "label", "Labels"),
        ("0 0.5 1", "score", "from 0 to 1"),
        ("0 2.5 5", "score", "from 0 to 5"),
        ("1 2 3", "score", "from 0 to 5"),
        ("10 50 90", "score", "from 10 to 90"),
        ("-1 0 1", "score", "from -1 to 1"),
    ],
)
def test_the_scale_is_recognised_and_said(write, numbers, kind, note):
    rows = "".join(f"a,b,{number}\n" for number in numbers.split())
    pairs = read_pairs(write(f"text1,text2,score\n{rows}"))
    assert (pairs.kind, note in pairs.scale_note) == (kind, True)
    assert 0 <= pairs.gold.min() <= pairs.gold.max() <= 1


def test_rows_without_text_or_judgement_are_listed(write):
    pairs = read_pairs(write("text1,text2,score\na,b,0.5\n,b,1\na,b,good\na\na,b,nan\n"))
    assert [line for line, _ in pairs.skipped] == [3, 4, 5, 6]


def test_the_word_null_is_a_text(write):
    assert read_pairs(write("text1,text2,score\nnull,NA,0.5\n")).left == ("null",)


@pytest.mark.parametrize(
    ("content", "name", "message"),
    [
        ("", "pairs.csv", "columns of pairs were not found"),
        ("id,body,topic\n1,a,b\n", "pairs.csv", "it has: id, body, topic"),
        ("text1,text2,score\n", "pairs.csv", "no judged pair"),
        ("text1,text2,score\na,b,good\n", "pairs.csv", "line 2, the judgement 'good'"),
        (b"text1,text2,score\n\xff\xfe,b,1\n", "pairs.csv", "not UTF-8"),
        ("{nonsense\n", "pairs.jsonl", "Line 1 of pairs.jsonl is not JSON"),
        ("[1, 2]\n", "pairs.jsonl", "columns of pairs were not found"),
        (b"not gzip", "pairs.csv.gz", "could not be read"),
    ],
)
def test_unusable_files_are_refused_with_the_cause(write, content, name, message):
    with pytest.raises(UserError) as told:
        read_pairs(write(content, name))
    assert message in str(told.value)


def test_a_missing_file_is_told(tmp_path):
    with pytest.raises(UserError, match="could not be read"):
        read_pairs(tmp_path / "none.csv")


def test_a_row_with_more_texts_than_columns_is_listed(write):
    pairs = read_pairs(write("text1,text2,score\na,b,0.5\na,b, and more,0.7\n"))
    assert pairs.skipped == ((3, "it has 4 cells instead of 3"),)


def test_a_line_that_is_no_json_is_listed_beside_those_that_are(write):
    good = json.dumps({"text1": "a", "text2": "b", "score": 0.5})
    pairs = read_pairs(write(f"{good}\n{{broken\n", "pairs.jsonl"))
    assert (len(pairs.gold), pairs.skipped) == (1, ((2, "the line is not JSON"),))
