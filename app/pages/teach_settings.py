"""The settings of a training, made from the declared choices, with a way back to the usual."""

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QComboBox, QGridLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from app.look.theme import set_role
from app.look.tokens import XS, M
from app.pages.teach_parts import heading, note
from app.pages.teach_recipes import AUTO, Objective, Recipe
from app.widgets.option_fields import Declared, declared
from app.widgets.options_form import OptionsForm
from core.options import EncodeOptions, TrainOptions

_DEVICE = tuple(one for one in declared(EncodeOptions) if one.name == "device")
_OBJECTIVE_WIDTH = 200


class LessonSettings(QWidget):
    """The objective and its choices, how examples are used, and how it practises."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._recipe: Recipe | None = None
        self._has_topics = False
        self._has_texts = False
        self._wanted: dict[str, Any] = {}  # until the options that take it are known
        self.objective = QComboBox()
        self.objective.setFixedWidth(_OBJECTIVE_WIDTH)
        self.objective.setAccessibleName("Objective")
        self.objective.currentIndexChanged.connect(lambda _at: self._take_objective())
        self._prefer = note(role="meta")
        self._choices = QVBoxLayout()
        self.choices = OptionsForm(())
        self._examples = QVBoxLayout()
        self._examples_title = heading("The examples")
        self.examples = OptionsForm(())
        self.loop = OptionsForm((*declared(TrainOptions), *_DEVICE))
        self.loop.changed.connect(self._tell)
        self.back = QPushButton("Back to the usual")
        set_role(self.back, "link")
        self.back.clicked.connect(self.reset)
        self._lay_out()
        self._show_back()

    @property
    def values(self) -> dict[str, Any]:
        """What was chosen otherwise than usual, as values of a wish."""
        said = {**self.examples.chosen, **self.loop.chosen}
        objective = self.objective.currentData()
        if self.objective.currentIndex() > 0:
            said["objective"] = str(objective)
        if self.choices.chosen:
            said["choices"] = self.choices.chosen
        return said

    @property
    def hold(self) -> float:
        return float(self.loop.values["hold"])

    @property
    def share(self) -> float:
        """The share of examples that is held out."""
        return float(self.loop.values["held_out"])

    @property
    def rounds(self) -> int | None:
        rounds: int | None = self.loop.values["epochs"]
        return rounds

    def show_options(self, options: tuple[Declared, ...]) -> None:
        """Take in the choices that every recipe has."""
        if self.examples.names == tuple(one.name for one in options):
            return
        self.examples = _replaced(self._examples, self.examples, options)
        self.examples.changed.connect(self._tell)
        self.examples.set_values(self._wanted)
        self._fit()

    def show_recipe(self, recipe: Recipe | None, *, has_topics: bool, has_texts: bool) -> None:
        """Offer what this recipe has to be chosen, with its usual values."""
        self._has_topics, self._has_texts = has_topics, has_texts
        moved = recipe != self._recipe
        self._recipe = recipe
        if moved and recipe is not None:
            self.loop.set_usual(recipe.usual)
            self._show_objectives(recipe)
        self._fit()
        self._show_back()

    def set_values(self, values: Mapping[str, Any]) -> None:
        """Show the settings of a training; what it did not say is as usual."""
        self.reset()
        self._wanted = dict(values)
        at = self.objective.findData(values.get("objective", AUTO))
        self.objective.setCurrentIndex(max(at, 0))
        self.choices.set_values(values.get("choices") or {})
        self.examples.set_values(values)
        self.loop.set_values({name: value for name, value in values.items() if name != "choices"})
        self._tell()

    def reset(self) -> None:
        """Go back to the usual."""
        self._wanted = {}
        self.objective.setCurrentIndex(0)
        for form in (self.choices, self.examples, self.loop):
            form.reset()

    def _show_objectives(self, recipe: Recipe) -> None:
        self.objective.blockSignals(True)
        self.objective.clear()
        for objective in recipe.objectives:
            self.objective.addItem(objective.title, objective.name)
        at = self.objective.findData(self._wanted.get("objective", AUTO))
        self.objective.setCurrentIndex(max(at, 0))
        self.objective.blockSignals(False)
        self._show_choices()

    def _take_objective(self) -> None:
        self._show_choices()
        self._tell()

    def _show_choices(self) -> None:
        objective = self._objective
        self._prefer.setText("" if objective is None else objective.prefer)
        self._prefer.setVisible(bool(self._prefer.text()))
        options = () if objective is None else objective.choices
        self.choices = _replaced(self._choices, self.choices, options)
        self.choices.set_values(self._wanted.get("choices") or {})
        self.choices.setVisible(bool(options))
        self.choices.changed.connect(self._tell)

    @property
    def _objective(self) -> Objective | None:
        at = self.objective.currentIndex()
        if self._recipe is None or not 0 <= at < len(self._recipe.objectives):
            return None
        return self._recipe.objectives[at]

    def _fit(self) -> None:
        """Show of the examples' choices what matters for this recipe and these examples."""
        recipe = self._recipe
        hidden = {
            "hard_negatives": recipe is None or not recipe.hard_negatives,
            "made": recipe is None or not (recipe.made_from_texts and self._has_texts),
            "split": not self._has_topics,
        }
        shown = [name for name in self.examples.names if not hidden.get(name, False)]
        self.examples.show_only(shown)
        self.examples.setVisible(bool(shown))
        self._examples_title.setVisible(bool(shown))

    def _tell(self) -> None:
        self._show_back()
        self.changed.emit()

    def _show_back(self) -> None:
        self.back.setEnabled(bool(self.values))

    def _lay_out(self) -> None:
        title = QLabel("Objective")
        title.setBuddy(self.objective)
        grid = QGridLayout()
        grid.setHorizontalSpacing(M)
        grid.setColumnStretch(0, 1)
        grid.addWidget(title, 0, 0)
        grid.addWidget(self.objective, 0, 1)
        grid.addWidget(self._prefer, 1, 0, 1, 2)
        self._choices.addWidget(self.choices)
        self._examples.addWidget(self.examples)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, XS, 0, 0)
        column.setSpacing(M)
        column.addWidget(self.back, 0, Qt.AlignmentFlag.AlignRight)
        column.addLayout(grid)
        column.addLayout(self._choices)
        column.addWidget(self._examples_title)
        column.addLayout(self._examples)
        column.addWidget(heading("How it practises"))
        column.addWidget(self.loop)


def _replaced(
    layout: QVBoxLayout, before: OptionsForm, options: tuple[Declared, ...]
) -> OptionsForm:
    layout.removeWidget(before)
    before.hide()
    before.deleteLater()
    made = OptionsForm(options)
    layout.addWidget(made)
    return made
