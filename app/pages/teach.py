"""The teach page: the encoder learns the difference that matters here."""

from pathlib import Path

from PySide6.QtCore import QTimer
from PySide6.QtGui import QAction, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QFileDialog, QWidget

from app.jobs import JobEnd
from app.pages.blank_rows import are_all_blank, show_blank_rows
from app.pages.page import Page
from app.pages.teach_actions import PageActions
from app.pages.teach_forecast import Forecasting
from app.pages.teach_material import ENDINGS
from app.pages.teach_notices import Notice, NoticeBoard, ended_notice, finished_notice
from app.pages.teach_pairs import PairImports
from app.pages.teach_plan import Forecast
from app.pages.teach_practice import Practice, Standing
from app.pages.teach_reads import Material, read_material
from app.pages.teach_results import Results
from app.pages.teach_view import TeachView
from app.pages.teach_words import metric_for
from app.widgets.curve_plot import has_curves
from app.workspace import Workspace
from core.records import Changes
from core.store import ProjectState

_READ_AFTER_MS = 120


class TeachPage(Page):
    """What there is to learn from, the training, and what trainings brought."""

    name = "Teach"

    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        super().__init__(workspace, parent)
        self.view = TeachView(self)
        self.notices = NoticeBoard(self.view.banner)
        self.practice = Practice(workspace, self)
        self.pairs = PairImports(workspace, self)
        self.results = Results(workspace, self)
        self.forecasting = Forecasting(workspace, self)
        self.actions_ = PageActions(self)
        self.material: Material | None = None
        self._is_stale = True
        self._ended: int | None = None  # the training that has just finished
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(_READ_AFTER_MS)
        self._later.timeout.connect(self._read)
        self._connect()
        self._connect_parts()
        self._connect_actions()
        self.view.show_plot(False)
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
        if not self.view.is_empty_shown and self.view.recipe.may_start:
            self.view.recipe.start.setFocus()

    @property
    def is_settled(self) -> bool:
        """Whether what is shown is what is stored."""
        return not (self._is_stale or self._later.isActive() or self.forecasting.is_asking)

    def start(self) -> None:
        """Start a training with the options as they stand."""
        if self.material is None or not self.view.recipe.may_start or self.practice.is_running:
            return
        self.notices.clear()
        self.view.plot.begin(score=metric_for(self.material.files))
        self.view.show_plot(True)
        self.practice.start(self.view.recipe.options)
        self.view.running.pause.setFocus()

    def ask_for_pairs(self) -> None:
        """Let a person choose files of judged pairs."""
        patterns = " ".join(f"*{ending}" for ending in ENDINGS)
        chosen, _ = QFileDialog.getOpenFileNames(
            self, "Import judged pairs", "", f"Judged pairs ({patterns});;All files (*)"
        )
        self.pairs.take([Path(one) for one in chosen])

    def _read(self) -> None:
        if self.workspace.folder is not None:
            self.workspace.read("teach.material", read_material, self._show_material)

    def _show_material(self, material: Material) -> None:
        self._is_stale = False
        self.material = material
        self.results.show_material(material)
        self.view.runs.show_material(material)
        self.forecasting.take(material, self.view.recipe.options)
        self._show_empty()
        self.notices.follow(material)
        self._tell_finished(material)

    def _show_forecast(self, forecast: Forecast) -> None:
        if self.material is None:
            return
        may_write = not self.workspace.read_only
        encoder = self.material.encoder
        self.view.material.show_material(self.material, forecast, may_write=may_write)
        self.view.recipe.show_forecast(
            forecast, encoder="the encoder" if encoder is None else encoder.name,
            may_write=may_write, missing=self.material.missing,
        )  # fmt: skip
        self._allow()

    def _show_empty(self) -> None:
        """Show the columns, or what is missing for them."""
        state = self.workspace.state
        has_texts = self.material is not None and state is not None and state.texts > 0
        if has_texts or self.practice.is_running:
            self.view.show_empty(False)
            self._allow()
            return
        if are_all_blank(self.workspace):
            show_blank_rows(self.view.empty, self.workspace, icon="teach", purpose="learn from")
        else:
            self.view.empty.show_state(
                "teach", "There are no texts yet to learn from.",
                note="Import texts, decide which pairs say the same, and the encoder can learn it.",
                button="" if self.workspace.read_only else "Import a file…",
            )  # fmt: skip
        self.view.show_empty(True)
        self._allow()

    def _show_standing(self, standing: Standing) -> None:
        self.view.show_running(standing.state != "idle")
        if standing.state != "idle":
            self.view.running.show_standing(standing)
            if standing.unit == "steps":
                self.view.plot.expect(standing.total)
        self._allow()

    def _end(self, end: JobEnd) -> None:
        if self.workspace.folder is None:
            return
        if end.kind == "finished":
            self._ended = int(end.outcome["training"])
            self._read_soon()
            return
        self._show_curves()
        self._say(ended_notice(end.kind, end.what, end.remedy))

    def _tell_finished(self, material: Material) -> None:
        """Say what the training that has just finished brought, once it can be read."""
        record = material.training(self._ended)
        if record is None:
            return
        self._ended = None
        self._say(finished_notice(record))

    def _show_curves(self) -> None:
        """Show the curves of the chosen training, unless those of a running one are on show."""
        if self.practice.is_running:
            return
        record = self.view.runs.chosen
        has_points = record is not None and has_curves(record.curve, record.held_curve)
        if record is not None and has_points:
            files = () if self.material is None else self.material.files
            score = metric_for(files, record.figures)
            self.view.plot.show_curves(record.curve, record.held_curve, score=score)
        self.view.show_plot(has_points, of="" if record is None else record.name)

    def _choose(self) -> None:
        self._show_curves()
        self._allow()

    def _say(self, notice: Notice) -> None:
        self.notices.say(notice, self.material)

    def _press_banner(self, key: str) -> None:
        if key == "use" and self.material is not None:
            record = self.material.training(self.notices.training)
            self.notices.clear()
            self.results.use(record)

    def _allow(self) -> None:
        """Enable what can be done now."""
        writes = not self.workspace.read_only and not self.view.is_empty_shown
        state, chosen, material = self.practice.standing.state, self.view.runs.chosen, self.material
        in_use = None if material is None else material.in_use
        free = writes and not self.results.is_busy
        allowed = {
            "start": writes and state == "idle" and self.view.recipe.may_start,
            "pause": state in ("running", "paused"),
            "finish": state in ("running", "paused", "pausing"),
            "cancel": state not in ("idle", "ending"),
            "import": writes,
            "decide": not self.view.is_empty_shown,
            "details": state == "idle" and not self.view.is_empty_shown,
            "use": free and chosen is not None and chosen != in_use,
            "compare": chosen is not None,
            "discard": free and chosen is not None and chosen != in_use,
            "back": free and in_use is not None,
        }
        self.actions_.allow([key for key, holds in allowed.items() if holds])
        self.view.runs.allow(writing=writes, using=not self.results.is_busy)

    def _read_soon(self) -> None:
        self._is_stale = True
        if self.isVisible() or self._ended is not None:
            self._later.start()

    def _note_changes(self, changes: Changes) -> None:
        if changes.decisions or changes.trainings or changes.vectors or changes.corpus:
            self._read_soon()

    def _note_state(self, _state: ProjectState) -> None:
        self._show_empty()

    def _note_closed(self) -> None:
        self._later.stop()
        self.material, self._ended, self._is_stale = None, None, True
        self.forecasting.reset()
        self.notices.clear()
        self.view.plot.begin(score="Score")
        self.view.show_plot(False)
        self._show_empty()

    def _connect(self) -> None:
        self.workspace.changed.connect(self._note_changes)
        self.workspace.state_changed.connect(self._note_state)
        self.workspace.closed.connect(self._note_closed)
        self.practice.moved.connect(self._show_standing)
        self.practice.measured.connect(self.view.plot.add_points)
        self.practice.ended.connect(self._end)
        self.forecasting.told.connect(self._show_forecast)
        self.results.told.connect(self._say)
        self.results.busy_changed.connect(self._allow)
        self.pairs.told.connect(self._say)

    def _connect_parts(self) -> None:
        view = self.view
        view.empty.wanted.connect(lambda: self.import_wanted.emit([]))
        view.banner.button_clicked.connect(self._press_banner)
        view.material.import_wanted.connect(
            lambda paths: self.pairs.take(paths) if paths else self.ask_for_pairs()
        )
        view.material.removal_wanted.connect(self.pairs.remove)
        view.material.deciding_wanted.connect(lambda: self.page_wanted.emit("Duplicates"))
        view.recipe.start_wanted.connect(self.start)
        view.recipe.changed.connect(lambda: self.forecasting.ask_soon(view.recipe.options))
        view.running.pause_wanted.connect(self.practice.pause_or_resume)
        view.running.finish_wanted.connect(self.practice.finish_early)
        view.running.cancel_wanted.connect(self.practice.cancel)
        view.runs.use_wanted.connect(self.results.use)
        view.runs.compare_wanted.connect(self.results.compare)
        view.runs.discard_wanted.connect(self.results.discard)
        view.runs.back_wanted.connect(self.results.go_back)
        view.runs.choice_changed.connect(self._choose)

    def _connect_actions(self) -> None:
        on, view = self.actions_.on, self.view
        on("start", self.start)
        on("pause", self.practice.pause_or_resume)
        on("finish", self.practice.finish_early)
        on("cancel", self.practice.cancel)
        on("import", self.ask_for_pairs)
        on("decide", lambda: self.page_wanted.emit("Duplicates"))
        on("details", lambda: view.recipe.details.set_open(not view.recipe.details.is_open))
        on("use", lambda: self.results.use(view.runs.chosen))
        on("compare", lambda: self.results.compare(view.runs.chosen))
        on("discard", lambda: self.results.discard(view.runs.chosen))
        on("back", self.results.go_back)
