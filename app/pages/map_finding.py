"""Finding texts on the map by their words, and the card of the point under the pointer."""

from functools import partial

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject

from app.look.words import count
from app.pages.map_feed import MapFeed
from app.pages.map_reads import ASSIGNED, Card, Picture, Unreadable, read_card, safely
from app.pages.map_selection import MapSelection
from app.pages.map_view import MapView
from app.workspace import Workspace
from core.store import DocumentFilter


class MapFinding(QObject):
    """Selects the texts that hold some words, or whose cluster is called by them."""

    def __init__(
        self, workspace: Workspace, view: MapView, feed: MapFeed, selection: MapSelection
    ) -> None:
        super().__init__(selection)
        self._workspace = workspace
        self._view = view
        self._feed = feed
        self._selection = selection
        self._words = ""

    def look_for(self, words: str) -> None:
        """Select what holds these words; nothing to look for selects nothing."""
        if words == self._words:
            return
        self._words = words
        if not words:
            self._view.bar.find_field.show_found(None)
            self._selection.choose(None)
            return
        wanted = DocumentFilter(contains=words)
        self._workspace.read(
            "map.find",
            safely(lambda project: project.documents.texts(wanted)),
            partial(self._take, words),
        )

    def show_found(self) -> None:
        """Bring what was found into sight."""
        if self._selection.mask is not None:
            self._view.canvas.view.fit_to(self._selection.mask)

    def forget(self) -> None:
        """Something else was selected: the field no longer tells what is."""
        self._words = ""
        self._view.bar.find_field.blockSignals(True)
        self._view.bar.find_field.clear()
        self._view.bar.find_field.blockSignals(False)
        self._view.bar.find_field.show_found(None)

    @property
    def is_on(self) -> bool:
        """Whether the selection is what was looked for."""
        return bool(self._words)

    def _take(self, words: str, found: NDArray[np.int64] | Unreadable) -> None:
        picture, clusters = self._feed.picture, self._feed.clusters
        if isinstance(found, Unreadable) or picture is None or words != self._words:
            return
        mask = picture.mask(found)
        if clusters is not None:
            named = [
                one.number for one in clusters.listed if words.casefold() in one.name.casefold()
            ]
            # A name given by hand need not stand in the texts; keywords do, in some of them.
            by_hand = [one for one in named if (row := clusters.row(one)) and row.is_named]
            mask |= clusters.mask(by_hand)
        self._view.bar.find_field.show_found(int(mask.sum()))
        self._selection.choose(mask)


class MapCards(QObject):
    """Fills the card beside the point under the pointer."""

    def __init__(self, workspace: Workspace, view: MapView, feed: MapFeed, parent: QObject) -> None:
        super().__init__(parent)
        self._workspace = workspace
        self._view = view
        self._feed = feed
        self._place = -1

    def show_place(self, place: int) -> None:
        """Show the card of a point; -1: none."""
        self._place = place
        picture = self._feed.picture
        if place < 0 or picture is None:
            self._view.canvas.view.hide_card()
            return
        text, columns = int(picture.texts[place]), picture.columns.own
        self._workspace.read(
            "map.card",
            safely(lambda project: read_card(project, text, columns)),
            partial(self._take, picture, place),
        )

    def _take(self, picture: Picture, place: int, card: Card | Unreadable | None) -> None:
        is_late = place != self._place or picture is not self._feed.picture
        if is_late or card is None or isinstance(card, Unreadable):
            return
        meta = [f"×{count(card.rows)}"] if card.rows > 1 else []
        meta += [f"{name} {cell}" for name, cell in card.cells]
        self._view.canvas.view.show_card(self._title(place), card.body, "  ·  ".join(meta))

    def _title(self, place: int) -> str:
        clusters = self._feed.clusters
        if clusters is None:
            return ""
        at = int(clusters.place[place])
        if at < 0:
            return "Unclustered"
        name = clusters.listed[at].name
        return f"{name} (assigned)" if int(clusters.how[place]) == ASSIGNED else name
