"""Layouts of all texts, and places for new ones in a picture that stays."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.layout.background import Watch, in_background
from core.layout.epochs import Pace, run_epochs, usual_epochs
from core.layout.gathering import gather
from core.layout.graphs import FuzzyGraph
from core.layout.neighbourhoods import beside_neighbours, link_lonely, usable_places
from core.layout.starts import Coordinates, beside, by_distance, principal_start
from core.progress import Steps

Positions = NDArray[np.float32]

_FEW = 15  # places below which their distances are simply laid out
_SEEN = 3  # dimensions up to which a layout is looked at
_RESTART_STEP = 0.1  # of a layout that begins at old coordinates
_NEW_STEP = 0.25  # of new places among old ones
_NEW_EPOCHS = 100


def lay_out(
    vectors: NDArray[np.float32],
    graph: FuzzyGraph,
    *,
    dimensions: int,
    seed: int = 0,
    start: NDArray[np.floating[Any]] | None = None,
    min_dist: float = 0.1,
    epochs: int | None = None,
    title: str = "Laying out the texts",
    sketch: Callable[[Positions], None] | None = None,
) -> Steps[Positions]:
    """Lay out the texts of `vectors` (n, d) by `graph`: coordinates (n, dimensions).

    One graph serves all layouts: for clusters take 5 dimensions and `min_dist` 0, for a map
    2 and 0.1. The same seed gives the same coordinates on the same machine, with any number
    of processors. `start` (n, dimensions) are old coordinates, nan where a text has none: the
    layout then begins there and moves less; `align` lays it over the old picture. Equal
    vectors share a place; unusable ones (zeros, not finite) lie beside the rest; fewer than 15
    places are laid out by their distances alone. Closing stops at the next epoch. Every second
    or two `sketch` is given the unfinished coordinates, in another thread.
    """

    def work(watch: Watch) -> Positions:
        rng = np.random.default_rng(seed)
        usable = usable_places(vectors, graph.first)
        live = np.flatnonzero(usable)
        xy = np.zeros((len(graph.first), dimensions))

        def of_texts(places: NDArray[np.floating[Any]]) -> Positions:
            xy[live] = places
            lost = np.setdiff1d(np.arange(len(xy)), live)
            xy[lost] = beside(xy[live], len(lost))
            return xy[graph.place].astype(np.float32)

        if sketch is not None:
            watch.show_to(lambda places: sketch(of_texts(places)))
        begin = None if start is None else _of_places(start, graph)[live]
        if begin is not None and len(np.unique(begin[_has_place(begin)], axis=0)) < 2:
            begin = None
        if len(live) < _FEW and begin is None:
            return of_texts(by_distance(vectors, graph.first[live], dimensions=dimensions))
        matrix = link_lonely(graph.matrix, vectors, graph.first, usable)
        matrix = matrix if usable.all() else matrix[live][:, live]
        step = 1.0 if begin is None else _RESTART_STEP
        pace = Pace(epochs or usual_epochs(len(live)), step, min_dist)
        if begin is None:
            rows = graph.first[live]
            first = principal_start(vectors, rows, dimensions=dimensions, rng=rng)
        else:
            beginning = beside_neighbours(begin, _has_place(begin), matrix, rng)
            first = beginning.astype(np.float32)
        places = run_epochs(first, matrix, pace, rng=rng, watch=watch)
        if begin is None and dimensions <= _SEEN:
            return of_texts(gather(places.astype(np.float64), matrix))
        return of_texts(places)

    return (yield from in_background(work, title=title, unit="epochs"))


def place_new(
    old: NDArray[np.floating[Any]],
    graph: FuzzyGraph,
    is_new: NDArray[np.bool_],
    *,
    vectors: NDArray[np.float32] | None = None,
    seed: int = 0,
    min_dist: float = 0.1,
    title: str = "Placing new texts",
) -> Steps[Positions]:
    """Give the new texts places near their neighbours; the old ones stay where they are.

    `graph` is over all texts (n), `old` (m, dimensions) the coordinates of those that are not
    new, in their order. Returns (n, dimensions), the old ones unchanged. A new text that
    equals an old one shares its place. With `vectors` (n, d) a new text without any link is
    put near its nearest, else beside the picture, as are unusable ones.
    """

    def work(watch: Watch) -> Positions:
        rng = np.random.default_rng(seed)
        everywhere = np.full((len(is_new), old.shape[1]), np.nan)
        everywhere[~is_new] = old
        known = _of_places(everywhere, graph)
        is_known = _has_place(known)
        matrix = graph.matrix
        if vectors is not None:
            usable = usable_places(vectors, graph.first)
            matrix = link_lonely(matrix, vectors, graph.first, usable)
        first = beside_neighbours(known, is_known, matrix, rng).astype(np.float32)
        pace = Pace(_NEW_EPOCHS, _NEW_STEP, min_dist)
        xy = run_epochs(first, matrix, pace, rng=rng, watch=watch, moving=~is_known)
        everywhere[is_new] = xy[graph.place[is_new]]
        return everywhere.astype(np.float32)

    return (yield from in_background(work, title=title, unit="epochs"))


def _has_place(xy: NDArray[np.floating[Any]]) -> NDArray[np.bool_]:
    known: NDArray[np.bool_] = np.isfinite(xy).all(axis=1)
    return known


def _of_places(xy: NDArray[np.floating[Any]], graph: FuzzyGraph) -> Coordinates:
    """The coordinates of each place, those of its first text that has any; else nan."""
    found = np.full((len(graph.first), xy.shape[1]), np.nan)
    has_any = np.flatnonzero(_has_place(xy))[::-1]
    found[graph.place[has_any]] = xy[has_any]
    return found
