"""What the panels of the five steps share: a title, a sentence, and a column in the middle."""

from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app.look.tokens import M
from app.pages.multiply_scene import STEPS, TITLES, Step
from app.pages.teach_parts import Column, note

_MOST_WIDE = 860


class StepPanel(Column):
    """One step; `column` takes what is in it, and `missing` says what has to come before."""

    def __init__(self, step: Step, about: str) -> None:
        super().__init__(TITLES[step])
        self.step = step
        inside = QWidget()
        inside.setMaximumWidth(_MOST_WIDE)
        centred = QHBoxLayout()
        centred.addStretch(1)
        centred.addWidget(inside, 1000)
        centred.addStretch(1)
        self.body.addLayout(centred)
        self.body.addStretch(1)
        self.column = QVBoxLayout(inside)
        self.column.setContentsMargins(0, 0, 0, 0)
        self.column.setSpacing(M)
        self.title = note(f"{STEPS.index(step) + 1}. {TITLES[step]}", role="title")
        self.about = note(about)
        self.column.addWidget(self.title)
        self.column.addWidget(self.about)

    def scroll_to_top(self) -> None:
        """Show it from its start."""
        self.verticalScrollBar().setValue(0)
