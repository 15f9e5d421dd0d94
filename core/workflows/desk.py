"""What a worker keeps between two wishes, so that the second need not read it again."""

from pathlib import Path

from core.store import Project
from core.workflows.cluster_desk import ClusterDesk
from core.workflows.cross_desk import CrossDesk
from core.workflows.grouping_desk import GroupingDesk
from core.workflows.search_desk import SearchDesk


class Desk:
    """What a worker keeps between wishes: the open project and what a slider needs."""

    def __init__(self) -> None:
        self._project: Project | None = None
        self._grouping: GroupingDesk | None = None
        self._clusters: tuple[tuple[int, int], ClusterDesk] | None = None
        self._search: SearchDesk | None = None
        self.cross = CrossDesk()  # of no project, so it stays when one is closed

    def project(self, folder: str, *, read_only: bool = False) -> Project:
        """The project in `folder`, opened on behalf of the window that holds its lock.

        A window that only reads holds none, and its worker does not write either.
        """
        held = self._project
        if held is None or held.folder != Path(folder) or held.read_only != read_only:
            self.close()
            door = Project.open_read_only if read_only else Project.open_for_holder
            self._project = held = door(Path(folder))
        return held

    def grouping(self, project: Project) -> GroupingDesk:
        """The pairs in memory, read again only when rows or pairs have moved."""
        if self._grouping is None or not self._grouping.is_current(project):
            self._grouping = GroupingDesk(project)
        elif self._grouping.decisions != project.meta.revision("decisions"):
            self._grouping.load_decisions(project)
        return self._grouping

    def clusters(self, project: Project) -> ClusterDesk:
        """The clustering in memory, read again only when it or the rows have moved."""
        current = project.clusters.current()
        key = (0 if current is None else current.id, project.meta.revision("corpus"))
        if self._clusters is None or self._clusters[0] != key:
            self._clusters = (key, ClusterDesk.load(project))
        return self._clusters[1]

    @property
    def search(self) -> SearchDesk:
        """The encoder and the vectors that searches by meaning need."""
        if self._search is None:
            self._search = SearchDesk()
        return self._search

    def close(self) -> None:
        """Let go of the project."""
        self._grouping = self._clusters = self._search = None
        if self._project is not None:
            self._project.close()
            self._project = None
