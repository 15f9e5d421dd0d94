"""How the map is drawn: asked before it is drawn again."""

from dataclasses import dataclass, replace
from typing import Any

from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QButtonGroup,
    QCheckBox,
    QDialog,
    QDoubleSpinBox,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QRadioButton,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from app.look.theme import set_role
from app.look.tokens import XL, L, M, S
from app.look.words import count, counted
from core.options import ClusterOptions, MapOptions, choice_of, options_from

_FIELD_WIDTH = 130


@dataclass(frozen=True, slots=True)
class DrawChoice:
    """What a map and its clusters are made with."""

    clusters: ClusterOptions
    map: MapOptions


def choice_from(clusters: dict[str, Any], map_: dict[str, Any]) -> DrawChoice:
    """The choice that records of a clustering and a map tell of; what they lack is as usual."""
    return DrawChoice(_told(ClusterOptions, clusters), _told(MapOptions, map_))


class DrawSheet(QDialog):
    """Asks for the smallest cluster, the picture's shape, and how carefully it is drawn."""

    def __init__(
        self, choice: DrawChoice, *, rows: int, texts: int, has_map: bool, parent: QWidget
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle("Draw the map")
        self._was = choice
        self._rows = rows
        self.careful = QRadioButton("Careful: all steps, and details that have settled")
        self.fast = QRadioButton("Faster, rougher: half as many steps")
        self.keep = QCheckBox(choice_of(MapOptions, "keep").title)
        self.auto = QCheckBox("A size that suits the corpus")
        self.min_size = _whole(ClusterOptions, "min_size")
        self.neighbours = _whole(MapOptions, "neighbours")
        self.spacing = QDoubleSpinBox()
        self.hint = QLabel()
        self.draw = QPushButton("Draw again" if has_map else "Draw the map")
        self._lay_out(texts, has_map)
        self._show(choice)
        self.auto.toggled.connect(lambda _on: self._update())
        self.fast.toggled.connect(lambda _on: self._update())
        self.min_size.valueChanged.connect(lambda _value: self._update())
        self._update()

    @property
    def choice(self) -> DrawChoice:
        """What was chosen; seeds stay as they were."""
        size = None if self.auto.isChecked() else self.min_size.value()
        return DrawChoice(
            replace(self._was.clusters, min_size=size, neighbours=self.neighbours.value()),
            replace(
                self._was.map,
                neighbours=self.neighbours.value(),
                min_dist=round(self.spacing.value(), 2),
                keep=self.keep.isChecked(),
                fast=self.fast.isChecked(),
            ),
        )

    def _show(self, choice: DrawChoice) -> None:
        (self.fast if choice.map.fast else self.careful).setChecked(True)
        self.keep.setChecked(choice.map.keep)
        self.auto.setChecked(choice.clusters.min_size is None)
        self.min_size.setValue(choice.clusters.min_size or max(2, min(15, self._rows)))
        self.neighbours.setValue(choice.map.neighbours)
        self.spacing.setValue(choice.map.min_dist)

    def _update(self) -> None:
        self.min_size.setEnabled(not self.auto.isChecked())
        is_large = not self.auto.isChecked() and 2 * self.min_size.value() > self._rows
        self.hint.setText(
            f"That is more than half of the {counted(self._rows, 'row')}: "
            "every text would be left without a cluster."
            if is_large
            else ""
        )
        self.hint.setVisible(is_large)

    def _lay_out(self, texts: int, has_map: bool) -> None:
        title = QLabel("Draw the map again" if has_map else "Draw the map")
        set_role(title, "title")
        about = QLabel(
            f"{count(texts)} texts are laid out so that alike ones lie together, and put into "
            "clusters. Names and changes made by hand are kept."
        )
        about.setWordWrap(True)
        set_role(about, "muted")
        ways = QButtonGroup(self)
        ways.addButton(self.careful)
        ways.addButton(self.fast)
        spacing = choice_of(MapOptions, "min_dist")
        self.spacing.setRange(spacing.low or 0.0, spacing.high or 1.0)
        self.spacing.setSingleStep(spacing.step or 0.05)
        self.spacing.setAccessibleName(spacing.title)
        self.spacing.setFixedWidth(_FIELD_WIDTH)
        self.keep.setToolTip(choice_of(MapOptions, "keep").help)
        self.keep.setVisible(has_map)
        set_role(self.hint, "warning")
        self.hint.setWordWrap(True)
        form = QFormLayout()
        form.setHorizontalSpacing(L)
        form.setVerticalSpacing(S)
        size = QHBoxLayout()
        size.setSpacing(M)
        size.addWidget(self.min_size)
        size.addWidget(self.auto)
        size.addStretch(1)
        form.addRow(choice_of(ClusterOptions, "min_size").title, size)
        form.addRow(choice_of(MapOptions, "neighbours").title, self.neighbours)
        form.addRow(spacing.title, self.spacing)
        cancel = QPushButton("Cancel")
        cancel.setAutoDefault(False)
        cancel.clicked.connect(self.reject)
        set_role(self.draw, "primary")
        self.draw.setDefault(True)
        self.draw.clicked.connect(self.accept)
        foot = QHBoxLayout()
        foot.setSpacing(S)
        foot.addStretch(1)
        foot.addWidget(cancel)
        foot.addWidget(self.draw)
        column = QVBoxLayout(self)
        column.setContentsMargins(XL, L, XL, L)
        column.setSpacing(M)
        column.addWidget(title)
        column.addWidget(about)
        for part in (self.careful, self.fast, self.keep):
            column.addWidget(part)
        column.addSpacing(S)
        column.addLayout(form)
        column.addWidget(self.hint)
        column.addLayout(foot)
        self.setFixedWidth(520)


def _whole(options: type[Any], name: str) -> QSpinBox:
    choice = choice_of(options, name)
    field = QSpinBox()
    field.setRange(int(choice.low or 0), int(choice.high or 1_000_000))
    field.setGroupSeparatorShown(True)
    field.setStepType(QAbstractSpinBox.StepType.AdaptiveDecimalStepType)
    field.setAccessibleName(choice.title)
    field.setToolTip(choice.help)
    field.setFixedWidth(_FIELD_WIDTH)
    return field


def _told(options: type[Any], told: dict[str, Any]) -> Any:
    known = {name: value for name, value in told.items() if name in options.__dataclass_fields__}
    return options_from(options, known)
