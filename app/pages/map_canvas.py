"""The picture with what floats over it: tools, legend, the ring of a row, and what was done."""

import re
from collections import Counter
from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QAction, QColor, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QPushButton,
    QToolButton,
    QWidget,
)

from app.look.icons import set_icon
from app.look.theme import current_theme, set_role
from app.look.tokens import ICON, ICON_SMALL, XS, L, M, S
from app.pages.map_colours import Colouring
from app.pages.map_legend import Legend
from app.pages.map_reads import Clusters, Mask, Picture
from app.widgets.elided import ElidedLabel
from app.widgets.scatter_labels import MapLabel
from app.widgets.scatter_view import ScatterView
from app.widgets.shown_text import visible
from core.store import ClusterRow

_LABEL_WORDS = 3  # keywords of a cluster that nobody named
_LABEL_LETTERS = 48
_NUMBER = re.compile(r" \(\d+\)$")
_MOST_LABELS = 400  # more would find no room, and setting each takes time
_RING = 9.0
_ZOOM = 1.5


class MapCanvas(QWidget):
    """Shows a picture; the selection and the camera stay when only colours change."""

    selected = Signal(object)  # (n,) bool or None, by hand
    cluster_clicked = Signal(int)
    hovered = Signal(int)  # place of a point, -1 for none
    part_wanted = Signal(int)  # an entry of the legend

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.view = ScatterView(self)
        self.ring = PointRing(self.view)
        self.legend = Legend(self)
        self.tools = ToolRow(self)
        self.toast = Toast(self)
        self.toast.hidden_or_shown.connect(self._place)
        self._picture: Picture | None = None
        self.view.setAccessibleName("Map of the texts")
        self.view.selection_changed.connect(self.selected)
        self.view.label_clicked.connect(self._click_label)
        self.view.hovered.connect(self.hovered)
        self.view.view_changed.connect(self.ring.follow)
        self.view.ready.connect(self.ring.follow)
        self.legend.part_wanted.connect(self.part_wanted)
        self.setFocusProxy(self.view)
        self.setMinimumSize(320, 240)

    def show_picture(self, picture: Picture, *, keep_view: bool) -> None:
        """Show other points; where `keep_view`, from where one looked before."""
        self._picture = picture
        self.ring.drop()
        self.view.show_points(picture.xy, keep_view=keep_view)
        self.view.show_sizes(picture.rows)

    def show_clusters(self, clusters: Clusters | None) -> None:
        """Write the names of clusters on the map."""
        if clusters is None:
            self.view.show_labels([], None)
            return
        largest = clusters.listed[:_MOST_LABELS]
        labels = [
            MapLabel(words, *clusters.spots[row.number], float(row.rows), row.number)
            for row, words in zip(largest, label_words(largest), strict=True)
            if row.number in clusters.spots and not row.is_excluded
        ]  # fmt: skip
        self.view.show_labels(labels, clusters.cluster)

    def show_colouring(self, colouring: Colouring) -> None:
        """Colour the points and say what it means."""
        if colouring.values is not None:
            self.view.show_values(colouring.values)
        elif colouring.index is not None:
            self.view.show_colors(colouring.index, list(colouring.palette))
        self.legend.show_colouring(colouring)
        self._place()

    def mark(self, place: int | None) -> None:
        """Ring a point, as the row of a table does."""
        if self._picture is None or place is None:
            self.ring.drop()
        else:
            x, y = self._picture.xy[place].tolist()
            self.ring.show_at(x, y)

    def select(self, mask: Mask | None, *, reveal: bool = False) -> None:
        self.view.select(mask, reveal=reveal)

    def zoom_in(self) -> None:
        self.view.zoom(_ZOOM)

    def zoom_out(self) -> None:
        self.view.zoom(1 / _ZOOM)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.view.setGeometry(self.rect())
        self.ring.setGeometry(self.view.rect())
        self._place()

    def _click_label(self, key: object) -> None:
        if isinstance(key, int):
            self.cluster_clicked.emit(key)

    def _place(self) -> None:
        self.tools.adjustSize()
        self.tools.move(M, M)
        self.legend.adjustSize()
        self.legend.move(M, self.height() - self.legend.height() - M)
        over = [part for part in (self.tools, self.legend) if not part.isHidden()]
        self.view.keep_clear([QRectF(part.geometry()) for part in over])
        self.toast.fit(self.width() - 2 * L)
        corner = self.rect().bottomRight()
        self.toast.move(corner.x() - self.toast.width() - M, corner.y() - self.toast.height() - M)


