"""The duplicates page: where documents are decided to stay or to go."""

from functools import partial
from typing import Any

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QAction, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QFrame,
    QSplitter,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from app.jobs import JobEnd
from app.look.theme import set_role
from app.look.words import count, counted, duration
from app.pages.duplicates_actions import PageActions
from app.pages.duplicates_bar import FilterBar
from app.pages.duplicates_case import CasePanel
from app.pages.duplicates_empty import show_empty
from app.pages.duplicates_flow import DecisionFlow
from app.pages.duplicates_list import GroupsList, GroupsModel
from app.pages.duplicates_reads import (
    Candidate,
    Case,
    Listing,
    Settings,
    read_listing,
    read_settings,
)
from app.pages.duplicates_regroup import AFTER_DECISION_MS, Regrouper
from app.pages.duplicates_texts import TextsSheet
from app.pages.duplicates_thresholds import ThresholdStrip
from app.pages.page import Page
from app.sheets.bulk_sheet import BulkSheet
from app.widgets.banner import Banner
from app.widgets.empty_state import EmptyState
from app.widgets.text_view import TextView
from app.workspace import Workspace
from core.options import GroupOptions
from core.records import Changes, Verdict
from core.store import GroupFilter, ProjectState

_MANY_GROUPS = 20_000  # from here on groups are made again only after a longer pause
_LONG_PAUSE_MS = 2_500
_LIST_WIDTH = 330
_LOW_PAGE = 660  # pixels of height below which the histogram gives way


