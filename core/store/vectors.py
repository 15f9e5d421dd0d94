"""Vectors: append-only matrices beside the database, which names the rows that count."""

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlite_utils import Database

from core.errors import UserError
from core.store.database import writing

_MAGIC = b"\x93NUMPY\x01\x00"
_SAMPLE = 1000  # rows looked at before a file is trusted
_LONGEST = 1e4  # sum of a vector's absolute values; a unit vector's stays far below
_HEADER = 128  # bytes; the npy format allows padding, so the shape can grow in place


@dataclass(frozen=True, slots=True)
class EncoderRecord:
    """An encoder that made vectors in this project."""

    id: int
    fingerprint: str
    name: str
    folder: str
    dimension: int
    precision: str
    settings: dict[str, Any]


@dataclass(frozen=True, slots=True)
class VectorBatch:
    """What encoding brought for some texts; windows only for texts longer than the model."""

    texts: NDArray[np.int64]
    vectors: NDArray[np.float32]  # (n, d), unit length
    tokens: NDArray[np.int32]
    windows: NDArray[np.int32]
    unreadable: NDArray[np.bool_]
    window_vectors: NDArray[np.float32]  # (sum of windows where windows > 1, d)


@dataclass(frozen=True, slots=True)
class VectorTable:
    """All vectors of one encoder: `vectors[rows[i]]` belongs to text `texts[i]`."""

    vectors: NDArray[np.float32]  # memory-mapped, (rows in the file that count, d)
    texts: NDArray[np.int64]
    rows: NDArray[np.int64]
    tokens: NDArray[np.int64]
    windows: NDArray[np.int64]
    first_window: NDArray[np.int64]  # -1 where the text fits the model
    unreadable: NDArray[np.bool_]


