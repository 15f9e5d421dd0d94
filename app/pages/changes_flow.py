"""Deciding on what changed: what is sent, what comes back, and what undo touched."""

from collections.abc import Sequence

from PySide6.QtCore import QObject, Signal

from app.jobs import JobEnd
from app.pages.changes_reads import Pair, Steps, What, read_verdicts
from app.workspace import Workspace
from core.records import Verdict


class ChangesFlow(QObject):
    """Sends verdicts, and learns what is said of the pairs listed when decisions move.

    A verdict is shown at once; one that could not be stored is taken off again and told by
    `failed`.
    """

    verdicts_told = Signal(object)  # dict of pair to verdict or None
    turned = Signal(str, object)  # what was undone or done again, its first pair or None
    failed = Signal(object)  # JobEnd

    def __init__(self, workspace: Workspace, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._workspace = workspace
        self._sent: dict[Pair, Verdict | None] = {}  # on the way to the store
        self._before: Steps = (None, None)
        self._under_way = 0
        self._is_reading = False

    @property
    def is_busy(self) -> bool:
        """Whether something is on its way to or from the store."""
        return self._under_way > 0 or self._is_reading

    def reset(self) -> None:
        """Forget everything: another project."""
        self._sent, self._before = {}, (None, None)
        self._under_way, self._is_reading = 0, False

    def give(self, pairs: Sequence[Pair], verdict: Verdict | None, *, title: str) -> None:
        """Send one verdict on some pairs, as one step of undo, and show it."""
        told: dict[Pair, Verdict | None] = dict.fromkeys(pairs, verdict)
        self._sent.update(told)
        self._under_way += 1
        self.verdicts_told.emit(told)
        values = {
            "pairs": [list(pair) for pair in pairs],
            "verdict": None if verdict is None else str(verdict),
            "title": title,
        }
        self._workspace.start(
            "decide", values, title="Deciding", lane="live", then=lambda end: self._end(end, told)
        )

    def look_again(self, what: What) -> None:
        """Learn what is said now of all that can be listed, here or elsewhere."""
        self._is_reading = True
        self._workspace.read(
            "changes.verdicts", lambda project: read_verdicts(project, what), self._take
        )

    def _end(self, end: JobEnd, told: dict[Pair, Verdict | None]) -> None:
        self._under_way = max(0, self._under_way - 1)
        for pair, verdict in told.items():
            # A newer verdict on the same pair is still on its way.
            if self._sent.get(pair, verdict) == verdict:
                self._sent.pop(pair, None)
        if end.kind == "failed":
            self.failed.emit(end)

    def _take(self, found: tuple[dict[Pair, Verdict | None], Steps]) -> None:
        self._is_reading = False
        verdicts, steps = found
        (done_before, undone_before), self._before = self._before, steps
        self.verdicts_told.emit({**verdicts, **self._sent})
        done, undone = steps
        turned, word = None, ""
        if undone is not None and done_before is not None and undone.number == done_before.number:
            turned, word = undone, "Undone"
        elif done is not None and undone_before is not None and done.number == undone_before.number:
            turned, word = done, "Done again"
        if turned is not None:
            first = turned.pairs[0] if turned.pairs else None
            self.turned.emit(f"{word}: {turned.title}", first)
