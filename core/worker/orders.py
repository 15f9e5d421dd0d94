"""What a window says about jobs while they run: cancel, stop and keep the best, pause, resume."""

import threading
from collections.abc import Callable
from typing import Any

_WORDS = ("cancel", "stop", "pause", "resume")


class Orders:
    """The orders that hold now, by job; given on one thread and heeded on another."""

    def __init__(self) -> None:
        self._moved = threading.Condition()
        self._cancelled: set[int] = set()
        self._stopped: set[int] = set()
        self._paused: set[int] = set()

    def take(self, message: dict[str, Any]) -> bool:
        """Take an order; False when the message is none."""
        word = next((word for word in _WORDS if word in message), None)
        if word is None:
            return False
        job = int(message[word])
        with self._moved:
            if word == "resume":
                self._paused.discard(job)
            else:
                {"cancel": self._cancelled, "stop": self._stopped, "pause": self._paused}[word].add(
                    job
                )
            self._moved.notify_all()
        return True

    def is_cancelled(self, job: int) -> bool:
        return job in self._cancelled

    def take_stop(self, job: int) -> bool:
        """Whether the job is to end early with what it has; said once."""
        with self._moved:
            was_told = job in self._stopped
            self._stopped.discard(job)
            return was_told

    def wait_while_paused(self, job: int, tell: Callable[[bool], None]) -> None:
        """Wait until the job may go on, which cancel and stop say too; `tell` hears both turns."""
        if not self._holds(job):
            return
        tell(True)
        with self._moved:
            self._moved.wait_for(lambda: not self._holds(job))
            self._paused.discard(job)
        tell(False)

    def forget(self, job: int) -> None:
        """Drop the orders about a job that has ended."""
        with self._moved:
            for orders in (self._cancelled, self._stopped, self._paused):
                orders.discard(job)

    def _holds(self, job: int) -> bool:
        return job in self._paused and job not in self._cancelled and job not in self._stopped
