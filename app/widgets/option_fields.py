"""Fields that fit the kinds of declared options, and their values."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import Any

from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDoubleSpinBox,
    QLineEdit,
    QSpinBox,
    QWidget,
)

from core.options import Choice, choice_of

UNSET = "not set"


@dataclass(frozen=True, slots=True)
class Declared:
    """One option: its name, how it is told and bounded, and its usual value."""

    name: str
    choice: Choice
    default: Any


def declared(kind: type[Any]) -> tuple[Declared, ...]:
    """The options of an options class, in their order."""
    return tuple(Declared(one.name, choice_of(kind, one.name), one.default) for one in fields(kind))


def declared_from(told: Mapping[str, Any]) -> Declared:
    """An option as the engine tells it in plain values."""
    choice = Choice(
        told["title"], told["help"], told.get("low"), told.get("high"), told.get("step"),
        tuple(told.get("choices") or ()),
    )  # fmt: skip  # one declaration
    return Declared(told["name"], choice, told.get("default"))


def field_for(option: Declared, changed: Callable[[], object]) -> QWidget:
    """A field with the option's name, bounds and usual value; `changed` is called on a change."""
    choice, default = option.choice, option.default
    made: QWidget
    if isinstance(default, bool):
        box = QCheckBox()
        box.toggled.connect(lambda _on: changed())
        made = box
    elif choice.choices:
        combo = QComboBox()
        combo.addItems(choice.choices)
        combo.currentTextChanged.connect(lambda _text: changed())
        made = combo
    elif isinstance(default, str):
        line = QLineEdit()
        line.textChanged.connect(lambda _text: changed())
        made = line
    else:
        made = _number(choice, default, changed)
    set_value(made, default)
    made.setAccessibleName(choice.title)
    made.setAccessibleDescription(choice.help)
    return made


def value_of(field: QWidget) -> Any:
    """What a field says; None where a number is left to be chosen."""
    if isinstance(field, QCheckBox):
        return field.isChecked()
    if isinstance(field, QComboBox):
        return field.currentText()
    if isinstance(field, QLineEdit):
        return field.text()
    if isinstance(field, QSpinBox | QDoubleSpinBox):
        if field.specialValueText() and field.value() == field.minimum():
            return None
        return field.value() if isinstance(field, QSpinBox) else round(field.value(), 8)
    raise TypeError(type(field).__name__)


def set_value(field: QWidget, value: Any) -> None:
    """Show a value."""
    if isinstance(field, QCheckBox):
        field.setChecked(bool(value))
    elif isinstance(field, QComboBox):
        field.setCurrentText(str(value))
    elif isinstance(field, QLineEdit):
        field.setText(str(value))
    elif isinstance(field, QSpinBox):
        field.setValue(field.minimum() if value is None else int(value))
    elif isinstance(field, QDoubleSpinBox):
        field.setValue(field.minimum() if value is None else float(value))


class _Decimal(QDoubleSpinBox):
    """Shows as many places as the value has, so that 0.00005 is no row of zeros."""

    def textFromValue(self, value: float) -> str:
        return f"{value:.8f}".rstrip("0").rstrip(".")


def _number(
    choice: Choice, default: float | None, changed: Callable[[], object]
) -> QSpinBox | QDoubleSpinBox:
    low = 0.0 if choice.low is None else choice.low
    high, step = 1e9 if choice.high is None else choice.high, choice.step or 1.0
    unset = step if default is None else 0.0  # room below for the value that stands for none
    spin: QSpinBox | QDoubleSpinBox
    if not isinstance(default, float) and step >= 1:
        spin = QSpinBox()
        spin.setRange(round(low - unset), round(high))
        spin.setSingleStep(round(step))
    else:
        spin = _Decimal()
        spin.setDecimals(8)
        spin.setRange(low - unset, high)
        spin.setSingleStep(step)
    if default is None:
        spin.setSpecialValueText(UNSET)
    spin.valueChanged.connect(lambda _value: changed())
    return spin
