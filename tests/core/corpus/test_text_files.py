import pytest

from core.corpus import inspect, read_rows
from core.corpus.oddities import GUESSED_ENCODING
from core.errors import UserError


def test_each_text_file_below_a_folder_is_a_text(write, tmp_path):
    write("two\nlines\n", "b.txt")
    write("a text", "文書/ä.TXT")
    write("not a text", "c.csv")
    seen = inspect(tmp_path)
    assert seen.reading.columns == ("file", "text")
    assert [row.cells for row in read_rows(tmp_path, seen.reading)] == [
        ("b.txt", "two\nlines\n"),
        ("文書/ä.TXT", "a text"),
    ]


def test_each_file_has_its_own_encoding(write, tmp_path):
    write("où est le café préféré de l'été", "a.txt", encoding="utf-8")
    write("où est le café préféré de l'été", "b.txt", encoding="utf-16")
    write("où est le café préféré de l'été", "c.txt", encoding="cp1252")
    assert len({row.cells[1] for row in inspect(tmp_path).sample}) == 1


def test_a_guessed_encoding_is_marked(write, tmp_path):
    write("café", "a.txt", encoding="cp1252")
    assert inspect(tmp_path).sample[0].oddities == (GUESSED_ENCODING,)


def test_a_folder_without_texts_is_told(tmp_path):
    with pytest.raises(UserError, match=r"no \.txt file"):
        inspect(tmp_path)


def test_an_empty_text_file_is_a_blank_row(write, tmp_path):
    write("", "a.txt")
    assert inspect(tmp_path).sample[0].cells == ("a.txt", "")
