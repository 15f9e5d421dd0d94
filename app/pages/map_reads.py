"""What the map page reads of a project: the picture, its clusters, and a few texts."""

import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from app.pages.corpus_reads import date_words
from core.errors import UserError
from core.store import (
    ClusteringRecord,
    ClusterLabels,
    ClusterRow,
    Document,
    MapRecord,
    Project,
)

Found = TypeVar("Found")
Mask = NDArray[np.bool_]
ASSIGNED = 1  # how a text came into its cluster: by its neighbours, since nobody else took it
UNCLUSTERED = -1
FEW_COLUMNS = 3  # of a file's own, on the card of a text


@dataclass(frozen=True, slots=True)
class Columns:
    """The columns of the corpus that a map can be coloured by."""

    names: tuple[str, ...] = ()
    dates: tuple[str, ...] = ()  # those of them that hold dates
    texts: tuple[str, ...] = ()  # those that the texts or ids were made of

    @property
    def own(self) -> tuple[str, ...]:
        """What a file says besides the text."""
        return tuple(name for name in self.names if name not in self.texts)


@dataclass(frozen=True, slots=True)
class Picture:
    """The texts on the map, arrays of one length."""

    record: MapRecord
    texts: NDArray[np.int64]  # ids
    xy: NDArray[np.float32]  # (n, 2)
    rows: NDArray[np.int64]  # how many rows hold the text
    columns: Columns

    def places(self, texts: Sequence[int] | NDArray[np.int64]) -> NDArray[np.int64]:
        """Where these texts stand in the arrays; texts that are not on the map are left out."""
        return places_of(self.texts, np.asarray(texts, np.int64))

    def mask(self, texts: Sequence[int] | NDArray[np.int64]) -> Mask:
        """Which points these texts are."""
        found = np.zeros(len(self.texts), np.bool_)
        found[self.places(texts)] = True
        return found


@dataclass(frozen=True, slots=True)
class Clusters:
    """The clusters shown now; arrays stand in the order of the picture."""

    record: ClusteringRecord
    listed: tuple[ClusterRow, ...]
    cluster: NDArray[np.int32]  # (n,) number, -1 unclustered
    place: NDArray[np.int32]  # (n,) where the cluster stands in `listed`, -1 unclustered
    strength: NDArray[np.float32]  # (n,) 0 to 1
    how: NDArray[np.uint8]  # (n,)
    spots: dict[int, tuple[float, float]]  # where the name of each cluster belongs

    def row(self, number: int) -> ClusterRow | None:
        """A cluster by its number."""
        return next((one for one in self.listed if one.number == number), None)

    def mask(self, numbers: Sequence[int]) -> Mask:
        """Which points these clusters hold; -1 is what no cluster holds."""
        return np.isin(self.cluster, np.array(numbers, np.int32))

    def whole_in(self, chosen: Mask) -> tuple[int, ...]:
        """The clusters that make up this choice, none where it cuts through one."""
        inside = np.bincount(self.place[chosen] + 1, minlength=len(self.listed) + 1)
        everything = np.bincount(self.place + 1, minlength=len(self.listed) + 1)
        if not np.array_equal(inside[inside > 0], everything[inside > 0]):
            return ()
        numbers = (UNCLUSTERED, *(one.number for one in self.listed))
        return tuple(numbers[at] for at in np.flatnonzero(inside))

    @property
    def unclustered(self) -> int:
        """Rows that are in no cluster."""
        return self.record.counts.get("unclustered", 0)


@dataclass(frozen=True, slots=True)
class Drawn:
    """Everything the page shows first; None where there is none yet."""

    picture: Picture | None
    clusters: Clusters | None


@dataclass(frozen=True, slots=True)
class Card:
    """What the card beside a point says."""

    text: int
    body: str
    rows: int
    cells: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Unreadable:
    """Why a read failed, in words."""

    why: str


def safely(read: Callable[[Project], Found]) -> Callable[[Project], Found | Unreadable]:
    """Turn faults of the disk into a value that the page can show."""

    def tried(project: Project) -> Found | Unreadable:
        try:
            return read(project)
        except (UserError, sqlite3.DatabaseError) as fault:
            return Unreadable(str(fault))

    return tried


def read_drawn(project: Project) -> Drawn:
    """The picture and its clusters; for 180,000 texts about a second."""
    picture = read_picture(project)
    return Drawn(picture, None if picture is None else read_clusters(project, picture))


def read_picture(project: Project) -> Picture | None:
    """The points of the texts that rows hold now, ordered by text."""
    record = project.maps.current()
    if record is None:
        return None
    points = project.maps.points()
    rows = np.ones(len(points.texts), np.int64) if points.rows is None else points.rows
    return Picture(record, points.texts, points.xy, rows, _columns(project))


