"""What labelling would cost, asked for a moment after the choices rest."""

from typing import Any

from PySide6.QtCore import QObject, Signal

from app.pages.multiply_asking import Question
from app.pages.multiply_pairs import PairsPanel
from app.pages.multiply_scene import Scene
from app.workspace import Workspace
from core.progress import Progress


class Costing(QObject):
    """Asks for a forecast of the choices on show, and tells the panel of it."""

    changed = Signal()  # something else is known, or asked

    def __init__(self, workspace: Workspace, panel: PairsPanel, parent: QObject) -> None:
        super().__init__(parent)
        self._panel = panel
        self.phase = ""  # how far the forecast is
        self._question = Question(workspace, "augment-forecast", "Looking at new pairs", self)
        self._question.answered.connect(self._take)
        self._question.failed.connect(self._refuse)
        self._question.progressed.connect(self._follow)

    @property
    def is_open(self) -> bool:
        """Whether an answer is awaited."""
        return self._question.is_open

    def ask(self, scene: Scene) -> None:
        """Ask what labelling would cost, unless that is known, or of no use."""
        panel = self._panel
        is_known = panel.forecast is not None or panel.problem or panel.is_labelled(scene)
        if is_known or self.is_open or scene.why_not("pairs"):
            return
        self.phase = ""
        self._question.ask_soon({"augmentation": scene.record_id, **panel.values})
        self.changed.emit()

    def give_up(self) -> None:
        """Ask no more; what is known stays."""
        self._question.drop()

    def forget(self) -> None:
        """What is known does not hold any more."""
        self._question.drop()
        self._panel.show_forecast(None)

    def _take(self, outcome: dict[str, Any]) -> None:
        self._panel.show_forecast(outcome)
        self.changed.emit()

    def _refuse(self, what: str, remedy: str) -> None:
        self._panel.show_forecast(None, f"{what} {remedy}".strip())
        self.changed.emit()

    def _follow(self, progress: Progress) -> None:
        done = f", {progress.done:,} of {progress.total:,}" if progress.total else ""
        self.phase = f"{progress.title}{done}…"
        self.changed.emit()
