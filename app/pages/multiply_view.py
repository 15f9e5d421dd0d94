"""How the multiply page is laid out: the steps at the left, the open one beside them."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from app.look.tokens import L, S
from app.pages.multiply_foot import Foot, RunStrip
from app.pages.multiply_gold import GoldPanel
from app.pages.multiply_pairs import PairsPanel
from app.pages.multiply_panel import StepPanel
from app.pages.multiply_result import ResultPanel
from app.pages.multiply_scene import STEPS, Step
from app.pages.multiply_sheet import SheetPanel
from app.pages.multiply_steps import StepList
from app.pages.multiply_teachers import TeachersPanel
from app.pages.teach_parts import line
from app.widgets.banner import Banner
from app.widgets.empty_state import EmptyState
from app.widgets.segments import Segments

_LEFT = (236, 300)  # pixels of the steps at least and at most
_NARROW, _WIDE = 820, 1900  # pixels of the page: below, the steps are a strip above
_SHORT: dict[Step, str] = {
    "gold": "1 Gold", "teachers": "2 Teacher", "pairs": "3 Pairs", "sheet": "4 Silver",
    "teach": "5 Teach",
}  # fmt: skip  # in their order


class MultiplyView(QWidget):
    """The parts of the page; one step is open at a time."""

    step_wanted = Signal(str)

    def __init__(self, page: QWidget) -> None:
        super().__init__(page)
        self.step: Step = "gold"
        self.steps = StepList()
        self.strip = Segments([(step, _SHORT[step]) for step in STEPS], name="Steps")
        self.gold, self.teachers, self.pairs = GoldPanel(), TeachersPanel(), PairsPanel()
        self.sheet, self.result = SheetPanel(), ResultPanel()
        self.banner = Banner()
        self.empty = EmptyState("multiply")
        self.running = RunStrip()
        self.panels: dict[Step, StepPanel] = {
            "gold": self.gold, "teachers": self.teachers, "pairs": self.pairs,
            "sheet": self.sheet, "teach": self.result,
        }  # fmt: skip  # in their order
        self.feet: dict[Step, Foot] = {
            "gold": self.gold.foot, "teachers": self.teachers.foot, "pairs": self.pairs.foot,
            "sheet": self.sheet.foot, "teach": self.result.foot,
        }  # fmt: skip  # as above
        self._stack, self._open, self._below = QStackedWidget(), QStackedWidget(), QWidget()
        self._top, self._upright = QWidget(), line("upright")
        self._lay_out(page)
        self.steps.step_wanted.connect(self.step_wanted)
        self.strip.chosen.connect(self.step_wanted)
        self.show_step("gold")

    @property
    def is_empty_shown(self) -> bool:
        return self._stack.currentWidget() is self.empty

    @property
    def is_narrow(self) -> bool:
        """Whether the steps are a strip above."""
        return not self._top.isHidden()

    @property
    def panel(self) -> StepPanel:
        """The panel of the open step."""
        return self.panels[self.step]

    def show_empty(self, shown: bool) -> None:
        """Show what is said in place of the steps, or the steps."""
        self._stack.setCurrentIndex(0 if shown else 1)

    def show_step(self, step: Step) -> None:
        """Open a step."""
        is_other = step != self.step
        self.step = step
        self.steps.show_step(step)
        self.strip.choose(step)
        self._open.setCurrentWidget(self.panels[step])
        for one, foot in self.feet.items():
            foot.setVisible(one == step)
        self.sheet.hand.setVisible(step == "sheet")
        if is_other:
            self.panels[step].scroll_to_top()

    def show_running(self, running: bool) -> None:
        """Show where work stands in place of what could be started."""
        self._below.setVisible(not running)

    def fit(self, width: int) -> None:
        """Give the steps a share of the width, or put them above where there is little."""
        narrow = width < _NARROW
        share = min(max((width - _NARROW) / (_WIDE - _NARROW), 0.0), 1.0)
        self.steps.setFixedWidth(round(_LEFT[0] + share * (_LEFT[1] - _LEFT[0])))
        self.steps.setVisible(not narrow)
        self._upright.setVisible(not narrow)
        self._top.setVisible(narrow)

    def _lay_out(self, page: QWidget) -> None:
        outer = QVBoxLayout(page)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(self)
        inside = QVBoxLayout(self)
        inside.setContentsMargins(0, 0, 0, 0)
        inside.addWidget(self._stack)
        whole = QWidget()
        self._stack.addWidget(self.empty)
        self._stack.addWidget(whole)
        row = QHBoxLayout(whole)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        beside = QVBoxLayout()
        beside.setSpacing(0)
        row.addWidget(self.steps)
        row.addWidget(self._upright)
        row.addLayout(beside, 1)
        top = QHBoxLayout(self._top)
        top.setContentsMargins(L, S, L, 0)
        top.addWidget(self.strip)
        top.addStretch(1)
        told = QVBoxLayout()
        told.setContentsMargins(L, S, L, 0)
        told.addWidget(self.banner)
        beside.addWidget(self._top)
        beside.addLayout(told)
        beside.addWidget(self._open, 1)
        beside.addWidget(self.sheet.hand)
        beside.addWidget(self.running)
        beside.addWidget(self._below)
        below = QVBoxLayout(self._below)
        below.setContentsMargins(0, 0, 0, 0)
        for step in STEPS:
            self._open.addWidget(self.panels[step])
            below.addWidget(self.feet[step])
        self._top.hide()
