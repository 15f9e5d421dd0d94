"""The duplicates page: where documents are decided to stay or to go."""

from typing import Any

from PySide6.QtGui import QAction, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QWidget

from app.checker import Checker
from app.jobs import JobEnd
from app.pages.duplicates_actions import PageActions
from app.pages.duplicates_checking import PairChecking
from app.pages.duplicates_empty import StaleNotice, show_empty
from app.pages.duplicates_flow import DecisionFlow
from app.pages.duplicates_hand import DecidingHand
from app.pages.duplicates_like import LikeThis
from app.pages.duplicates_reading import GroupsReading
from app.pages.duplicates_reads import Settings
from app.pages.duplicates_regroup import AFTER_DECISION_MS, Regrouper
from app.pages.duplicates_view import DuplicatesView
from app.pages.duplicates_walk import GroupWalk
from app.pages.page import Page
from app.sheets.bulk_sheet import BulkSheet
from app.widgets.text_view import TextView
from app.workspace import Workspace
from core.options import GroupOptions
from core.records import Changes
from core.store import ProjectState

_MANY_GROUPS = 20_000  # from here on groups are made again only after a longer pause
_LONG_PAUSE_MS = 2_500
_FILTER_OF_PART = {
    "review": "review", "copies": "copies", "accepted": "similar", "decided": "decided"
}  # fmt: skip


