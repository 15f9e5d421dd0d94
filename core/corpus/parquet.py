"""Parquet files as rows, streamed batch by batch."""

import json
from collections.abc import Iterator
from datetime import date, datetime, time
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from core.corpus.headers import column_names
from core.corpus.oddities import NOT_TEXT
from core.corpus.opening import faults_told
from core.errors import UserError
from core.records import Reading, SourceRow

_BATCH = 4096


def parquet_rows(path: Path, reading: Reading) -> Iterator[SourceRow]:
    """Yield the rows; `line` is the row's number. Nested values are compact JSON text."""
    with _file(path) as file:
        place = 0
        for batch in _batches(path, file):
            columns = [_texts(column) for column in batch.columns]
            rows = zip(*columns, strict=True) if columns else iter([()] * batch.num_rows)
            odd = any(map(_holds_bytes, batch.schema.types))
            for cells in rows:
                place += 1
                oddities = (NOT_TEXT,) if odd and any(map(_is_hex, cells)) else ()
                yield SourceRow(place, place, tuple(cells), oddities)


def parquet_shape(path: Path) -> tuple[tuple[str, ...], int]:
    """Give the columns and the number of rows, from the file's own notes."""
    with _file(path) as file:
        names = file.schema_arrow.names
        return column_names(names, len(names)), file.metadata.num_rows


def _file(path: Path) -> pq.ParquetFile:
    with faults_told(path), path.open("rb"):
        pass
    try:
        return pq.ParquetFile(path)
    except (pa.ArrowException, OSError) as error:
        raise _damaged(path, error) from None


def _batches(path: Path, file: pq.ParquetFile) -> Iterator[pa.RecordBatch]:
    try:
        yield from file.iter_batches(batch_size=_BATCH)
    except (pa.ArrowException, OSError) as error:
        raise _damaged(path, error) from None


def _damaged(path: Path, error: Exception) -> UserError:
    return UserError(
        f"{path.name} is damaged or not a Parquet file: {str(error).splitlines()[0].rstrip('.')}.",
        "Write it again with the program that made it.",
    )


class _Hex(str):
    """Bytes that are not text, in hexadecimal."""

    __slots__ = ()


def _is_hex(cell: str | None) -> bool:
    return isinstance(cell, _Hex)


def _holds_bytes(kind: pa.DataType) -> bool:
    return bool(
        pa.types.is_binary(kind)
        or pa.types.is_large_binary(kind)
        or pa.types.is_fixed_size_binary(kind)
    )


def _texts(column: pa.Array) -> list[str | None]:
    if pa.types.is_timestamp(column.type) and column.type.unit == "ns":
        column = column.cast(pa.timestamp("us", column.type.tz), safe=False)
    if pa.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    values = column.to_pylist()
    if pa.types.is_string(column.type) or pa.types.is_large_string(column.type):
        return [None if value is None else str(value) for value in values]
    return [_text(value) for value in values]


def _text(value: Any) -> str | None:
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, bytes):
        try:
            return value.decode()
        except UnicodeDecodeError:
            return _Hex(value.hex())
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    if isinstance(value, float):
        return repr(value).removesuffix(".0")
    if isinstance(value, dict | list | tuple):
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=_text)
    return str(value)
