import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.store import word_ranking
from core.store.database import connect
from core.store.word_search import WORD_TABLES, WordSearch
from core.word_query import WordQuery

TEXTS = """CREATE TABLE texts (
    id INTEGER PRIMARY KEY AUTOINCREMENT, body TEXT NOT NULL, length INTEGER NOT NULL,
    rows INTEGER NOT NULL)"""


class Pile:
    """Texts in a real database with the tables of words."""

    def __init__(self, db):
        self.db = db
        self.search = WordSearch(db)
        self.bodies = {}

    def add(self, *bodies, rows=1):
        for body in bodies:
            cursor = self.db.conn.execute(
                "INSERT INTO texts (body, length, rows) VALUES (?, ?, ?)", (body, len(body), rows)
            )
            self.bodies[cursor.lastrowid] = body
        return self

    def find(self, query, limit=100):
        found = self.search.search(WordQuery.parse(query), limit=limit)
        return [self.bodies[text] for text, _ in found]


@pytest.fixture
def pile(tmp_path):
    db = connect(tmp_path / "文書 Zoë.sqlite")
    db.conn.execute(TEXTS)
    for statement in WORD_TABLES:
        db.conn.execute(statement)
    yield Pile(db)
    db.conn.close()


FINDS = {
    "a word in another case": ("FLIGHT", "the flight was late"),
    "a word without its accents": ("cafe zoe", "Café Zoë"),
    "a word with accents it has not": ("café", "cafe"),
    "a combining accent": ("ecole", "e\u0301cole"),
    "ss for a sharp s": ("strasse", "Die Straße"),
    "a sharp s for ss": ("straße", "STRASSE"),
    "a dotted capital I": ("istanbul", "İstanbul"),
    "a beginning": ("fli", "flights"),
    "a part of a word": ("ring", "strings"),
    "a word beside a young emoji": ("great", "great🥲day"),
    "an emoji": ("🥲", "great🥲day"),
    "a heart in two characters": ("❤️", "I ❤️ it"),
    "one Chinese character": ("京", "我在北京"),
    "two Chinese characters": ("北京", "我在北京。"),
    "four Chinese characters": ("在北京。", "我在北京。"),
    "katakana": ("ホテル", "このホテルは"),
    "Thai": ("ดี", "สวัสดีครับ"),
    "Hangul with a particle": ("서울", "서울에서"),
    "Hangul inside": ("에서", "서울에서"),
    "Arabic": ("مرحبا", "مرحبا بالعالم"),
    "a part of Arabic": ("عالم", "مرحبا بالعالم"),
    "Hindi": ("भाषा", "हिन्दी भाषा"),
    "what stands behind a NUL": ("zebra", "a\0zebra"),
    "a part behind a NUL": ("ebr", "a\0zebra"),
    "words with signs": ("C++", "C++ and C#"),
    "an operator as a word": ("NOT", "do not"),
    "a phrase": ('"lost bag"', "my Lost  Bag!"),
    "a phrase in Chinese": ('"北京"', "我在北京"),
    "an apostrophe": ("don't", "I don’t"),
    "an address": ("a.b@c.org", "write to a.b@c.org"),
    "a column's name": ("body:cat", "body cat"),
}


@pytest.mark.parametrize(("query", "body"), FINDS.values(), ids=FINDS.keys())
def test_the_search_finds(pile, query, body):
    assert pile.add("something else", body).find(query) == [body]


@pytest.mark.parametrize(
    ("query", "body"),
    [
        ("is", "this"),
        ("is", "this\0"),
        ("हि", "ही है"),
        ('"lost bag"', "bag lost"),
        ('"lost bag" flight', "flight"),
        ("京", "東亰"),
        ("🙂", "🙃"),
        ("❤️", "☀️"),
    ],
)
def test_the_search_does_not_find(pile, query, body):
    assert pile.add(body).find(query) == []


def test_texts_with_all_words_come_before_texts_with_some(pile):
    pile.add("late late late", "the flight", "a very long story of a flight that came late")
    assert pile.find("late flight")[0].startswith("a very long story")


def test_the_text_with_more_of_the_words_comes_first(pile):
    pile.add(*["filler"] * 20, "late", "flight", "late bag")
    assert pile.find("late flight bag gone")[0] == "late bag"


def test_whole_words_come_before_beginnings_and_those_before_parts(pile):
    pile.add("concat", "cats", "cat")
    assert pile.find("cat") == ["cat", "cats", "concat"]


def test_only_the_last_word_may_be_a_beginning(pile):
    pile.add("lates flight", "late flights")
    assert pile.find("late flight")[0] == "late flights"