class DuplicatesPage(Page):
    """Thresholds above, groups at the left, the group to decide on at the right."""

    name = "Duplicates"

    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        super().__init__(workspace, parent)
        self.view = view = DuplicatesView(self)
        self.panel, self.groups, self.list = view.panel, view.groups, view.list
        self.strip, self.filter, self.banner = view.strip, view.filter, view.banner
        self.empty, self.texts_sheet = view.empty, view.texts_sheet
        self.flow = DecisionFlow(workspace, self)
        self.regrouper = Regrouper(workspace, self)
        self.reading = GroupsReading(workspace, self.flow.fresh, self)
        self.walk = GroupWalk(view, self.flow, self.reading, self)
        self.hand = DecidingHand(workspace, view, self.flow, self.walk, self)
        self.actions_ = PageActions(self, self.panel.card.card_actions())
        self.like = LikeThis(view, self.actions_, self)
        self.checking = PairChecking(workspace, view, self.actions_, self)
        self._stale = StaleNotice(self.banner)
        self._connect()
        self._connect_parts()
        self._connect_actions()
        self._show_empty()

    def menu_actions(self) -> dict[str, list[QAction]]:
        return {"Duplicates": self.actions_.menu}

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.view.fit(event.size().height())

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.view.focus_work()

    def check_with(self, checker: Checker) -> None:
        self.checking.check_with(checker)

    @property
    def is_settled(self) -> bool:
        """Whether everything decided is stored, grouped and shown."""
        return not (self.flow.is_busy or self.regrouper.is_busy or self.reading.is_busy)

    @property
    def left(self) -> int:
        """Pairs that wait for a person in all."""
        return self.reading.left

    @property
    def band_sheet(self) -> BulkSheet | None:
        return self.hand.band_sheet

    def _show_settings(self, settings: Settings, is_first: bool) -> None:
        self.actions_.allow_deciding(not self.workspace.read_only)
        self.view.allow_deciding(not self.workspace.read_only)
        if settings.record is None:
            self._show_empty()
            return
        self.view.show_empty(False)
        options = self.strip.options if self.regrouper.is_grouping else settings.options
        self.flow.review_from = options.review
        self.filter.show_sources(settings.sources)
        self.filter.show_checked(settings.is_checked)
        if is_first:
            self.strip.start_at(settings.floor)
            self.flow.note_steps()
            self.view.focus_work()
        self.strip.show_settings(settings, options)
        self.regrouper.count(self.strip.shown_options)
        self.reading.read_listing(self.filter.wanted)
        self._tell_stale()
        if settings.moved == {"decisions"}:
            # Decided, but the program ended before it was grouped.
            self._regroup(False)

    def _read_listing_anew(self) -> None:
        """Another filter: its first group is the one to show."""
        self.flow.leave()
        if self.reading.record is not None:
            self.reading.read_listing(self.filter.wanted)

    def _fetch_texts(self, ids: list[int]) -> None:
        self.workspace.read(
            "duplicates.texts",
            lambda project: project.groupings.openings(ids),
            self.groups.add_texts,
        )

    def _regroup(self, at_once: bool) -> None:
        if self.reading.record is None or self.workspace.read_only:
            return
        pause = AFTER_DECISION_MS if self.groups.rowCount() < _MANY_GROUPS else _LONG_PAUSE_MS
        self.regrouper.group(self.strip.options, delay_ms=0 if at_once else pause)

    def _change(self, options: GroupOptions) -> None:
        if not self.workspace.read_only:
            self.flow.review_from = options.review
            self.regrouper.group(options)

    def _take_counts(self, outcome: dict[str, Any]) -> None:
        state = self.workspace.state
        self.strip.show_counts(outcome, stale=state is not None and state.pairs_stale)

    def _show_empty(self) -> None:
        self.view.show_empty(True)
        show_empty(self.empty, self.workspace)

    def _refresh_empty(self, *_job: object) -> None:
        if self.view.is_empty_shown:
            self._show_empty()

    def _tell_stale(self) -> None:
        settings = self.reading.settings
        if self.reading.record is not None and settings is not None:
            self._stale.show_state(self.workspace, settings.moved)

    def _tell_failed(self, end: JobEnd) -> None:
        self.banner.show_message("error", f"{end.what} {end.remedy}".strip())

    def _note_changes(self, changes: Changes) -> None:
        if changes.checked and self.filter.wanted.sort == "checked":
            self.reading.order_anew()
        if changes.groups or changes.pairs or changes.corpus or changes.checked:
            self.reading.read_soon()
        if changes.decisions:
            self.flow.note_decisions()

    def _note_state(self, _state: ProjectState) -> None:
        if self.view.is_empty_shown:
            self._show_empty()
        else:
            self._tell_stale()

    def _note_closed(self) -> None:
        self.reading.reset()
        self.flow.reset()
        self.view.forget()
        self.banner.clear()
        self._show_empty()

    def _press_empty(self) -> None:
        state = self.workspace.state
        if state is None or not state.texts:
            self.import_wanted.emit([])
        else:
            self.prepare_wanted.emit()

    def _press_banner(self, key: str) -> None:
        if key == "prepare":
            self.prepare_wanted.emit()

    def _press_panel(self) -> None:
        """The button of the panel: export when all is done, else the whole list again."""
        if self.walk.nothing_left and self.filter.wanted.show == "all":
            self.export_wanted.emit("kept")
        else:
            self.filter.choose("all")

    def _connect(self) -> None:
        workspace, flow, reading = self.workspace, self.flow, self.reading
        workspace.changed.connect(self._note_changes)
        workspace.state_changed.connect(self._note_state)
        workspace.closed.connect(self._note_closed)
        workspace.job_queued.connect(self._refresh_empty)
        workspace.job_ended.connect(self._refresh_empty)
        reading.settings_ready.connect(self._show_settings)
        reading.listing_ready.connect(self.walk.show_listing)
        flow.turned.connect(self.panel.say)
        flow.regroup_wanted.connect(self._regroup)
        flow.failed.connect(self._tell_failed)
        self.checking.failed.connect(self._tell_failed)
        self.regrouper.asked.connect(reading.note_asked)
        self.regrouper.grouped.connect(reading.note_grouped)
        self.regrouper.counted.connect(self._take_counts)
        self.regrouper.failed.connect(self._tell_failed)

    def _connect_parts(self) -> None:
        panel, strip = self.panel, self.strip
        self.groups.texts_wanted.connect(self._fetch_texts)
        self.filter.changed.connect(lambda _filter: self._read_listing_anew())
        strip.previewed.connect(self.regrouper.count)
        strip.changed.connect(self._change)
        strip.band_wanted.connect(self.hand.open_band)
        strip.export_wanted.connect(lambda: self.export_wanted.emit("kept"))
        strip.part_clicked.connect(
            lambda part: self.filter.choose(_FILTER_OF_PART.get(part, "all"))
        )
        self.like.wanted.connect(self.neighbours_wanted)
        self.empty.wanted.connect(self._press_empty)
        self.banner.button_clicked.connect(self._press_banner)
        panel.card.score_hidden.connect(panel.hide_scores)
        panel.button_pressed.connect(self._press_panel)
        panel.removed_wanted.connect(lambda: self.filter.choose("similar"))

    def _connect_actions(self) -> None:
        on = self.actions_.on
        on("take-back", lambda: self.hand.decide(None))
        on("next", lambda: self.panel.step(1))
        on("previous", lambda: self.panel.step(-1))
        on("next-group", lambda: self.walk.step(1))
        on("previous-group", lambda: self.walk.step(-1))
        on("open", self.hand.open_texts)
        on("accept", self.hand.accept_group)
        on("band", self.hand.open_band)
        on("rules", self.strip.open_rules)
        on("export", lambda: self.export_wanted.emit("kept"))
        self.actions_.open_from(
            [self.list, self.panel.candidates, *self.panel.card.findChildren(TextView)]
        )
