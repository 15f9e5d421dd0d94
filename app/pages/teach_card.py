"""A finished training as a card: what it brought, and what can be done with it."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

from PySide6.QtCore import QEvent, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QFocusEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from app.look.theme import current_theme, set_role
from app.look.tokens import RADIUS_LARGE, XS, L, M, S
from app.look.words import counted
from app.pages.teach_examples import ExamplesList
from app.pages.teach_parts import icon_button, note
from app.pages.teach_words import (
    change_said,
    facts_said,
    result_said,
    score_said,
    when_said,
)
from app.widgets.elided import ElidedLabel
from app.widgets.fold import Fold
from app.widgets.interval_bar import IntervalBar
from app.widgets.tags import Tag, TagLabel
from core.store import TrainingRecord

_MOST_EXAMPLES = 3  # of each kind; the comparison shows all
IN_USE = Tag("in use", "same", "✓")


class Card(QFrame):
    """A card that can be chosen; the chosen one is what the keys of the page act on."""

    chosen = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._is_chosen = False
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(L, M, M, M)
        self.column.setSpacing(S)

    @property
    def is_chosen(self) -> bool:
        return self._is_chosen

    def set_chosen(self, chosen: bool) -> None:
        self._is_chosen = chosen
        self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.chosen.emit()
        super().mousePressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.chosen.emit()
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        colours = current_theme().colours
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        edge = colours.accent if self.hasFocus() else colours.outline
        width = 2.0 if self.hasFocus() else 1.0
        painter.setPen(QPen(QColor(edge if self._is_chosen else colours.line), width))
        painter.setBrush(QColor(colours.surface))
        inside = QRectF(self.rect()).adjusted(1, 1, -1, -1)
        painter.drawRoundedRect(inside, RADIUS_LARGE, RADIUS_LARGE)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self.update()


class TrainingCard(Card):
    """Before and after with its interval, what got better and worse, Use, Compare, Discard."""

    use_wanted = Signal()
    compare_wanted = Signal()
    discard_wanted = Signal()

    def __init__(
        self, record: TrainingRecord, *, is_in_use: bool, now: Callable[[], datetime] = datetime.now
    ) -> None:
        super().__init__()
        self.record = record
        figures = record.figures
        self.use = QPushButton("Use…")
        self.compare = QPushButton("Compare…")
        self.discard = icon_button("trash", f"Discard {record.name}")
        self.use.clicked.connect(self.use_wanted)
        self.compare.clicked.connect(self.compare_wanted)
        self.discard.clicked.connect(self.discard_wanted)
        for button in (self.use, self.discard):
            button.setVisible(not is_in_use)
        self._add_head(record, is_in_use, when_said(record.made_at, now()))
        score = score_said(figures)
        if score:
            self.column.addWidget(note(score, role="reading"))
        if score and figures.get("low") is not None and figures.get("high") is not None:
            self.column.addWidget(note(change_said(figures)))
            bar = IntervalBar()
            bar.show_difference(
                figures["after"] - figures["before"], figures["low"], figures["high"]
            )
            self.column.addWidget(bar)
        self.column.addWidget(note(result_said(figures), role="body" if score else "muted"))
        facts = facts_said(record)
        if facts:
            self.column.addWidget(note(facts, role="meta"))
        self._add_examples(record.examples)
        self._add_buttons()
        self.setAccessibleName(
            f"{record.name}. {score} {change_said(figures)} {result_said(figures)}"
            + (" In use." if is_in_use else "")
        )

    def allow(self, *, writing: bool, using: bool) -> None:
        """Say whether it may be discarded and used now."""
        self.use.setEnabled(writing and using)
        self.discard.setEnabled(writing and using)

    def _add_head(self, record: TrainingRecord, is_in_use: bool, when: str) -> None:
        name = ElidedLabel(record.name)
        set_role(name, "strong")
        when_label = QLabel(when)
        set_role(when_label, "meta")
        row = QHBoxLayout()
        row.setSpacing(S)
        row.addWidget(name, 1)
        if is_in_use:
            row.addWidget(TagLabel(IN_USE))
        row.addWidget(when_label)
        row.setContentsMargins(0, 0, XS, 0)
        self.column.addLayout(row)

    def _add_examples(self, examples: dict[str, Any]) -> None:
        better, worse = examples.get("better") or [], examples.get("worse") or []
        if not better and not worse:
            return
        inside = QWidget()
        column = QVBoxLayout(inside)
        column.setContentsMargins(0, XS, XS, XS)
        column.setSpacing(S)
        for title, some in (("Got better", better), ("Got worse", worse)):
            if some:
                column.addWidget(note(title, role="heading"))
                shown = ExamplesList()
                shown.show_examples(some[:_MOST_EXAMPLES])
                column.addWidget(shown)
        words = f"{counted(len(better), 'example')} better, {len(worse)} worse"
        self.column.addWidget(Fold(words, inside))

    def _add_buttons(self) -> None:
        row = QHBoxLayout()
        row.setContentsMargins(0, XS, 0, 0)
        row.setSpacing(XS)
        row.addWidget(self.use)
        row.addWidget(self.compare)
        row.addStretch(1)
        row.addWidget(self.discard)
        self.column.addLayout(row)


class FirstCard(Card):
    """The encoder that all trainings began with, and the way back to it."""

    back_wanted = Signal()

    def __init__(self, name: str, *, is_in_use: bool) -> None:
        super().__init__()
        self.back = QPushButton("Back to the first encoder…")
        self.back.clicked.connect(self.back_wanted)
        self.back.setVisible(not is_in_use)
        row = QHBoxLayout()
        row.setSpacing(S)
        title = ElidedLabel(name)
        set_role(title, "strong")
        row.addWidget(title, 1)
        if is_in_use:
            row.addWidget(TagLabel(IN_USE))
        self.column.addLayout(row)
        self.column.addWidget(note("As it was before anything was taught."))
        if not is_in_use:
            self.column.addWidget(self.back, 0, Qt.AlignmentFlag.AlignLeft)
        self.setAccessibleName(f"First encoder, {name}" + (", in use" if is_in_use else ""))

    def allow(self, *, writing: bool, using: bool) -> None:
        """Say whether it may be gone back to now."""
        self.back.setEnabled(writing and using)
