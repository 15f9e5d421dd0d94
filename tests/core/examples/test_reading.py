"""What a file holds is told by its columns and values, and the caller has the last word."""

import gzip
import json

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from core.errors import UserError
from core.examples import DECISIONS, ExampleKind, read_examples

NLI = ("contradiction", "entailment", "neutral")


def names_of(examples):
    return [examples.names[label] for label in examples.label]


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        ("anchor,positive,negative\na,b,c\n", ExampleKind.TRIPLETS),
        ("query,positive,negative\na,b,c\n", ExampleKind.TRIPLETS),
        ("premise,hypothesis,label\na,b,neutral\nc,d,entailment\n", ExampleKind.LABELLED_PAIRS),
        ("sentence1,sentence2,label\na,b,0\nc,d,2\n", ExampleKind.LABELLED_PAIRS),
        ("sentence1,sentence2,score\na,b,0\nc,d,2\n", ExampleKind.SCORED_PAIRS),
        ("sentence1,sentence2,label\na,b,1.5\nc,d,5\n", ExampleKind.SCORED_PAIRS),
        ("text,label\na,x\nb,x\n", ExampleKind.LABELLED_TEXTS),
        ("text,category\na,x\nb,x\n", ExampleKind.LABELLED_TEXTS),
        ("utterance;intent\na;x\nb;x\n", ExampleKind.LABELLED_TEXTS),
    ],
)
def test_the_kind_is_told_by_names_and_values(write, content, kind):
    read = read_examples(write(content))
    assert (read.examples.kind, len(read.skipped)) == (kind, 0)
    assert str(kind) in read.sentence


@pytest.mark.parametrize(
    "labels", ["1 0", "yes no", "True False", "same different", "duplicate not_duplicate"]
)
def test_labels_that_mean_yes_and_no_are_decisions(write, labels):
    yes, no = labels.split()
    read = read_examples(write(f"text1,text2,label\na,b,{yes}\nc,d,{no}\n"))
    assert (read.examples.names, read.examples.label.tolist()) == (DECISIONS, [1, 0])


def test_an_undecided_pair_among_decisions_is_listed(write):
    rows = "a,b,same\nc,d,unsure\ne,f,different\n"
    read = read_examples(write(f"text1,text2,decision\n{rows}"))
    assert read.examples.label.tolist() == [1, 0]
    assert read.skipped == ((3, "the judgement 'unsure' is no number"),)


def test_words_are_numbered_by_the_alphabet_whatever_their_order_in_the_file(write):
    read = read_examples(write("premise,hypothesis,label\na,b,neutral\nc,d,contradiction\n"
                               "e,f,entailment\n"))  # fmt: skip  # one file
    assert (read.examples.names, read.examples.label.tolist()) == (NLI, [2, 0, 1])


def test_labels_named_by_the_caller_keep_his_order_and_others_are_listed(write):
    file = write("premise,hypothesis,label\na,b,neutral\nc,d,odd\n")
    read = read_examples(file, labels=("entailment", "neutral", "contradiction"))
    assert read.examples.label.tolist() == [1]
    assert read.skipped == ((3, "the label 'odd' is none of entailment, neutral, contradiction"),)


def test_whole_numbers_take_the_names_of_the_caller_in_order(write):
    file = write("premise,hypothesis,label\na,b,2\nc,d,0\n")
    read = read_examples(file, labels=("entailment", "neutral", "contradiction"))
    assert names_of(read.examples) == ["contradiction", "entailment"]


@pytest.mark.parametrize("none", ["-", "", " "])
def test_a_row_without_a_label_is_counted_and_not_a_fault(write, none):
    rows = f"a,b,neutral\nc,d,{none}\ne,f,entailment\n"
    read = read_examples(write(f"premise,hypothesis,gold_label\n{rows}"))
    assert (len(read.examples), read.unlabelled, read.skipped) == (2, 1, ())


def test_minus_one_beside_other_numbers_is_no_label(write):
    read = read_examples(write("premise,hypothesis,label\na,b,0\nc,d,-1\ne,f,1\ng,h,2\n"))
    assert (read.examples.names, read.unlabelled) == (("0", "1", "2"), 1)


