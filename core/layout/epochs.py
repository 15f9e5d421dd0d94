"""The epochs of a layout: attraction along links, repulsion from random others."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.layout.background import Watch
from core.layout.borrowed import epoch_kernel, load

_REPULSIONS = 5  # random others for each link walked, as UMAP's default
_INT32 = np.iinfo(np.int32)


@dataclass(frozen=True, slots=True)
class Pace:
    """How long and how boldly places move; `step` falls to 0 in equal parts."""

    epochs: int
    step: float = 1.0
    min_dist: float = 0.1
    is_parallel: bool = False  # faster on several cores, and never the same twice


def usual_epochs(places: int) -> int:
    """500 epochs for few places, 200 from ten thousand on, where each costs more."""
    return int(np.clip(2_000_000 // max(places, 1), 200, 500))


def run_epochs(
    xy: NDArray[np.float32],
    matrix: Any,
    pace: Pace,
    *,
    rng: np.random.Generator,
    watch: Watch,
    moving: NDArray[np.bool_] | None = None,
) -> NDArray[np.float32]:
    """Move the places at `xy` (u, dimensions) by `matrix` (u, u); return where they come to rest.

    The steps are those of UMAP's `simplicial_set_embedding` to the bit, from a start that is
    taken as it is, in one thread unless `pace` says otherwise. Only places that are `moving`
    move, all by default.
    """
    links = matrix.tocoo()
    strongest = links.data.max(initial=0)
    # What would not be walked once is left out, as in UMAP.
    is_walked = (links.data > 0) & (links.data >= strongest / pace.epochs)
    if moving is not None:
        is_walked &= moving[links.row]
    if not is_walked.any():
        return xy.copy()
    head = links.row[is_walked].astype(np.int32)
    tail = links.col[is_walked].astype(np.int32)
    every = pace.epochs / (pace.epochs * (links.data[is_walked] / strongest)).astype(np.float64)
    a, b = load("umap.umap_").find_ab_params(1.0, pace.min_dist)
    return _walk(
        xy, head, tail, every, pace, (float(a), float(b)), rng=rng, watch=watch,
        all_move=moving is None,
    )  # fmt: skip


def _walk(
    start: NDArray[np.float32],
    head: NDArray[np.int32],
    tail: NDArray[np.int32],
    every: NDArray[np.float64],
    pace: Pace,
    curve: tuple[float, float],
    *,
    rng: np.random.Generator,
    watch: Watch,
    all_move: bool,
) -> NDArray[np.float32]:
    """Walk each link (head, tail) `every` so many epochs."""
    u, dimensions = start.shape
    xy = np.array(start, np.float32, order="C")
    every_repulsion = every / _REPULSIONS
    next_repulsion, next_link = every_repulsion.copy(), every.copy()
    state = rng.integers(_INT32.min + 1, _INT32.max - 1, 3)
    states = state + xy[:, :1].astype(np.float64).view(np.int64)
    nothing = np.zeros(1, np.float32)
    # The density terms of densMAP, switched off.
    no_density = (False, nothing, nothing, 0, 0, 0, 0, nothing, nothing, 0)
    epoch = epoch_kernel(parallel=pace.is_parallel)
    step = pace.step
    for n in range(pace.epochs):
        watch.passed(n, pace.epochs)
        epoch(
            xy, xy, head, tail, u, every, *curve, states, 1.0, dimensions, all_move, step,
            every_repulsion, next_repulsion, next_link, n, *no_density,
        )  # fmt: skip
        step = pace.step * (1 - n / pace.epochs)
    return xy
