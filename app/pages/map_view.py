"""How the map page is laid out."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QSplitter, QStackedWidget, QVBoxLayout, QWidget

from app.look.theme import set_role
from app.pages.corpus_notices import Notices
from app.pages.map_actions import MapActions
from app.pages.map_bar import MapBar
from app.pages.map_canvas import MapCanvas
from app.pages.map_picker import ClusterPicker
from app.pages.map_side import MapSide
from app.pages.map_sketch import SketchView
from app.pages.map_texts_feed import TextsFeed
from app.widgets.empty_state import EmptyState
from app.workspace import Workspace

_SIDE_PART = 0.32  # of the page
_LEAST_SIDE, _MOST_SIDE = 340, 520


class MapView:
    """The parts of the page, put into it: bar above, map at the left, lists at the right."""

    def __init__(
        self, page: QWidget, workspace: Workspace, feed: TextsFeed, actions: MapActions
    ) -> None:
        self.bar = MapBar()
        self.canvas = MapCanvas()
        self.side = MapSide(workspace, feed, page)
        self.picker = ClusterPicker(page)
        self.notices = Notices()
        self.empty = EmptyState("map")
        self.sketch = SketchView()
        self._is_empty = True
        self._is_sketched = False
        self._stack = QStackedWidget()
        self._content = QWidget()
        self._split = QSplitter(Qt.Orientation.Horizontal)
        self._is_fitting = True
        self._lay_out(page)
        self._give_buttons(actions)

    @property
    def is_empty_shown(self) -> bool:
        """Whether there is no map to show, now or below a sketch."""
        return self._is_empty

    @property
    def is_sketch_shown(self) -> bool:
        return self._is_sketched

    def show_empty(self, shown: bool) -> None:
        """Show what is said in place of a map, or the map; a sketch stays above either."""
        self._is_empty = shown
        self._turn()

    def show_sketch(self, shown: bool) -> None:
        """Show a sketch above all else, or again what is below it."""
        self._is_sketched = shown
        self._turn()

    def _turn(self) -> None:
        below = self.empty if self._is_empty else self._content
        self._stack.setCurrentWidget(self.sketch if self._is_sketched else below)

    def fit(self, width: int) -> None:
        """Give the right side a part of the page's width, until a hand has chosen one."""
        if self._is_fitting:
            side = round(min(max(_SIDE_PART * width, _LEAST_SIDE), _MOST_SIDE))
            self._split.setSizes([width - side, side])

    def _leave_width(self) -> None:
        self._is_fitting = False

    def _give_buttons(self, actions: MapActions) -> None:
        self.canvas.tools.add([actions[key] for key in ("pan", "lasso", "rectangle")])
        self.canvas.tools.add([actions[key] for key in ("zoom-in", "zoom-out", "fit")])
        self.side.show_actions([actions[key] for key in ("rename", "merge", "split", "exclude")])
        self.side.texts.show_actions(
            [actions[key] for key in ("move", "new", "same", "different")],
            [actions[key] for key in ("like", "document", "fit-selection", "invert", "none")],
        )
        self.bar.set_menus(
            [actions[key] for key in ("picture", "export", "export-clusters")],
            [actions[key] for key in ("draw", "add")],
        )

    def _lay_out(self, page: QWidget) -> None:
        inner, outer = QVBoxLayout(self._content), QVBoxLayout(page)
        for layout in (inner, outer):
            layout.setContentsMargins(0, 0, 0, 0)
            layout.setSpacing(0)
        # From the outside in: what is moved takes all that is in it along.
        outer.addWidget(self.notices)
        outer.addWidget(self._stack, 1)
        for part in (self.empty, self._content, self.sketch):
            self._stack.addWidget(part)
        line = QFrame()
        set_role(line, "line")
        split = self._split
        inner.addWidget(self.bar)
        inner.addWidget(line)
        inner.addWidget(split, 1)
        split.addWidget(self.canvas)
        split.addWidget(self.side)
        split.setChildrenCollapsible(False)
        split.setStretchFactor(0, 1)
        split.splitterMoved.connect(self._leave_width)