def read_clusters(project: Project, picture: Picture) -> Clusters | None:
    """The clusters of the texts on the map, at the level shown."""
    record = project.clusters.current()
    if record is None:
        return None
    cluster, strength, how = _labels_of(picture.texts, project.clusters.labels())
    listed = tuple(project.clusters.listed())
    place = _places_in(listed, cluster)
    spots = _spots(listed, place, strength, picture.xy)
    return Clusters(record, listed, cluster, place, strength, how, spots)


def read_card(project: Project, text: int, columns: Sequence[str]) -> Card | None:
    """What stands on the card of a text; None when no row holds it any more."""
    document = project.documents.first_of_texts([text]).get(text)
    if document is None:
        return None
    wanted = tuple(columns)[:FEW_COLUMNS]
    return Card(text, document.body[:600], document.copies, cells_of(document, wanted))


def cells_of(document: Document, columns: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """The cells of a row that are not empty, by column."""
    cells = dict(zip(document.columns, document.cells, strict=False))
    cells |= {name: date_words(date) for name, date in document.dates.items()}
    named = ((name, cells.get(name) or "") for name in columns)
    return tuple((name, " ".join(cell.split())) for name, cell in named if cell.strip())


def places_of(within: NDArray[np.int64], wanted: NDArray[np.int64]) -> NDArray[np.int64]:
    """Where the ids `wanted` stand in `within`, which is in order; others are left out."""
    if not len(within):
        return np.zeros(0, np.int64)
    at = np.minimum(np.searchsorted(within, wanted), len(within) - 1)
    found: NDArray[np.int64] = at[within[at] == wanted]
    return found


def _labels_of(
    texts: NDArray[np.int64], labels: ClusterLabels
) -> tuple[NDArray[np.int32], NDArray[np.float32], NDArray[np.uint8]]:
    """The cluster of each of these texts, how surely, and how it came there."""
    if np.array_equal(texts, labels.texts):
        return labels.cluster, labels.strength, labels.how
    cluster = np.full(len(texts), UNCLUSTERED, np.int32)
    strength = np.zeros(len(texts), np.float32)
    how = np.zeros(len(texts), np.uint8)
    at = places_of(labels.texts, texts)
    known = np.isin(texts, labels.texts, assume_unique=True)
    cluster[known], strength[known] = labels.cluster[at], labels.strength[at]
    how[known] = labels.how[at]
    return cluster, strength, how


def _places_in(listed: Sequence[ClusterRow], cluster: NDArray[np.int32]) -> NDArray[np.int32]:
    if not listed:
        return np.full(len(cluster), -1, np.int32)
    numbers = np.array([one.number for one in listed], np.int64)
    # Counted from -1 on; what is not listed is nowhere.
    last = int(max(numbers.max(), cluster.max(initial=UNCLUSTERED)))
    places = np.full(last + 2, -1, np.int32)
    places[numbers + 1] = np.arange(len(numbers), dtype=np.int32)
    found: NDArray[np.int32] = np.take(places, cluster + 1)
    return found


def _spots(
    listed: Sequence[ClusterRow],
    place: NDArray[np.int32],
    strength: NDArray[np.float32],
    xy: NDArray[np.float32],
) -> dict[int, tuple[float, float]]:
    """For each cluster the member nearest to the middle of its surer half.

    A member, since the middle of a crescent lies outside of it.
    """
    spots: dict[int, tuple[float, float]] = {}
    # In 16 bits, which NumPy sorts by radix; there are never so many clusters.
    order = np.argsort(place.astype(np.int16), kind="stable")
    starts = np.searchsorted(place[order], np.arange(len(listed) + 1))
    # Side by side, since rows of two numbers are slow to pick from.
    across, up = np.take(xy[:, 0], order), np.take(xy[:, 1], order)
    surety = np.take(strength, order)
    for at, row in enumerate(listed):
        members = slice(int(starts[at]), int(starts[at + 1]))
        if members.start == members.stop:
            continue
        sure = surety[members] >= np.median(surety[members])
        x, y = across[members][sure], up[members][sure]
        nearest = np.argmin((x - np.median(x)) ** 2 + (y - np.median(y)) ** 2)
        spots[row.number] = (float(x[nearest]), float(y[nearest]))
    return spots


def _columns(project: Project) -> Columns:
    sources = project.sources.all()
    dates = {column.name for one in sources for column in one.settings.date_columns}
    texts = {name for one in sources for name in one.settings.text_columns}
    texts |= {one.settings.id_column for one in sources if one.settings.id_column}
    names = project.documents.columns()
    return Columns(
        tuple(names),
        tuple(name for name in names if name in dates),
        tuple(name for name in names if name in texts),
    )
