"""The buttons for what is chosen, below it and always in view."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton

from app.look.theme import set_role
from app.look.tokens import L, S


class ResultBar(QFrame):
    """Use, compare, repeat, settings and discard of a finished training."""

    wanted = Signal(str)  # use, compare, repeat, settings or discard

    def __init__(self) -> None:
        super().__init__()
        self.use = self._button("use", "Use it…")
        set_role(self.use, "primary")
        self.compare = self._button("compare", "Compare…")
        self.repeat = self._button("repeat", "Repeat")
        self.settings = self._button("settings", "Settings…")
        self.discard = self._button("discard", "Discard…")
        set_role(self.discard, "quiet")
        buttons = (self.use, self.compare, self.repeat, self.settings, self.discard)
        _lay_out(self, buttons)

    def show_advice(self, good: bool) -> None:
        """Make using it the thing to do, or one among others."""
        set_role(self.use, "primary" if good else "plain")

    def _button(self, key: str, words: str) -> QPushButton:
        button = QPushButton(words)
        button.clicked.connect(lambda: self.wanted.emit(key))
        return button


class InterruptedBar(QFrame):
    """Resume and discard of an interrupted training."""

    resume_wanted = Signal()
    discard_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.resume = QPushButton("Resume")
        set_role(self.resume, "primary")
        self.resume.clicked.connect(self.resume_wanted)
        self.discard = QPushButton("Discard…")
        set_role(self.discard, "quiet")
        self.discard.clicked.connect(self.discard_wanted)
        _lay_out(self, (self.resume, self.discard))


class FirstBar(QFrame):
    """The way back to the encoder that all began with."""

    back_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.back = QPushButton("Back to this encoder…")
        self.back.clicked.connect(self.back_wanted)
        _lay_out(self, (self.back,))


def _lay_out(bar: QFrame, buttons: tuple[QPushButton, ...]) -> None:
    """Put buttons in a row; the last of several, which takes away, stands apart."""
    set_role(bar, "strip")
    row = QHBoxLayout(bar)
    row.setContentsMargins(L, S, L, S)
    row.setSpacing(S)
    first, *others = buttons
    row.addWidget(first)
    for button in others[:-1]:
        row.addWidget(button)
    row.addStretch(1)
    for button in others[-1:]:
        row.addWidget(button)