def test_a_required_phrase_is_held_by_every_text_found(pile):
    pile.add("the lost bag", "a bag, lost", "lost", "flight lost bag late", "flight")
    assert pile.find('flight "lost bag"') == ["flight lost bag late", "the lost bag"]


def test_a_required_phrase_and_signs_without_spaces_go_together(pile):
    pile.add("iPhone 手机", "iPhone", "手机", "my phone 手机")
    assert pile.find('iPhone "手机"')[0] == "iPhone 手机"
    assert "iPhone" not in pile.find('iPhone "手机"')


def test_words_and_signs_are_found_apart_as_well(pile):
    pile.add("iPhone", "手机", "iPhone 手机", "none")
    assert set(pile.find("iPhone 手机")) == {"iPhone 手机", "iPhone", "手机"}
    assert pile.find("iPhone 手机")[0] == "iPhone 手机"


def test_each_text_comes_once_and_scores_fall(pile):
    pile.add("cat", "cats", "concat", "cat cats concat", "cat\0cat")
    found = pile.search.search(WordQuery.parse("cat"), limit=100)
    assert len({text for text, _ in found}) == len(found) == 5
    assert [score for _, score in found] == sorted((s for _, s in found), reverse=True)


@pytest.mark.parametrize("limit", [0, 1, 3, 7])
def test_no_more_than_the_limit_are_found_and_they_are_the_first(pile, limit):
    pile.add(*["cat"] * 2, *["cats"] * 2, *["concat"] * 3)
    assert pile.find("cat", limit) == pile.find("cat")[:limit]


def test_texts_of_no_row_are_not_found(pile):
    pile.add("cat", "concat", "京", "a\0xcat", rows=0)
    assert pile.find("cat") == pile.find("京") == []


def test_deleted_texts_are_not_found(pile):
    pile.add("cat", "the cat", "concat", "京\0cat")
    pile.db.conn.execute("DELETE FROM texts WHERE id IN (1, 3, 4)")
    assert pile.find("cat") == ["the cat"]
    assert pile.find("oncat") == []


@pytest.mark.parametrize("table", ["texts_words", "texts_trigrams"])
def test_the_tables_agree_with_the_texts_after_deletions(pile, table):
    pile.add(*(f"word{n} a\0b é{n}京 🙂" for n in range(50)))
    pile.db.conn.execute("DELETE FROM texts WHERE id % 3 = 0")
    pile.db.conn.execute(f"INSERT INTO {table} ({table}, rank) VALUES ('integrity-check', 1)")


def test_texts_there_before_the_tables_are_found(tmp_path):
    db = connect(tmp_path / "old.sqlite")
    db.conn.execute(TEXTS)
    db.conn.execute("INSERT INTO texts (body, length, rows) VALUES ('an old cat', 10, 1)")
    for statement in WORD_TABLES:
        db.conn.execute(statement)
    assert [text for text, _ in WordSearch(db).search(WordQuery.parse("cat"), limit=5)] == [1]
    db.conn.close()


def test_a_reader_can_search(pile, tmp_path):
    pile.add("cat")
    reader = connect(tmp_path / "文書 Zoë.sqlite", read_only=True)
    assert len(WordSearch(reader).search(WordQuery.parse("cat"), limit=5)) == 1
    reader.conn.close()


ODD = ['"', '""', '"""', "'", "AND", "OR", "NOT", "a AND", "NEAR(", "NEAR(a b, 5)", "*", "a*", "^a",
       "body:", "{body}: a", "-a", "a - b", "(", "a)", "+", "a + b", "\\", "%", "_", ";--", "\0",
       "a\0b", "\ud800", "🙂" * 50, "京" * 5_000, "x" * 10_000, "word " * 2_000, '"' * 999,
       " ".join(map(str, range(3_000))), "é\u0301\u0302", "\u0301", "\u200d", "\ufeff", "𞤀𞤁𞤂",
       "\ue000\ue001", "?", "$1", "@a", ":a", "a:b:c"]  # fmt: skip


@pytest.mark.parametrize("query", ODD, ids=lambda query: ascii(query[:12]))
def test_no_query_is_a_fault(pile, query):
    pile.add("a b body near", "x" * 300)
    pile.find(query)


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=40))
def test_any_text_can_be_asked_for(asked, query):
    asked.find(query)


@pytest.fixture(scope="module")
def asked(tmp_path_factory):
    db = connect(tmp_path_factory.mktemp("asked") / "asked.sqlite")
    db.conn.execute(TEXTS)
    for statement in WORD_TABLES:
        db.conn.execute(statement)
    yield Pile(db).add("a cat", "北京", "🙂", "a\0b", '"quoted"')
    db.conn.close()


