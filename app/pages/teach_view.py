"""How the teach page is laid out: material, the training in the middle, all trainings."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
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
from app.pages.teach_bars import FirstBar, InterruptedBar, ResultBar
from app.pages.teach_lesson import Lesson
from app.pages.teach_material import MaterialColumn
from app.pages.teach_parts import Column, line
from app.pages.teach_result import OtherPanel, ResultPanel
from app.pages.teach_running import RunningPanel
from app.pages.teach_runs import RunsColumn
from app.widgets.banner import Banner
from app.widgets.curve_plot import CurvePlot
from app.widgets.empty_state import EmptyState
from app.widgets.segments import Segments

_LEFT = (232, 320)  # pixels at least and at most
_RIGHT = (252, 340)
_MIDDLE_MOST = 820  # of what is read and drawn in the middle
_PLOT_LEAST = 340
_NARROW, _WIDE = 900, 1900  # pixels of the page: below, one column at a time
_BUTTONS = 400  # pixels that the buttons of a running training need beside each other
_SIDE_BY_SIDE = 520  # pixels that two texts need beside each other
_PARTS = (("material", "Learn from"), ("middle", "Training"), ("runs", "All trainings"))


class TeachView(QWidget):
    """The parts of the page; where there is little room, one column is shown at a time."""

    turned = Signal()  # another column is shown, by a person

    def __init__(self, page: QWidget) -> None:
        super().__init__(page)
        self.material = MaterialColumn()
        self.lesson = Lesson()
        self.running = RunningPanel()
        self.result = ResultPanel()
        self.other = OtherPanel()
        self.live_plot, self.plot = CurvePlot(), CurvePlot()
        self.banner = Banner()
        self.runs = RunsColumn()
        self.empty = EmptyState("teach")
        self.result_bar = ResultBar()
        self.interrupted_bar = InterruptedBar()
        self.first_bar = FirstBar()
        self.parts = Segments(_PARTS, name="What is shown")
        self._live_card, self._plot_card = _card(self.live_plot), _card(self.plot)
        self._top = QWidget()
        self._middle_column = QWidget()
        self._middle = Column("The training")
        self._lines = [line("upright"), line("upright")]
        self._stack = QStackedWidget()
        self._is_narrow = False
        self._lay_out(page)
        self.parts.chosen.connect(lambda _key: self._turn())
        self.show_middle("lesson")

    @property
    def is_empty_shown(self) -> bool:
        return self._stack.currentWidget() is self.empty

    @property
    def is_narrow(self) -> bool:
        """Whether one column is shown at a time."""
        return self._is_narrow

    def show_empty(self, shown: bool) -> None:
        """Show what is said in place of the columns, or the columns."""
        self._stack.setCurrentIndex(0 if shown else 1)

    def show_middle(self, what: str, *, plot: bool = False) -> None:
        """Show `lesson`, `running`, `result`, `interrupted` or `first`, with curves where known."""
        self.lesson.setVisible(what == "lesson")
        self.running.setVisible(what == "running")
        self.result.setVisible(what == "result")
        self.other.setVisible(what in ("interrupted", "first"))
        self.lesson.foot.setVisible(what == "lesson" and not self.lesson.is_empty)
        self.result_bar.setVisible(what == "result")
        self.interrupted_bar.setVisible(what == "interrupted")
        self.first_bar.setVisible(what == "first")
        self._live_card.setVisible(what == "running")
        self._plot_card.setVisible(what == "result" and plot)

    def turn_to(self, part: str) -> None:
        """Show a column where only one is shown at a time: material, middle or runs."""
        self.parts.choose(part)
        self._place()

    def scroll_to_top(self) -> None:
        """Show the middle from its start."""
        self._middle.verticalScrollBar().setValue(0)

    def fit(self, width: int) -> None:
        """Give the side columns a share of the width that leaves the middle room."""
        self._is_narrow = width < _NARROW
        share = min(max((width - _NARROW) / (_WIDE - _NARROW), 0.0), 1.0)
        sides = 0
        for column, (least, most) in ((self.material, _LEFT), (self.runs, _RIGHT)):
            wanted = round(least + share * (most - least))
            column.setMinimumWidth(0 if self._is_narrow else wanted)
            column.setMaximumWidth(16_777_215 if self._is_narrow else wanted)
            sides += 0 if self._is_narrow else wanted
        middle = width - sides - 2 * L
        self.running.set_narrow(middle < _BUTTONS)
        self.result.set_narrow(middle < _SIDE_BY_SIDE)
        self._place()

    def _turn(self) -> None:
        self._place()
        self.turned.emit()

    def _place(self) -> None:
        """Show all columns, or the one that was chosen."""
        self._top.setVisible(self._is_narrow)
        shown = {key: not self._is_narrow or key == self.parts.key for key, _ in _PARTS}
        self.material.setVisible(shown["material"])
        self._middle_column.setVisible(shown["middle"])
        self.runs.setVisible(shown["runs"])
        for one in self._lines:
            one.setVisible(not self._is_narrow)

    def _lay_out(self, page: QWidget) -> None:
        """From the outside in: a part that is moved takes all that is in it along, each time."""
        outer = QVBoxLayout(page)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(self)
        inside = QVBoxLayout(self)
        inside.setContentsMargins(0, 0, 0, 0)
        inside.addWidget(self._stack)
        whole, columns = QWidget(), QWidget()
        self._stack.addWidget(self.empty)
        self._stack.addWidget(whole)
        column = QVBoxLayout(whole)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._top)
        column.addWidget(columns, 1)
        top = QHBoxLayout(self._top)
        top.setContentsMargins(L, S, L, S)
        top.addWidget(self.parts)
        top.addStretch(1)
        row = QHBoxLayout(columns)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        for part in (self.material, self._lines[0], self._middle_column, self._lines[1], self.runs):
            row.addWidget(part, 1 if part is self._middle_column else 0)
        self._lay_out_middle()

    def _lay_out_middle(self) -> None:
        whole = QVBoxLayout(self._middle_column)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addWidget(self._middle, 1)
        inside = QWidget()
        inside.setMaximumWidth(_MIDDLE_MOST)
        centred = QHBoxLayout()
        centred.addStretch(1)
        centred.addWidget(inside, 1000)
        centred.addStretch(1)
        self._middle.body.addLayout(centred, 1)
        self._middle.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        column = QVBoxLayout(inside)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(L)
        for part in (self.banner, self.running, self.lesson, self.result, self.other):
            column.addWidget(part)
        for card in (self._live_card, self._plot_card):
            column.addWidget(card, 1000)
        column.addStretch(1)
        feet: Sequence[QWidget] = (
            self.lesson.foot, self.result_bar, self.interrupted_bar, self.first_bar
        )  # fmt: skip
        for foot in feet:
            whole.addWidget(foot)


def _card(plot: CurvePlot) -> QFrame:
    card = QFrame()
    set_role(card, "card")
    card.setMinimumHeight(_PLOT_LEAST)
    card.setMaximumHeight(560)
    card.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Expanding)
    column = QVBoxLayout(card)
    column.setContentsMargins(L, M, L, M)
    column.addWidget(plot)
    return card
