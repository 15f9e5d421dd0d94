"""Search by words: whole ones first, then beginnings and parts, in every script."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from sqlite_utils import Database

from core.word_query import SHORTEST_PART, Piece, WordQuery

# Marks belong to words, without which Hindi or Arabic words fall apart. Private characters do
# not: SQLite takes every emoji younger than its tables for one of them.
_WORDS = "unicode61 remove_diacritics 2 categories 'L* N* Mn Mc'"

_GO = """CREATE TRIGGER texts_go AFTER DELETE ON texts BEGIN
        INSERT INTO texts_words (texts_words, rowid, body) VALUES ('delete', old.id, old.body);
        INSERT INTO texts_trigrams (texts_trigrams, rowid, body)
            VALUES ('delete', old.id, old.body);
    END"""

# The texts themselves stay in one place only. The last index names the few texts that the
# trigrams know in part, since they end at a NUL.
WORD_TABLES = (
    "CREATE VIRTUAL TABLE texts_words USING fts5("
    f'body, content=texts, content_rowid=id, tokenize="{_WORDS}")',
    "CREATE VIRTUAL TABLE texts_trigrams USING fts5("
    "body, content=texts, content_rowid=id, tokenize=trigram)",
    """CREATE TRIGGER texts_come AFTER INSERT ON texts BEGIN
        INSERT INTO texts_words (rowid, body) VALUES (new.id, new.body);
        INSERT INTO texts_trigrams (rowid, body) VALUES (new.id, new.body);
    END""",
    _GO,
    "CREATE INDEX texts_with_nul ON texts (id) WHERE instr(body, char(0)) > 0",
    "INSERT INTO texts_words (texts_words) VALUES ('rebuild')",
    "INSERT INTO texts_trigrams (texts_trigrams) VALUES ('rebuild')",
)

# How the tables of words take many texts well. Words are kept in memory until a statement ends,
# and then written as a part of the index: with SQLite's own 1 MB a few thousand texts make a
# dozen parts. Merging parts costs as much as writing them, so 16 are merged at a time and not 4,
# and a little with each statement: at the last figure SQLite merges all at once, which is long.
# There are about as many parts in the end as with SQLite's own figures; a search is no slower.
_MANY = {"hashsize": 32 << 20, "automerge": 16, "crisismerge": 64}

_TABLES = ("texts_words", "texts_trigrams", "texts")  # in the order in which they lead a query


def expect_many_texts(connection: Any) -> None:
    """Set the tables of words up for texts by the thousand, for good; wants a transaction."""
    for table in ("texts_words", "texts_trigrams"):
        known = dict(connection.execute(f"SELECT k, v FROM {table}_config").fetchall())
        for setting, value in _MANY.items():
            if known.get(setting) != value:
                connection.execute(
                    f"INSERT INTO {table} ({table}, rank) VALUES (?, ?)", (setting, value)
                )


@contextmanager
def made_anew(connection: Any) -> Iterator[None]:
    """Index the texts anew that stay after most were deleted; wants a transaction.

    To take a text out of the tables of words costs as much as to put one in.
    """
    connection.execute("DROP TRIGGER texts_go")
    yield
    connection.execute(_GO)
    for table in ("texts_words", "texts_trigrams"):
        connection.execute(f"INSERT INTO {table} ({table}) VALUES ('rebuild')")


class WordSearch:
    """The words of the texts in use."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def search(self, query: WordQuery, *, limit: int) -> list[tuple[int, float]]:
        """Find up to `limit` texts as (id, score), best first; scores only compare in one list.

        Texts with all pieces of the query come before texts with some, and whole words (accents
        and case do not matter) before parts of words; the last word may be a beginning. A
        required piece is held by every text found. Within a kind the order is that of BM25.
        Pieces in scripts without spaces, and symbols, are found wherever they stand.
        """
        found: dict[int, float] = {}
        asked: set[tuple[str, tuple[object, ...]]] = set()
        steps = list(_steps(query))
        for number, (sql, values) in enumerate(steps):
            if len(found) >= limit:
                break
            if (sql, values) in asked:
                continue
            asked.add((sql, values))
            rows = self._db.conn.execute(sql, (*values, limit + len(found)))
            for text, goodness in rows.fetchall():
                score = len(steps) - number + goodness / (1 + goodness)
                found.setdefault(text, score)
        return list(found.items())[:limit]


@dataclass(frozen=True, slots=True)
class _Wanted:
    """A piece as one of the tables is asked for it; for `texts` the words themselves."""

    table: str
    asked: str
    is_required: bool


Step = tuple[str, tuple[object, ...]]


