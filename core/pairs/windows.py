"""Whether two long texts agree on most of their length, not on one paragraph only."""

import numpy as np
from numpy.typing import NDArray

_SHARE = 0.8  # of the windows of either text must find a partner in the other


def windows_agree(
    windows_a: NDArray[np.float32], windows_b: NDArray[np.float32], *, level: float
) -> bool:
    """Say whether most of each text is said in the other one, too.

    The arguments are the normalised vectors of the windows of either text, (p, d) and
    (q, d). Of the windows of each text, in both directions, at least 80 % must have a
    partner with a cosine at or above `level`. A shared paragraph in otherwise different
    texts fails, and so does a short text that a long one contains: the long one says more.
    A text without windows agrees with nothing.
    """
    if not len(windows_a) or not len(windows_b):
        return False
    near = windows_a @ windows_b.T >= np.float32(level)
    return bool(near.any(axis=1).mean() >= _SHARE and near.any(axis=0).mean() >= _SHARE)
