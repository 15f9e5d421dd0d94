"""One call beside this thread, for work that lets go of Python, as SQLite does."""

import sys
import threading
from collections.abc import Callable
from types import TracebackType
from typing import Generic, TypeVar

T = TypeVar("T")
# By itself Python lets a call from SQLite wait 5 ms for its turn, five times a statement.
_SWITCH_S = 0.0002


class Aside(Generic[T]):
    """Run `call` in a thread from entering the block until leaving it at the latest.

    Leaving waits for the call and raises what it raised, unless the block itself raised.
    """

    def __init__(self, call: Callable[[], T]) -> None:
        self._call = call
        self._outcome: list[T] = []
        self._fault: BaseException | None = None
        self._thread = threading.Thread(target=self._run, name="aside", daemon=True)
        self._usual_switch_s = 0.0

    def __enter__(self) -> "Aside[T]":
        self._usual_switch_s = sys.getswitchinterval()
        sys.setswitchinterval(_SWITCH_S)
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        fault: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            self._thread.join()
        except KeyboardInterrupt:
            self._thread.join()  # whoever tidies up next needs what the call works on
            raise
        finally:
            sys.setswitchinterval(self._usual_switch_s)
        if self._fault is not None and fault is None:
            raise self._fault

    def is_over(self, *, within_s: float) -> bool:
        """Wait so long at most; tell whether the call has ended."""
        self._thread.join(within_s)
        return not self._thread.is_alive()

    @property
    def outcome(self) -> T:
        """What the call returned; there once the block is left."""
        return self._outcome[0]

    def _run(self) -> None:
        try:
            self._outcome.append(self._call())
        except BaseException as fault:  # noqa: BLE001 - it is raised again in the thread that asked
            self._fault = fault
