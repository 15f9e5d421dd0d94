"""The multiply page: few judged pairs become many labelled ones, in five steps."""

from dataclasses import replace
from typing import Any

from PySide6.QtCore import QTimer
from PySide6.QtGui import QAction, QHideEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QWidget

from app.jobs import JobEnd, Ticket
from app.pages.blank_rows import are_all_blank, show_blank_rows
from app.pages.multiply_actions import PageActions
from app.pages.multiply_allowed import allowed_actions
from app.pages.multiply_asking import Question
from app.pages.multiply_connect import connect_actions, connect_view
from app.pages.multiply_costing import Costing
from app.pages.multiply_deeds import Deeds
from app.pages.multiply_looking import Looking
from app.pages.multiply_notices import ended_notice
from app.pages.multiply_reads import Multiplied, read_multiplied
from app.pages.multiply_scene import STEPS, WISH_OF, Scene, Step, gold_of
from app.pages.multiply_view import MultiplyView
from app.pages.page import Page
from app.pages.teach_imports import Imports
from app.pages.teach_notices import Notice, NoticeBoard
from app.pages.teach_practice import Practice, Standing
from app.pages.teach_results import Results
from app.workspace import Workspace
from core.records import Changes
from core.store import ProjectState

_READ_AFTER_MS = 120
_TITLES = {
    "augment-measure": "Comparing teachers",
    "augment-label": "Labelling new pairs",
    "augment-learn": "Teaching by gold and silver",
}


