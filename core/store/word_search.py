"""Search by words: whole ones first, then beginnings and parts, in every script."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from sqlite_utils import Database

from core.store.word_ranking import Ranking, Step, Wanted, condition, held
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
        required piece is held by every text found. Within a kind the order is that of BM25; where
        30,000 texts or more are of a kind, it is so among a part of them: see `Ranking`.
        Pieces in scripts without spaces, and symbols, are found wherever they stand.
        """
        found: dict[int, float] = {}
        asked: set[Step | Plain] = set()
        ranking = Ranking(self._db.conn)
        steps = list(_steps(query))
        for number, step in enumerate(steps):
            if len(found) >= limit:
                break
            if step in asked:
                continue
            asked.add(step)
            count = limit + len(found)
            best = ranking.best(step, count) if isinstance(step, Step) else self._run(step, count)
            for text, share in best:
                found.setdefault(text, len(steps) - number + share)
        return list(found.items())[:limit]

    def _run(self, step: "Plain", count: int) -> list[tuple[int, float]]:
        sql, values = step
        rows = self._db.conn.execute(sql, (*values, count)).fetchall()
        return [(text, goodness / (1 + goodness)) for text, goodness in rows]


Plain = tuple[str, tuple[object, ...]]  # a query, which takes the limit as its last value


def _steps(query: WordQuery) -> Iterator[Step | Plain]:
    """What to look for, best finds first."""
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


def _wanted(piece: Piece, *, begun: bool) -> Wanted:
    if not piece.is_words:
        return _wanted_part(piece)
    end = " *" if begun and piece.is_begun else ""
    ways = [_quoted(way) + end for way in _spellings(piece.text)]
    return Wanted("texts_words", f"({' OR '.join(ways)})", piece.is_required)


def _wanted_part(piece: Piece) -> Wanted:
    if not piece.can_be_part:
        return _wanted(piece, begun=True)
    if len(piece.text) >= SHORTEST_PART:
        ways = " OR ".join(map(_quoted, _spellings(piece.text)))
        return Wanted("texts_trigrams", f"({ways})", piece.is_required)
    return Wanted("texts", piece.text, piece.is_required)


def _spellings(text: str) -> list[str]:
    """The text with ß and with ss, which German readers take for the same."""
    low = text.casefold()  # which writes ß as ss
    return list(dict.fromkeys([low, low.replace("ss", "ß")])) if "ss" in low else [text]


def _quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'


def _all_of(wanted: Sequence[Wanted]) -> Step | Plain:
    leader = next(table for table in _TABLES if any(one.table == table for one in wanted))
    asked = [one.asked for one in wanted if one.table == leader]
    rest = [one for one in wanted if one.table != leader]
    return _step(leader, asked, "AND", rest)


def _some_of(wanted: Sequence[Wanted]) -> Iterator[Step | Plain]:
    required = [one for one in wanted if one.is_required]
    for table in _TABLES:
        asked = [one.asked for one in wanted if one.table == table]
        if asked:
            yield _step(table, asked, "OR", required)


def _step(table: str, asked: Sequence[str], joint: str, also: Sequence[Wanted]) -> Step | Plain:
    """Ask a table for some or all of `asked`, and of each text found for `also`."""
    if table != "texts":
        # A sole piece is asked for once, so that the same step is not taken twice.
        is_sole = len(asked) == 1
        others = [
            one for one in also if not (is_sole and (one.table, one.asked) == (table, asked[0]))
        ]
        return Step(table, tuple(asked), "AND" if is_sole else joint, tuple(others))
    tests = [held(words) for words in asked]
    more = [condition(one) for one in also]
    some = f" {joint} ".join(test for test, _ in tests)
    where = " AND ".join([f"({some})", *(test for test, _ in more)])
    return (
        f"SELECT t.id, 1.0 / (1 + t.length) FROM texts t WHERE t.rows > 0 AND {where}"
        " ORDER BY t.length, t.id LIMIT ?",
        tuple(value for _, value in [*tests, *more]),
    )


def _behind_nul(pieces: Sequence[Piece]) -> Plain:
    """Look for parts of words in the few texts that the trigrams do not know to their ends."""
    wanted = [
        Wanted("texts", piece.text, piece.is_required) if piece.can_be_part
        else _wanted(piece, begun=True)
        for piece in pieces
    ]  # fmt: skip
    some = [condition(one) for one in wanted]
    must = [condition(one) for one in wanted if one.is_required]
    any_of_them = "(" + " OR ".join(test for test, _ in some) + ")"
    where = " AND ".join([any_of_them, *(test for test, _ in must)])
    return (
        "SELECT t.id, 1.0 / (1 + t.length) FROM texts t WHERE t.rows > 0"
        f" AND instr(body, char(0)) > 0 AND {where} ORDER BY t.length, t.id LIMIT ?",
        tuple(value for _, value in [*some, *must]),
    )
