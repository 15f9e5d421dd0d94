"""What a training would be, asked of the engine when what it learns from has moved."""

from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal

from app.jobs import JobEnd
from app.pages.teach_plan import forecast_of, rough_forecast
from app.pages.teach_reads import Material
from app.workspace import Workspace

_ASK_AFTER_MS = 400  # once the options rest


class Forecasting(QObject):
    """Tells a rough forecast from the counts at once and the engine's when it has answered."""

    told = Signal(object)  # Forecast

    def __init__(self, workspace: Workspace, parent: QObject) -> None:
        super().__init__(parent)
        self._workspace = workspace
        self._asked = 0
        self._answered = 0
        self._options: dict[str, Any] = {}
        self._known: tuple[object, ...] | None = None  # what was last asked about
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(_ASK_AFTER_MS)
        self._later.timeout.connect(self._ask)

    @property
    def is_asking(self) -> bool:
        return self._asked != self._answered or self._later.isActive()

    def take(self, material: Material, options: dict[str, Any]) -> None:
        """Forecast for this material, unless that has been done."""
        encoder = None if material.encoder is None else material.encoder.id
        known = (
            tuple(material.decisions.items()), material.files, material.texts, encoder,
            material.missing,
        )  # fmt: skip
        if known == self._known:
            return
        self._known = known
        said = material.decisions
        self.told.emit(
            rough_forecast(said.get("same", 0), said.get("different", 0), material.imported)
        )
        self._options = options
        if material.judged or material.imported:
            self._ask()

    def ask_soon(self, options: dict[str, Any]) -> None:
        """Forecast with other options, once they rest."""
        self._options = options
        if self._workspace.folder is not None:
            self._later.start()

    def reset(self) -> None:
        """Forget what was asked about; the project is closed."""
        self._later.stop()
        self._known = None
        self._asked += 1
        self._answered = self._asked

    def _ask(self) -> None:
        if self._workspace.folder is None:
            return
        self._asked += 1
        number = self._asked
        self._workspace.start(
            "train-forecast",
            self._options,
            title="Looking at what there is to learn from",
            lane="live",
            then=lambda end: self._take(number, end),
        )

    def _take(self, number: int, end: JobEnd) -> None:
        if number != self._asked:
            return
        self._answered = number
        if end.kind == "finished":
            self.told.emit(forecast_of(end.outcome))
