"""The teach page: the encoder learns the difference that matters here."""

from typing import Any

from PySide6.QtCore import QTimer
from PySide6.QtGui import QAction, QHideEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QWidget

from app.jobs import JobEnd
from app.pages.blank_rows import are_all_blank, show_blank_rows
from app.pages.page import Page
from app.pages.teach_actions import PageActions
from app.pages.teach_allowed import allowed_actions
from app.pages.teach_asking import Asking
from app.pages.teach_connect import connect_actions, connect_view
from app.pages.teach_drop import FileDrop
from app.pages.teach_imports import Imports
from app.pages.teach_middle import Middle, stage_bounds
from app.pages.teach_notices import (
    Notice,
    NoticeBoard,
    ended_notice,
    finished_notice,
    interrupted_notice,
)
from app.pages.teach_plan import Forecast
from app.pages.teach_practice import Practice, Standing
from app.pages.teach_reads import Material, read_material
from app.pages.teach_recipes import Recipes
from app.pages.teach_results import Results
from app.pages.teach_view import TeachView
from app.pages.teach_words import is_worse
from app.workspace import Workspace
from core.records import Changes
from core.store import InterruptedTraining, ProjectState, TrainingRecord

_READ_AFTER_MS = 120
NEW = ("new", 0)
_NOT_ENCODED = "The texts are not encoded yet. Find duplicates first, which encodes them."


