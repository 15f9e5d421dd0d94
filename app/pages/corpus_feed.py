"""The rows of the table: their order first, then pages of them as they come into sight."""

from functools import partial

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, Signal

from app.pages.corpus_reads import (
    PAGE_ROWS,
    Facts,
    Line,
    Listing,
    Unreadable,
    read_facts,
    read_lines,
    read_listing,
    safely,
)
from app.widgets.paged_table_model import PagedTableModel
from app.workspace import Workspace
from core.store import DocumentFilter

_NOTHING = np.zeros(0, np.int64)


class RowFeed(QObject):
    """Keeps a model of the rows that a filter leaves; answers to older questions are dropped."""

    facts_read = Signal(object, bool)  # Facts; whether the columns are others than before
    listed = Signal(bool)  # whether the rows or their order are others than before
    failed = Signal(object)  # Unreadable

    def __init__(self, workspace: Workspace, parent: QObject) -> None:
        super().__init__(parent)
        self._workspace = workspace
        self.model = PagedTableModel((), self._fetch, page_rows=PAGE_ROWS, parent=self)
        self.facts: Facts | None = None
        self.ids: NDArray[np.int64] = _NOTHING
        self._first: tuple[Line, ...] = ()
        self._pages: list[tuple[int, int]] = []  # waiting to be read, the newest last
        self._is_reading_page = False

    def read_facts(self) -> None:
        """Find out what the corpus has; `facts_read` follows."""
        self._is_reading_page = False
        self._workspace.read("corpus.facts", safely(read_facts), self._take_facts)

    def read_listing(self, wanted: DocumentFilter) -> None:
        """Put the rows wanted in the model; `listed` follows."""
        facts = self.facts
        if facts is None or facts.total == 0:
            return
        self._workspace.read(
            "corpus.listing",
            safely(lambda project: read_listing(project, wanted, facts)),
            partial(self._take_listing, facts),
        )

    def place_of(self, document: int) -> int | None:
        """Where a document stands in the order, None where it does not."""
        found = np.flatnonzero(self.ids == document)
        return int(found[0]) if len(found) else None

    def document_at(self, row: int) -> int | None:
        """The document of a row of the model."""
        return int(self.ids[row]) if 0 <= row < len(self.ids) else None

    def forget(self) -> None:
        """The project is gone."""
        self.facts = None
        self._empty(())

    def _take_facts(self, facts: Facts | Unreadable) -> None:
        if isinstance(facts, Unreadable):
            self.failed.emit(facts)
            return
        has_other_columns = self.facts is None or self.facts.columns != facts.columns
        self.facts = facts
        if has_other_columns or facts.total == 0:
            # The old rows do not fit the new columns; they are asked for in a moment.
            self._empty(tuple(column.title for column in facts.columns))
        self.facts_read.emit(facts, has_other_columns)

    def _take_listing(self, facts: Facts, listing: Listing | Unreadable) -> None:
        if isinstance(listing, Unreadable):
            self.failed.emit(listing)
            return
        if facts is not self.facts:
            return  # newer facts have asked again
        self._first = listing.first
        is_other = not np.array_equal(listing.ids, self.ids)
        if is_other:
            self.ids = listing.ids
            self._pages.clear()
            self.model.reset(len(self.ids))
        else:
            self.model.refresh()
        self.listed.emit(is_other)

    def _empty(self, columns: tuple[str, ...]) -> None:
        self.ids, self._first = _NOTHING, ()
        self._pages.clear()
        self._is_reading_page = False
        self.model.reset(0, columns)

    def _fetch(self, first: int, count: int) -> None:
        if first == 0 and self._first:
            rows, self._first = self._first, ()
            self.model.supply(0, rows)
            return
        self._pages.append((first, count))
        self._read_next_page()

    def _read_next_page(self) -> None:
        """Read the page asked for last: it is the one in sight."""
        facts = self.facts
        if self._is_reading_page or not self._pages or facts is None:
            return
        first, count = self._pages.pop()
        ids = self.ids[first : first + count]
        self._is_reading_page = True
        self._workspace.read(
            "corpus.page",
            safely(lambda project: read_lines(project, ids, facts)),
            partial(self._take_page, first, self.model.generation),
        )

    def _take_page(self, first: int, generation: int, rows: tuple[Line, ...] | Unreadable) -> None:
        self._is_reading_page = False
        if isinstance(rows, Unreadable):
            self._pages.clear()
            self.failed.emit(rows)
            return
        self.model.supply(first, rows, generation=generation)
        self._read_next_page()
