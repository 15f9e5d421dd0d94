"""SQLite connections as this program wants them: WAL, short immediate writes, read-only readers."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlite_utils import Database

from core.errors import UserError

APPLICATION_ID = 0x53534E53  # "SSNS" in the file's header tells other tools what this is
BUSY_TIMEOUT_MS = 15_000
_USUAL_LOG = 1000  # pages of the log from which a commit copies it back; SQLite's own figure
_LONG_LOG = 16_384  # 64 MB


def connect(file: Path, *, read_only: bool = False) -> Database:
    """Open the SQLite file; a writer creates it if need be and turns WAL on.

    Raises `UserError` when the file is damaged, is no database of ours, or cannot have WAL.
    """
    mode = "ro" if read_only else "rwc"
    uri = f"{file.resolve().as_uri()}?mode={mode}"
    connection = None
    try:
        connection = sqlite3.connect(
            uri, uri=True, isolation_level=None, check_same_thread=False, timeout=15
        )
        connection.execute(f"PRAGMA busy_timeout={BUSY_TIMEOUT_MS}")
        connection.execute("PRAGMA foreign_keys=ON")
        connection.execute("PRAGMA cache_size=-65536")
        connection.create_function("holds", 2, _holds, deterministic=True)
        _expect_ours(connection, file)
        if not read_only:
            _prepare_writer(connection, file)
    except BaseException as fault:
        if connection is not None:
            connection.close()
        if isinstance(fault, sqlite3.DatabaseError):
            raise UserError(
                f"{file} cannot be opened as a project ({fault}); nothing was changed.",
                "Restore it from a copy, or start a new project and import the files again.",
            ) from fault
        raise
    return Database(connection, execute_plugins=False)


@contextmanager
def writing(db: Database) -> Iterator[sqlite3.Connection]:
    """Run a short write; take the write lock at once, so that a read inside is never stale.

    A full disk or a file made read-only becomes a `UserError`; what was there stays.
    """
    connection: sqlite3.Connection = db.conn
    try:
        connection.execute("BEGIN IMMEDIATE")
    except sqlite3.DatabaseError as fault:
        tell(fault)
        raise
    try:
        yield connection
        connection.execute("COMMIT")
    except BaseException as fault:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        if isinstance(fault, sqlite3.DatabaseError):
            tell(fault)
        raise


@contextmanager
def loading(db: Database) -> Iterator[None]:
    """Copy the log back into the file less often while many rows come.

    Pages in the middle of an index are written by each batch anew; so most are copied once.
    Nothing is less safe for it, but the log grows to 64 MB and stays there until closing.
    """
    db.conn.execute(f"PRAGMA wal_autocheckpoint={_LONG_LOG}")
    try:
        yield
    finally:
        db.conn.execute(f"PRAGMA wal_autocheckpoint={_USUAL_LOG}")


def tell(fault: sqlite3.DatabaseError) -> None:
    """Raise the fault as a `UserError` where it is the world's; return where it is a bug."""
    words = str(fault)
    if "disk is full" in words:
        raise UserError(
            "The disk is full; the last step was not stored, everything before it is safe.",
            "Free some space and do it again.",
        ) from fault
    if "readonly" in words or "read-only" in words:
        raise UserError(
            "The project cannot be written to; nothing was changed.",
            "Check the rights of the project folder.",
        ) from fault
    if "locked" in words:
        raise UserError(
            "Another program is writing to this project and did not finish in time; "
            "nothing was changed.",
            "Wait for it to end, then do it again.",
        ) from fault
    if "malformed" in words or "not a database" in words:
        raise UserError(
            f"The file of the project is damaged ({fault}); the last step was not stored.",
            "Restore the project from a copy, or start a new one and import the files again.",
        ) from fault
    if "disk I/O" in words or "unable to open" in words:
        raise UserError(
            f"The disk of the project could not be read or written ({fault}); the last step was "
            "not stored.",
            "Check that the disk is there and has room, then do it again.",
        ) from fault


def _expect_ours(connection: sqlite3.Connection, file: Path) -> None:
    found = connection.execute("PRAGMA application_id").fetchone()[0]
    tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    if found != APPLICATION_ID and (found or tables):
        raise UserError(
            f"{file} is a database of another program; it was left alone.",
            "Choose a Samesense project folder.",
        )


def _prepare_writer(connection: sqlite3.Connection, file: Path) -> None:
    journal = connection.execute("PRAGMA journal_mode=WAL").fetchone()[0]
    if journal != "wal":
        raise UserError(
            f"The folder {file.parent} does not allow the kind of file locking that keeps "
            "a project safe.",
            "Put the project on a local disk.",
        )
    connection.execute("PRAGMA synchronous=NORMAL")
    if connection.execute("PRAGMA application_id").fetchone()[0] == 0:
        connection.execute(f"PRAGMA application_id={APPLICATION_ID}")


def _holds(text: str | None, words: str) -> bool:
    """Whether `text` holds `words` (case-folded already), in whatever script and case."""
    return text is not None and words in text.casefold()
