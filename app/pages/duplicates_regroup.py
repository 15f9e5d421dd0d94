"""Asking for counts and groups: one at a time, the newest wish wins."""

from dataclasses import asdict
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal

from app.jobs import JobEnd
from app.workspace import Workspace
from core.options import GroupOptions

AFTER_DECISION_MS = 400


class Regrouper(QObject):
    """Sends the wishes "counts" (nothing stored) and "groups" to the live lane."""

    counted = Signal(object)  # the outcome of "counts", a dict
    asked = Signal()  # a grouping is under way
    grouped = Signal()
    failed = Signal(object)  # JobEnd

    def __init__(self, workspace: Workspace, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._workspace = workspace
        self._count_under_way = False
        self._group_under_way = False
        self._count_wanted: GroupOptions | None = None
        self._group_wanted: GroupOptions | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._group_now)
        workspace.closed.connect(self.reset)

    @property
    def is_busy(self) -> bool:
        """Whether anything asked for is not here yet."""
        return self.is_grouping or self._count_under_way

    @property
    def is_grouping(self) -> bool:
        return self._group_under_way or self._group_wanted is not None

    def reset(self) -> None:
        """Forget everything under way; the project was closed."""
        self._timer.stop()
        self._count_under_way = self._group_under_way = False
        self._count_wanted = self._group_wanted = None

    def count(self, options: GroupOptions) -> None:
        """Ask what these options would do; while one answer is awaited only the newest waits."""
        self._count_wanted = options
        if not self._count_under_way:
            self._count_now()

    def group(self, options: GroupOptions, *, delay_ms: int = 0) -> None:
        """Ask for a grouping to be stored, after a pause that begins anew with each call."""
        self._group_wanted = options
        self._timer.start(delay_ms)

    def _count_now(self) -> None:
        options, self._count_wanted = self._count_wanted, None
        if options is None or self._workspace.folder is None:
            return
        self._count_under_way = True
        self._workspace.start(
            "counts", asdict(options), title="Counting", lane="live", then=self._take_counts
        )

    def _take_counts(self, end: JobEnd) -> None:
        self._count_under_way = False
        if end.kind == "failed":
            self.failed.emit(end)
        elif end.kind == "finished" and self._count_wanted is None:
            outcome: dict[str, Any] = end.outcome
            self.counted.emit(outcome)
        self._count_now()

    def _group_now(self) -> None:
        if self._group_under_way or self._workspace.folder is None:
            return
        options, self._group_wanted = self._group_wanted, None
        if options is None:
            return
        self._group_under_way = True
        self.asked.emit()
        self._workspace.start(
            "groups", asdict(options), title="Grouping", lane="live", then=self._take_groups
        )

    def _take_groups(self, end: JobEnd) -> None:
        self._group_under_way = False
        if end.kind == "failed":
            self.failed.emit(end)
        else:
            self.grouped.emit()
        if self._group_wanted is not None and not self._timer.isActive():
            self._group_now()