def test_a_text_finds_itself_by_its_words(pile):
    bodies = [f"text number {n} of café 北京 🙂" for n in range(30)]
    pile.add(*bodies)
    for body in bodies[::7]:
        assert pile.find(f'"{body}"', 1) == [body]


def test_the_texts_behind_a_nul_are_found_through_their_index(pile):
    asked = (
        "EXPLAIN QUERY PLAN SELECT t.id FROM texts t WHERE t.rows > 0"
        " AND instr(body, char(0)) > 0 AND holds(t.body, 'x')"
    )
    assert "texts_with_nul" in str(pile.db.conn.execute(asked).fetchall())


def test_adding_many_texts_in_one_statement_is_quick(pile):
    """One by one, SQLite would write out its indexes of words after each."""
    bodies = [f"text number {n} says {n * 7919 % 1009}" for n in range(2_000)]
    began = time.process_time()
    pile.db.conn.execute("BEGIN")
    for start in range(0, 2_000, 250):
        part = bodies[start : start + 250]
        pile.db.conn.execute(
            "INSERT INTO texts (body, length, rows) VALUES " + ", ".join(["(?, 1, 1)"] * len(part)),
            part,
        )
    pile.db.conn.execute("COMMIT")
    assert time.process_time() - began < 3


@pytest.fixture
def busy(pile, monkeypatch):
    """A pile whose texts are too many to be ranked one by one: a word's share decides."""
    for name, value in (("MOST_RANKED", 60), ("_MOST_CANDIDATES", 40), ("_RARE", 20)):
        monkeypatch.setattr(word_ranking, name, value)
    words = ["camera", "parcel", "invoice", "window"]
    bodies = [
        f"the {words[n % 4]} of number {n}" + (f" beside the {words[n % 3]}" if n % 2 else "")
        for n in range(400)
    ]
    return pile.add(*bodies)


def exactly(pile, query, monkeypatch, limit=30):
    with monkeypatch.context() as patch:
        patch.setattr(word_ranking, "MOST_RANKED", 10_000)
        return pile.find(query, limit)


@pytest.mark.parametrize(
    "query", ["378", "number 378", "camera 378", "the camera 378", "nowhere 378", '"of number 37"']
)
def test_with_a_rare_word_the_best_are_those_of_all(busy, monkeypatch, query):
    expected = exactly(busy, query, monkeypatch, 5)
    assert busy.find(query, 5)[0] == expected[0]
    assert "37" in expected[0]


def test_texts_with_all_words_lead_among_very_many(busy):
    busy.add("the camera, the parcel and the invoice")
    assert busy.find("camera parcel invoice", 3)[0] == "the camera, the parcel and the invoice"


def test_texts_with_several_of_very_frequent_words_lead(busy):
    found = busy.find("camera parcel nowhere", 10)
    assert all("camera" in body and "parcel" in body for body in found)


def test_a_very_frequent_word_still_finds_as_many_as_are_wanted(busy):
    assert len(busy.find("the", 100)) == 100
    assert len(set(busy.find("the", 100))) == 100


def test_a_very_frequent_word_beside_a_rare_one_fills_the_list(busy):
    found = busy.find("the 378", 100)
    assert len(found) == 100
    assert "number 378" in found[0]


@pytest.mark.parametrize("query", ["the", "the 378", "camera parcel nowhere", "the camera", "cam"])
def test_scores_fall_among_very_many(busy, query):
    scores = [score for _, score in busy.search.search(WordQuery.parse(query), limit=100)]
    assert scores == sorted(scores, reverse=True)


def test_a_required_phrase_is_held_by_each_of_very_many(busy):
    found = busy.find('camera "the parcel"', 100)
    assert len(found) == 100
    assert all("the parcel" in body for body in found)


def test_texts_of_no_row_are_left_out_among_very_many(busy):
    busy.add(*["the camera"] * 200, rows=0)
    assert "the camera" not in busy.find("the camera", 100)


def test_few_texts_are_in_the_order_of_all(pile, monkeypatch):
    """The order is that of BM25 wherever all are ranked, with words that stand everywhere too."""
    pile.add(*(f"the word{n % 7} and the word{n % 11} of {n}" for n in range(300)))
    for query in ("the", "word3", "word3 word5", "the word3", "word3 word5 word6 word9", "wor"):
        assert pile.find(query, 50) == exactly(pile, query, monkeypatch, 50)
