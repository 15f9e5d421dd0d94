"""Every pair of vectors at or above a cosine, found exactly and handed on in small blocks."""

from collections.abc import Generator

import numpy as np
from numpy.typing import NDArray

from core.pairs.comparing import PairBlock, compare


def pair_blocks(
    vectors: NDArray[np.float32],
    *,
    floor: float,
    start: int = 0,
    device: str = "auto",
    tile: int | None = None,
    threads: int | None = None,
) -> Generator[PairBlock, None, None]:
    """Find all pairs i < j with j >= `start` whose cosine is at or above `floor` (above 0).

    What `core.pairs.comparing.compare` hands on, without anybody's neighbours.
    """
    yield from compare(vectors, floor=floor, start=start, device=device, tile=tile, threads=threads)
