"""The training that runs, followed from its start to its end."""

from dataclasses import dataclass, replace
from typing import Any, Literal

from PySide6.QtCore import QObject, Signal

from app.jobs import JobEnd, Ticket
from app.workspace import Workspace
from core.progress import Progress

PracticeState = Literal["idle", "starting", "running", "pausing", "paused", "finishing", "ending"]


_TOO_EARLY = "Stopped before anything was learnt. Nothing was kept"


@dataclass(frozen=True, slots=True)
class Standing:
    """Where the training is; None is something not known yet."""

    state: PracticeState = "idle"
    phase: str = ""
    done: int = 0
    total: int | None = None
    unit: str = ""
    seconds_left: float | None = None
    stage: int | None = None  # from 1
    stages: int | None = None


class Practice(QObject):
    """Starts a training and tells how it stands; also while its page is not shown."""

    moved = Signal(object)  # Standing
    measured = Signal(object)  # tuple of dict[str, float]
    ended = Signal(object)  # JobEnd

    def __init__(self, workspace: Workspace, parent: QObject) -> None:
        super().__init__(parent)
        self._workspace = workspace
        self._ticket: Ticket | None = None
        self._has_learnt = False  # at least a step
        self._is_too_early = False  # stopped with nothing to keep
        self.standing = Standing()
        workspace.job_progressed.connect(self._note_progress)
        workspace.job_measured.connect(self._note_points)
        workspace.job_paused.connect(self._note_pause)

    @property
    def is_running(self) -> bool:
        """Whether a training is under way, paused ones too."""
        return self.standing.state != "idle"

    def start(
        self, values: dict[str, Any], *, wish: str = "train", title: str = "Teaching"
    ) -> None:
        """Ask for a training, or for one to be resumed or repeated; nothing while one runs."""
        if self._ticket is not None:
            return
        self._has_learnt = self._is_too_early = False
        self._stand(Standing("starting", "Starting"))
        self._ticket = self._workspace.start(
            wish, values, title=title, lane="training", then=self._end
        )

    def pause_or_resume(self) -> None:
        if self._ticket is None:
            return
        if self.standing.state == "paused":
            self._workspace.resume(self._ticket)
        elif self.standing.state == "running":
            self._workspace.pause(self._ticket)
            self._change("pausing")

    def finish_early(self) -> None:
        """Stop and keep the best so far; before the first step that is nothing."""
        if self._ticket is not None and not self._has_learnt:
            self._is_too_early = True
            self.cancel()
        elif self._ticket is not None:
            self._workspace.finish_early(self._ticket)
            self._change("finishing")

    def cancel(self) -> None:
        if self._ticket is not None:
            self._change("ending")
            self._workspace.cancel(self._ticket)

    def _note_progress(self, ticket: Ticket, progress: Progress) -> None:
        if ticket != self._ticket:
            return
        self._has_learnt = self._has_learnt or (progress.unit == "steps" and progress.done > 0)
        state = "running" if self.standing.state == "starting" else self.standing.state
        told = dict(progress.figures)
        stage, stages = told.get("stage"), told.get("stages")
        self._stand(
            Standing(
                state, progress.title, progress.done, progress.total, progress.unit,
                told.get("seconds"), None if stage is None else int(stage),
                None if stages is None else int(stages),
            )
        )  # fmt: skip

    def _note_points(self, ticket: Ticket, points: tuple[dict[str, float], ...]) -> None:
        if ticket == self._ticket:
            self.measured.emit(points)

    def _note_pause(self, ticket: Ticket, is_paused: bool) -> None:
        if ticket == self._ticket and self.standing.state not in ("finishing", "ending"):
            self._change("paused" if is_paused else "running")

    def _end(self, end: JobEnd) -> None:
        self._ticket = None
        self._stand(Standing())
        if self._is_too_early and end.kind == "cancelled":
            end = replace(end, what=_TOO_EARLY)
        self.ended.emit(end)

    def _change(self, state: PracticeState) -> None:
        self._stand(replace(self.standing, state=state))

    def _stand(self, standing: Standing) -> None:
        self.standing = standing
        self.moved.emit(standing)
