"""The map of a bench: the real canvas with a picture, clusters with names, and colours."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from app.look.theme import current_theme
from app.pages.map_canvas import MapCanvas
from app.pages.map_colours import Colouring, Scale, colour_clusters, colour_scale
from app.pages.map_reads import Clusters, Columns, Picture
from core.store import ClusteringRecord, ClusterRow, MapRecord

SIZE = (1200, 900)
_NAMES = ("late delivery", "lost password", "refund", "broken screen", "invoice", "opening hours")


def made_canvas() -> MapCanvas:
    """An empty canvas, shown."""
    canvas = MapCanvas()
    canvas.resize(*SIZE)
    canvas.show()
    return canvas


def made_picture(xy: NDArray[np.float32]) -> Picture:
    """A picture of texts that a row holds each."""
    count = len(xy)
    record = MapRecord(1, 1, {}, {}, {"texts": count}, None)
    return Picture(record, np.arange(1, count + 1), xy, np.ones(count, np.int64), Columns())


def made_clusters(picture: Picture, cluster: NDArray[np.int32]) -> Clusters:
    """Clusters with names, their largest first; -1 is in none."""
    numbers, sizes = np.unique(cluster[cluster >= 0], return_counts=True)
    largest = np.argsort(-sizes, kind="stable")
    listed = tuple(
        ClusterRow(
            int(numbers[at]), f"{_NAMES[at % len(_NAMES)]} {numbers[at]}", (), int(sizes[at]),
            int(sizes[at]), (), True, False, False, int(numbers[at]),
        )
        for at in largest
    )  # fmt: skip
    place = np.full(len(cluster), -1, np.int32)
    rank = np.empty(len(numbers), np.int32)
    rank[largest] = np.arange(len(numbers), dtype=np.int32)
    inside = cluster >= 0
    place[inside] = rank[np.searchsorted(numbers, cluster[inside])]
    record = ClusteringRecord(1, 1, {}, {}, (len(numbers),), 0, 1.0, {}, None)
    strength = np.ones(len(cluster), np.float32)
    how = np.zeros(len(cluster), np.uint8)
    spots = _spots(picture.xy, place, [row.number for row in listed])
    return Clusters(record, listed, cluster, place, strength, how, spots)


def made_colourings(picture: Picture, clusters: Clusters) -> tuple[Colouring, Colouring]:
    """By cluster, and by a figure of each text."""
    theme = current_theme()
    values = np.linspace(0, 1, len(picture.texts))
    scale = Scale("length", values, "short", "long")
    return (
        colour_clusters(clusters, picture, theme),
        colour_scale(scale, picture, theme),
    )


def _spots(
    xy: NDArray[np.float32], place: NDArray[np.int32], numbers: Sequence[int]
) -> dict[int, tuple[float, float]]:
    sums = np.stack(
        [np.bincount(place + 1, axis, minlength=len(numbers) + 1)[1:] for axis in xy.T], axis=1
    )
    middles = sums / np.bincount(place + 1, minlength=len(numbers) + 1)[1:, None]
    return {number: (float(x), float(y)) for number, (x, y) in zip(numbers, middles, strict=True)}