class TeachPage(Page):
    """What there is to learn from, the training, and what trainings brought."""

    name = "Teach"

    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        super().__init__(workspace, parent)
        self.view = TeachView(self)
        self.middle = Middle(self.view)
        self.notices = NoticeBoard(self.view.banner)
        self.practice = Practice(workspace, self)
        self.imports = Imports(workspace, self)
        self.results = Results(workspace, self)
        self.asking = Asking(workspace, self)
        self.drop = FileDrop(self)
        self.actions_ = PageActions(self)
        self.material: Material | None = None
        self._is_stale = True
        self._ended: int | None = None  # the training that has just finished
        self._cut: JobEnd | None = None  # the end of the one that has just failed
        self._known_cuts: set[int] = set()  # runs that had been cut off before it
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(_READ_AFTER_MS)
        self._later.timeout.connect(self._read)
        self._connect()
        connect_view(self)
        connect_actions(self)
        self._show_empty()

    def menu_actions(self) -> dict[str, list[QAction]]:
        return {"Teach": self.actions_.menu}

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.view.fit(event.size().width())

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        # A folder that is gone may have been put back meanwhile, which nothing tells of.
        if self._is_stale or (self.material is not None and self.material.missing):
            self._read()
        if not self.view.is_empty_shown and self.view.lesson.may_start:
            self.view.lesson.foot.start.setFocus()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.asking.rest()

    def show_training(self, training: int) -> None:
        self.view.runs.choose(("training", training))
        self.view.turn_to("middle")

    @property
    def is_settled(self) -> bool:
        """Whether what is shown is what is stored."""
        return not (self._is_stale or self._later.isActive() or self.asking.is_asking)

    @property
    def values(self) -> dict[str, Any]:
        """What is to be learnt from and how, as values of a wish."""
        return {**self.view.material.selection, **self.view.lesson.values}

    def start(self) -> None:
        """Start a training with what is chosen."""
        lesson = self.view.lesson
        if self.material is None or not lesson.may_start or self.practice.is_running:
            return
        told = lesson.forecast or Forecast("counting", 0, 0)
        stages = [(float(one.first_step), one.title) for one in told.stages]
        self._begin("train", self.values, metric=told.metric, stages=stages)

    def resume(self, interrupted: InterruptedTraining | None) -> None:
        """Let an interrupted training go on."""
        if interrupted is not None:
            self._begin("resume-training", {"run": interrupted.run})

    def repeat(self, record: TrainingRecord | None) -> None:
        """Train once more with the same examples, settings and seed."""
        if record is not None:
            stages = stage_bounds(record.how.get("stages"))
            metric = str(record.figures.get("metric") or "")
            values = {"training": record.id}
            self._begin("repeat-training", values, metric=metric, stages=stages)

    def use_settings(self, record: TrainingRecord) -> None:
        """Take over what a training was made with, for the next one."""
        asked = {"recipe": record.how.get("recipe"), **(record.how.get("asked") or {})}
        self.view.material.select(asked)
        self.view.lesson.use(asked)
        self.view.runs.choose(NEW)
        self.view.turn_to("middle")
        self._say(Notice("info", f"These are the settings of {record.name}."))

    def check(self) -> None:
        """Look at the examples again and show all that is found."""
        self.view.runs.choose(NEW)
        self.view.turn_to("middle")
        self.view.lesson.check.open_all()
        self.asking.check()

    def open_settings(self) -> None:
        """Show the settings of the next training, or fold them away."""
        fold = self.view.lesson.fold
        is_shown = fold.isVisible()
        self.view.runs.choose(NEW)
        self.view.turn_to("middle")
        fold.set_open(not (fold.is_open and is_shown))

    def choose_new(self) -> None:
        """Show the next training, or the one that runs."""
        self.view.runs.choose(NEW)
        self.view.turn_to("middle")

    def _begin(self, wish: str, values: dict[str, Any], **told: Any) -> None:
        if self.practice.is_running or self.workspace.read_only or self.workspace.folder is None:
            return
        self.notices.clear()
        cuts = () if self.material is None else self.material.interrupted
        self._cut, self._known_cuts = None, {one.run for one in cuts} - {values.get("run")}
        self.middle.begin(metric=told.get("metric", ""), stages=told.get("stages", []))
        self.choose_new()
        self.practice.start(values, wish=wish)
        self.view.running.pause.setFocus()

    def _read(self) -> None:
        if self.workspace.folder is not None:
            self.workspace.read("teach.material", read_material, self._show_material)

    def _show_material(self, material: Material) -> None:
        self._is_stale = False
        self.material = material
        may_write = not self.workspace.read_only
        self.results.show_material(material)
        self.view.material.show_material(material, may_write=may_write)
        encoder = "the encoder" if material.encoder is None else material.encoder.name
        self.view.lesson.show_place(encoder=encoder, may_write=may_write, missing=material.missing)
        self.view.runs.show_material(material)
        self.asking.take(material, self.values)
        self._show_empty()
        self.notices.follow(material)
        self._tell_ended(material)

    def _show_recipes(self, recipes: Recipes) -> None:
        files = () if self.material is None else self.material.files
        self.view.lesson.show_recipes(
            recipes,
            has_topics=any(file.topics for file in files),
            has_texts=any(file.kind == "labelled texts" for file in files),
        )
        self.show_chosen()

    def _show_forecast(self, forecast: Forecast) -> None:
        self.view.material.show_forecast(forecast)
        self.view.lesson.show_forecast(forecast)
        self.show_chosen()

    def _show_empty(self) -> None:
        """Show the columns, or what is missing for them."""
        state = self.workspace.state
        has_texts = self.material is not None and state is not None and state.texts > 0
        is_empty = not (has_texts or self.practice.is_running)
        if is_empty and are_all_blank(self.workspace):
            show_blank_rows(self.view.empty, self.workspace, icon="teach", purpose="learn from")
        elif is_empty:
            self.view.empty.show_state(
                "teach", "There are no texts yet to learn from.",
                note="Import texts, decide which pairs say the same, and the encoder can learn it.",
                button="" if self.workspace.read_only else "Import a file…",
            )  # fmt: skip
        self.view.show_empty(is_empty)
        self.show_chosen()

    def show_chosen(self) -> None:
        """Show what belongs to the chosen card, and enable what can be done now."""
        self.middle.show(self.material, is_running=self.practice.is_running)
        self.allow()

    def _show_standing(self, standing: Standing) -> None:
        self.middle.show_standing(standing)
        self.show_chosen()

    def _end(self, end: JobEnd) -> None:
        if self.workspace.folder is None:
            return
        if end.kind == "finished":
            self._ended = int(end.outcome["training"])
        elif end.kind == "failed":
            self._cut = end
        self.show_chosen()
        if end.kind != "finished":
            self._say(ended_notice(end.kind, end.what, end.remedy))
        self._read_soon()

    def _tell_ended(self, material: Material) -> None:
        """Say what the training that has just ended brought, once it can be read."""
        record = material.training(self._ended)
        if record is not None:
            self._ended = None
            self.view.runs.choose(("training", record.id))
            self._say(finished_notice(record))
        for one in material.interrupted:
            if self._cut is not None and one.run not in self._known_cuts:
                self.view.runs.choose(("interrupted", one.run))
                self._say(interrupted_notice(self._cut.what, one))
                self._cut = None

    def _say(self, notice: Notice) -> None:
        self.notices.say(notice, self.material)

    def allow(self) -> None:
        """Enable what can be done now."""
        allowed = allowed_actions(
            self.view, self.material, self.practice.standing.state,
            writes=not self.workspace.read_only and not self.view.is_empty_shown,
            is_busy=self.results.is_busy,
        )  # fmt: skip
        self.actions_.allow(allowed)
        self.drop.is_open = "import" in allowed
        bar = self.view.result_bar
        chosen = self.view.runs.chosen
        bar.show_advice(chosen is None or not is_worse(chosen.figures))
        for key, button in (("use", bar.use), ("compare", bar.compare), ("repeat", bar.repeat),
                            ("discard", bar.discard)):  # fmt: skip
            button.setEnabled(key in allowed)
        self.view.interrupted_bar.resume.setEnabled("resume" in allowed)
        self.view.interrupted_bar.discard.setEnabled("discard" in allowed)
        self.view.first_bar.back.setEnabled("back" in allowed)
        self.view.first_bar.back.setVisible("back" in allowed)

    def _read_soon(self) -> None:
        self._is_stale = True
        if self.isVisible() or self._ended is not None or self._cut is not None:
            self._later.start()

    def _note_changes(self, changes: Changes) -> None:
        if changes.decisions or changes.trainings or changes.vectors or changes.corpus:
            self._read_soon()

    def _note_state(self, _state: ProjectState) -> None:
        self._show_empty()

    def _note_closed(self) -> None:
        self._later.stop()
        self.material, self._ended, self._cut, self._is_stale = None, None, None, True
        self.asking.reset()
        self.notices.clear()
        self.view.runs.choose(NEW)
        self.middle.begin(metric="", stages=[])
        self._show_empty()

    def _connect(self) -> None:
        self.workspace.changed.connect(self._note_changes)
        self.workspace.state_changed.connect(self._note_state)
        self.workspace.closed.connect(self._note_closed)
        self.practice.moved.connect(self._show_standing)
        self.practice.measured.connect(self.view.live_plot.add_points)
        self.practice.ended.connect(self._end)
        self.asking.recipes_told.connect(self._show_recipes)
        self.asking.forecast_told.connect(self._show_forecast)
        self.asking.report_told.connect(self.view.lesson.show_report)
        self.asking.report_told.connect(lambda _report: self.allow())
        self.asking.failed.connect(self.view.lesson.show_problem)
        self.results.told.connect(self._say)
        self.imports.told.connect(self._say)
