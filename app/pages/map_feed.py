"""Reading what the map page shows, and reading again what moved."""

from PySide6.QtCore import QObject, Signal

from app.pages.map_reads import (
    Clusters,
    Drawn,
    Picture,
    Unreadable,
    read_clusters,
    read_drawn,
    safely,
)
from app.workspace import Workspace


class MapFeed(QObject):
    """Holds the picture and the clusters read last; answers to older questions are dropped."""

    picture_read = Signal(bool)  # whether the points are others than before
    clusters_read = Signal()
    failed = Signal(object)  # Unreadable

    def __init__(self, workspace: Workspace, parent: QObject) -> None:
        super().__init__(parent)
        self._workspace = workspace
        self.picture: Picture | None = None
        self.clusters: Clusters | None = None
        self.is_read = False  # whether it is known what there is
        self.is_busy = False

    def read_picture(self) -> None:
        """Read points and clusters; `picture_read` follows."""
        self.is_busy = True
        self._workspace.read("map.picture", safely(read_drawn), self._take_drawn)

    def read_clusters(self) -> None:
        """Read the clusters of the points at hand; `clusters_read` follows."""
        picture = self.picture
        if picture is None:
            self.read_picture()
            return
        self.is_busy = True
        self._workspace.read(
            "map.clusters",
            safely(lambda project: (picture, read_clusters(project, picture))),
            self._take_clusters,
        )

    def forget(self) -> None:
        """The project is gone."""
        self.picture = self.clusters = None
        self.is_read = self.is_busy = False

    def _take_drawn(self, drawn: Drawn | Unreadable) -> None:
        self.is_busy = False
        if isinstance(drawn, Unreadable):
            self.failed.emit(drawn)
            return
        before = self.picture
        self.picture, self.clusters = drawn.picture, drawn.clusters
        self.is_read = True
        self.picture_read.emit(not _is_alike(before, drawn.picture))

    def _take_clusters(self, found: tuple[Picture, Clusters | None] | Unreadable) -> None:
        self.is_busy = False
        if isinstance(found, Unreadable):
            self.failed.emit(found)
        elif found[0] is self.picture:
            self.clusters = found[1]
            self.clusters_read.emit()


def _is_alike(before: Picture | None, after: Picture | None) -> bool:
    """Whether the points lie as they lay."""
    if before is None or after is None:
        return before is after
    return (
        before.record.id == after.record.id
        and len(before.texts) == len(after.texts)
        and bool((before.texts == after.texts).all())
    )
