"""Files of word vectors in every usual shape, and bad lines in them."""

import numpy as np
import pytest

from core.errors import UserError
from core.evaluation.baselines import averaged_words, read_word_vectors
from core.progress import run_to_end

GLOVE = b"the 1 0\ndog 0 1.5\nm\xc3\xa4rkte -1e-1 2\nruns 3 3\n"
WANTED = {"the", "dog", "märkte", "cat"}


def read(content, wanted=WANTED):
    return run_to_end(read_word_vectors(content.splitlines(keepends=True), wanted))


def vector(table, word):
    return table.vectors[table.words[word]].tolist()


def test_the_wanted_words_are_read_and_no_others():
    table = read(GLOVE)
    assert set(table.words) == {"the", "dog", "märkte"}
    assert vector(table, "dog") == [0, 1.5]
    assert vector(table, "märkte") == pytest.approx([-0.1, 2])
    assert (table.lines, table.bad, table.vectors.shape) == (4, 0, (3, 2))


def test_the_first_line_of_word2vec_is_no_word():
    table = read(b"4 2\n" + GLOVE, WANTED | {"4"})
    assert set(table.words) == {"the", "dog", "märkte"}
    assert table.bad == 0


def test_lines_may_end_in_spaces_and_carriage_returns_and_be_tabbed():
    table = read(b"the 1 0 \r\ndog\t0\t1.5\r\n")
    assert (vector(table, "the"), vector(table, "dog")) == ([1, 0], [0, 1.5])


def test_a_word_may_hold_spaces_after_the_first_line():
    assert vector(read(b"the 1 0\n. . dog 4 5\n", {". . dog"}), ". . dog") == [4, 5]


def test_a_number_may_be_a_word():
    assert vector(read(b"the 1 0\n7 4 5\n", {"7"}), "7") == [4, 5]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"dog 1\n", "1 numbers instead of 2"),
        (b"\n", "0 numbers instead of 2"),
        (b"dog 1 x\n", "numbers cannot be read"),
        (b"dog 1 nan\n", "numbers cannot be read"),
        (b"dog 1 1e60\n", "numbers cannot be read"),
        (b"d\xffg 1 2\n", "not UTF-8"),
        (b" 1 2\n", "no word"),
    ],
)
def test_bad_lines_are_counted_with_their_numbers_and_reasons(line, reason):
    table = read(b"the 1 0\n" + line + b"dog 5 5\n")
    assert (table.bad, table.told[0][0]) == (1, 2)
    assert reason in table.told[0][1]
    assert vector(table, "dog") == [5, 5]


def test_bad_lines_at_the_start_do_not_tell_the_width():
    table = read(b"some words\n" + GLOVE)
    assert (table.bad, table.told[0][0], vector(table, "the")) == (1, 1, [1, 0])


def test_only_some_bad_lines_are_told():
    table = read(b"the 1 0\n" + b"x 1\n" * 50)
    assert (table.bad, len(table.told)) == (50, 20)


def test_the_casefolded_spelling_counts_before_others():
    assert vector(read(b"Dog 9 9\ndog 1 1\n"), "dog") == [1, 1]
    assert vector(read(b"DOG 9 9\nDog 8 8\n"), "dog") == [9, 9]


@pytest.mark.parametrize("content", [b"", b"\x00\x01\x02 \xff\n\x00", b"word\nword word\n"])
def test_a_file_without_any_word_is_told(content):
    with pytest.raises(UserError, match="holds no word vectors"):
        read(content)


def test_the_words_of_a_text_are_averaged_with_repetitions():
    found = averaged_words(["The dog, the cat!", "cat", ""], read(GLOVE))
    assert found.vectors[0] == pytest.approx([2 / 3, 0.5])
    assert not found.vectors[1:].any()
    assert (found.without, found.known, found.unknown) == (2, 3, 2)


def test_none_of_the_wanted_words_may_be_there():
    table = read(b"the 1 0\n", {"cat"})
    found = averaged_words(["cat"], table)
    assert (table.vectors.shape, found.vectors.tolist(), found.without) == ((0, 2), [[0, 0]], 1)


def test_the_progress_counts_lines():
    seen = []
    lines = [b"w%d 1 2\n" % number for number in range(45_000)]
    run_to_end(read_word_vectors(lines, {"w1"}), seen.append)
    assert [progress.done for progress in seen] == [20_000, 40_000]


def test_vectors_are_float32():
    assert read(GLOVE).vectors.dtype == np.float32
