"""Tables for other programs: CSV, TSV, JSON lines, spreadsheet and Parquet, never half written.

A table appears under its name only when it is complete; until then an earlier file of that
name stays as it was, and a failed or abandoned export leaves nothing behind.
"""

import errno
import os
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import Self

from core.errors import UserError
from core.store.table_formats import (
    Column,
    DelimitedSink,
    JsonLinesSink,
    ParquetSink,
    Sink,
    XlsxSink,
)
from core.store.table_guard import ID_COLUMN, guard, unguard, was_guarded

__all__ = [
    "ID_COLUMN",
    "SUFFIXES",
    "Column",
    "TableWriter",
    "guard",
    "unguard",
    "was_guarded",
    "write_table",
]

SUFFIXES = (".csv", ".tsv", ".jsonl", ".xlsx", ".parquet")
_ROWS_AT_ONCE = 1000
_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}


def write_table(
    path: Path,
    columns: Sequence[Column | str],
    rows: Iterable[Sequence[object]],
    *,
    raw: bool = False,
) -> int:
    """Write all rows to `path` in the format of its suffix and return how many they were.

    Columns given as plain names hold text; a repeated name gets a number. None is an empty
    cell; CSV, TSV and XLSX cannot tell it from an empty text. In CSV and TSV texts that a
    spreadsheet would run are guarded (see `guard`) unless `raw`; give `ID_COLUMN` first, so
    that an import can tell. Raises `UserError` for an unknown suffix, a folder that cannot be
    written, a full disk, a target that is in use, and a text too long for XLSX.
    """
    with TableWriter(path, columns, raw=raw) as table:
        return table.write(rows)


class TableWriter:
    """The same, step by step: `write` batches inside `with`; leaving by an error drops all.

    A generator that is closed between two batches leaves by GeneratorExit, and so cleans up.
    """

    def __init__(self, path: Path, columns: Sequence[Column | str], *, raw: bool = False) -> None:
        if path.suffix.lower() not in SUFFIXES:
            raise UserError(
                f"{path.name} does not say what kind of table it shall be.",
                f"Give it a name that ends in {', '.join(SUFFIXES[:-1])} or {SUFFIXES[-1]}.",
            )
        if not columns:
            raise ValueError("a table needs a column")
        self._path = path
        self._target = path.resolve()  # a link stays a link
        self._columns = _distinct(columns)
        self._raw = raw
        self._count = 0

    @property
    def count(self) -> int:
        """How many rows were written so far."""
        return self._count

    def __enter__(self) -> Self:
        with faults_told(self._path):
            check_target(self._path, self._target)
            # A folder of its own, beside the target so that the last step is one rename.
            self._scratch = Path(tempfile.mkdtemp(prefix=".samesense-", dir=self._target.parent))
        try:
            with faults_told(self._path):
                self._part = self._scratch / f"table{self._target.suffix.lower()}"
                self._sink = _open_sink(self._part, self._columns, raw=self._raw)
        except BaseException:
            shutil.rmtree(self._scratch, ignore_errors=True)
            raise
        return self

    def write(self, rows: Iterable[Sequence[object]]) -> int:
        """Add rows and return how many there are now; what `rows` raises is passed on."""
        waiting = iter(rows)
        while batch := list(islice(waiting, _ROWS_AT_ONCE)):
            for row in batch:
                if len(row) != len(self._columns):
                    raise ValueError(f"{len(row)} cells for {len(self._columns)} columns: {row!r}")
            with faults_told(self._path):
                self._sink.write(batch)
            self._count += len(batch)
        return self._count

    def __exit__(
        self,
        kind: type[BaseException] | None,
        fault: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        finished = False
        try:
            if kind is None:
                with faults_told(self._path):
                    self._sink.finish()
                    finished = True
                    _to_disk(self._part)
                with faults_told(self._path, replacing=True):
                    self._part.replace(self._target)
        finally:
            if not finished:
                self._sink.abandon()
            shutil.rmtree(self._scratch, ignore_errors=True)


def _open_sink(path: Path, columns: Sequence[Column], *, raw: bool) -> Sink:
    match path.suffix:
        case ".csv":
            return DelimitedSink(path, columns, delimiter=",", raw=raw)
        case ".tsv":
            return DelimitedSink(path, columns, delimiter="\t", raw=raw)
        case ".jsonl":
            return JsonLinesSink(path, columns)
        case ".xlsx":
            return XlsxSink(path, columns)
        case _:
            return ParquetSink(path, columns)


def _distinct(columns: Sequence[Column | str]) -> list[Column]:
    taken: set[str] = set()
    distinct = []
    for column in columns:
        wanted = Column(column) if isinstance(column, str) else column
        name, number = wanted.name, 1
        while name in taken:
            number += 1
            name = f"{wanted.name} ({number})"
        taken.add(name)
        distinct.append(Column(name, wanted.kind))
    return distinct


def check_target(path: Path, target: Path) -> None:
    """Raise `UserError` where `path`, which leads to `target`, is no place for a new file."""
    if not target.parent.is_dir():
        raise UserError(
            f"There is no folder {target.parent}.", "Create it, or choose another place."
        )
    if target.is_dir():
        raise UserError(f"{path} is a folder.", "Choose a file name inside it.")
    if target.exists() and not target.is_file():
        raise UserError(f"{path} is a device or a pipe, not a file.", "Choose a file name.")
    if target.exists() and not os.access(target, os.W_OK):
        raise UserError(
            f"{path.name} is write-protected and was left as it is.", "Choose another name."
        )


@contextmanager
def faults_told(path: Path, *, replacing: bool = False) -> Iterator[None]:
    """Tell faults of the disk in plain words."""
    try:
        yield
    except OSError as fault:
        if fault.errno in _FULL:
            raise UserError(
                f"The disk is full: {path.name} could not be written, and nothing was changed.",
                "Free some space or choose another disk, then export again.",
            ) from fault
        if isinstance(fault, PermissionError) and replacing:
            raise UserError(
                f"{path.name} is open in another program and was left as it is.",
                "Close it there and export again, or choose another name.",
            ) from fault
        if isinstance(fault, PermissionError) or fault.errno == errno.EROFS:
            raise UserError(
                f"Nothing may be written in the folder {path.absolute().parent}.",
                "Choose another folder.",
            ) from fault
        raise UserError(
            f"{path.name} could not be written ({fault.strerror or fault}); nothing was changed.",
            "Choose another name or folder.",
        ) from fault


def _to_disk(path: Path) -> None:
    with path.open("rb+") as file:
        os.fsync(file.fileno())
