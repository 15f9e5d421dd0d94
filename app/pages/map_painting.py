"""Colouring the map: by what was chosen, read where it has to be, and told in the legend."""

from collections.abc import Mapping
from functools import partial

from PySide6.QtCore import QObject, Signal

from app.look.theme import current_theme
from app.pages.map_colour_reads import read_column, read_dates, read_decisions, scored
from app.pages.map_colours import (
    BY_CLUSTER,
    BY_DECISION,
    BY_SCORE,
    COLUMN,
    DATE,
    Colouring,
    Kinds,
    Scale,
    colour_clusters,
    colour_kinds,
    colour_plain,
    colour_scale,
)
from app.pages.map_reads import Clusters, Picture, Unreadable, safely
from app.workspace import Workspace
from core.store import Project


class MapPainting(QObject):
    """Knows what the points are coloured by; `coloured` follows every change of it."""

    coloured = Signal(object)  # Colouring
    failed = Signal(object)  # Unreadable

    def __init__(self, workspace: Workspace, parent: QObject) -> None:
        super().__init__(parent)
        self._workspace = workspace
        self._picture: Picture | None = None
        self._clusters: Clusters | None = None
        self._scores: Mapping[int, float] = {}
        self._facts: Kinds | Scale | None = None
        self._key = BY_CLUSTER

    @property
    def key(self) -> str:
        return self._key

    def show_picture(self, picture: Picture | None, clusters: Clusters | None) -> None:
        """Take other points and colour them."""
        self._picture, self._clusters = picture, clusters
        self._facts = None
        self.colour()

    def show_clusters(self, clusters: Clusters | None) -> None:
        """Take other clusters of the same points."""
        self._clusters = clusters
        if self._key == BY_CLUSTER:
            self._paint()

    def show_scores(self, scores: Mapping[int, float]) -> None:
        """Take the scores of a search, by text."""
        self._scores = dict(scores)
        if self._key == BY_SCORE:
            self.colour()

    def choose(self, key: str) -> None:
        """Colour by something else."""
        self._key = key
        self._facts = None
        self.colour()

    def read_again(self, key: str) -> None:
        """Read what the points are coloured by anew, if it is by this."""
        if self._key == key:
            self.colour()

    def colour(self) -> None:
        """Colour the points by what was chosen."""
        picture, key = self._picture, self._key
        if picture is None:
            return
        if key.startswith((COLUMN, DATE)) or key == BY_DECISION:
            self._workspace.read(
                "map.colours",
                safely(lambda project: _read_facts(project, picture, key)),
                partial(self._take, picture, key),
            )
        else:
            self._facts = scored(self._scores, picture) if key == BY_SCORE else None
            self._paint()

    def repaint(self) -> None:
        """Take on the theme that the program wears now."""
        self._paint()

    def _take(self, picture: Picture, key: str, facts: Kinds | Scale | Unreadable) -> None:
        if isinstance(facts, Unreadable):
            self.failed.emit(facts)
        elif picture is self._picture and key == self._key:
            self._facts = facts
            self._paint()

    def _paint(self) -> None:
        if self._picture is not None:
            self.coloured.emit(self._colouring(self._picture))

    def _colouring(self, picture: Picture) -> Colouring:
        theme = current_theme()
        if isinstance(self._facts, Kinds):
            return colour_kinds(self._facts, picture, theme)
        if isinstance(self._facts, Scale):
            return colour_scale(self._facts, picture, theme)
        if self._key == BY_CLUSTER and self._clusters is not None:
            return colour_clusters(self._clusters, picture, theme)
        return colour_plain(picture, theme)


def _read_facts(project: Project, picture: Picture, key: str) -> Kinds | Scale:
    if key.startswith(COLUMN):
        return read_column(project, picture, key.removeprefix(COLUMN))
    if key.startswith(DATE):
        return read_dates(project, picture, key.removeprefix(DATE))
    return read_decisions(project, picture)
