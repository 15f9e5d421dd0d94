"""A form made from declared options."""

from dataclasses import fields
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDoubleSpinBox,
    QGridLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from app.look.theme import set_role
from app.look.tokens import M
from core.options import Choice, choice_of

_FIELD_WIDTH = 132
_UNSET = "chosen for you"


class OptionsForm(QWidget):
    """One line for each option with its title, a field that fits its kind, and its help."""

    changed = Signal()

    def __init__(self, kind: type[Any], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._kind = kind
        self._fields: dict[str, QWidget] = {}
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(M)
        grid.setVerticalSpacing(M)
        grid.setColumnStretch(0, 1)
        for at, field in enumerate(fields(kind)):
            choice = choice_of(kind, field.name)
            made = _field(choice, field.default, self.changed)
            made.setAccessibleName(choice.title)
            made.setAccessibleDescription(choice.help)
            made.setFixedWidth(_FIELD_WIDTH)
            grid.addLayout(_words(choice, made), at, 0)
            grid.addWidget(made, at, 1, Qt.AlignmentFlag.AlignVCenter)
            self._fields[field.name] = made
        self._back = QPushButton("Back to the usual values")
        set_role(self._back, "link")
        self._back.clicked.connect(self.reset)
        self.changed.connect(self._show_back)
        grid.addWidget(self._back, len(self._fields), 0, 1, 2, Qt.AlignmentFlag.AlignRight)
        self._show_back()

    @property
    def values(self) -> dict[str, Any]:
        """The options by name, as they stand."""
        return {name: _value(field) for name, field in self._fields.items()}

    def set_values(self, values: dict[str, Any]) -> None:
        """Show these options; names that are left out stay as they are."""
        for name, value in values.items():
            _set_value(self._fields[name], value)

    def reset(self) -> None:
        """Show what the options are when nobody chooses."""
        self.set_values({field.name: field.default for field in fields(self._kind)})

    def field(self, name: str) -> QWidget:
        """The field of an option."""
        return self._fields[name]

    def _show_back(self) -> None:
        usual = {field.name: field.default for field in fields(self._kind)}
        self._back.setEnabled(self.values != usual)


class _Decimal(QDoubleSpinBox):
    """Shows as many places as the value has, so that 0.00005 is no row of zeros."""

    def textFromValue(self, value: float) -> str:
        return f"{value:.8f}".rstrip("0").rstrip(".")


def _words(choice: Choice, field: QWidget) -> QVBoxLayout:
    title, help_ = QLabel(choice.title), QLabel(choice.help)
    title.setBuddy(field)
    set_role(help_, "meta")
    help_.setWordWrap(True)
    words = QVBoxLayout()
    words.setSpacing(2)
    words.addWidget(title)
    words.addWidget(help_)
    return words


def _field(choice: Choice, default: Any, changed: Any) -> QWidget:
    if isinstance(default, bool):
        box = QCheckBox()
        box.toggled.connect(lambda _on: changed.emit())
        made: QWidget = box
    elif choice.choices:
        combo = QComboBox()
        combo.addItems(choice.choices)
        combo.currentTextChanged.connect(lambda _text: changed.emit())
        made = combo
    elif isinstance(default, str):
        line = QLineEdit()
        line.textChanged.connect(lambda _text: changed.emit())
        made = line
    else:
        made = _number(choice, default, changed)
    _set_value(made, default)
    return made


def _number(choice: Choice, default: float | None, changed: Any) -> QSpinBox | QDoubleSpinBox:
    low, high, step = choice.low or 0.0, choice.high or 1e9, choice.step or 1.0
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
        spin.setSpecialValueText(_UNSET)
    spin.valueChanged.connect(lambda _value: changed.emit())
    return spin


def _value(field: QWidget) -> Any:
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


def _set_value(field: QWidget, value: Any) -> None:
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
