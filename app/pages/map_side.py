"""The right side of the map page: clusters, one of them in full, and the selected texts."""

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QMenu,
    QPushButton,
    QSplitter,
    QStackedWidget,
    QTabWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.look.icons import set_icon
from app.look.theme import current_theme, set_role
from app.look.tokens import ICON_SMALL, XS, L, M, S
from app.look.words import count
from app.pages.map_cluster_list import ClusterList
from app.pages.map_cluster_model import ClusterModel
from app.pages.map_details import ClusterDetails
from app.pages.map_texts import TextsPanel
from app.pages.map_texts_feed import TextsFeed
from app.workspace import Workspace


class MapSide(QSplitter):
    """Clusters above, texts below."""

    draw_wanted = Signal()  # from where there are no clusters

    def __init__(self, workspace: Workspace, feed: TextsFeed, parent: QWidget) -> None:
        super().__init__(Qt.Orientation.Vertical, parent)
        self.model = ClusterModel(self)
        self.list = ClusterList(self.model)
        self.filter = QLineEdit()
        self.details = ClusterDetails(workspace)
        self.texts = TextsPanel(feed)
        self.tabs = QTabWidget()
        self._sort = QToolButton()
        self._row = QHBoxLayout()
        self._body = QStackedWidget()
        self._hint = QLabel()
        self._again = QPushButton("Draw again…")
        self._lay_out()
        self.filter.textChanged.connect(self.model.filter)
        self._again.clicked.connect(self.draw_wanted)

    @property
    def hint(self) -> str:
        """What is said in place of clusters."""
        return self._hint.text() if self._body.currentIndex() == 1 else ""

    def show_total(self, clusters: int) -> None:
        """Say on the tab how many clusters there are."""
        self.tabs.setTabText(0, f"Clusters  {count(clusters)}" if clusters else "Clusters")

    def show_hint(self, words: str, *, may_draw: bool) -> None:
        """Say why there are no clusters; empty: there are some."""
        self._hint.setText(words)
        self._again.setVisible(may_draw)
        self._body.setCurrentIndex(1 if words else 0)
        self.filter.setEnabled(not words)
        self._sort.setEnabled(not words)

    def show_actions(self, actions: list[QAction]) -> None:
        """Buttons for the clusters chosen, beside the filter."""
        for action in actions:
            button = QToolButton()
            button.setDefaultAction(action)
            button.setIconSize(QSize(ICON_SMALL, ICON_SMALL))
            button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)
            button.setToolTip(f"{action.text()}  ({action.shortcut().toString()})")
            button.setAccessibleName(action.text())
            self._row.addWidget(button)

    def _lay_out(self) -> None:
        self.filter.setPlaceholderText("Filter by name")
        self.filter.setAccessibleName("Filter the clusters by name")
        self.filter.setClearButtonEnabled(False)
        set_icon(self._sort, "sort", current_theme().colours)
        self._sort.setIconSize(QSize(ICON_SMALL, ICON_SMALL))
        self._sort.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._sort.setAccessibleName("Order of the clusters")
        self._sort.setToolTip("Order of the clusters")
        menu = QMenu(self)
        group = QActionGroup(self)
        for words, by_name in (("Largest first", False), ("By name", True)):
            action = menu.addAction(words)
            action.setCheckable(True)
            action.setChecked(not by_name)
            action.triggered.connect(lambda _on=False, name=by_name: self.model.sort_by(name=name))
            group.addAction(action)
        self._sort.setMenu(menu)
        self._row.setContentsMargins(M, S, S, S)
        self._row.setSpacing(0)
        self._row.addWidget(self.filter, 1)
        self._row.addSpacing(XS)
        self._row.addWidget(self._sort)
        self._hint.setWordWrap(True)
        self._hint.setAlignment(Qt.AlignmentFlag.AlignCenter)
        set_role(self._hint, "muted")
        nothing = QWidget()
        middle = QVBoxLayout(nothing)
        middle.setContentsMargins(L, L, L, L)
        middle.addStretch(1)
        middle.addWidget(self._hint)
        middle.addSpacing(S)
        middle.addWidget(self._again, 0, Qt.AlignmentFlag.AlignHCenter)
        middle.addStretch(2)
        self._body.addWidget(self.list)
        self._body.addWidget(nothing)
        clusters = QWidget()
        column = QVBoxLayout(clusters)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(self._row)
        column.addWidget(self._body, 1)
        self.tabs.addTab(clusters, "Clusters")
        self.tabs.addTab(self.details, "About")
        self.tabs.setDocumentMode(True)
        set_role(self.tabs, "side")
        self.tabs.tabBar().setExpanding(False)
        self.tabs.tabBar().setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.tabs.setMinimumHeight(170)
        self.texts.setMinimumHeight(130)
        self.addWidget(self.tabs)
        self.addWidget(self.texts)
        self.setChildrenCollapsible(False)
        self.setStretchFactor(0, 4)
        self.setStretchFactor(1, 5)
        self.setMinimumWidth(320)
