"""The lane of trainings: one at a time, which can be paused and ended early."""

from typing import Any

from PySide6.QtCore import Signal

from app.jobs.lane import JobEnd, Lane, Ticket
from app.jobs.worker_process import WorkerProcess


class TrainingThread(Lane):
    """Runs a training in a worker of its own that gives way to all other work.

    Beyond a lane's orders a training can be paused, resumed and ended early with the best so
    far. A second one never starts beside a first: asked for meanwhile, it fails at once with
    the reason. The worker ends with its job, so that no memory is held between trainings.
    """

    measured = Signal(object, object)  # Ticket, tuple of dict[str, float]: all since the last
    pause_changed = Signal(object, bool)  # Ticket, whether it is paused now
    worker_priority = "lowest"

    def __init__(self, **how: Any) -> None:
        super().__init__(**how)
        self._orders: list[tuple[int, str]] = []  # given before there was a worker
        self._has_begun = False

    def finish_early(self, ticket: Ticket) -> None:
        """Ask a training to end now and keep the best so far; a paused one too."""
        self._order("stop", ticket)

    def pause(self, ticket: Ticket) -> None:
        """Ask a training to hold at its next step; `pause_changed` tells when it does."""
        self._order("pause", ticket)

    def resume(self, ticket: Ticket) -> None:
        """Ask a paused training to go on."""
        self._order("resume", ticket)

    def _order(self, word: str, ticket: Ticket) -> None:
        with self._guard:
            if ticket.number not in self._pending:
                return
            if self._has_begun and self._process is not None:
                # Sent under the guard, so that orders arrive as they were given. A few bytes
                # to a thread that only reads: the pipe is never full.
                self._process.send({word: ticket.number})
            else:
                self._orders.append((ticket.number, word))

    def _refusal(self) -> JobEnd | None:
        if self._pending and not self._stopping:
            return JobEnd(
                "failed",
                what="A training is running already.",
                remedy="Wait until it ends, or stop it and keep the best, and start again.",
            )
        return super()._refusal()

    def _begin(self, process: WorkerProcess) -> None:
        with self._guard:
            self._has_begun = True
            for number, word in self._orders:
                process.send({word: number})
            self._orders = []

    def _hear(self, ticket: Ticket, message: dict[str, Any]) -> bool:
        if "paused" in message:
            self.pause_changed.emit(ticket, bool(message["paused"]))
            return True
        heard = super()._hear(ticket, message)
        if heard and "points" in message:
            self.measured.emit(ticket, tuple(message["points"]))
        return heard

    def _rest(self) -> None:
        with self._guard:
            self._has_begun = False
            self._orders = []
        if self._process is not None:
            self._process.close()