def test_numbered_labels_are_in_the_order_of_numbers(write):
    rows = "".join(f"t{at},{at % 11}\n" for at in range(44))
    read = read_examples(write(f"text,label\n{rows}"))
    assert read.examples.names == tuple(map(str, range(11)))


def test_more_than_a_few_words_are_no_labels(write):
    rows = "".join(f"a{at},b{at},word{at}\n" for at in range(30))
    with pytest.raises(UserError, match="neither numbers nor a few labels, such as “word0”"):
        read_examples(write(f"text1,text2,label\n{rows}"))


@pytest.mark.parametrize(
    ("content", "kind", "count"),
    [
        ("a b,c d,e f\ng h,i j,k l\n", ExampleKind.TRIPLETS, 2),
        ("q,near,far\na b,c d,e f\ng h,i j,k l\n", ExampleKind.TRIPLETS, 2),
        ("a b,c d,neutral\ne f,g h,entailment\n", ExampleKind.LABELLED_PAIRS, 2),
        ("a b,c d,0.5\ne f,g h,0.7\n", ExampleKind.SCORED_PAIRS, 2),
        ("a b,c d,1\ne f,g h,0\n", ExampleKind.LABELLED_PAIRS, 2),
        ("a b,c d,4\ne f,g h,3\n", ExampleKind.SCORED_PAIRS, 2),
        ("a b\tx\nc d\tx\ne f\ty\ng h\ty\n", ExampleKind.LABELLED_TEXTS, 4),
        ("x\ta b\nx\tc d\ny\te f\ny\tg h\n", ExampleKind.LABELLED_TEXTS, 4),
    ],
)
def test_nameless_columns_are_told_by_their_values(write, content, kind, count):
    read = read_examples(write(content))
    assert (read.examples.kind, len(read.examples)) == (kind, count)
    assert "by what stands in it" in read.sentence


@pytest.mark.parametrize(
    "content",
    ["a b\tc d\ne f\tg h\n", "a b\nc d\n", "a,b,c,d\ne,f,g,h\n", "", "one,two\nthree\n"],
)
def test_columns_that_say_nothing_are_refused(write, content):
    with pytest.raises(UserError, match="columns of examples were not found"):
        read_examples(write(content))


def test_an_anchor_and_its_positive_need_no_judgement(write):
    read = read_examples(write("anchor,positive\na,b\nc,d\n"))
    assert (read.examples.names, read.examples.label.tolist()) == (DECISIONS, [1, 1])
    assert "all are taken to mean the same" in read.sentence


def test_the_sentence_names_the_columns_and_the_scale(write):
    read = read_examples(write("sentence1,sentence2,score\na,b,5\nc,d,2.5\n"))
    assert read.sentence == (
        "Taken for scored pairs: the texts stand in “sentence1” and “sentence2”, the judgement in "
        "“score”. Scores from 0 to 5, brought to 0 to 1."
    )


def test_sts_benchmark_is_known_by_its_form(write):
    line = 'main\tnews\t2012\t01\t{}\tHe said "yes.\tShe said "no".\n'
    read = read_examples(write(line.format("2.500") + line.format("5.000")))
    assert read.examples.left[0] == 'He said "yes.'
    assert read.examples.score.tolist() == [0.5, 1.0]
    assert "by the form of STS Benchmark" in read.sentence


def test_the_caller_may_overrule_the_kind(write):
    file = write("text1,text2,label\na,b,0\nc,d,2\ne,f,4\n")
    read = read_examples(file, kind=ExampleKind.SCORED_PAIRS)
    assert read.examples.score.tolist() == pytest.approx([0, 0.4, 0.8])


def test_scores_may_be_read_as_labels(write):
    file = write("text1,text2,score\na,b,3\nc,d,1\n")
    read = read_examples(file, kind=ExampleKind.LABELLED_PAIRS)
    assert (read.examples.names, read.examples.label.tolist()) == (("1", "3"), [1, 0])