class DuplicatesPage(Page):
    """Thresholds above, groups at the left, the group to decide on at the right."""

    name = "Duplicates"
    icon = "duplicates"

    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        super().__init__(workspace, parent)
        self.flow = DecisionFlow(workspace, self)
        self.regrouper = Regrouper(workspace, self)
        self.panel = CasePanel()
        self.groups = GroupsModel(self)
        self.list = GroupsList(self.groups)
        self.strip = ThresholdStrip()
        self.filter = FilterBar()
        self.banner = Banner()
        self.empty = EmptyState("duplicates")
        self.texts_sheet = TextsSheet(self)
        self._stack = QStackedWidget()
        self.band_sheet: BulkSheet | None = None
        self._settings: Settings | None = None
        self._asked_mark = self._covered = 0
        self._stale_told = False
        self._is_reading = False
        self._listed: GroupFilter | None = None  # what the list shows
        self._again = QTimer(self)
        self._again.setSingleShot(True)
        self._again.timeout.connect(self._read_all)
        self.actions_ = PageActions(self, self.panel.card.card_actions())
        self._lay_out()
        self._connect()
        self._show_empty()

    def menu_actions(self) -> dict[str, list[QAction]]:
        return {"Duplicates": self.actions_.menu}

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.strip.set_low(event.size().height() < _LOW_PAGE)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._focus_work()

    @property
    def is_settled(self) -> bool:
        """Whether everything decided is stored, grouped and shown."""
        busy = self.flow.is_busy or self.regrouper.is_busy or self._is_reading
        return not busy

    def _read_soon(self) -> None:
        if self.workspace.folder is not None:
            self._is_reading = True
            self._again.start(0)

    def _read_all(self) -> None:
        self.workspace.read("duplicates.settings", read_settings, self._take_settings)

    def _take_settings(self, settings: Settings) -> None:
        had = self._settings is not None and self._settings.record is not None
        self._settings = settings
        self.actions_.allow_deciding(not self.workspace.read_only)
        if settings.record is None:
            self._is_reading = False
            self._show_empty()
            return
        self._stack.setCurrentIndex(1)
        options = self.strip.options if self.regrouper.is_grouping else settings.options
        self.flow.review_from = options.review
        self.filter.show_sources(settings.sources)
        if not had:
            self.strip.start_at(settings.floor)
            self.flow.note_steps()
            self._focus_work()
        self.strip.show_settings(settings, options)
        self.regrouper.count(options)
        self._read_listing()
        self._tell_stale()
        if settings.moved == {"decisions"}:
            # Decided, but the program ended before it was grouped.
            self._regroup(False)

    def _read_listing(self) -> None:
        self._is_reading = True
        wanted, covered = self.filter.wanted, self._covered
        places = self.groups.places if wanted == self._listed else None
        self._listed = wanted
        self.workspace.read(
            "duplicates.listing",
            lambda project: read_listing(project, wanted, places=places),
            partial(self._take_listing, covered),
        )

    def _take_listing(self, covered: int, listing: Listing) -> None:
        self._is_reading = False
        self.flow.fresh.drop_known(covered)
        bar = self.list.verticalScrollBar()
        place = bar.value()
        self.groups.show_listing(listing)
        bar.setValue(place)
        self._show_left()
        text = self.flow.kept_text
        if text is not None and not self.panel.is_done_shown:
            self._mark_in_list(text)
            self.flow.look_again()
        else:
            self._begin()

    def _begin(self) -> None:
        """Show the first group with something to decide, or the first of all."""
        at = self.groups.next_waiting(-1)
        if at is None and self.groups.rowCount() and not self._nothing_left():
            at = 0
        if (
            at is None
            and self._nothing_left()
            and self.filter.wanted == GroupFilter("all", self.filter.wanted.sort)
        ):
            self._finish()
        elif at is None and self.groups.rowCount():
            self._open_at(0)
        elif at is None:
            self._say_nothing_found()
        else:
            self._open_at(at)

    def _open_at(self, at: int) -> None:
        self.list.select(at)
        self.flow.open(self.groups.group(at).text)

    def _mark_in_list(self, text: int) -> None:
        at = self.groups.position(text)
        if at is None:
            self.list.clear_choice()
        else:
            self.list.select(at)

    def _fetch_texts(self, ids: list[int]) -> None:
        self.workspace.read(
            "duplicates.texts",
            lambda project: project.groupings.openings(ids),
            self.groups.add_texts,
        )

    def _show_case(self, case: Case, candidate: int | None) -> None:
        self.panel.show_case(case, candidate=candidate)
        self._mark_in_list(case.kept.text or 0)
        self._show_place(case)
        self._prefetch(case)

    def _show_place(self, case: Case) -> None:
        at = self.groups.position(case.kept.text or 0)
        waiting = sum(one.place == "waiting" for one in case.candidates)
        self.panel.show_place(at, self.groups.rowCount(), waiting)

    def _prefetch(self, case: Case) -> None:
        at = self.groups.position(case.kept.text or 0)
        skip = self.flow.fresh.merged | {case.kept.text or 0}
        following = self.groups.next_waiting(-1 if at is None else at, skip=skip)
        if following is not None:
            self.flow.read_ahead(self.groups.group(following).text)

    def _show_left(self) -> None:
        left = self.left
        pace = self._settings.pace_s if self._settings else 4.0
        self.panel.show_left(
            f"{count(left)} left, {duration(left * pace)}" if left else "none left"
        )

    @property
    def left(self) -> int:
        """Pairs that wait for a person in all."""
        record = self._settings.record if self._settings else None
        if record is None:
            return 0
        return max(0, record.counts["review"] - self.flow.fresh.all_fewer)

    def _nothing_left(self) -> bool:
        return self.left == 0

    def _finish(self) -> None:
        record = self._settings.record if self._settings else None
        if record is None:
            return
        removed, kept = record.counts["removed"], record.counts["kept"]
        self.list.clear_choice()
        self.panel.show_done(
            "Everything is decided.",
            f"{count(record.counts['rows'])} rows = {count(kept)} kept + {count(removed)} removed",
        )
        self.panel.show_place(None, self.groups.rowCount(), 0)

    def _say_nothing_found(self) -> None:
        shown = self.filter.wanted.show
        self.panel.show_nothing(
            "Nothing waits for you." if shown == "review" else "No group is like that.",
            button="Show all groups" if shown != "all" else "",
        )
        self.panel.show_place(None, 0, 0)

    def _show_empty(self) -> None:
        self._stack.setCurrentIndex(0)
        show_empty(self.empty, self.workspace)

    def _tell_stale(self) -> None:
        state = self.workspace.state
        if state is None or self._settings is None or self._settings.record is None:
            return
        moved = state.pairs_stale or bool(self._settings.moved - {"decisions"})
        if moved and not self.workspace.is_busy:
            self._stale_told = True
            self.banner.show_message(
                "warning",
                "The rows have changed since these groups were made. What you see is still whole, "
                "but new rows are not in it.",
                buttons=(("prepare", "Bring up to date"),),
            )
        elif self._stale_told:
            self._stale_told = False
            self.banner.clear()

    def _tell_failed(self, end: JobEnd) -> None:
        self.banner.show_message("error", f"{end.what} {end.remedy}".strip())

    def _decide(self, verdict: Verdict | None) -> None:
        candidate = self.panel.current
        if candidate is None or self.workspace.read_only or self.flow.is_waiting:
            return
        if verdict is None and candidate.verdict is None:
            self.panel.say("There is no decision to take back here.")
            return
        was_waiting = candidate.place == "waiting"
        case = self.flow.give(candidate, verdict)
        if case is not None:
            self._go_on(case, stay=not was_waiting)

    def _accept_group(self) -> None:
        """Accept what waits in this group; held-back pairs only when nothing else waits."""
        case = self.panel.case
        if case is None or self.workspace.read_only or self.flow.is_waiting:
            return
        waiting = [one for one in case.candidates if one.place == "waiting"]
        plain = [one for one in waiting if not one.flags]
        chosen = plain or waiting
        shown = self.flow.accept(chosen)
        if shown is None:
            return
        self._go_on(shown, stay=False)
        held = len(waiting) - len(chosen)
        if held:
            self.panel.say(
                f"Accepted {count(len(chosen))}. {counted(held, 'pair')} with a warning "
                f"{'is' if held == 1 else 'are'} left: look, or press A again."
            )

    def _go_on(self, case: Case, *, stay: bool) -> None:
        """Show what comes next: in this group, in the next one, or that all is done."""
        kept = case.kept.text or 0
        self.groups.refresh(kept)
        self._show_left()
        waiting = [one for one in case.candidates if one.place == "waiting"]
        if stay or waiting:
            current = self.panel.current
            wanted = None if stay or not waiting else _following(waiting, current)
            self.panel.show_case(case, candidate=wanted)
            self._show_place(case)
            return
        at = self.groups.position(kept)
        skip = self.flow.fresh.merged | {kept}
        following = self.groups.next_waiting(-1 if at is None else at, skip=skip)
        if following is not None:
            self._open_at(following)
        elif self._nothing_left():
            self._finish()
        else:
            self.panel.show_case(case)
            self._show_place(case)
            self.panel.say(
                "Nothing more waits in this list. Other groups are left: show all of them."
            )

    def _keep_other(self) -> None:
        candidate = self.panel.current
        if candidate is not None and not self.workspace.read_only and not self.flow.is_waiting:
            self.flow.keep(candidate)
            self.panel.say("This row stays now; the other one is beside it.")

    def _regroup(self, at_once: bool) -> None:
        if self._settings is None or self._settings.record is None or self.workspace.read_only:
            return
        pause = AFTER_DECISION_MS if self.groups.rowCount() < _MANY_GROUPS else _LONG_PAUSE_MS
        self.regrouper.group(self.strip.options, delay_ms=0 if at_once else pause)

    def _note_asked(self) -> None:
        self._asked_mark = self.flow.fresh.number

    def _note_grouped(self) -> None:
        self._covered = self._asked_mark
        self._read_soon()

    def _step_group(self, by: int) -> None:
        text = self.flow.kept_text
        at = None if text is None else self.groups.position(text)
        to = (0 if by > 0 else self.groups.rowCount() - 1) if at is None else at + by
        if 0 <= to < self.groups.rowCount():
            self._open_at(to)

    def _open_texts(self) -> None:
        case, candidate = self.panel.case, self.panel.current
        if case is not None and candidate is not None:
            self.texts_sheet.show_pair(case.kept, candidate)

    def _open_band(self) -> None:
        if self._settings is None or self._settings.record is None or self.workspace.read_only:
            return
        sheet = BulkSheet(
            self.workspace,
            low=self.strip.options.review,
            high=self.strip.options.threshold,
            parent=self,
        )
        sheet.accepted_pairs.connect(self._note_band)
        sheet.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.band_sheet = sheet
        sheet.open()

    def _note_band(self, pairs: int) -> None:
        # What was on the card may just have been accepted: go on where something waits.
        self.flow.leave()
        self.panel.say(f"Accepted {counted(pairs, 'pair')}. Ctrl+Z takes them all back.")

    def _focus_work(self) -> None:
        if self._stack.currentIndex() == 1:
            self.panel.candidates.setFocus()

    def _change(self, options: GroupOptions) -> None:
        if not self.workspace.read_only:
            self.flow.review_from = options.review
            self.regrouper.group(options)

    def _take_counts(self, outcome: dict[str, Any]) -> None:
        state = self.workspace.state
        self.strip.show_counts(outcome, stale=state is not None and state.pairs_stale)

    def _follow_part(self, key: str) -> None:
        shows = {
            "review": "review",
            "copies": "copies",
            "accepted": "similar",
            "decided": "decided",
        }
        self.filter.choose(shows.get(key, "all"))

    def _note_changes(self, changes: Changes) -> None:
        if changes.groups or changes.pairs or changes.corpus:
            self._read_soon()
        if changes.decisions:
            self.flow.note_decisions()

    def _note_state(self, _state: ProjectState) -> None:
        if self._stack.currentIndex() == 0:
            self._show_empty()
        else:
            self._tell_stale()

    def _note_closed(self) -> None:
        self._settings = self._listed = None
        self._is_reading = False
        self._again.stop()
        self.flow.reset()
        self.groups.show_listing(Listing([], {}))
        self.banner.clear()
        self._show_empty()

    def _press_empty(self) -> None:
        state = self.workspace.state
        if state is None or not state.rows:
            self.import_wanted.emit([])
        else:
            self.prepare_wanted.emit()

    def _press_banner(self, key: str) -> None:
        if key == "prepare":
            self.prepare_wanted.emit()

    def _press_panel(self) -> None:
        """The button of the panel: export when all is done, else the whole list again."""
        if self._nothing_left() and self.filter.wanted.show == "all":
            self.export_wanted.emit("kept")
        else:
            self.filter.choose("all")

    def _connect(self) -> None:
        workspace, panel, flow = self.workspace, self.panel, self.flow
        workspace.changed.connect(self._note_changes)
        workspace.state_changed.connect(self._note_state)
        workspace.closed.connect(self._note_closed)
        workspace.job_queued.connect(lambda _ticket: self._refresh_empty())
        workspace.job_ended.connect(lambda _ticket, _end: self._refresh_empty())
        self.groups.count_fewer(flow.fresh.fewer)
        self.groups.texts_wanted.connect(self._fetch_texts)
        self.list.chosen.connect(flow.open)
        self.filter.changed.connect(lambda _filter: self._read_listing_anew())
        flow.case_ready.connect(self._show_case)
        flow.case_gone.connect(lambda _text: self._begin())
        flow.turned.connect(panel.say)
        flow.regroup_wanted.connect(self._regroup)
        flow.failed.connect(self._tell_failed)
        self.regrouper.asked.connect(self._note_asked)
        self.regrouper.grouped.connect(self._note_grouped)
        self.regrouper.counted.connect(self._take_counts)
        self.regrouper.failed.connect(self._tell_failed)
        self.strip.previewed.connect(self.regrouper.count)
        self.strip.changed.connect(self._change)
        self.strip.band_wanted.connect(self._open_band)
        self.strip.export_wanted.connect(lambda: self.export_wanted.emit("kept"))
        self.strip.part_clicked.connect(self._follow_part)
        self.empty.wanted.connect(self._press_empty)
        self.banner.button_clicked.connect(self._press_banner)
        panel.card.verdict_given.connect(lambda told: self._decide(Verdict(told)))
        panel.card.keep_other_wanted.connect(self._keep_other)
        panel.card.score_hidden.connect(panel.hide_scores)
        panel.previous_wanted.connect(lambda: self._step_group(-1))
        panel.next_wanted.connect(lambda: self._step_group(1))
        panel.accept_wanted.connect(self._accept_group)
        panel.button_pressed.connect(self._press_panel)
        panel.removed_wanted.connect(lambda: self.filter.choose("similar"))
        self._connect_actions()

    def _connect_actions(self) -> None:
        on = self.actions_.on
        on("take-back", lambda: self._decide(None))
        on("next", lambda: self.panel.step(1))
        on("previous", lambda: self.panel.step(-1))
        on("next-group", lambda: self._step_group(1))
        on("previous-group", lambda: self._step_group(-1))
        on("open", self._open_texts)
        on("accept", self._accept_group)
        on("band", self._open_band)
        on("rules", self.strip.open_rules)
        on("export", lambda: self.export_wanted.emit("kept"))
        self.actions_.open_from(
            [self.list, self.panel.candidates, *self.panel.card.findChildren(TextView)]
        )

    def _read_listing_anew(self) -> None:
        """Another filter: its first group is the one to show."""
        self.flow.leave()
        if self._settings is not None and self._settings.record is not None:
            self._read_listing()

    def _refresh_empty(self) -> None:
        if self._stack.currentIndex() == 0:
            self._show_empty()

    def _lay_out(self) -> None:
        left = QWidget()
        column = QVBoxLayout(left)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.filter)
        column.addWidget(self.list, 1)
        split = QSplitter(Qt.Orientation.Horizontal)
        split.addWidget(left)
        split.addWidget(self.panel)
        split.setStretchFactor(1, 1)
        split.setChildrenCollapsible(False)
        split.setSizes([_LIST_WIDTH, 1000])
        line = QFrame()
        set_role(line, "line")
        content = QWidget()
        inner = QVBoxLayout(content)
        inner.setContentsMargins(0, 0, 0, 0)
        inner.setSpacing(0)
        inner.addWidget(self.strip)
        inner.addWidget(line)
        inner.addWidget(split, 1)
        self._stack.addWidget(self.empty)
        self._stack.addWidget(content)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(0)
        outer.addWidget(self.banner)
        outer.addWidget(self._stack, 1)


def _following(waiting: list[Candidate], current: Candidate | None) -> int:
    """The waiting candidate below the one just decided; the list is by falling cosine."""
    score = 2.0 if current is None or current.cosine is None else current.cosine
    below = [one for one in waiting if (one.cosine or 0.0) <= score]
    return (below or waiting)[0].text