class ToolRow(QFrame):
    """The tools, side by side, in a card over a corner of the map."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        set_role(self, "card")
        self.setAccessibleName("Tools of the map")
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(XS - 1, XS - 1, XS - 1, XS - 1)
        self._row.setSpacing(0)

    def add(self, actions: Sequence[QAction]) -> None:
        """Add buttons after those there are, parted from them by a line."""
        if self._row.count():
            line = QFrame()
            set_role(line, "upright")
            line.setFixedHeight(ICON)
            self._row.addSpacing(XS - 1)
            self._row.addWidget(line)
            self._row.addSpacing(XS - 1)
        for action in actions:
            button = QToolButton()
            button.setDefaultAction(action)
            button.setIconSize(QSize(ICON, ICON))
            button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)
            keys = action.shortcut().toString()
            button.setToolTip(f"{action.text()}  ({keys})" if keys else action.text())
            button.setAccessibleName(action.text())
            self._row.addWidget(button)
        self.adjustSize()


class PointRing(QWidget):
    """A ring around one point that stays on it wherever the map is moved."""

    def __init__(self, view: ScatterView) -> None:
        super().__init__(view)
        self._view = view
        self._spot: tuple[float, float] | None = None
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()

    @property
    def spot(self) -> tuple[float, float] | None:
        """Where the ring is, in the map's coordinates."""
        return self._spot

    def show_at(self, x: float, y: float) -> None:
        self._spot = (x, y)
        self.show()
        self.update()

    def drop(self) -> None:
        self._spot = None
        self.hide()

    def follow(self) -> None:
        if self._spot is not None:
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._spot is None:
            return
        colours = current_theme().colours
        middle: QPointF = self._view.spot_of(*self._spot)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for width, colour in ((5.0, colours.paper), (2.0, colours.ink)):
            painter.setPen(QPen(QColor(colour), width))
            painter.drawEllipse(middle, _RING, _RING)


class Toast(QFrame):
    """Says what was done, with a way back; goes with the next thing that is done."""

    undo_wanted = Signal()
    hidden_or_shown = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        set_role(self, "card")
        self._words = ElidedLabel()
        self._words.setAlignment(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft)
        self._undo = QPushButton("Undo")
        set_role(self._undo, "link")
        self._close = QToolButton()
        self._close.setIconSize(QSize(ICON_SMALL, ICON_SMALL))
        self._close.setAccessibleName("Close")
        set_icon(self._close, "close", current_theme().colours)
        row = QHBoxLayout(self)
        row.setContentsMargins(M, XS, XS, XS)
        row.setSpacing(S)
        row.addWidget(self._words, 1)
        row.addWidget(self._undo)
        row.addWidget(self._close)
        self._undo.clicked.connect(self._take_back)
        self._close.clicked.connect(self.clear)
        self.hide()

    @property
    def words(self) -> str:
        return "" if self.isHidden() else self._words.text()

    def say(self, words: str) -> None:
        self._words.setText(visible(words))
        self.setAccessibleName(words)
        self.show()
        self.raise_()
        self.hidden_or_shown.emit()

    def clear(self) -> None:
        self.hide()

    def fit(self, room: int) -> None:
        """As wide as the words, where there is room."""
        self.resize(min(self.sizeHint().width(), max(room, 160)), self.sizeHint().height())

    def _take_back(self) -> None:
        self.clear()
        self.undo_wanted.emit()


def label_words(rows: Sequence[ClusterRow]) -> list[str]:
    """Names short enough for the map; those that would be alike as the list tells them apart."""
    shortest = [
        row.name if row.is_named or not row.keywords else ", ".join(row.keywords[:_LABEL_WORDS])
        for row in rows
    ]
    times = Counter(shortest)
    return [
        _cut(row.name if times[words] > 1 else words)
        for row, words in zip(rows, shortest, strict=True)
    ]


def _cut(words: str) -> str:
    """One line; the number that tells two alike apart stays at its end."""
    line = " ".join(words.split())
    if len(line) <= _LABEL_LETTERS:
        return line
    number = _NUMBER.search(line)
    end = "…" if number is None else f"…{number[0]}"
    return line[: _LABEL_LETTERS - len(end)].rstrip() + end
