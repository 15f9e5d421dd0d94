"""The recipes in plain words; one is chosen, the others say what they would need."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QRadioButton, QVBoxLayout, QWidget

from app.look.tokens import XS, S
from app.pages.teach_parts import emptied, heading, note
from app.pages.teach_recipes import AUTO, Recipe, Recipes
from app.widgets.tags import Tag, TagLabel

_INDENT = 28


class RecipeList(QWidget):
    """A radio button for each recipe; the chosen one says when to take it."""

    chosen_changed = Signal()  # by a person

    def __init__(self) -> None:
        super().__init__()
        self._recipes: Recipes | None = None
        self._name = AUTO
        self.buttons: dict[str, QRadioButton] = {}
        self._group = QButtonGroup(self)
        self._list = QVBoxLayout()
        self._list.setSpacing(XS)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(S)
        column.addWidget(heading("How it learns"))
        column.addLayout(self._list)

    @property
    def name(self) -> str:
        """The recipe for the engine: `auto` while the one proposed is taken."""
        return self._name

    @property
    def recipe(self) -> Recipe | None:
        """The recipe that is chosen or proposed."""
        return None if self._recipes is None else self._recipes.named(self._name)

    def show_recipes(self, recipes: Recipes) -> None:
        """Show the recipes; a choice that does not fit any more is given up."""
        self._recipes = recipes
        chosen = recipes.named(self._name)
        if self._name != AUTO and (chosen is None or not chosen.fits):
            self._name = AUTO
        self._show()

    def choose(self, name: str) -> None:
        """Choose a recipe, or `auto`, without telling."""
        known = None if self._recipes is None else self._recipes.named(name)
        self._name = name if self._recipes is None or (known and known.fits) else AUTO
        self._show()

    def _show(self) -> None:
        emptied(self._list)
        self.buttons = {}
        if self._recipes is None:
            return
        for recipe in sorted(self._recipes.all, key=lambda one: not one.fits):
            self._list.addWidget(self._row(recipe))

    def _row(self, recipe: Recipe) -> QWidget:
        is_chosen = self.recipe is not None and recipe.name == self.recipe.name
        is_proposed = self._recipes is not None and recipe.name == self._recipes.proposed
        button = QRadioButton(recipe.title)
        button.setChecked(is_chosen)
        button.setEnabled(recipe.fits)
        button.clicked.connect(lambda: self._take(recipe.name))
        self._group.addButton(button)
        self.buttons[recipe.name] = button
        head = QHBoxLayout()
        head.setSpacing(S)
        head.addWidget(button, 0, Qt.AlignmentFlag.AlignTop)
        if is_proposed:
            head.addWidget(TagLabel(Tag("proposed", "note", "★")))
        row = QWidget()
        column = QVBoxLayout(row)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        column.addLayout(head)
        words = self._words(recipe, is_chosen=is_chosen, is_proposed=is_proposed)
        told = note(words, role="muted" if is_chosen else "meta")
        if is_chosen:
            head.addStretch(1)
            told.setContentsMargins(_INDENT, 0, 0, XS)
            column.addWidget(told)
        else:
            head.addWidget(told, 1)
        button.setAccessibleDescription(words or recipe.sentence)
        return row

    def _words(self, recipe: Recipe, *, is_chosen: bool, is_proposed: bool) -> str:
        if is_chosen:
            reason = self._recipes.reason if is_proposed and self._recipes is not None else ""
            return f"{reason} {recipe.sentence}".strip()
        return "" if recipe.fits else f"Needs {recipe.data}."

    def _take(self, name: str) -> None:
        is_proposed = self._recipes is not None and name == self._recipes.proposed
        self._name = AUTO if is_proposed else name
        self._show()
        self.buttons[name].setFocus()
        self.chosen_changed.emit()
