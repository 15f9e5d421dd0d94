"""A table on its way to a file: columns, and pages of rows."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from core.progress import Progress, Steps
from core.store import Document
from core.store.tables import ID_COLUMN, Column, TableWriter

ID = Column(ID_COLUMN, "integer")
PAGE = 2000


@dataclass(frozen=True, slots=True)
class ExportOutcome:
    """What was written."""

    rows: int
    path: str
    note: str = ""  # what a person should know of it


class Table:
    """Columns, and pages of rows."""

    def __init__(
        self,
        name: str,
        columns: Sequence[Column],
        pages: Iterator[list[list[object]]],
        total: int,
        *,
        note: str = "",
    ) -> None:
        self.name, self.columns, self.pages, self.total = name, columns, pages, total
        self.note = note


def write_export(table: Table, to: Path, raw: bool) -> Steps[ExportOutcome]:
    """Write the pages to a file that appears whole or not at all."""
    yield Progress(f"Exporting {table.name}", 0, table.total, "rows")
    with TableWriter(to, table.columns, raw=raw) as writer:
        for page in table.pages:
            writer.write(page)
            yield Progress(f"Exporting {table.name}", writer.count, table.total, "rows")
    return ExportOutcome(writer.count, str(to), table.note)


def cells_of(row: Document, names: Sequence[str]) -> list[object]:
    """A row's cells under these column names."""
    if tuple(names) == row.columns:
        return list(row.cells)
    cells = dict(zip(row.columns, row.cells, strict=True))
    return [cells.get(name) for name in names]
