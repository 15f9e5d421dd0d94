"""How coarse the clusters are: the slider, the share left over, and the wish behind them."""

from PySide6.QtCore import QObject, QSignalBlocker, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QHBoxLayout, QLabel, QMenu, QSlider, QToolButton, QWidget

from app.jobs import JobEnd
from app.look.icons import set_icon
from app.look.theme import current_theme
from app.look.tokens import ICON_SMALL, XS
from app.look.words import count, counted, percent
from app.workspace import Workspace
from core.store import ClusteringRecord

_ASK_AFTER_MS = 80
_SHARES = (1.0, 0.20, 0.10, 0.05, 0.0)
_WIDEST = "8,888 clusters"
_WIDE, _NARROW = 150, 90  # pixels of the slider


class LevelControl(QWidget):
    """A slider from few large clusters to many small ones, and what it shows in words."""

    moved = Signal(int)  # a level

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._levels: tuple[int, ...] = ()
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setAccessibleName("How fine the clusters are")
        self.slider.setPageStep(1)
        self.slider.setFixedWidth(_WIDE)
        self._coarser = _step("minus", "Fewer, larger clusters")
        self._finer = _step("plus", "More, smaller clusters")
        self._words = QLabel()
        self._words.setMinimumWidth(self._words.fontMetrics().horizontalAdvance(_WIDEST))
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(XS)
        row.addWidget(self._coarser)
        row.addWidget(self.slider)
        row.addWidget(self._finer)
        row.addSpacing(XS)
        row.addWidget(self._words)
        self.slider.valueChanged.connect(self._move)
        self._coarser.clicked.connect(lambda: self.step(-1))
        self._finer.clicked.connect(lambda: self.step(1))

    @property
    def level(self) -> int:
        return self.slider.value()

    @property
    def words(self) -> str:
        """What is said beside the slider."""
        return self._words.text()

    def show_record(self, record: ClusteringRecord, *, follow: bool) -> None:
        """Show the levels there are; `follow` puts the handle on the one shown."""
        self._levels = record.levels
        with QSignalBlocker(self.slider):
            self.slider.setRange(0, max(len(record.levels) - 1, 0))
            if follow:
                self.slider.setValue(record.level)
        if follow:
            # Edits by hand make more or fewer of them than the level has.
            self._tell(record.counts.get("clusters", 0))
        self._allow()

    def set_narrow(self, narrow: bool) -> None:
        """Take less room."""
        self.slider.setFixedWidth(_NARROW if narrow else _WIDE)

    def step(self, by: int) -> None:
        """Go some levels on."""
        self.slider.setValue(self.slider.value() + by)

    def setEnabled(self, enabled: bool) -> None:
        super().setEnabled(enabled)
        self._allow()

    def _move(self, level: int) -> None:
        self._tell(self._levels[level])
        self._allow()
        self.moved.emit(level)

    def _tell(self, clusters: int) -> None:
        self._words.setText(counted(clusters, "cluster") if clusters else "no clusters")
        self.slider.setAccessibleDescription(self._words.text())

    def _allow(self) -> None:
        self._coarser.setEnabled(self.isEnabled() and self.slider.value() > 0)
        self._finer.setEnabled(self.isEnabled() and self.slider.value() < self.slider.maximum())


class LeftoverButton(QToolButton):
    """How many rows are in no cluster, and a menu that says at most how many may be."""

    chosen = Signal(float)  # a share of the rows

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.setIconSize(QSize(ICON_SMALL, ICON_SMALL))
        self.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
        self.setAccessibleName("Unclustered at most")
        set_icon(self, "chevron-down", current_theme().colours)
        menu = QMenu(self)
        menu.setToolTipsVisible(True)
        self._group = QActionGroup(self)
        self._choices: dict[float, QAction] = {}
        for share in _SHARES:
            action = menu.addAction(_share_words(share))
            action.setCheckable(True)
            action.triggered.connect(lambda _on=False, share=share: self.chosen.emit(share))
            self._group.addAction(action)
            self._choices[share] = action
        note = menu.addSection("")
        note.setVisible(False)
        self.setMenu(menu)

    def show_record(self, record: ClusteringRecord) -> None:
        """Show the share that is left over now, and what was asked for."""
        rows, left = record.counts.get("rows", 0), record.counts.get("unclustered", 0)
        assigned = record.counts.get("assigned", 0)
        self.setText(f"{percent(left, rows)} unclustered")
        said = f"{counted(left, 'row')} of {count(rows)} in no cluster"
        if assigned:
            said += f"; {count(assigned)} assigned by their neighbours"
        self.setToolTip(said)
        for share, action in self._choices.items():
            action.setChecked(abs(share - record.most_unclustered) < 1e-9)


class LevelFlow(QObject):
    """Asks for a level once the hand has paused: one at a time, the newest wish wins."""

    failed = Signal(object)  # JobEnd
    settled = Signal()  # what was asked for last is stored

    def __init__(self, workspace: Workspace, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._workspace = workspace
        self._wanted: tuple[int, float] | None = None
        self._is_under_way = False
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_ASK_AFTER_MS)
        self._timer.timeout.connect(self._ask)
        workspace.closed.connect(self.reset)

    @property
    def is_busy(self) -> bool:
        """Whether a level asked for is not stored yet."""
        return self._is_under_way or self._wanted is not None

    def ask(self, level: int, most_unclustered: float) -> None:
        """Show this level soon."""
        self._wanted = (level, most_unclustered)
        if not self._timer.isActive():
            # Not begun anew with each move: a slow drag shows what it passes.
            self._timer.start()

    def reset(self) -> None:
        """Forget what was asked for; the project was closed."""
        self._timer.stop()
        self._wanted = None
        self._is_under_way = False

    def _ask(self) -> None:
        if self._is_under_way or self._wanted is None or self._workspace.folder is None:
            return
        (level, share), self._wanted = self._wanted, None
        self._is_under_way = True
        self._workspace.start(
            "show-level",
            {"level": level, "most_unclustered": share},
            title="Showing other clusters",
            lane="live",
            then=self._settle,
        )

    def _settle(self, end: JobEnd) -> None:
        self._is_under_way = False
        if end.kind == "failed":
            self.failed.emit(end)
        if self._wanted is not None:
            self._ask()
        else:
            self.settled.emit()


def _share_words(share: float) -> str:
    return "As it is" if share >= 1 else f"At most {share:.0%}".replace("%", " %")


def _step(icon: str, words: str) -> QToolButton:
    button = QToolButton()
    button.setIconSize(QSize(ICON_SMALL, ICON_SMALL))
    button.setAutoRepeat(True)
    button.setToolTip(words)
    button.setAccessibleName(words)
    button.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # the slider beside it has the arrows
    set_icon(button, icon, current_theme().colours)
    return button
