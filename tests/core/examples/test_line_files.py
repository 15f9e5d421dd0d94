"""Files whose lines belong together, and files whose lines begin with a label."""

import gzip

import pytest

from core.errors import UserError
from core.examples import ExampleKind, read_label_first, read_line_files


def test_three_files_make_labelled_pairs_and_rows_without_a_label_are_counted(write):
    files = {
        "left": write(gzip.compress(b"a \nb \nc \n"), "s1.gz"),
        "right": write("d\ne\nf", "s2"),
        "label": write("neutral\n-\nentailment\n", "labels"),
    }
    read = read_line_files(files)
    assert (read.examples.left, read.examples.right) == (("a", "c"), ("d", "f"))
    assert (read.examples.names, read.unlabelled) == (("entailment", "neutral"), 1)
    assert read.lines.tolist() == [1, 3]


def test_two_files_make_labelled_texts_numbered_by_their_numbers(write):
    files = {"text": write("a\nb\nc\n", "titles"), "label": write("10\n9\n10\n", "labels")}
    read = read_line_files(files)
    assert (read.examples.names, read.examples.label.tolist()) == (("9", "10"), [1, 0, 1])


def test_numbers_beside_pairs_are_scores(write):
    files = {
        "left": write("a\nb\n", "l"), "right": write("c\nd\n", "r"), "score": write("5\n2.5\n", "s")
    }  # fmt: skip  # three files
    assert read_line_files(files).examples.score.tolist() == [1, 0.5]


def test_three_files_of_texts_make_triplets(write):
    roles = ("anchor", "positive", "negative")
    files = {role: write(f"{role} one\n{role} two\n", role) for role in roles}
    assert read_line_files(files).examples.columns[2] == ("negative one", "negative two")


def test_files_of_different_lengths_are_refused_with_their_lengths(write):
    files = {"text": write("a\nb\n", "titles"), "label": write("1\n", "labels")}
    with pytest.raises(UserError, match="titles 2, labels 1"):
        read_line_files(files)


def test_roles_that_make_no_example_are_refused(write):
    with pytest.raises(UserError, match="make no example"):
        read_line_files({"left": write("a\n", "one")})


def test_the_first_word_of_a_line_is_its_label(write):
    read = read_label_first(write("1 a good  one\n0 bad\n1\n\n", "reviews.txt"))
    assert read.examples.kind is ExampleKind.LABELLED_TEXTS
    assert (read.examples.text, read.examples.label.tolist()) == (("a good  one", "bad"), [1, 0])
    assert read.skipped == ((3, "a text is missing"),)


def test_a_label_can_be_cut_at_a_mark(write):
    file = write("NUM:dist How far ?\nLOC:city Where ?\nNUM:date When ?\n", "trec.txt")
    assert read_label_first(file, until=":").examples.names == ("LOC", "NUM")
    assert len(read_label_first(file).examples.names) == 3
