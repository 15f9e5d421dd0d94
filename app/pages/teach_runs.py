"""The right column: the trainings so far, the newest first, and the encoder they began with."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent

from app.pages.teach_card import Card, FirstCard, TrainingCard
from app.pages.teach_parts import Column, heading, note
from app.pages.teach_reads import Material
from core.store import TrainingRecord

_EMPTY = "What a training brought is shown here: before and after, what got better, what got worse."


class RunsColumn(Column):
    """Cards to choose from with the mouse or the arrow keys."""

    use_wanted = Signal(object)  # TrainingRecord
    compare_wanted = Signal(object)  # TrainingRecord
    discard_wanted = Signal(object)  # TrainingRecord
    back_wanted = Signal()
    choice_changed = Signal()

    def __init__(self) -> None:
        super().__init__("Trainings")
        self.cards: list[Card] = []
        self._chosen: Card | None = None
        self._shown: tuple[tuple[TrainingRecord, ...], int | None] | None = None
        self._allowed = {"writing": True, "using": True}
        self._empty = note(_EMPTY)
        self.body.addWidget(heading("Trainings"))
        self.body.addWidget(self._empty)
        self.body.addStretch(1)

    @property
    def chosen(self) -> TrainingRecord | None:
        """The training that the page's keys act on."""
        return self._chosen.record if isinstance(self._chosen, TrainingCard) else None

    def show_material(self, material: Material) -> None:
        """Show the trainings; what was chosen stays so."""
        shown = (material.trainings, material.used)
        if shown == self._shown:
            return
        before = None if self.chosen is None else self.chosen.id
        known = set() if self._shown is None else {one.id for one in self._shown[0]}
        self._shown = shown
        for card in self.cards:
            self.body.removeWidget(card)
            card.hide()
            card.deleteLater()
        self.cards = [self._training(record, material) for record in material.trainings]
        if material.first is not None:
            self.cards.append(self._first(material.first, material))
        for at, card in enumerate(self.cards):
            self.body.insertWidget(2 + at, card)
        self._empty.setVisible(not self.cards)
        self._allow()
        fresh = next((c for c in self.cards if _number(c) not in known), None) if known else None
        same = next((c for c in self.cards if _number(c) == before and before is not None), None)
        self._choose(fresh or same or (self.cards[0] if self.cards else None))

    def allow(self, *, writing: bool, using: bool) -> None:
        """Say whether trainings may be used and discarded now."""
        self._allowed = {"writing": writing, "using": using}
        self._allow()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1}.get(Qt.Key(event.key()))
        if step is None or self._chosen not in self.cards:
            super().keyPressEvent(event)
            return
        at = self.cards.index(self._chosen) + step
        if 0 <= at < len(self.cards):
            self._choose(self.cards[at])
            self.cards[at].setFocus()
            self.ensureWidgetVisible(self.cards[at])

    def _training(self, record: TrainingRecord, material: Material) -> TrainingCard:
        card = TrainingCard(record, is_in_use=material.is_in_use(record))
        card.use_wanted.connect(lambda: self.use_wanted.emit(record))
        card.compare_wanted.connect(lambda: self.compare_wanted.emit(record))
        card.discard_wanted.connect(lambda: self.discard_wanted.emit(record))
        card.chosen.connect(lambda: self._choose(card))
        return card

    def _first(self, record: TrainingRecord, material: Material) -> FirstCard:
        card = FirstCard(record.base_name, is_in_use=material.in_use is None)
        card.back_wanted.connect(self.back_wanted)
        card.chosen.connect(lambda: self._choose(card))
        return card

    def _choose(self, card: Card | None) -> None:
        self._chosen = card
        for one in self.cards:
            one.set_chosen(one is card)
        self.choice_changed.emit()

    def _allow(self) -> None:
        for card in self.cards:
            if isinstance(card, TrainingCard | FirstCard):
                card.allow(**self._allowed)


def _number(card: Card) -> int | None:
    return card.record.id if isinstance(card, TrainingCard) else None
