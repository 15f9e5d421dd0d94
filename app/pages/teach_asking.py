"""What the engine says of the examples before a training: recipes, forecast, what was found."""

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal

from app.jobs import JobEnd
from app.pages.teach_findings import Finding, Report, report_of
from app.pages.teach_plan import forecast_of, rough_forecast
from app.pages.teach_reads import Material
from app.pages.teach_recipes import recipes_of
from app.workspace import Workspace

_ASK_AFTER_MS = 400  # once the choices rest
_MEMORY_AFTER_MS = 1_500  # the first time that takes seconds, in which nothing else is answered
_CHECKED = ("recipe", "objective", "files", "decisions", "dev", "test", "split")


class Asking(QObject):
    """Asks again when the examples or the choices have moved; the newest question counts."""

    recipes_told = Signal(object)  # Recipes
    forecast_told = Signal(object)  # Forecast, first a rough one from the counts
    report_told = Signal(object)  # Report, None while it is looked for
    failed = Signal(str, str)  # why nothing can be forecast, and the remedy

    def __init__(self, workspace: Workspace, parent: QObject) -> None:
        super().__init__(parent)
        self._workspace = workspace
        self._recipes = _Question(workspace, "recipes", "Looking for a recipe", self)
        self._forecast = _Question(workspace, "train-forecast", "Looking at the examples", self)
        self._memory = _Question(workspace, "train-forecast", "Looking at the memory", self)
        self._report = _Question(workspace, "check-examples", "Checking the examples", self)
        self._values: dict[str, Any] = {}
        self._has_any = False  # examples
        self._known: tuple[object, ...] | None = None  # the material asked about last
        self._checked: dict[str, Any] | None = None  # what was, as is the next for recipes
        self._selected: dict[str, Any] | None = None
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(_ASK_AFTER_MS)
        self._later.timeout.connect(self._ask)
        self._at_rest = QTimer(self)
        self._at_rest.setSingleShot(True)
        self._at_rest.setInterval(_MEMORY_AFTER_MS)
        self._at_rest.timeout.connect(self._ask_for_memory)
        self._recipes.answered.connect(lambda told: self.recipes_told.emit(recipes_of(told)))
        self._forecast.answered.connect(self._take_forecast)
        self._memory.answered.connect(lambda told: self.forecast_told.emit(forecast_of(told)))
        self._report.answered.connect(lambda told: self.report_told.emit(report_of(told)))
        self._forecast.failed.connect(self.failed)
        self._report.failed.connect(self._tell_refusal)

    @property
    def is_asking(self) -> bool:
        questions = (self._recipes, self._forecast, self._report)
        return self._later.isActive() or any(one.is_open for one in questions)

    @property
    def is_thinking(self) -> bool:
        """Whether the engine has a question to answer, that for the memory too."""
        return self.is_asking or self._memory.is_open

    def take(self, material: Material, values: Mapping[str, Any]) -> None:
        """Ask about this material, unless that has been done; `values` are those of `train`."""
        encoder = None if material.encoder is None else material.encoder.id
        known = (
            tuple(material.decisions.items()), material.files, material.texts, encoder,
            material.missing,
        )  # fmt: skip
        if known == self._known:
            return
        self._known, self._values = known, dict(values)
        self._checked = self._selected = None
        self._has_any = bool(material.judged or material.imported)
        said = material.decisions
        self.forecast_told.emit(
            rough_forecast(said.get("same", 0), said.get("different", 0), material.imported)
        )
        self._later.stop()
        self._ask()

    def ask_soon(self, values: Mapping[str, Any]) -> None:
        """Ask with other choices, once they rest."""
        self._values = dict(values)
        if self._workspace.folder is not None:
            self._later.start()

    def rest(self) -> None:
        """Ask nothing dear while the page is not looked at."""
        self._at_rest.stop()

    def check(self) -> None:
        """Look at the examples again, now."""
        self._checked = None
        self._later.stop()
        self._ask()

    def reset(self) -> None:
        """Forget what was asked about; the project is closed."""
        self._later.stop()
        self._at_rest.stop()
        self._known = self._checked = self._selected = None
        for question in (self._recipes, self._forecast, self._memory, self._report):
            question.drop()

    def _take_forecast(self, told: Mapping[str, Any]) -> None:
        forecast = forecast_of(told)
        self.forecast_told.emit(forecast)
        if forecast.verdict != "none" and not forecast.problem and not told.get("memory"):
            self._at_rest.start()

    def _ask_for_memory(self) -> None:
        if self._workspace.folder is not None:
            self._memory.ask({**self._values, "memory": True})

    def _tell_refusal(self, what: str, remedy: str) -> None:
        """What stands in the way of a check stands in the way of a training."""
        self.report_told.emit(Report((Finding("stops", what, remedy),), "It cannot be checked."))

    def _ask(self) -> None:
        if self._workspace.folder is None or self._known is None:
            return
        self._at_rest.stop()
        self._memory.drop()
        chosen = {name: self._values.get(name) for name in ("files", "decisions", "dev", "test")}
        if chosen != self._selected:
            self._selected = chosen
            self._recipes.ask(chosen)
        self._forecast.ask(self._values)
        if not self._has_any:
            return
        checked = {name: self._values[name] for name in _CHECKED if name in self._values}
        if checked != self._checked:
            self._checked = checked
            self.report_told.emit(None)
            self._report.ask(checked)


class _Question(QObject):
    """A wish that is asked again and again; only the newest answer is told."""

    answered = Signal(object)  # the outcome
    failed = Signal(str, str)

    def __init__(self, workspace: Workspace, wish: str, title: str, parent: QObject) -> None:
        super().__init__(parent)
        self._workspace, self._wish, self._title = workspace, wish, title
        self._asked = self._answered = 0

    @property
    def is_open(self) -> bool:
        return self._asked != self._answered

    def ask(self, values: Mapping[str, Any]) -> None:
        self._asked += 1
        number = self._asked
        self._workspace.start(
            self._wish, dict(values), title=self._title, lane="live",
            then=lambda end: self._take(number, end),
        )  # fmt: skip

    def drop(self) -> None:
        self._asked += 1
        self._answered = self._asked

    def _take(self, number: int, end: JobEnd) -> None:
        if number != self._asked:
            return
        self._answered = number
        if end.kind == "finished":
            self.answered.emit(end.outcome)
        elif end.kind == "failed":
            self.failed.emit(end.what, end.remedy)
