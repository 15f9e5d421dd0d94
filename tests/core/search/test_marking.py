import sqlite3
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.search import marking, marks
from core.store.database import connect
from core.store.word_search import WORD_TABLES, WordSearch
from core.word_query import WordQuery


def marked(query, body):
    """What stands at the marks."""
    return [body[start:end] for start, end in marks(body, WordQuery.parse(query))]


CASES = {
    "a whole word, in any case": ("cat", "The Cat: a CAT, concatenated", ["Cat", "CAT"]),
    "the beginning of the last word": ("fli", "flights of fancy, afli", ["fli"]),
    "an earlier word only whole": ("in flight", "in flights inside", ["in", "flight"]),
    "a part, where no word is whole": ("ring", "a string", ["ring"]),
    "no part of a very short word": ("is", "this", []),
    "a phrase across any white space": ('"new york"', "New \n York, new-york", None),
    "no half of a phrase": ('"new york"', "new jersey", []),
    "accents of the text": ("cafe", "un Café", ["Café"]),
    "accents of the query": ("Zoë", "zoe", ["zoe"]),
    "combining accents": ("cafe", "cafe\u0301s", ["cafe\u0301"]),
    "a sharp s": ("strasse", "Die Straße", ["Straße"]),
    "a sharp s in the query": ("groß", "GROSS", ["GROSS"]),
    "the dotted capital I": ("istanbul", "İİİ İstanbul x", ["İstanbul"]),
    "one Chinese character": ("京", "我在北京", ["京"]),
    "two Chinese characters": ("北京", "我北京x", ["北京"]),
    "neighbours are one mark": ("北 京", "我北京x", ["北京"]),
    "Arabic": ("بالعالم", "مرحبا بالعالم", ["بالعالم"]),
    "a part of an Arabic word": ("عالم", "مرحبا بالعالم", ["عالم"]),
    "Hindi, by whole words": ("हि", "हिन्दी ह", ["हि"]),
    "an emoji": ("🙂", "so 🙂🙂 great🙂", ["🙂🙂", "🙂"]),
    "an apostrophe of another kind": ("don't", "I don’t", ["don’t"]),
    "behind a NUL": ("bra", "a\0zebra", ["bra"]),
    "nothing": ("", "text", []),
    "nothing but operators": ("* ^ -", "a * b", []),
}


@pytest.mark.parametrize(("query", "body", "expected"), CASES.values(), ids=CASES.keys())
def test_marks_show(query, body, expected):
    assert marked(query, body) == (["New \n York", "new-york"] if expected is None else expected)


def test_characters_that_grow_or_vanish_do_not_shift_the_marks():
    body = "İß\u0301ẞ ﬁ ŉ " * 50 + "cat"
    assert marks(body, WordQuery.parse("cat")) == [(len(body) - 3, len(body))]


def test_overlapping_marks_are_joined():
    assert marks("abcdef", WordQuery.parse("abcd cdef")) == [(0, 6)]


def test_folding_agrees_with_the_index_on_every_letter():
    """On all that SQLite's older tables know as Latin, Greek, Cyrillic, Arabic, Indic or Han."""
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE TABLE texts (id INTEGER PRIMARY KEY, body TEXT, rows INTEGER)")
    for statement in WORD_TABLES:
        connection.execute(statement)
    connection.execute("CREATE VIRTUAL TABLE words USING fts5vocab (texts_words, instance)")
    blocks = (range(0xA0, 0x378), range(0x386, 0x528), range(0x5D0, 0xE00), range(0x1E00, 0x2000))
    signs = [chr(code) for block in blocks for code in block]
    letters = [sign for sign in signs if unicodedata.category(sign)[0] in "LN"]
    for number, letter in enumerate(letters):
        connection.execute("INSERT INTO texts VALUES (?, ?, 1)", (number, letter))
    found = dict(connection.execute("SELECT doc, term FROM words").fetchall())
    connection.close()
    # Letters younger than SQLite's tables are nothing to it; one decomposes in several steps.
    wrong = [
        (letter, found[number])
        for number, letter in enumerate(letters)
        if number in found and marking._fold(letter)[0] not in (found[number], _folded(letter))
    ]
    assert len(found) > 2_500
    assert [letter for letter, _ in wrong] == ["Ǡ", "ǡ"]


def _folded(letter):
    """What full case folding says, which the search by words asks for as well (ß and ss)."""
    return letter.casefold()


@pytest.fixture(scope="module")
def database(tmp_path_factory):
    db = connect(tmp_path_factory.mktemp("words") / "words.sqlite")
    db.conn.execute("CREATE TABLE texts (id INTEGER PRIMARY KEY, body TEXT, length INT, rows INT)")
    for statement in WORD_TABLES:
        db.conn.execute(statement)
    yield db
    db.conn.close()


signs = st.text(alphabet="abAéßsSİi京北 -'\"#\u0301🙂हि가\0*", max_size=14)


@settings(max_examples=300, deadline=None)
@given(body=signs, query=signs)
def test_whatever_the_search_finds_has_marks(database, body, query):
    database.conn.execute("DELETE FROM texts")
    told = unicodedata.normalize("NFC", body)
    database.conn.execute("INSERT INTO texts VALUES (1, ?, ?, 1)", (told, len(told)))
    parsed = WordQuery.parse(query)
    found = WordSearch(database).search(parsed, limit=5)
    spans = marks(told, parsed)
    assert bool(found) <= bool(spans)
    assert all(0 <= start < end <= len(told) for start, end in spans)
