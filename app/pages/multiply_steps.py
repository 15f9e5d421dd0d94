"""The five steps at the left: where each stands; one of them is open."""

from datetime import datetime

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QComboBox, QHBoxLayout

from app.look.theme import set_role
from app.look.tokens import S
from app.pages.multiply_reads import Multiplied
from app.pages.multiply_scene import STEPS, TITLES, WISH_OF, Scene, Step
from app.pages.multiply_words import step_said
from app.pages.teach_card import Card
from app.pages.teach_parts import Column, heading, note
from app.pages.teach_words import when_said
from app.widgets.elided import ElidedLabel
from app.widgets.tags import Tag, TagLabel, ToneName

_ABOUT = (
    "You judge a few hundred pairs, a teacher labels thousands more like them, and the encoder "
    "learns from both."
)
_STATES = {"trained": "taught", "labelled": "labelled", "measured": "compared"}


class StepCard(Card):
    """A step: its number or a tick, its name, and where it stands."""

    def __init__(self, step: Step) -> None:
        super().__init__((step, 0))
        self.step = step
        self._number = STEPS.index(step) + 1
        self._tag = TagLabel(Tag("", "plain", str(self._number)))
        self._name, self.words = ElidedLabel(TITLES[step]), note(role="meta")
        set_role(self._name, "strong")
        head = QHBoxLayout()
        head.setSpacing(S)
        head.addWidget(self._tag)
        head.addWidget(self._name, 1)
        self.column.addLayout(head)
        self.column.addWidget(self.words)

    def show_scene(self, scene: Scene) -> None:
        """Say where the step stands."""
        runs = scene.running != "" and WISH_OF.get(self.step) == scene.running
        done = scene.is_done(self.step)
        words = "running" if runs else step_said(scene, self.step)
        refused = self.step == "teachers" and done and not scene.may_label
        sign = "▶" if runs else "!" if refused else "✓" if done else str(self._number)
        tone: ToneName = "note" if runs else "unsure" if refused else "same" if done else "plain"
        self._tag.show_tag(Tag("", tone, sign))
        self.words.setText(words)
        self.words.setVisible(bool(words))
        told = "done" if done else "not done yet"
        self.setAccessibleName(f"Step {self._number}, {TITLES[self.step]}: {words}, {told}")


class StepList(Column):
    """Cards to choose from with the mouse or the arrow keys, and the earlier attempts."""

    step_wanted = Signal(str)
    attempt_wanted = Signal(int)  # the number of an augmentation

    def __init__(self) -> None:
        super().__init__("Steps", spacing=S)
        self.cards = {step: StepCard(step) for step in STEPS}
        self.attempts = QComboBox()
        self.attempts.setAccessibleName("Which comparison")
        self.attempts.activated.connect(self._take_attempt)
        self.attempts_title = note("Comparisons so far", role="meta")
        self.body.addWidget(heading("Many labels from few"))
        self.body.addWidget(note(_ABOUT, role="meta"))
        for step, card in self.cards.items():
            self.body.addWidget(card)
            card.chosen.connect(lambda step=step: self.step_wanted.emit(step))
        self.body.addWidget(self.attempts_title)
        self.body.addWidget(self.attempts)
        self.body.addStretch(1)

    def show_step(self, step: Step) -> None:
        """Mark the step that is open."""
        for one, card in self.cards.items():
            card.set_chosen(one == step)

    def show_scene(self, scene: Scene) -> None:
        """Say where every step stands."""
        for card in self.cards.values():
            card.show_scene(scene)
        self._show_attempts(scene.seen, scene.record_id)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        move = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1}.get(Qt.Key(event.key()))
        if move is None:
            super().keyPressEvent(event)
            return
        chosen = next(step for step, card in self.cards.items() if card.is_chosen)
        at = STEPS.index(chosen) + move
        if 0 <= at < len(STEPS):
            self.step_wanted.emit(STEPS[at])
            self.cards[STEPS[at]].setFocus(Qt.FocusReason.OtherFocusReason)

    def _show_attempts(self, seen: Multiplied | None, record: int) -> None:
        records = () if seen is None else seen.records
        now = datetime.now()
        told = [(f"{when_said(one.made_at, now)}, {_STATES.get(one.state, one.state)}", one.id)
                for one in records]  # fmt: skip  # the newest first
        self.attempts.clear()
        for words, number in told:
            self.attempts.addItem(words, number)
        self.attempts.setCurrentIndex(self.attempts.findData(record))
        for part in (self.attempts, self.attempts_title):
            part.setVisible(len(told) > 1)

    def _take_attempt(self, at: int) -> None:
        self.attempt_wanted.emit(int(self.attempts.itemData(at)))