def test_the_caller_may_name_the_columns(write):
    file = write("id,erster,zweiter,note\n1,a,b,0.5\n2,c,d,0.25\n")
    columns = {"left": "erster", "right": "zweiter", "score": "note"}
    read = read_examples(file, columns=columns)
    assert (read.examples.left, read.examples.right) == (("a", "c"), ("b", "d"))
    assert read.examples.score.tolist() == [0.5, 0.25]


def test_places_alone_mean_that_there_are_no_names(write):
    file = write("7;x;a b\n8;y;c d\n9;x;e f\n")
    read = read_examples(file, columns={"text": 2, "label": 1})
    assert read.examples.text == ("a b", "c d", "e f")
    assert names_of(read.examples) == ["x", "y", "x"]
    assert "column 3" in read.sentence


def test_a_column_that_is_not_there_is_refused_with_those_that_are(write):
    file = write("id,erster,zweiter\n1,a,b\n")
    with pytest.raises(UserError, match="it has: id, erster, zweiter"):
        read_examples(file, columns={"text": "erster", "label": "dritter"})


def test_roles_that_make_no_example_are_refused(write):
    with pytest.raises(UserError, match="make no example"):
        read_examples(write("a,b\n"), columns={"left": 0, "label": 1})


def test_columns_and_kind_must_agree(write):
    with pytest.raises(UserError, match="make texts, not triplets"):
        read_examples(write("a,b\n"), kind=ExampleKind.TRIPLETS, columns={"text": 0, "label": 1})


def test_a_scale_named_by_the_caller_holds_and_what_lies_outside_is_listed(write):
    file = write("text1,text2,score\na,b,1\nc,d,4\ne,f,7\ng,h,9\n")
    read = read_examples(file, scale=(1, 7))
    assert read.examples.score.tolist() == [0, 0.5, 1]
    assert read.skipped == ((5, "the score 9 is not from 1 to 7"),)
    assert not read.stretched


def test_a_scale_upside_down_is_refused(write):
    with pytest.raises(UserError, match="make no scale"):
        read_examples(write("text1,text2,score\na,b,1\n"), scale=(5, 0))


def test_an_unknown_scale_is_stretched_and_that_is_said(write):
    read = read_examples(write("text1,text2,score\na,b,10\nc,d,50\ne,f,90\n"))
    assert (read.examples.score.tolist(), read.stretched) == ([0, 0.5, 1], True)
    assert "from 10 to 90" in read.sentence


def test_every_row_left_out_is_listed_with_line_and_reason(write):
    content = "text1,text2,score\na,b,0.5\n,b,1\na,b,good\na\na, and,b,0.7\n\na,b,inf\nc,d,0.1\n"
    read = read_examples(write(content))
    assert read.lines.tolist() == [2, 9]
    assert read.skipped == (
        (3, "a text is missing"),
        (4, "the judgement 'good' is no number"),
        (5, "a text is missing"),
        (6, "it has 4 cells instead of 3"),
        (8, "the judgement 'inf' is no number"),
    )


def test_the_line_of_a_row_is_its_first(write):
    read = read_examples(write('text1,text2,score\n"a\nb",c,0.5\nd,e,0.7\n'))
    assert read.lines.tolist() == [2, 4]


def test_cells_that_are_empty_beyond_the_columns_do_no_harm(write):
    read = read_examples(write("text1,text2,score\na,b,0.5,,\n"))
    assert (len(read.examples), read.skipped) == (1, ())


def test_a_file_without_one_good_row_tells_its_first_fault(write):
    with pytest.raises(UserError, match=r"no judged example. The first row: line 2, a text is"):
        read_examples(write("anchor,positive,negative\na,b,\n"))


def test_a_file_without_one_label_says_so(write):
    with pytest.raises(UserError, match="All 2 rows are without a label"):
        read_examples(write("premise,hypothesis,label\na,b,-\nc,d,\n"))


def test_json_lines_may_lack_a_key_hold_a_list_or_be_broken(write):
    rows = [
        json.dumps({"anchor": "a", "positive": "b", "negative": "c"}),
        json.dumps({"anchor": "a", "positive": "b"}),
        json.dumps({"anchor": "a", "positive": "b", "negative": ["c"]}),
        "{broken",
        "[1]",
    ]
    read = read_examples(write("\n".join(rows), "triplets.jsonl"))
    assert len(read.examples) == 1
    assert [line for line, _ in read.skipped] == [2, 3, 4, 5]
    assert "list or an object" in read.skipped[1][1]


