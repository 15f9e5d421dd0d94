"""Following a drawing: its rough pictures are shown one after another, until its map is there."""

from PySide6.QtCore import QObject

from app.jobs import Ticket
from app.pages.map_drawing import MapDrawing
from app.pages.map_feed import MapFeed
from app.pages.map_reads import Unreadable, safely
from app.pages.map_view import MapView
from app.workspace import Workspace
from core.progress import Progress
from core.store import MapPoints


class MapSketching(QObject):
    """Shows sketches as a drawing leaves them, until its map is read or it has ended without."""

    def __init__(
        self,
        workspace: Workspace,
        view: MapView,
        feed: MapFeed,
        drawing: MapDrawing,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._workspace = workspace
        self._view = view
        self._feed = feed
        self._drawing = drawing
        self._seen = 0
        workspace.job_progressed.connect(self._follow)
        workspace.closed.connect(self._hide)
        drawing.changed.connect(self._end)
        feed.picture_read.connect(self._hide_if_over)
        feed.failed.connect(self._hide_if_over)

    def _follow(self, ticket: Ticket, progress: Progress) -> None:
        if self._drawing.is_of(ticket) and progress.sketch > self._seen:
            self._seen = progress.sketch
            self._workspace.read(
                "map.sketch", safely(lambda project: project.maps.sketches.newest()), self._take
            )

    def _take(self, points: MapPoints | Unreadable | None) -> None:
        # One that could not be read is followed by another, or by the map.
        if isinstance(points, MapPoints) and self._drawing.is_drawing:
            self._view.sketch.show_points(points)
            self._show(True)

    def _end(self) -> None:
        if not self._drawing.is_drawing:
            self._seen = 0
            if not self._feed.is_busy:  # else what is being read takes the sketch's place
                self._hide()

    def _hide_if_over(self, _told: object = None) -> None:
        if not self._drawing.is_drawing:
            self._hide()

    def _hide(self) -> None:
        self._seen = 0
        self._show(False)

    def _show(self, is_shown: bool) -> None:
        self._view.show_sketch(is_shown)
