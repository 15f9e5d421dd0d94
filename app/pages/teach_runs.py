"""The right column: the next training, those cut off, those that ended, and the first encoder."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent

from app.pages.teach_card import Card, FirstCard, InterruptedCard, NewCard, TrainingCard
from app.pages.teach_parts import Column, heading, note
from app.pages.teach_reads import Material
from core.store import InterruptedTraining, TrainingRecord

_EMPTY = "Every training is listed here, with what it brought: before, after, better or worse."
_FIRST_PLACE = 1  # after the heading


class RunsColumn(Column):
    """Cards to choose from with the mouse or the arrow keys."""

    choice_changed = Signal()
    activated = Signal()  # a card was clicked, so that it is to be seen

    def __init__(self) -> None:
        super().__init__("Trainings")
        self.new = NewCard()
        self.new.chosen.connect(lambda: self._take(self.new))
        self.cards: list[Card] = [self.new]
        self._key = self.new.key
        self._shown: tuple[object, ...] | None = None
        self._empty = note(_EMPTY)
        self.body.addWidget(heading("Trainings"))
        self.body.addWidget(self.new)
        self.body.addWidget(self._empty)
        self.body.addStretch(1)
        self._mark()

    @property
    def card(self) -> Card:
        """The chosen card."""
        return next((card for card in self.cards if card.key == self._key), self.new)

    @property
    def chosen(self) -> TrainingRecord | None:
        """The finished training that is chosen."""
        return self.card.record if isinstance(self.card, TrainingCard) else None

    @property
    def interrupted(self) -> InterruptedTraining | None:
        """The interrupted training that is chosen."""
        return self.card.interrupted if isinstance(self.card, InterruptedCard) else None

    @property
    def is_first_chosen(self) -> bool:
        return isinstance(self.card, FirstCard)

    def choose(self, key: tuple[str, int]) -> None:
        """Choose a card by its key, such as ("training", 3) or ("new", 0)."""
        self._key = key if any(card.key == key for card in self.cards) else self.new.key
        self._mark()
        self.choice_changed.emit()

    def show_material(self, material: Material) -> None:
        """Show the trainings; what was chosen stays so while it is there."""
        shown = (material.trainings, material.used, material.interrupted)
        if shown == self._shown:
            return
        self._shown = shown
        for card in self.cards[1:]:
            self.body.removeWidget(card)
            card.hide()
            card.deleteLater()
        self.cards = [self.new, *self._made(material)]
        for at, card in enumerate(self.cards[1:], start=_FIRST_PLACE + 1):
            self.body.insertWidget(at, card)
            card.chosen.connect(lambda card=card: self._take(card))
        self._empty.setVisible(len(self.cards) == 1)
        self.choose(self._key)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1}.get(Qt.Key(event.key()))
        if step is None:
            super().keyPressEvent(event)
            return
        at = self.cards.index(self.card) + step
        if 0 <= at < len(self.cards):
            self.choose(self.cards[at].key)
            self.cards[at].setFocus(Qt.FocusReason.OtherFocusReason)
            self.ensureWidgetVisible(self.cards[at])

    def _take(self, card: Card) -> None:
        self.choose(card.key)
        self.activated.emit()

    def _made(self, material: Material) -> Sequence[Card]:
        cards: list[Card] = [InterruptedCard(one) for one in material.interrupted]
        cards += [
            TrainingCard(record, is_in_use=material.is_in_use(record))
            for record in material.trainings
        ]
        if material.first is not None:
            cards.append(FirstCard(material.first.base_name, is_in_use=material.in_use is None))
        return cards

    def _mark(self) -> None:
        chosen = self.card
        for card in self.cards:
            card.set_chosen(card is chosen)
