"""The middle column before a training: what will be done, how long it takes, and the start."""

from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from app.look.theme import set_role
from app.look.tokens import XS, M
from app.pages.teach_parts import IconLine, heading, note
from app.pages.teach_plan import Forecast, recipe_said, time_said
from app.widgets.fold import Fold
from app.widgets.options_form import OptionsForm
from core.options import TrainOptions

_NOTHING = "Decide some pairs or import some, then it can start."
_READ_ONLY = "This project is open for reading only, so nothing can be learnt in it here."


class Recipe(QWidget):
    """Says in plain words what a training does; its options stand behind a fold."""

    start_wanted = Signal()
    changed = Signal()  # an option was

    def __init__(self) -> None:
        super().__init__()
        self._forecast: Forecast | None = None
        self._encoder = "the encoder"
        self._may_write = True
        self._missing = ""
        self.form = OptionsForm(TrainOptions)
        self.details = Fold("Details", self.form)
        self.start = QPushButton("Start teaching")
        self.start.setMinimumWidth(170)
        self.time = IconLine("clock")
        self._why = note()
        self._lines = [IconLine() for _ in range(5)]
        self._lay_out()
        self.form.changed.connect(self._take_options)
        self.start.clicked.connect(self.start_wanted)

    @property
    def options(self) -> dict[str, Any]:
        """The options as they stand, for the engine."""
        return self.form.values

    @property
    def may_start(self) -> bool:
        has_pairs = self._forecast is not None and self._forecast.pairs > 0
        return self._may_write and not self._missing and has_pairs

    @property
    def sentences(self) -> list[str]:
        """The recipe as it is read."""
        return [line.label.text() for line in self._lines if not line.isHidden()]

    def show_forecast(
        self, forecast: Forecast, *, encoder: str, may_write: bool, missing: str = ""
    ) -> None:
        """Say what a training with these pairs would be, or why there is no encoder to teach."""
        self._forecast, self._encoder, self._may_write = forecast, encoder, may_write
        self._missing = missing
        self._say()

    def _take_options(self) -> None:
        self._say()
        self.changed.emit()

    def _say(self) -> None:
        forecast = self._forecast
        if forecast is None:
            return
        options = self.form.values
        said = recipe_said(
            forecast,
            self._encoder,
            hold=options["hold"],
            share=options["held_out"],
            rounds=options["epochs"],
        )
        for at, line in enumerate(self._lines):
            line.setVisible(at < len(said))
            if at < len(said):
                icon, words = said[at]
                line.show_words(icon, words, "unsure" if icon == "warning" else "muted")
        self.time.show_words("clock", time_said(forecast.seconds))
        self.time.setVisible(self.may_start)
        why = "" if self.may_start else self._missing or _NOTHING
        if not self._may_write:
            why = _READ_ONLY
        self._why.setText(why)
        self._why.setVisible(bool(why))
        self.start.setEnabled(self.may_start)
        self.form.setEnabled(self._may_write)

    def _lay_out(self) -> None:
        set_role(self.start, "primary")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(M)
        column.addWidget(heading("What it will do"))
        for line in self._lines:
            column.addWidget(line)
        column.addWidget(self.time)
        column.addSpacing(XS)
        column.addWidget(self.start, 0, Qt.AlignmentFlag.AlignLeft)
        column.addWidget(self._why)
        column.addWidget(self.details)
        column.addStretch(1)
