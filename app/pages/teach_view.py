"""How the teach page is laid out: material, recipe or training, trainings."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QSizePolicy,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from app.look.theme import set_role
from app.look.tokens import L, M, S
from app.pages.teach_material import MaterialColumn
from app.pages.teach_parts import Column, line, note
from app.pages.teach_recipe import Recipe
from app.pages.teach_running import RunningPanel
from app.pages.teach_runs import RunsColumn
from app.widgets.banner import Banner
from app.widgets.curve_plot import CurvePlot
from app.widgets.empty_state import EmptyState

_LEFT = (208, 300)  # pixels at least and at most
_RIGHT = (290, 440)
_MIDDLE_MOST = 760  # of what is read and drawn in the middle
_PLOT_LEAST = 300
_WIDE = 1900  # pixels of the page from which on the side columns are widest
_NARROW = 900
_BUTTONS = 370  # pixels that the buttons of a running training need beside each other


class TeachView:
    """The parts of the page, put into it."""

    def __init__(self, page: QWidget) -> None:
        self.material = MaterialColumn()
        self.recipe = Recipe()
        self.running = RunningPanel()
        self.plot = CurvePlot()
        self.plot_title = note(role="heading")
        self.banner = Banner()
        self.runs = RunsColumn()
        self.empty = EmptyState("teach")
        self._plot_card = QFrame()
        self._stack = QStackedWidget()
        self._lay_out(page)
        self.show_running(False)

    @property
    def is_empty_shown(self) -> bool:
        return self._stack.currentWidget() is self.empty

    def show_empty(self, shown: bool) -> None:
        """Show what is said in place of the columns, or the columns."""
        self._stack.setCurrentIndex(0 if shown else 1)

    def show_running(self, running: bool) -> None:
        """Show the training in place of the recipe."""
        self.running.setVisible(running)
        self.recipe.setVisible(not running)

    def show_plot(self, shown: bool, *, of: str = "") -> None:
        """Show the curves, of the training that runs or of the one named."""
        self.plot_title.setText(of)
        self.plot_title.setVisible(bool(of))
        self._plot_card.setVisible(shown)

    def fit(self, width: int) -> None:
        """Give the side columns a share of the width that leaves the middle room."""
        share = min(max((width - _NARROW) / (_WIDE - _NARROW), 0.0), 1.0)
        for column, (least, most) in ((self.material, _LEFT), (self.runs, _RIGHT)):
            column.setFixedWidth(round(least + share * (most - least)))
        middle = width - self.material.width() - self.runs.width() - 2 * L
        self.running.set_narrow(middle < _BUTTONS)

    def _lay_out(self, page: QWidget) -> None:
        plot = QVBoxLayout(self._plot_card)
        plot.setContentsMargins(L, M, L, M)
        plot.setSpacing(S)
        plot.addWidget(self.plot_title)
        plot.addWidget(self.plot)
        set_role(self._plot_card, "card")
        self._plot_card.setMinimumHeight(_PLOT_LEAST)
        self._plot_card.setMaximumHeight(560)
        self._plot_card.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Expanding)
        inside = QWidget()
        inside.setMaximumWidth(_MIDDLE_MOST)
        column = QVBoxLayout(inside)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(L)
        for part in (self.banner, self.running, self.recipe):
            column.addWidget(part)
        column.addWidget(self._plot_card, 1000)
        column.addStretch(1)
        middle = Column("The training")
        centred = QHBoxLayout()
        centred.addStretch(1)
        centred.addWidget(inside, 1000)
        centred.addStretch(1)
        middle.body.addLayout(centred, 1)
        columns = QWidget()
        row = QHBoxLayout(columns)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self.material)
        row.addWidget(line("upright"))
        row.addWidget(middle, 1)
        row.addWidget(line("upright"))
        row.addWidget(self.runs)
        self._stack.addWidget(self.empty)
        self._stack.addWidget(columns)
        outer = QVBoxLayout(page)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(self._stack)
        middle.setFocusPolicy(Qt.FocusPolicy.NoFocus)
