"""The middle column before a training: recipe, check, what it will do, and the start."""

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from app.look.theme import set_role
from app.look.tokens import L, M, S
from app.pages.teach_check import CheckPanel
from app.pages.teach_findings import Report
from app.pages.teach_parts import IconLine, emptied, heading, line
from app.pages.teach_plan import Forecast
from app.pages.teach_plan_words import cost_said, memory_fault, plan_said
from app.pages.teach_recipe import RecipeList
from app.pages.teach_recipes import AUTO, Recipes
from app.pages.teach_settings import LessonSettings
from app.widgets.empty_state import EmptyState
from app.widgets.fold import Fold

_READ_ONLY = "This project is open for reading only, so nothing can be learnt in it here."
_NOTHING = "There is nothing to learn from yet."
_HOW = (
    "Decide pairs as same or different on Duplicates, or import examples that were judged "
    "elsewhere: scored pairs, yes/no pairs, labels, triplets or labelled texts."
)


class Lesson(QWidget):
    """Says in plain words what a training would be; nothing starts that cannot go well."""

    start_wanted = Signal()
    check_wanted = Signal()
    deciding_wanted = Signal()
    import_wanted = Signal()
    changed = Signal()  # something was chosen

    def __init__(self) -> None:
        super().__init__()
        self._forecast: Forecast | None = None
        self._report: Report | None = None
        self._problem = ""
        self._missing = ""
        self._encoder = "the encoder"
        self._may_write = True
        self._has = {"has_topics": False, "has_texts": False}
        self.recipes = RecipeList()
        self.settings = LessonSettings()
        self.fold = Fold("Settings", self.settings)
        self.check = CheckPanel()
        self.foot = StartBar()  # put below by whoever lays the page out
        self.empty = EmptyState("teach")
        self._plan = QWidget()
        self._lines = QVBoxLayout()
        self._said: tuple[tuple[str, str], ...] = ()
        self._lay_out()
        self._connect()

    @property
    def values(self) -> dict[str, Any]:
        """Recipe and settings as values of a wish."""
        return {"recipe": self.recipes.name, **self.settings.values}

    @property
    def forecast(self) -> Forecast | None:
        return self._forecast

    @property
    def may_start(self) -> bool:
        return self._forecast is not None and self._forecast.verdict != "none" and not self._why

    @property
    def sentences(self) -> list[str]:
        """What it will do, as it is read."""
        return [words for _, words in self._said]

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to learn from."""
        return not self.empty.isHidden()

    def show_place(self, *, encoder: str, may_write: bool, missing: str) -> None:
        """Know which encoder is taught, and why it cannot be where it is missing."""
        self._encoder, self._may_write, self._missing = encoder, may_write, missing
        self._say()

    def show_recipes(self, recipes: Recipes, *, has_topics: bool, has_texts: bool) -> None:
        """Offer these recipes."""
        self.recipes.show_recipes(recipes)
        self.settings.show_options(recipes.options)
        self._has = {"has_topics": has_topics, "has_texts": has_texts}
        self._follow_recipe()
        self._say()

    def show_forecast(self, forecast: Forecast) -> None:
        """Say what a training would be."""
        self._forecast = forecast
        said = f"{forecast.problem} {forecast.remedy}".strip()
        self._problem = said or memory_fault(forecast)
        self._say()

    def show_problem(self, what: str, remedy: str) -> None:
        """Say why nothing can be told of a training."""
        self._problem = f"{what} {remedy}".strip()
        self._say()

    def show_report(self, report: Report | None) -> None:
        """Say what was found in the examples; None while it is looked for."""
        self._report = report
        self.check.show_report(report)
        self._say()

    def use(self, asked: Mapping[str, Any]) -> None:
        """Take recipe and settings of another training."""
        self.recipes.choose(str(asked.get("recipe") or AUTO))
        self._follow_recipe()
        self.settings.set_values(asked)
        self.fold.set_open(True)

    @property
    def _why(self) -> str:
        """Why it cannot start; nothing where it can."""
        if not self._may_write:
            return _READ_ONLY
        stop = None if self._report is None else self._report.stop
        stopped = "" if stop is None else f"{stop.sentence} {stop.remedy}".strip()
        return self._missing or self._problem or stopped

    def _say(self) -> None:
        forecast = self._forecast
        if forecast is None:
            return
        self._show_empty(forecast.verdict == "none" and not self._problem)
        said = plan_said(
            forecast, self._encoder, hold=self.settings.hold, share=self.settings.share,
            rounds=self.settings.rounds,
        )  # fmt: skip
        if tuple(said) != self._said:
            self._said = tuple(said)
            emptied(self._lines)
            for icon, words in said:
                row = IconLine(icon, words)
                row.show_words(icon, words, "unsure" if icon == "warning" else "muted")
                self._lines.addWidget(row)
        self.foot.show_words(cost=cost_said(forecast), why=self._why)
        self.settings.setEnabled(self._may_write)
        self.recipes.setEnabled(self._may_write)

    def _show_empty(self, is_empty: bool) -> None:
        if is_empty:
            self.empty.show_state(
                "teach", _NOTHING, note=_HOW, button="Decide some pairs",
                second="Import examples…" if self._may_write else "",
            )  # fmt: skip
        self.empty.setVisible(is_empty)
        self._plan.setVisible(not is_empty)
        # The foot lies outside; while something else is shown, its place is another's.
        self.foot.setVisible(not is_empty and not self.isHidden())

    def _follow_recipe(self) -> None:
        self.settings.show_recipe(self.recipes.recipe, **self._has)

    def _take_recipe(self) -> None:
        self._follow_recipe()
        self._change()

    def _change(self) -> None:
        self._say()
        self.changed.emit()

    def _connect(self) -> None:
        self.foot.start.clicked.connect(self.start_wanted)
        self.check.check_wanted.connect(self.check_wanted)
        self.recipes.chosen_changed.connect(self._take_recipe)
        self.settings.changed.connect(self._change)
        self.empty.wanted.connect(self.deciding_wanted)
        self.empty.second_wanted.connect(self.import_wanted)

    def _lay_out(self) -> None:
        self._lines.setSpacing(M)
        column = QVBoxLayout(self._plan)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(M)
        column.addWidget(self.recipes)
        column.addWidget(self.fold)
        column.addWidget(line())
        column.addWidget(heading("Before it starts"))
        column.addWidget(self.check)
        column.addWidget(line())
        column.addWidget(heading("What it will do"))
        column.addLayout(self._lines)
        column.addStretch(1)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(self.empty)
        outer.addWidget(self._plan)


class StartBar(QFrame):
    """Start, with what it costs or why it cannot be; it stays in view whatever is read above."""

    def __init__(self) -> None:
        super().__init__()
        set_role(self, "strip")
        self.start = QPushButton("Start teaching")
        self.start.setMinimumWidth(150)
        set_role(self.start, "primary")
        self.line = IconLine("clock")
        row = QHBoxLayout(self)
        row.setContentsMargins(L, S, L, S)
        row.setSpacing(L)
        row.addWidget(self.start)
        row.addWidget(self.line, 1, Qt.AlignmentFlag.AlignVCenter)

    def show_words(self, *, cost: str, why: str) -> None:
        """Say what it costs, or why nothing can start."""
        if why:
            self.line.show_words("cross", why, "different")
        else:
            self.line.show_words("clock", cost)
        self.start.setEnabled(not why)
        self.start.setAccessibleDescription(why or cost)
