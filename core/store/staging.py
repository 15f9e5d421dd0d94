"""Rows on their way in: put down beside the project, then taken into its tables at one go.

The tables of words write their indexes out after every statement, whatever it holds. So the
rows of a batch are gathered in a table of the connection's own and come from there in one
statement a table, which SQLite runs without holding Python up.
"""

from collections.abc import Sequence
from json.encoder import encode_basestring, encode_basestring_ascii
from typing import Any, NamedTuple, TypeAlias

# Place, line, key, cells and dates as JSON, hash, body, its length, very short.
LaidRow: TypeAlias = tuple[
    int, int, str | None, str, str | None, str | None, str | None, int | None, bool
]


class StagedRow(NamedTuple):
    """A row on its way in; `body` is normalised, None where the row has no text.

    A tuple, since a file may have a million of them, each to be made and taken apart once.
    """

    place: int
    line: int
    key: str | None
    cells: tuple[str | None, ...]
    dates: dict[str, str] | None
    body: str | None
    hash: str | None
    very_short: bool


def lay_out(rows: Sequence[StagedRow]) -> list[LaidRow]:
    """Rows as the tables will hold them; touches no project."""
    met: set[str | None] = {None}
    told: list[LaidRow] = []
    for place, line, key, cells, dates, body, digest, very_short in rows:
        if digest in met:
            body = None  # a text is stored once, as its first row has it
        else:
            met.add(digest)
        told.append(
            (place, line, key, _listed(cells), _named(dates) if dates else None,
             digest, body, None if body is None else len(body), very_short)
        )  # fmt: skip
    return told


def put_down(connection: Any, rows: Sequence[LaidRow]) -> None:
    """Gather rows where `take_up` finds them; the project itself is not touched."""
    connection.execute(_TABLE)
    connection.execute("BEGIN")  # of the connection's own tables: nobody waits for it
    try:
        connection.execute("DELETE FROM temp.came")
        for start in range(0, len(rows), _AT_ONCE):
            part = rows[start : start + _AT_ONCE]
            marks = ",".join(["(?,?,?,?,?,?,?,?,?)"] * len(part))
            connection.execute(
                f"INSERT INTO temp.came VALUES {marks}", [value for row in part for value in row]
            )
    finally:
        connection.execute("COMMIT")


def take_up(connection: Any, source: int) -> int:
    """Bring in the rows put down last, unseen; return how many had a text known before.

    Wants to be called in a transaction.
    """
    new = connection.execute(
        "INSERT INTO texts (hash, body, length, very_short)"
        " SELECT hash, body, length, very_short FROM temp.came WHERE body IS NOT NULL"
        " AND NOT EXISTS (SELECT 1 FROM texts WHERE texts.hash = came.hash) ORDER BY came.rowid"
    ).rowcount
    connection.execute(
        "INSERT INTO documents (source, place, line, key, text, cells, dates)"
        " SELECT ?, place, line, key, (SELECT id FROM texts WHERE texts.hash = came.hash),"
        " cells, dates FROM temp.came ORDER BY came.rowid",
        (source,),
    )
    with_text = connection.execute("SELECT count(hash) FROM temp.came").fetchone()[0]
    connection.execute("DELETE FROM temp.came")
    return int(with_text) - int(new)


_TABLE = (
    "CREATE TEMP TABLE IF NOT EXISTS came (place INTEGER, line INTEGER, key TEXT, cells TEXT,"
    " dates TEXT, hash TEXT, body TEXT, length INTEGER, very_short INTEGER)"
)
_AT_ONCE = 50  # rows to a statement: half the time of one by one


# The encoder of the library gives the same and takes four times as long for values so small.
def _named(dates: dict[str, str]) -> str:
    told = [f"{encode_basestring_ascii(name)}: {encode_basestring_ascii(date)}"
            for name, date in dates.items()]  # fmt: skip
    return "{" + ", ".join(told) + "}"


def _listed(cells: Sequence[str | None]) -> str:
    told = ["null" if cell is None else encode_basestring(cell) for cell in cells]
    return "[" + ",".join(told) + "]"