class MultiplyPage(Page):
    """Gold pairs, a teacher that is better than its pupil, new pairs, their labels, the outcome."""

    name = "Multiply"

    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        super().__init__(workspace, parent)
        self.view = MultiplyView(self)
        self.notices = NoticeBoard(self.view.banner)
        self.practice = Practice(workspace, self)
        self.imports, self.results = Imports(workspace, self), Results(workspace, self)
        self.deeds = Deeds(workspace, self)
        self.looking = Looking(workspace, self.view.sheet, self.deeds, self)
        self.counting = Question(workspace, "augment-look", "Counting the judged pairs", self)
        self.costing = Costing(workspace, self.view.pairs, self)
        self.actions_ = PageActions(self)
        self.scene = Scene()
        self._wish = ""  # of the step that runs
        self._record: int | None = None  # that a person chose; None: the newest
        self._shown: int | None = None  # whose choices and pairs are on show
        self._opens: Step | None = None  # once what has just ended can be read
        self._is_stale = True
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(_READ_AFTER_MS)
        self._later.timeout.connect(self._read)
        self._connect()
        connect_view(self)
        connect_actions(self)
        self.refresh()

    def menu_actions(self) -> dict[str, list[QAction]]:
        return {"Multiply": self.actions_.menu}

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.view.fit(event.size().width())

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._is_stale:
            self._read()
        self.ask_forecast()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.costing.give_up()

    @property
    def is_settled(self) -> bool:
        """Whether what is shown is what is stored, and nothing is asked."""
        awaits = self._later.isActive() or self.counting.is_open or self.costing.is_open
        return not (self._is_stale or awaits or self.deeds.is_open)

    def open_step(self, step: str) -> None:
        """Open one of the five steps; what was said of another one is read by then."""
        if step != self.view.step:
            self.notices.clear()
        self._open(step)

    def go_on(self) -> None:
        """Open the next step."""
        at = STEPS.index(self.view.step)
        if at + 1 < len(STEPS):
            self.open_step(STEPS[at + 1])

    def choose_attempt(self, number: int) -> None:
        """Show another comparison and what came of it."""
        self._record = number
        self.notices.clear()
        self._take_record()

    def insist(self, insists: bool) -> None:
        """Label although the teacher is not better, or not after all."""
        self.scene = replace(self.scene, insists=insists)
        self.refresh()

    def compare(self) -> None:
        """Compare what may teach."""
        settings = self.view.teachers.settings.values
        self._begin("augment-measure", "teachers", settings)

    def label(self) -> None:
        """Let the teacher label the chosen pairs."""
        values = {**self.view.pairs.values, "insist": self.scene.insists}
        self._begin("augment-label", "sheet", {"augmentation": self.scene.record_id, **values})

    def teach(self) -> None:
        """Teach by gold and silver."""
        self._begin("augment-learn", "teach", {"augmentation": self.scene.record_id})

    def ask_forecast(self) -> None:
        """Ask what labelling would cost, where that is on show."""
        if self.view.step == "pairs" and self.isVisible():
            self.costing.ask(self.scene)

    def take_choices(self) -> None:
        """Other pairs are wanted: what was told of the cost does not hold any more."""
        self.costing.forget()
        self.ask_forecast()
        self.refresh()

    def say(self, notice: Notice) -> None:
        """Show a notice."""
        self.notices.say(notice, None if self.scene.seen is None else self.scene.seen.material)

    def refresh(self) -> None:
        """Show where all stands."""
        self.scene = scene = replace(
            self.scene, writes=not self.workspace.read_only, running=self._wish,
            other_runs=self.workspace.is_training and not self._wish,
        )  # fmt: skip  # what may change at any time
        view = self.view
        self._show_empty()
        self.looking.show_scene(scene)
        view.steps.show_scene(scene)
        view.gold.show_scene(scene)
        view.teachers.show_scene(scene)
        view.pairs.show_scene(scene, is_asking=self.costing.is_open, phase=self.costing.phase)
        view.sheet.show_scene(scene)
        view.result.show_scene(scene, is_busy=self.results.is_busy)
        self.allow()

    def _show_current(self) -> None:
        self.view.sheet.show_current(self.scene)
        self.allow()

    def allow(self) -> None:
        """Enable what can be done now."""
        state = self.practice.standing.state
        self.actions_.allow(allowed_actions(self.view, self.scene, state))

    def _open(self, step: str) -> None:
        self.view.show_step(next(one for one in STEPS if one == step))
        self.refresh()
        self.ask_forecast()

    def _begin(self, wish: str, opens: Step, values: dict[str, Any]) -> None:
        step = next(step for step, one in WISH_OF.items() if one == wish)
        if self.scene.why_not(step) or self.workspace.folder is None:
            return
        self.notices.clear()
        self.costing.give_up()
        self._wish, self._opens = wish, opens
        self.practice.start(values, wish=wish, title=_TITLES[wish])

    def _read(self) -> None:
        if self.workspace.folder is not None:
            self.workspace.read("multiply.seen", read_multiplied, self._show_seen)

    def _show_seen(self, seen: Multiplied) -> None:
        self._is_stale = False
        self.scene = replace(self.scene, seen=seen)
        self.results.show_material(seen.material)
        self.notices.follow(seen.material)
        self.counting.ask({"held_out": self.view.teachers.settings.form.values["held_out"]})
        if self._opens == "teachers" and not self._wish:
            self._record = None  # the newest, which was just made
        self._take_record()
        if self._opens is not None and not self._wish:
            step, self._opens = self._opens, None
            self._open(step)

    def _take_record(self) -> None:
        """Show the comparison that was chosen, or the newest."""
        seen = self.scene.seen
        record = None if seen is None else seen.record(self._record)
        if record is None and seen is not None and seen.records:
            record = seen.records[0]
        self.scene = replace(self.scene, record=record)
        is_other = self._shown != self.scene.record_id
        if is_other:
            self._shown = self.scene.record_id
            options = {} if record is None else record.options
            self.scene = replace(self.scene, insists=bool(options.get("insist")))
            self.view.pairs.take(options)
            self.costing.forget()
        self.refresh()
        if is_other:
            self.looking.begin()
        else:
            self.looking.read_again()
        self.ask_forecast()

    def _take_count(self, outcome: dict[str, Any]) -> None:
        self.scene = replace(self.scene, gold=gold_of(outcome), problem="")
        self.refresh()

    def _refuse_count(self, what: str, remedy: str) -> None:
        self.scene = replace(self.scene, gold=None, problem=f"{what} {remedy}".strip())
        self.refresh()

    def _show_standing(self, standing: Standing) -> None:
        self.view.running.show_standing(standing)
        self.view.show_running(standing.state != "idle")
        if self._wish != self.scene.running:
            self.refresh()
        self.allow()

    def _end(self, end: JobEnd) -> None:
        wish, self._wish = self._wish, ""
        if self.workspace.folder is None:
            return
        if end.kind != "finished":
            self._opens = None
        self.costing.forget()
        self.say(ended_notice(wish, end))
        self.refresh()
        self._read_soon()

    def _show_empty(self) -> None:
        state = self.workspace.state
        has_texts = self.scene.seen is not None and state is not None and state.texts > 0
        is_empty = not (has_texts or self.practice.is_running)
        if is_empty and are_all_blank(self.workspace):
            show_blank_rows(self.view.empty, self.workspace, icon="multiply", purpose="pair")
        elif is_empty:
            self.view.empty.show_state(
                "multiply", "There are no texts yet to make pairs of.",
                note="Import texts and decide a few hundred pairs; a teacher can then label "
                "thousands more.",
                button="" if self.workspace.read_only else "Import a file…",
            )  # fmt: skip  # one state
        self.view.show_empty(is_empty)

    def _read_soon(self) -> None:
        self._is_stale = True
        if self.isVisible() or self._opens is not None:
            self._later.start()

    def _note_changes(self, changes: Changes) -> None:
        if changes.decisions or changes.trainings or changes.vectors or changes.corpus:
            self._read_soon()

    def _note_state(self, _state: ProjectState) -> None:
        self._show_empty()
        self.allow()

    def _note_job(self, _ticket: Ticket, _end: JobEnd | None = None) -> None:
        """Another training began or ended."""
        is_free = self.workspace.folder is not None and not self._wish
        if is_free and self.scene.other_runs != self.workspace.is_training:
            self.refresh()
            self.ask_forecast()

    def _note_closed(self) -> None:
        self._later.stop()
        self.counting.drop()
        self.costing.forget()
        self.deeds.forget()
        self.notices.clear()
        self.scene, self._record, self._shown, self._opens = Scene(), None, None, None
        self._wish, self._is_stale = "", True
        self.view.show_step("gold")
        self.refresh()
        self.looking.begin()

    def _connect(self) -> None:
        self.workspace.changed.connect(self._note_changes)
        self.workspace.state_changed.connect(self._note_state)
        self.workspace.closed.connect(self._note_closed)
        self.workspace.job_queued.connect(self._note_job)
        self.workspace.job_ended.connect(self._note_job)
        self.practice.moved.connect(self._show_standing)
        self.practice.ended.connect(self._end)
        self.counting.answered.connect(self._take_count)
        self.counting.failed.connect(self._refuse_count)
        self.costing.changed.connect(self.refresh)
        self.looking.changed.connect(self._show_current)
        for told in (self.deeds.told, self.imports.told, self.results.told):
            told.connect(self.say)
