"""From a file and its settled reading to rows, whatever the format."""

from collections.abc import Generator, Iterator
from pathlib import Path

from core.corpus.json_rows import json_rows
from core.corpus.tables import table_rows
from core.corpus.text_files import folder_rows, line_rows
from core.errors import UserError
from core.records import Reading, SourceRow

KINDS = ("table", "jsonl", "lines", "folder", "xlsx", "parquet")


def read_rows(path: Path, reading: Reading) -> Iterator[SourceRow]:
    """Yield every data row of a file as the preview showed it, in constant memory.

    Lines are physical lines, also after cells with line breaks. Raises `UserError`, possibly
    after some rows, where the file cannot be read as `reading` says.
    """
    return counted_rows(path, reading)


def counted_rows(path: Path, reading: Reading) -> Generator[SourceRow, None, int]:
    """Yield the rows as `read_rows` does; return how many blank lines were passed over."""
    if reading.kind == "table":
        return (yield from table_rows(path, reading))
    if reading.kind == "xlsx":
        from core.corpus.sheets import sheet_rows  # the library loads only where it is needed

        return (yield from sheet_rows(path, reading))
    yield from _plain_rows(path, reading)
    return 0


def _plain_rows(path: Path, reading: Reading) -> Iterator[SourceRow]:
    if reading.kind == "jsonl":
        return json_rows(path, reading)
    if reading.kind == "lines":
        return line_rows(path, reading)
    if reading.kind == "folder":
        return folder_rows(path, reading)
    if reading.kind == "parquet":
        from core.corpus.parquet import parquet_rows  # pyarrow takes a third of a second to load

        return parquet_rows(path, reading)
    raise UserError(
        f'There is no kind of file called "{reading.kind}".', f"Choose one of {', '.join(KINDS)}."
    )
