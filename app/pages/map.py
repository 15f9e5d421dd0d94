"""The map page: all texts at one look, their clusters, and the texts that one points at."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from PySide6.QtCore import QEvent
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import QWidget

from app.pages.map_actions import TOOLS, MapActions
from app.pages.map_colours import BY_DECISION, Colouring
from app.pages.map_deeds import MapDeeds
from app.pages.map_drawing import MapDrawing
from app.pages.map_feed import MapFeed
from app.pages.map_finding import MapCards, MapFinding
from app.pages.map_levels import LevelFlow
from app.pages.map_painting import MapPainting
from app.pages.map_saying import MapSaying
from app.pages.map_selection import MapSelection
from app.pages.map_sketching import MapSketching
from app.pages.map_states import has_leftover, has_levels, is_few, why_no_clusters
from app.pages.map_texts_feed import TextsFeed
from app.pages.map_view import MapView
from app.pages.page import Page
from app.workspace import Workspace
from core.records import Changes


class MapPage(Page):
    """Bar above, picture at the left; clusters and the selected texts at the right."""

    name = "Map"

    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        super().__init__(workspace, parent)
        self.actions_ = MapActions(self)
        self.feed = MapFeed(workspace, self)
        self.texts = TextsFeed(workspace, self)
        self.view = MapView(self, workspace, self.texts, self.actions_)
        self.selection = MapSelection(self.view, self.feed, self.texts, self)
        self.painting = MapPainting(workspace, self)
        self.levels = LevelFlow(workspace, self)
        self.drawing = MapDrawing(workspace, self.feed, self)
        self.saying = MapSaying(workspace, self.view, self.feed, self.drawing, self)
        self.sketching = MapSketching(workspace, self.view, self.feed, self.drawing, self)
        self.finding = MapFinding(workspace, self.view, self.feed, self.selection)
        self.cards = MapCards(workspace, self.view, self.feed, self)
        self.deeds = MapDeeds(workspace, self.view, self.feed, self.selection, self.actions_, self)
        self.colouring: Colouring | None = None
        self._wanted_texts: list[int] | None = None  # asked for before the map was read
        self.setFocusProxy(self.view.canvas)
        self._connect_workspace()
        self._connect_parts()
        self._connect_side()
        self._connect_actions()
        self.actions_["pan"].setChecked(True)
        self.saying.show_missing()

    def menu_actions(self) -> dict[str, list[QAction]]:
        return self.actions_.menus()

    def focus_search(self) -> None:
        """Go to the field that finds texts."""
        if not self.view.is_empty_shown:
            self.view.bar.find_field.setFocus()
            self.view.bar.find_field.selectAll()

    def encode_with(self, options: Callable[[], dict[str, Any]]) -> None:
        self.drawing.encode_with = options

    def show_scores(self, scores: Mapping[int, float]) -> None:
        """Offer to colour the map by how well each text answers a search; none: no longer."""
        self.painting.show_scores(scores)
        self.view.bar.offer_scores(bool(scores))

    def show_texts(self, texts: list[int]) -> None:
        """Select these texts and bring them into sight."""
        if self.feed.picture is None:
            self._wanted_texts = list(texts)
        else:
            self.selection.choose_texts(texts)

    @property
    def is_settled(self) -> bool:
        """Whether everything asked for is stored and shown."""
        return not (self.feed.is_busy or self.levels.is_busy or self.deeds.hand.is_busy)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.view.fit(event.size().width())

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self.painting.repaint()

    # What was read.

    def _show_picture(self, has_other_points: bool) -> None:
        picture, clusters = self.feed.picture, self.feed.clusters
        if picture is None or not len(picture.texts):
            self.saying.show_missing()
            return
        was_empty = self.view.is_empty_shown
        self.view.show_empty(False)
        if has_other_points:
            self.view.canvas.show_picture(picture, keep_view=not was_empty)
        self.texts.show_picture(picture, clusters)
        self.view.bar.show_columns(picture.columns)
        self.view.side.details.show_columns(picture.columns.own)
        self.painting.show_picture(picture, clusters)
        self._show_clusters()
        self.selection.renew()
        if self._wanted_texts is not None:
            wanted, self._wanted_texts = self._wanted_texts, None
            self.selection.choose_texts(wanted)
        self.saying.tell_stale()

    def _show_clusters(self) -> None:
        picture, clusters = self.feed.picture, self.feed.clusters
        side, bar = self.view.side, self.view.bar
        self.view.canvas.show_clusters(clusters)
        side.model.is_writable = not self.workspace.read_only
        side.model.show_clusters(clusters)
        side.show_total(side.model.total)
        hint = why_no_clusters(clusters, picture)
        side.show_hint(hint, may_draw=not self.workspace.read_only and not is_few(picture))
        bar.show_clusters(levels=has_levels(clusters), leftover=has_leftover(clusters))
        if clusters is not None:
            may_turn = not self.workspace.read_only
            bar.level.setEnabled(may_turn)
            bar.leftover.setEnabled(may_turn)
            is_held = self.levels.is_busy or bar.level.slider.isSliderDown()
            bar.level.show_record(clusters.record, follow=not is_held)
            bar.leftover.show_record(clusters.record)
        side.details.forget_spread()

    def _follow_level(self) -> None:
        """The handle was let go: say again what is shown, edits by hand and all."""
        clusters = self.feed.clusters
        if clusters is not None and not self.levels.is_busy:
            self.view.bar.level.show_record(clusters.record, follow=True)

    def _take_clusters(self) -> None:
        self.painting.show_clusters(self.feed.clusters)
        self.texts.show_clusters(self.feed.clusters)
        self._show_clusters()
        self.selection.renew_clusters()

    def _paint(self, colouring: Colouring) -> None:
        self.colouring = colouring
        self.view.canvas.show_colouring(colouring)

    def _follow_selection(self) -> None:
        clusters = self.feed.clusters
        chosen = self.selection.clusters
        row = clusters.row(chosen[0]) if clusters is not None and chosen else None
        rows = 0 if clusters is None else clusters.record.counts.get("rows", 0)
        self.view.side.details.show_cluster(row, rows)
        self.deeds.allow()

    # What the window tells.

    def _take_changes(self, changes: Changes) -> None:
        if changes.map or changes.corpus:
            self.selection.hold()
            self.feed.read_picture()
        elif changes.clusters:
            self.feed.read_clusters()
        if changes.decisions:
            self.painting.read_again(BY_DECISION)

    def _forget(self) -> None:
        self.feed.forget()
        self.texts.show_picture(None, None)
        self.painting.show_picture(None, None)
        self.selection.renew()
        self.finding.forget()
        self.view.side.model.show_clusters(None)
        self.view.bar.offer_scores(False)
        self.view.canvas.toast.clear()
        self.view.notices.drop_all()
        self._wanted_texts = None
        self.saying.show_missing()

    # What the hands do.

    def _choose_by_hand(self, mask: object) -> None:
        self.finding.forget()
        self.selection.choose(mask, by="map")  # type: ignore[arg-type]  # a mask, or None

    def _choose_in_list(self, numbers: Sequence[int]) -> None:
        self.finding.forget()
        self.selection.choose_clusters(numbers, by="list")

    def _choose_part(self, code: int) -> None:
        if self.colouring is not None:
            self.finding.forget()
            self.selection.choose(self.colouring.part == code, reveal=True)

    def _choose_cluster(self, number: int) -> None:
        self.finding.forget()
        self.selection.choose_clusters([number])

    def _mark_row(self, row: int) -> None:
        self.view.canvas.mark(self.texts.place_at(row))
        self.deeds.allow()

    def _ask_level(self, level: int) -> None:
        clusters = self.feed.clusters
        if clusters is not None and not self.workspace.read_only:
            self.levels.ask(level, clusters.record.most_unclustered)

    def _ask_leftover(self, share: float) -> None:
        if not self.workspace.read_only:
            self.levels.ask(self.view.bar.level.level, share)

    def _toggle_details(self) -> None:
        is_shown = self.actions_["details"].isChecked()
        self.view.side.tabs.setCurrentIndex(1 if is_shown else 0)

    def _connect_workspace(self) -> None:
        workspace = self.workspace
        workspace.changed.connect(self._take_changes)
        workspace.closed.connect(self._forget)
        self.saying.import_wanted.connect(lambda: self.import_wanted.emit([]))
        self.saying.said.connect(self.deeds.allow)
        self.feed.picture_read.connect(self._show_picture)
        self.feed.clusters_read.connect(self._take_clusters)
        self.levels.settled.connect(self.feed.read_clusters)
        self.levels.failed.connect(self.saying.tell_failed)
        self.deeds.hand.failed.connect(self.saying.tell_failed)
        self.deeds.told.connect(self.saying.tell)
        self.deeds.neighbours_wanted.connect(self.neighbours_wanted)
        self.deeds.document_wanted.connect(self.document_wanted)
        for part in (self.feed, self.texts, self.painting):
            part.failed.connect(self.saying.tell_unreadable)

    def _connect_parts(self) -> None:
        bar, canvas = self.view.bar, self.view.canvas
        self.painting.coloured.connect(self._paint)
        self.selection.changed.connect(self._follow_selection)
        self.selection.chosen.connect(canvas.toast.clear)
        self.deeds.hand.done.connect(self.saying.tell_done)
        canvas.selected.connect(self._choose_by_hand)
        canvas.cluster_clicked.connect(self._choose_cluster)
        canvas.hovered.connect(self.cards.show_place)
        canvas.part_wanted.connect(self._choose_part)
        canvas.view.point_clicked.connect(self.selection.point_at)
        bar.colour_wanted.connect(self.painting.choose)
        bar.level.moved.connect(self._ask_level)
        bar.level.slider.sliderReleased.connect(self._follow_level)
        bar.leftover.chosen.connect(self._ask_leftover)
        bar.words_wanted.connect(self.finding.look_for)
        bar.found_opened.connect(self.finding.show_found)

    def _connect_side(self) -> None:
        side = self.view.side
        side.draw_wanted.connect(self.drawing.ask)
        side.list.chosen.connect(self._choose_in_list)
        side.list.opened.connect(self.actions_["fit-selection"].trigger)
        side.texts.table.row_changed.connect(self._mark_row)
        side.details.text_wanted.connect(lambda text: self.selection.choose_texts([text]))
        side.tabs.currentChanged.connect(lambda at: self.actions_["details"].setChecked(at == 1))

    def _connect_actions(self) -> None:
        on, view = self.actions_.on, self.view
        for tool in TOOLS:
            on(tool, partial(view.canvas.view.set_tool, tool))
        for key, do in (
            ("zoom-in", view.canvas.zoom_in),
            ("zoom-out", view.canvas.zoom_out),
            ("fit", view.canvas.view.fit),
            ("fit-selection", self.finding.show_found),
            ("colour", view.bar.colour.showPopup),
            ("coarser", lambda: view.bar.level.step(-1)),
            ("finer", lambda: view.bar.level.step(1)),
            ("leftover", view.bar.leftover.showMenu),
            ("details", self._toggle_details),
            ("find", self.focus_search),
            ("next", lambda: view.side.list.step(1)),
            ("previous", lambda: view.side.list.step(-1)),
            ("none", lambda: self.selection.choose(None)),
            ("invert", self.selection.turn_around),
            ("export", lambda: self.export_wanted.emit("map")),
            ("export-clusters", lambda: self.export_wanted.emit("clusters")),
            ("add", self.drawing.draw),
            ("draw", self.drawing.ask),
        ):
            on(key, do)
