"""The nearest neighbours of every vector, exactly: the graph that layouts and clusters share."""

import numpy as np
from numpy.typing import NDArray

from core.pairs.comparing import Neighbours, compare, pairs_to_compare
from core.progress import Progress, Steps, telling


def nearest(
    vectors: NDArray[np.float32],
    *,
    k: int = 16,
    device: str = "auto",
    threads: int | None = None,
    tile: int | None = None,
    known: Neighbours | None = None,
) -> Steps[Neighbours]:
    """Find the `k` nearest others of each of `vectors` (n, d), which may be memory-mapped.

    Nobody is their own neighbour, but equal vectors are each other's. Rows of zeros and rows
    that are not finite have no neighbours and are nobody's. `known` is the outcome for
    the first rows, which must not have changed since: only new rows are compared with all. It
    is of no use if it holds fewer than `k` per row.

    Costs what `core.pairs.comparing.compare` costs; speaks every 0.5 s or sooner. Raise
    `ValueError` for a `k` below 1 or more known rows than vectors.
    """
    if k < 1:
        raise ValueError(f"k must be at least 1, not {k}")
    if known is not None and len(known.index) > len(vectors):
        raise ValueError(f"{len(known.index)} rows are known of only {len(vectors)} vectors")
    is_of_use = known is not None and known.index.shape[1] >= k
    start = len(known.index) if known is not None and is_of_use else 0
    total = pairs_to_compare(len(vectors), start=start)
    steps = compare(
        vectors, k=k, start=start, known=known if is_of_use else None,
        device=device, tile=tile, threads=threads,
    )  # fmt: skip
    return (
        yield from telling(
            steps, lambda block: Progress("Finding neighbours", block.compared, total, "pairs")
        )
    )