def test_gzipped_json_lines_are_read(write):
    rows = "\n".join(json.dumps({"text": f"t{at}", "label": at % 2}) for at in range(4))
    read = read_examples(write(gzip.compress(rows.encode()), "texts.jsonl.gz"))
    assert (read.examples.names, read.examples.label.tolist()) == (("0", "1"), [0, 1, 0, 1])


def test_one_array_of_objects_is_read_as_its_lines_would_be(write):
    rows = [{"text": f"t{at}", "label": at % 2} for at in range(4)]
    read = read_examples(write(json.dumps(rows, indent=1), "texts.json"))
    assert (read.examples.label.tolist(), read.lines.tolist()) == ([0, 1, 0, 1], [1, 2, 3, 4])


def test_parquet_is_read_with_its_own_types(tmp_path):
    table = pa.table(
        {"sentence1": ["a", "c", None], "sentence2": ["b", "d", "f"], "label": [1.0, 0.0, 1.0]}
    )
    pq.write_table(table, tmp_path / "pairs.parquet")
    read = read_examples(tmp_path / "pairs.parquet")
    assert (read.examples.left, read.examples.label.tolist()) == (("a", "c"), [1, 0])
    assert read.skipped == ((3, "a text is missing"),)


def test_whole_labels_that_a_table_wrote_with_a_point_are_whole(tmp_path):
    table = pa.table({"premise": list("abc"), "hypothesis": list("def"), "label": [0.0, 1.0, 2.0]})
    pq.write_table(table, tmp_path / "pairs.parquet")
    assert read_examples(tmp_path / "pairs.parquet").examples.names == ("0", "1", "2")


def test_a_damaged_parquet_file_is_told(write):
    with pytest.raises(UserError, match="damaged or not a Parquet file"):
        read_examples(write(b"PAR1 no", "pairs.parquet"))


def test_columns_beside_the_examples_are_kept_row_by_row(write):
    file = write("topic,text1,text2,score\nred,a,b,0.5\nblue,,d,0.1\ngreen,e,f,0.7\n")
    assert read_examples(file, beside=["topic"]).beside == {"topic": ("red", "green")}


def test_a_column_beside_that_is_not_there_is_refused(write):
    with pytest.raises(UserError, match="no column “topic”"):
        read_examples(write("text1,text2,score\na,b,1\n"), beside=["topic"])


def test_an_encoding_can_be_named_and_an_unknown_one_is_refused(write):
    file = write("text,label\ncafé,x\nthé,x\n".encode("latin-1"))
    assert read_examples(file, encoding="latin-1").examples.text == ("café", "thé")
    with pytest.raises(UserError, match="is not UTF-8"):
        read_examples(file)
    with pytest.raises(UserError, match="no encoding “klingon”"):
        read_examples(file, encoding="klingon")


def test_scores_are_single_precision_from_0_to_1(write):
    score = read_examples(write("text1,text2,score\na,b,0.1\nc,d,1\n")).examples.score
    assert score.dtype == np.float32


def test_numbers_with_a_decimal_comma_are_numbers(write):
    rows = "".join(f"l{at};r{at};{at / 10:.1f}\n".replace(".", ",") for at in range(40))
    found = read_examples(write(f"text1;text2;score\n{rows}"))
    assert found.examples.kind is ExampleKind.SCORED_PAIRS
    assert found.examples.score[25] == pytest.approx(2.5 / 5)
    assert not found.skipped


def test_a_comma_that_may_part_thousands_is_no_number(write):
    found = read_examples(write("text1;text2;score\na;b;0,5\nc;d;1,234\ne;f;0,75\ng;h;2,0\n"))
    assert [line for line, _ in found.skipped] == [3]


def test_what_a_data_frame_writes_for_nothing_is_no_label(write):
    found = read_examples(write("text1,text2,score\na,b,0.5\nc,d,nan\ne,f,NaN\ng,h,0.1\n"))
    assert (len(found.examples), found.unlabelled, found.skipped) == (2, 2, ())
