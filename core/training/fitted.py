"""What is told of a run of the loop."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Cosines: TypeAlias = NDArray[np.float32]
# Gold and cosines of some pairs -> how well they agree; larger is better, nan says nothing.
Figure: TypeAlias = Callable[[NDArray[np.float32], Cosines], float]


@dataclass(frozen=True, slots=True)
class Fitted:
    """What happened to a learner; its weights are the ones of step `step`."""

    step: int  # 0: the encoder as it was
    steps: int  # taken
    planned: int
    curve: tuple[tuple[int, float], ...]  # step, mean loss of the steps since the last point
    held_curve: tuple[tuple[int, float], ...]  # step, figure over the pairs watched
    stopped: str  # "done", "enough" or "not finite"
    why: str  # the same in a sentence
    cut: int  # texts longer than a window, of which only the first window was read
    before: Cosines  # of the judging pairs
    after: Cosines
    still_before: Cosines  # of the background pairs that were only measured
    still_after: Cosines
    notes: tuple[str, ...] = ()  # sentences of what a person should know of the run