def _steps(query: WordQuery) -> Iterator[Step]:
    """The queries to run, best finds first; each takes the limit as its last value."""
    if not query:
        return
    whole = [_wanted(piece, begun=False) for piece in query.pieces]
    begun = [_wanted(piece, begun=True) for piece in query.pieces]
    parts = [_wanted_part(piece) for piece in query.pieces]
    yield _all_of(whole)
    yield _all_of(begun)
    yield from _some_of(begun)
    yield _all_of(parts)
    yield from _some_of(parts)
    yield _behind_nul(query.pieces)


def _wanted(piece: Piece, *, begun: bool) -> _Wanted:
    if not piece.is_words:
        return _wanted_part(piece)
    end = " *" if begun and piece.is_begun else ""
    ways = [_quoted(way) + end for way in _spellings(piece.text)]
    return _Wanted("texts_words", f"({' OR '.join(ways)})", piece.is_required)


def _wanted_part(piece: Piece) -> _Wanted:
    if not piece.can_be_part:
        return _wanted(piece, begun=True)
    if len(piece.text) >= SHORTEST_PART:
        ways = " OR ".join(map(_quoted, _spellings(piece.text)))
        return _Wanted("texts_trigrams", f"({ways})", piece.is_required)
    return _Wanted("texts", piece.text, piece.is_required)


def _spellings(text: str) -> list[str]:
    """The text with ß and with ss, which German readers take for the same."""
    low = text.casefold()  # which writes ß as ss
    return list(dict.fromkeys([low, low.replace("ss", "ß")])) if "ss" in low else [text]


def _quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'


def _all_of(wanted: Sequence[_Wanted]) -> Step:
    leader = next(table for table in _TABLES if any(one.table == table for one in wanted))
    asked = [one.asked for one in wanted if one.table == leader]
    rest = [one for one in wanted if one.table != leader]
    return _query(leader, asked, " AND ", rest)


def _some_of(wanted: Sequence[_Wanted]) -> Iterator[Step]:
    required = [one for one in wanted if one.is_required]
    for table in _TABLES:
        asked = [one.asked for one in wanted if one.table == table]
        if asked:
            yield _query(table, asked, " OR ", required)


def _query(table: str, asked: Sequence[str], joint: str, also: Sequence[_Wanted]) -> Step:
    """Ask a table for some or all of `asked`, and of each text found for `also`."""
    conditions, values = ["t.rows > 0"], []
    if table == "texts":
        tests = [_held(words) for words in asked]
        conditions.append("(" + joint.join(test for test, _ in tests) + ")")
        values += [value for _, value in tests]
        start, order = "SELECT t.id, 1.0 / (1 + t.length) FROM texts t", "t.length, t.id"
    else:
        conditions.append(f"{table} MATCH ?")
        values.append(joint.join(asked))
        start = f"SELECT t.id, -f.rank FROM {table} f JOIN texts t ON t.id = f.rowid"
        order = "f.rank, t.id"
    for one in also:
        test, value = _condition(one)
        conditions.append(test)
        values.append(value)
    where = " AND ".join(conditions)
    return f"{start} WHERE {where} ORDER BY {order} LIMIT ?", tuple(values)


def _behind_nul(pieces: Sequence[Piece]) -> Step:
    """Look for parts of words in the few texts that the trigrams do not know to their ends."""
    wanted = [
        _Wanted("texts", piece.text, piece.is_required) if piece.can_be_part
        else _wanted(piece, begun=True)
        for piece in pieces
    ]  # fmt: skip
    some = [_condition(one) for one in wanted]
    must = [_condition(one) for one in wanted if one.is_required]
    any_of_them = "(" + " OR ".join(test for test, _ in some) + ")"
    where = " AND ".join([any_of_them, *(test for test, _ in must)])
    return (
        "SELECT t.id, 1.0 / (1 + t.length) FROM texts t WHERE t.rows > 0"
        f" AND instr(body, char(0)) > 0 AND {where} ORDER BY t.length, t.id LIMIT ?",
        tuple(value for _, value in [*some, *must]),
    )


def _condition(one: _Wanted) -> tuple[str, str]:
    """A test of a text `t` for what is wanted."""
    if one.table == "texts":
        return _held(one.asked)
    return f"t.id IN (SELECT rowid FROM {one.table} WHERE {one.table} MATCH ?)", one.asked


def _held(words: str) -> tuple[str, str]:
    """A test of `t.body`; signs without case need no Python, which is ten times slower."""
    if words.lower() == words.upper():
        return "instr(t.body, ?) > 0", words
    return "holds(t.body, ?)", words.casefold()
