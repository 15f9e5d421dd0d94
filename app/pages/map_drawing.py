"""Having the map drawn: the sheet that asks how, the wish, and whether one is under way."""

from collections.abc import Callable
from dataclasses import asdict, replace
from typing import Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from app.jobs import JobEnd, Ticket
from app.pages.map_feed import MapFeed
from app.pages.map_sheet import DrawChoice, DrawSheet, choice_from
from app.pages.map_states import DRAWING_WISHES
from app.workspace import Workspace
from core.options import EncodeOptions


class MapDrawing(QObject):
    """Starts the wish `chart` with what was chosen last, or with what the sheet says.

    `encode_with` gives the options for texts without a vector, which settings may know better.
    """

    changed = Signal()  # a drawing began or ended

    def __init__(self, workspace: Workspace, feed: MapFeed, host: QWidget) -> None:
        super().__init__(host)
        self._workspace = workspace
        self._feed = feed
        self._host = host
        self._under_way: set[int] = set()
        self.sheet: DrawSheet | None = None
        self.encode_with: Callable[[], dict[str, Any]] = self._encode_options
        workspace.job_queued.connect(self._note_queued)
        workspace.job_ended.connect(self._note_ended)
        workspace.closed.connect(self._under_way.clear)

    @property
    def is_drawing(self) -> bool:
        """Whether clusters or a map are on their way."""
        return bool(self._under_way)

    def is_of(self, ticket: Ticket) -> bool:
        """Whether this job is a drawing under way."""
        return ticket.number in self._under_way

    def draw(self) -> None:
        """Draw with the options of last time; new texts take places in the picture there is."""
        was = self._last_choice()
        self.start(replace(was, map=replace(was.map, keep=True)))

    def ask(self) -> None:
        """Ask how, then draw."""
        state = self._workspace.state
        if state is None or self._workspace.read_only:
            return
        sheet = DrawSheet(
            self._last_choice(), rows=state.rows - state.blank, texts=state.texts,
            has_map=self._feed.picture is not None, parent=self._host,
        )  # fmt: skip
        self.sheet = sheet
        sheet.accepted.connect(lambda: self.start(sheet.choice))
        sheet.finished.connect(sheet.deleteLater)
        sheet.open()

    def start(self, choice: DrawChoice) -> None:
        """Draw with these options."""
        if self._workspace.folder is None or self.is_drawing:
            return
        values = {
            "clusters": asdict(choice.clusters),
            "map": asdict(choice.map),
            "encode": self.encode_with(),
        }
        self._workspace.start("chart", values, title="Drawing the map")

    def _last_choice(self) -> DrawChoice:
        picture, clusters = self._feed.picture, self._feed.clusters
        return choice_from(
            {} if clusters is None else clusters.record.options,
            {} if picture is None else picture.record.options,
        )

    def _encode_options(self) -> dict[str, Any]:
        """New texts get vectors of the same encoder as those before."""
        state = self._workspace.state
        encoder = None if state is None else state.encoder
        return asdict(EncodeOptions() if encoder is None else EncodeOptions(encoder.folder))

    def _note_queued(self, ticket: Ticket) -> None:
        if ticket.wish in DRAWING_WISHES:
            self._under_way.add(ticket.number)
            self.changed.emit()

    def _note_ended(self, ticket: Ticket, _end: JobEnd) -> None:
        if ticket.number in self._under_way:
            self._under_way.discard(ticket.number)
            self.changed.emit()
