"""A form made from declared options."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QLabel, QVBoxLayout, QWidget

from app.look.theme import set_role
from app.look.tokens import M
from app.widgets.option_fields import Declared, field_for, set_value, value_of

_FIELD_WIDTH = 132


class OptionsForm(QWidget):
    """One line for each option with its title, a field that fits its kind, and its help.

    What is usual may change with something chosen elsewhere; fields that nobody touched follow.
    """

    changed = Signal()

    def __init__(self, options: Sequence[Declared], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._options = {one.name: one for one in options}
        self._usual = {one.name: one.default for one in options}
        self._fields: dict[str, QWidget] = {}
        self._words: dict[str, tuple[QLabel, QLabel]] = {}
        self._is_setting = False
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(M)
        grid.setVerticalSpacing(M)
        grid.setColumnStretch(0, 1)
        for at, one in enumerate(options):
            field = field_for(one, self._tell)
            field.setFixedWidth(_FIELD_WIDTH)
            title, help_ = self._words[one.name] = _words(one, field)
            column = QVBoxLayout()
            column.setSpacing(2)
            column.addWidget(title)
            column.addWidget(help_)
            grid.addLayout(column, at, 0)
            grid.addWidget(field, at, 1, Qt.AlignmentFlag.AlignVCenter)
            self._fields[one.name] = field

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self._fields)

    @property
    def values(self) -> dict[str, Any]:
        """The options by name, as they stand."""
        return {name: value_of(field) for name, field in self._fields.items()}

    @property
    def chosen(self) -> dict[str, Any]:
        """Those options that are shown and differ from what is usual."""
        return {
            name: value
            for name, value in self.values.items()
            if not self._fields[name].isHidden() and not _are_equal(value, self._usual[name])
        }

    def set_values(self, values: Mapping[str, Any]) -> None:
        """Show these options; names that are left out stay as they are."""
        for name, value in values.items():
            if name in self._fields:
                set_value(self._fields[name], value)

    def set_usual(self, values: Mapping[str, Any]) -> None:
        """Know what is usual now; names that are left out are as they were declared."""
        before = dict(self._usual)
        for name, one in self._options.items():
            self._usual[name] = values.get(name, one.default)
        self._is_setting = True
        try:
            for name, field in self._fields.items():
                if _are_equal(value_of(field), before[name]):
                    set_value(field, self._usual[name])
        finally:
            self._is_setting = False

    def show_only(self, names: Collection[str]) -> None:
        """Show the lines of these options and hide the others."""
        for name, field in self._fields.items():
            for part in (field, *self._words[name]):
                part.setVisible(name in names)

    def reset(self) -> None:
        """Show what the options are when nobody chooses."""
        self.set_values(self._usual)

    def field(self, name: str) -> QWidget:
        """The field of an option."""
        return self._fields[name]

    def _tell(self) -> None:
        if not self._is_setting:
            self.changed.emit()


def _words(one: Declared, field: QWidget) -> tuple[QLabel, QLabel]:
    title, help_ = QLabel(one.choice.title), QLabel(one.choice.help)
    title.setBuddy(field)
    title.setWordWrap(True)
    set_role(help_, "meta")
    help_.setWordWrap(True)
    return title, help_


def _are_equal(one: Any, other: Any) -> bool:
    if isinstance(one, float) and isinstance(other, int | float):
        return abs(one - other) < 1e-9
    return bool(one == other)