class Vectors:
    """The vector files of a project and the rows that name what is in them."""

    def __init__(self, db: Database, folder: Path) -> None:
        self._db = db
        self._folder = folder

    def encoder(
        self,
        fingerprint: str,
        *,
        name: str,
        folder: str,
        dimension: int,
        precision: str,
        settings: Mapping[str, Any],
        run: int | None = None,
    ) -> EncoderRecord:
        """The record of this encoder, made on first use.

        A folder within the project is kept relative to it, so that a project that was moved or
        copied goes on with its own.
        """
        with writing(self._db) as connection:
            connection.execute(
                "INSERT INTO encoders (fingerprint, name, folder, dimension, precision, settings,"
                " run) VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (fingerprint) DO UPDATE SET"
                " folder = excluded.folder",
                (
                    fingerprint, name, self._within(folder), dimension, precision,
                    json.dumps(settings), run,
                ),
            )  # fmt: skip
        return next(one for one in self.encoders() if one.fingerprint == fingerprint)

    def encoders(self) -> list[EncoderRecord]:
        """Every encoder that made vectors here."""
        rows = self._db.conn.execute(
            "SELECT id, fingerprint, name, folder, dimension, precision, settings FROM encoders"
            " ORDER BY id"
        )
        return [
            EncoderRecord(
                row[0], row[1], row[2], self._found(row[3]), row[4], row[5], json.loads(row[6])
            )
            for row in rows.fetchall()
        ]

    def of_folder(self, folder: Path) -> EncoderRecord | None:
        """The newest encoder that was loaded from this folder, None where there is none."""
        wanted = str(folder.resolve())
        return next((one for one in reversed(self.encoders()) if one.folder == wanted), None)

    def append(self, encoder: EncoderRecord, batch: VectorBatch) -> None:
        """Add vectors: bytes, fsync, header, then the rows in one transaction.

        A kill between any two of these leaves bytes that no row names; the next append
        writes over them.
        """
        long = batch.windows > 1
        first = self._append(encoder, "", batch.vectors, self._rows(encoder.id))
        windows_first = -1
        if long.any():
            windows_first = self._append(
                encoder, "-windows", batch.window_vectors, self._window_rows(encoder.id)
            )
        starts = windows_first + np.cumsum(np.where(long, batch.windows, 0)) - batch.windows
        rows = [
            (encoder.id, int(text), first + i, int(batch.tokens[i]), int(batch.windows[i]),
             int(starts[i]) if long[i] else None, bool(batch.unreadable[i]))
            for i, text in enumerate(batch.texts)
        ]  # fmt: skip
        with writing(self._db) as connection:
            connection.executemany(
                "INSERT INTO vectors (encoder, text, row, tokens, windows, first_window,"
                " unreadable) VALUES (?, ?, ?, ?, ?, ?, ?)",
                rows,
            )

    def is_whole(self, encoder: EncoderRecord) -> bool:
        """Whether the files hold every vector that the project names."""
        return self._holds(encoder, "", self._rows(encoder.id)) and self._holds(
            encoder, "-windows", self._window_rows(encoder.id)
        )

    def forget(self, encoder: EncoderRecord) -> None:
        """Drop all vectors of the encoder, so that its texts wait again and pairs are checked."""
        with writing(self._db) as connection:
            connection.execute("DELETE FROM vectors WHERE encoder = ?", (encoder.id,))
            # The texts may come back in another order, so no pass may claim to have seen a row.
            connection.execute("UPDATE pairings SET rows_done = 0 WHERE encoder = ?", (encoder.id,))

    def count(self, encoder: int) -> int:
        """How many texts in use have a vector."""
        return self.counts(encoder)[0]

    def marked(self, encoder: int) -> tuple[int, int]:
        """How many texts in use are longer than the model, and how many it cannot read."""
        return self.counts(encoder)[1:]

    def counts(self, encoder: int) -> tuple[int, int, int]:
        """Of the texts in use: how many have a vector, are longer than the model, unreadable."""
        # The few texts out of use have an index of their own; a look at each text would take
        # three times as long.
        row = self._db.conn.execute(
            "SELECT count(*), coalesce(sum(windows > 1), 0), coalesce(sum(unreadable), 0)"
            " FROM vectors WHERE encoder = ?"
            " AND text NOT IN (SELECT id FROM texts WHERE rows = 0)",
            (encoder,),
        ).fetchone()
        return int(row[0]), int(row[1]), int(row[2])

    def marks(self, encoder: int) -> dict[int, tuple[str, ...]]:
        """The marks (long, unreadable) of the texts that have any, by text."""
        rows = self._db.conn.execute(
            "SELECT text, windows > 1, unreadable FROM vectors"
            " WHERE encoder = ? AND (windows > 1 OR unreadable)",
            (encoder,),
        )
        return {
            text: (*(["long"] if long else []), *(["unreadable"] if unreadable else []))
            for text, long, unreadable in rows.fetchall()
        }

    def rows(self, encoder: int) -> int:
        """How many rows of the matrix count, gaps included."""
        return self._rows(encoder)

    def table(self, encoder: EncoderRecord) -> VectorTable:
        """Every vector of the encoder by row, the matrix memory-mapped read-only."""
        found = self._db.conn.execute(
            "SELECT text, row, tokens, windows, coalesce(first_window, -1), unreadable"
            " FROM vectors WHERE encoder = ? ORDER BY row",
            (encoder.id,),
        )
        columns = np.fromiter(chain.from_iterable(found), np.int64).reshape(-1, 6).T
        matrix = self._map(encoder, "", int(columns[1].max()) + 1 if columns.size else 0)
        return VectorTable(
            matrix, columns[0], columns[1], columns[2], columns[3], columns[4],
            columns[5].astype(bool),
        )  # fmt: skip

    def text_rows(
        self, encoder: EncoderRecord
    ) -> tuple[NDArray[np.float32], NDArray[np.int64], NDArray[np.int64]]:
        """The matrix as in `table`, and of the texts in use with a vector: ids and rows."""
        found = self._db.conn.execute(
            "SELECT text, row FROM vectors WHERE encoder = ?"
            " AND text NOT IN (SELECT id FROM texts WHERE rows = 0) ORDER BY row",
            (encoder.id,),
        )
        columns = np.fromiter(chain.from_iterable(found), np.int64).reshape(-1, 2).T
        return self._map(encoder, "", self._rows(encoder.id)), columns[0], columns[1]

    def windows(self, encoder: EncoderRecord) -> NDArray[np.float32]:
        """The window vectors of long texts, memory-mapped; a text's start is `first_window`."""
        return self._map(encoder, "-windows", self._window_rows(encoder.id))

    def _within(self, folder: str) -> str:
        home, place = self._folder.parent.resolve(), Path(folder).resolve()
        return place.relative_to(home).as_posix() if place.is_relative_to(home) else folder

    def _found(self, folder: str) -> str:
        is_within = folder and not Path(folder).is_absolute()
        return str(self._folder.parent.resolve() / folder) if is_within else folder

    def _file(self, encoder: EncoderRecord, part: str) -> Path:
        return self._folder / f"{encoder.id}{part}.npy"

    def _rows(self, encoder: int) -> int:
        row = self._db.conn.execute(
            "SELECT coalesce(max(row), -1) + 1 FROM vectors WHERE encoder = ?", (encoder,)
        ).fetchone()
        return int(row[0])

    def _window_rows(self, encoder: int) -> int:
        row = self._db.conn.execute(
            "SELECT coalesce(max(first_window + windows), 0) FROM vectors WHERE encoder = ?",
            (encoder,),
        ).fetchone()
        return int(row[0])

    def _map(self, encoder: EncoderRecord, part: str, rows: int) -> NDArray[np.float32]:
        if rows == 0:
            return np.zeros((0, encoder.dimension), dtype=np.float32)
        if not self._holds(encoder, part, rows):
            raise UserError(
                f"The vector file {self._file(encoder, part)} is missing or damaged.",
                f"Encode again with the encoder {encoder.name}, which makes the vectors anew.",
            )
        return self._mapped(encoder, part, rows)

    def _mapped(self, encoder: EncoderRecord, part: str, rows: int) -> NDArray[np.float32]:
        return np.memmap(
            self._file(encoder, part), dtype="<f4", mode="r", offset=_HEADER,
            shape=(rows, encoder.dimension),
        )  # fmt: skip

    def _holds(self, encoder: EncoderRecord, part: str, rows: int) -> bool:
        """Whether the file is long enough and a sample of its rows can be vectors."""
        file = self._file(encoder, part)
        if rows == 0:
            return True
        needed = _HEADER + rows * encoder.dimension * 4
        if not file.is_file() or file.stat().st_size < needed:
            return False
        with file.open("rb") as stream:
            if stream.read(len(_MAGIC)) != _MAGIC:
                return False
        sample = self._mapped(encoder, part, rows)[:: max(1, rows // _SAMPLE)]
        length = np.abs(sample).sum(axis=1)
        return bool((length > 0).all() and (length < _LONGEST).all())  # nan is neither

    def _append(
        self, encoder: EncoderRecord, part: str, vectors: NDArray[np.float32], first: int
    ) -> int:
        file = self._file(encoder, part)
        start = _HEADER + first * encoder.dimension * 4
        try:
            self._folder.mkdir(exist_ok=True)
            with file.open("r+b" if file.exists() else "w+b") as stream:
                stream.seek(start)
                stream.write(np.ascontiguousarray(vectors, dtype="<f4").tobytes())
                stream.flush()
                os.fsync(stream.fileno())
                stream.seek(0)
                stream.write(_header(first + len(vectors), encoder.dimension))
                stream.flush()
                os.fsync(stream.fileno())
        except OSError as fault:
            raise UserError(
                f"The vectors could not be written ({fault.strerror}); what was encoded before "
                "is kept.",
                "Free some space or check the rights of the project folder, then go on.",
            ) from fault
        return first


def _header(rows: int, dimension: int) -> bytes:
    told = f"{{'descr': '<f4', 'fortran_order': False, 'shape': ({rows}, {dimension}), }}"
    size = _HEADER - 10
    return _MAGIC + size.to_bytes(2, "little") + told.ljust(size - 1).encode() + b"\n"
