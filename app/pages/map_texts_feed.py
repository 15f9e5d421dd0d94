"""The texts that the picture selects, in an order, read a page at a time."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, Signal

from app.pages.map_reads import (
    ASSIGNED,
    UNCLUSTERED,
    Clusters,
    Mask,
    Picture,
    Unreadable,
    cells_of,
    safely,
)
from app.widgets.paged_table_model import PagedTableModel
from app.workspace import Workspace
from core.store import Project

PAGE_ROWS = 100
FIXED = ("Text", "Rows", "Cluster", "Strength")
TEXT, ROWS, CLUSTER, STRENGTH = range(len(FIXED))
_NOTHING = np.zeros(0, np.int64)
_Line = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class ClusterCell:
    """A text's cluster in the table."""

    name: str
    color: int
    is_assigned: bool

    def __str__(self) -> str:
        return f"{self.name} (assigned)" if self.is_assigned else self.name


class TextsFeed(QObject):
    """Keeps a model of the selected texts; answers to older questions are dropped."""

    listed = Signal()  # other texts, or others of their clusters
    failed = Signal(object)  # Unreadable

    def __init__(self, workspace: Workspace, parent: QObject) -> None:
        super().__init__(parent)
        self._workspace = workspace
        self.model = PagedTableModel(FIXED, self._fetch, page_rows=PAGE_ROWS, parent=self)
        self._picture: Picture | None = None
        self._clusters: Clusters | None = None
        self._mask: Mask | None = None
        self._sort = (STRENGTH, False)
        self.order: NDArray[np.int64] = _NOTHING  # places in the picture

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of the corpus that follow the fixed ones."""
        return () if self._picture is None else self._picture.columns.own

    @property
    def sort(self) -> tuple[int, bool]:
        """The column sorted by, and whether upwards."""
        return self._sort

    @property
    def is_mixed(self) -> bool:
        """Whether the texts are of more than one cluster."""
        if self._clusters is None or not len(self.order):
            return False
        numbers = self._clusters.cluster[self.order]
        return bool((numbers != numbers[0]).any())

    def show_picture(self, picture: Picture | None, clusters: Clusters | None) -> None:
        """Take other points; nothing is selected of them yet."""
        self._picture, self._clusters = picture, clusters
        self._mask, self.order = None, _NOTHING
        self.model.reset(0, (*FIXED, *self.columns))

    def show_clusters(self, clusters: Clusters | None) -> None:
        """Take other clusters of the same points."""
        self._clusters = clusters
        self._list()

    def show_selection(self, mask: Mask | None) -> None:
        """List these points, none for None."""
        self._mask = mask
        self._list()

    def sort_by(self, column: int, *, ascending: bool) -> None:
        """Put the rows in another order; own columns of the corpus give none."""
        if column < len(FIXED):
            self._sort = (column, ascending)
            self._list()

    def text_at(self, row: int) -> int | None:
        """The text of a row of the model."""
        place = self.place_at(row)
        return None if place is None or self._picture is None else int(self._picture.texts[place])

    def place_at(self, row: int) -> int | None:
        """Where the text of a row stands in the picture."""
        return int(self.order[row]) if 0 <= row < len(self.order) else None

    def row_of(self, place: int) -> int | None:
        """The row of a point."""
        found = np.flatnonzero(self.order == place)
        return int(found[0]) if len(found) else None

    def _list(self) -> None:
        order = self._ordered()
        if np.array_equal(order, self.order):
            self.model.refresh()
        else:
            self.order = order
            self.model.reset(len(order))
        self.listed.emit()

    def _ordered(self) -> NDArray[np.int64]:
        picture, clusters = self._picture, self._clusters
        if picture is None or self._mask is None:
            return _NOTHING
        chosen = np.flatnonzero(self._mask)
        column, ascending = self._sort
        if column == TEXT:
            return chosen if ascending else chosen[::-1]
        chosen = _sorted(chosen, picture.rows[chosen], ascending=column == ROWS and ascending)
        if clusters is None or column == ROWS:
            return chosen
        if column == CLUSTER:
            ranks = _ranks(clusters)[clusters.place[chosen]]
            return _sorted(chosen, ranks, ascending=ascending)
        strength = np.where(clusters.place[chosen] < 0, 0, 1 + 1_000 * clusters.strength[chosen])
        return _sorted(chosen, strength, ascending=ascending)

    def _fetch(self, first: int, count: int) -> None:
        picture = self._picture
        if picture is None:
            return
        places = self.order[first : first + count]
        texts, columns = picture.texts[places].tolist(), self.columns
        self._workspace.read(
            f"map.page.{first // PAGE_ROWS % 4}",
            safely(lambda project: _read_page(project, texts, columns)),
            partial(self._take_page, first, places, self.model.generation),
        )

    def _take_page(
        self, first: int, places: NDArray[np.int64], generation: int,
        found: list[tuple[str, _Line]] | Unreadable,
    ) -> None:  # fmt: skip
        if isinstance(found, Unreadable):
            self.failed.emit(found)
        elif generation == self.model.generation:
            rows = [
                (body, *self._facts(int(place)), *cells)
                for place, (body, cells) in zip(places, found, strict=True)
            ]
            self.model.supply(first, rows, generation=generation)

    def _facts(self, place: int) -> _Line:
        picture, clusters = self._picture, self._clusters
        rows = 0 if picture is None else int(picture.rows[place])
        if clusters is None:
            return rows, None, None
        at = int(clusters.place[place])
        if at < 0:
            return rows, ClusterCell("Unclustered", UNCLUSTERED, False), None
        row = clusters.listed[at]
        is_assigned = int(clusters.how[place]) == ASSIGNED
        cell = ClusterCell(row.name, row.color, is_assigned)
        return rows, cell, float(clusters.strength[place])


def _sorted(places: NDArray[np.int64], by: NDArray[Any], *, ascending: bool) -> NDArray[np.int64]:
    """The places in another order; those that are equal stay as they were.

    In 16 bits, which NumPy sorts by radix: 180,000 of them take a few milliseconds.
    """
    key = np.clip(by, 0, 65_535).astype(np.uint16)
    return places[np.argsort(key if ascending else 65_535 - key, kind="stable")]


def _ranks(clusters: Clusters) -> NDArray[np.int64]:
    """Where the name of each cluster listed stands in the alphabet; none, place -1, is last."""
    names = [one.name.casefold() for one in clusters.listed]
    order = sorted(range(len(names)), key=names.__getitem__)
    ranks = np.full(len(names) + 1, len(names), np.int64)
    ranks[order] = np.arange(len(names))
    return ranks


def _read_page(
    project: Project, texts: Sequence[int], columns: Sequence[str]
) -> list[tuple[str, _Line]]:
    found = project.documents.first_of_texts(texts)
    lines: list[tuple[str, _Line]] = []
    for text in texts:
        document = found.get(text)
        if document is None:
            lines.append(("", ()))
            continue
        cells = dict(cells_of(document, columns))
        lines.append((document.body, tuple(cells.get(name) for name in columns)))
    return lines
