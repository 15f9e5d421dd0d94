"""What is selected: one choice of points that the map, the list and the table all show."""

from collections.abc import Sequence
from typing import Literal

import numpy as np
from PySide6.QtCore import QObject, Signal

from app.pages.map_feed import MapFeed
from app.pages.map_reads import UNCLUSTERED, Mask
from app.pages.map_texts_feed import TextsFeed
from app.pages.map_view import MapView

By = Literal["map", "list", "other"]


class MapSelection(QObject):
    """Keeps the chosen points, in the order of the picture, and tells the parts of the page."""

    changed = Signal()
    chosen = Signal()  # other points, unlike other clusters of the same ones

    def __init__(self, view: MapView, feed: MapFeed, texts: TextsFeed, parent: QObject) -> None:
        super().__init__(parent)
        self._view = view
        self._feed = feed
        self._texts = texts
        self._mask: Mask | None = None
        self._ids: list[int] | None = None  # kept while other points are read

    @property
    def mask(self) -> Mask | None:
        """Which points are chosen; None: nothing is."""
        return self._mask

    @property
    def texts(self) -> list[int]:
        """The chosen texts, those of most rows first."""
        picture = self._feed.picture
        if picture is None or self._mask is None:
            return []
        at = np.flatnonzero(self._mask)
        found: list[int] = picture.texts[at[np.argsort(-picture.rows[at], kind="stable")]].tolist()
        return found

    @property
    def clusters(self) -> list[int]:
        """The clusters chosen in the list, in its order; what no cluster holds is none."""
        return [one for one in self._view.side.list.numbers if one != UNCLUSTERED]

    @property
    def current(self) -> int | None:
        """The one text that is meant: that of the row, or the only one."""
        row = self._view.side.texts.table.currentIndex().row()
        text = self._texts.text_at(row)
        if text is None and len(self._texts.order) == 1:
            text = self._texts.text_at(0)
        return text

    def choose(self, mask: Mask | None, *, by: By = "other", reveal: bool = False) -> None:
        """Choose these points; `by` names the part that shows them already."""
        if mask is not None and not mask.any():
            mask = None
        self._mask = mask
        if self._ids is not None:
            self._ids = self.texts  # chosen while other points are being read: this is meant now
        if by != "map":
            self._view.canvas.select(mask, reveal=reveal)
        self._view.canvas.mark(None)
        self._texts.show_selection(mask)
        self._count()
        if by != "list":
            self._mark_list()
        self.chosen.emit()
        self.changed.emit()

    def choose_texts(self, texts: Sequence[int], *, reveal: bool = True) -> None:
        """Choose the points of these texts."""
        picture = self._feed.picture
        if picture is not None:
            self.choose(picture.mask(texts), reveal=reveal)

    def choose_clusters(self, numbers: Sequence[int], *, by: By = "other") -> None:
        """Choose all points of these clusters."""
        clusters = self._feed.clusters
        if clusters is not None:
            self.choose(clusters.mask(numbers) if numbers else None, by=by, reveal=True)

    def turn_around(self) -> None:
        """Choose what is not chosen, and the other way round."""
        picture = self._feed.picture
        if picture is not None:
            nothing = np.zeros(len(picture.texts), np.bool_)
            self.choose(~(nothing if self._mask is None else self._mask))

    def point_at(self, place: int) -> None:
        """A point was clicked: go to its row, alone where it is not among the chosen."""
        picture = self._feed.picture
        if picture is None:
            return
        if self._mask is None or not self._mask[place]:
            alone = np.zeros(len(picture.texts), np.bool_)
            alone[place] = True
            self.choose(alone)
        row = self._texts.row_of(place)
        if row is not None:
            self._view.side.texts.table.go_to(row)

    def hold(self) -> None:
        """Remember the chosen texts while other points are read."""
        self._ids = self.texts

    def renew(self) -> None:
        """Choose the same texts among the points there are now."""
        ids, self._ids = self._ids or [], None
        picture = self._feed.picture
        if picture is None:
            self._mask = None
            self._count()
        else:
            self.choose(picture.mask(ids) if ids else None)

    def renew_clusters(self) -> None:
        """Other clusters: mark those that the choice is made of now."""
        self._mark_list()
        self._count()
        self.changed.emit()

    def _mark_list(self) -> None:
        clusters = self._feed.clusters
        whole = () if clusters is None or self._mask is None else clusters.whole_in(self._mask)
        self._view.side.list.select(whole)

    def _count(self) -> None:
        picture = self._feed.picture
        if picture is None or self._mask is None:
            self._view.side.texts.show_counts(0, 0)
        else:
            rows = int(picture.rows[self._mask].sum())
            self._view.side.texts.show_counts(int(self._mask.sum()), rows)
