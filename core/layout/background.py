"""Long calls in a thread of their own, so that the caller can tell how far they are.

Importing and compiling take seconds and one epoch over a million texts more than one;
the thread lets the generator speak meanwhile.
"""

import threading
import time
from collections.abc import Callable
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from core.progress import Progress, Steps

Outcome = TypeVar("Outcome")

Picture = NDArray[np.floating[Any]]

_PAUSE_S = 0.2  # between two looks at the thread
_FIRST_SHOWN_S, _SHOWN_EVERY_S = 0.3, 1.5  # of steps before the first sketch, between others


class Stopped(Exception):  # noqa: N818 -- nobody's error: the caller closed the generator
    """The work was called off between two of its steps."""


class Watch:
    """What the working thread tells and is told: how far it is, and whether to stop."""

    def __init__(self) -> None:
        self.done = 0
        self.total: int | None = None
        self.sketches = 0  # shown so far
        self._is_called_off = False
        self._sketch: Callable[[Picture], None] | None = None
        self._next_s = 0.0

    def passed(self, done: int, total: int) -> None:
        """Note that `done` steps of `total` lie behind; raise `Stopped` if nobody waits."""
        self.done, self.total = done, total
        if self._is_called_off:
            raise Stopped

    def show_to(self, sketch: Callable[[Picture], None]) -> None:
        """From now on give `sketch` what is offered, every second or two."""
        self._sketch, self._next_s = sketch, time.monotonic() + _FIRST_SHOWN_S

    def offer(self, picture: Callable[[], Picture]) -> None:
        """Show a picture of how far the work is, if it is time for one."""
        if self._sketch is None or time.monotonic() < self._next_s:
            return
        self._sketch(picture())
        self.sketches += 1
        self._next_s = time.monotonic() + _SHOWN_EVERY_S

    def call_off(self) -> None:
        """Let the work end at its next step."""
        self._is_called_off = True


class _Work(threading.Thread, Generic[Outcome]):
    """One call in a thread, keeping what it returns or raises."""

    def __init__(self, call: Callable[[Watch], Outcome]) -> None:
        # A daemon: a program that ends does not wait for a picture nobody will see.
        super().__init__(name="layout", daemon=True)
        self.watch = Watch()
        self.outcome: list[Outcome] = []
        self.error: BaseException | None = None
        self._call = call

    def run(self) -> None:
        try:
            self.outcome.append(self._call(self.watch))
        except BaseException as error:  # noqa: BLE001 -- raised again in the caller's thread
            self.error = error


def in_background(
    call: Callable[[Watch], Outcome], *, title: str, unit: str = ""
) -> Steps[Outcome]:
    """Run `call` in a thread and yield how far it is five times a second; return its outcome.

    What `call` raises is raised here. Closing the generator calls the work off and waits for
    its next step, so that two layouts never share the processors. Compiling, which happens
    on a machine's first layout, cannot be called off in between.
    """
    work = _Work(call)
    work.start()
    try:
        while work.is_alive():
            watch = work.watch
            yield Progress(title, watch.done, watch.total, unit, sketch=watch.sketches)
            work.join(_PAUSE_S)
    finally:
        work.watch.call_off()
        work.join()
    if work.error is not None:
        raise work.error
    return work.outcome[0]
