"""A card of the list of trainings: enough to choose one; the rest is told beside it."""

from datetime import datetime

from PySide6.QtCore import QEvent, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QFocusEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QVBoxLayout

from app.look.theme import current_theme, set_role
from app.look.tokens import RADIUS_LARGE, XS, M, S
from app.look.words import count
from app.pages.teach_parts import note
from app.pages.teach_words import result_said, result_tag, score_said, when_said
from app.widgets.elided import ElidedLabel
from app.widgets.icon_label import IconLabel
from app.widgets.tags import Tag, TagLabel
from core.store import InterruptedTraining, TrainingRecord

IN_USE = Tag("in use", "same", "✓")
_CUT_OFF = Tag("interrupted", "unsure", "‖")


class Card(QFrame):
    """A card that can be chosen; the chosen one is what the page shows and its keys act on."""

    chosen = Signal()

    def __init__(self, key: tuple[str, int]) -> None:
        super().__init__()
        self.key = key
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._is_chosen = False
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(M, M, M, M)
        self.column.setSpacing(XS)

    @property
    def is_chosen(self) -> bool:
        return self._is_chosen

    def set_chosen(self, chosen: bool) -> None:
        self._is_chosen = chosen
        self.setAccessibleDescription("chosen" if chosen else "")
        self.update()

    def add_head(self, words: str, *, tag: Tag | None = None) -> None:
        """Add the line with the name."""
        name = ElidedLabel(words)
        set_role(name, "strong")
        row = QHBoxLayout()
        row.setSpacing(S)
        row.addWidget(name, 1)
        if tag is not None:
            row.addWidget(TagLabel(tag))
        self.column.addLayout(row)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.chosen.emit()
        super().mousePressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if event.reason() in (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason):
            self.chosen.emit()
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        colours = current_theme().colours
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        edge = colours.accent if self._is_chosen or self.hasFocus() else colours.line
        painter.setPen(QPen(QColor(edge), 2.0 if self.hasFocus() else 1.0))
        painter.setBrush(QColor(colours.selection if self._is_chosen else colours.surface))
        inside = QRectF(self.rect()).adjusted(1, 1, -1, -1)
        painter.drawRoundedRect(inside, RADIUS_LARGE, RADIUS_LARGE)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self.update()


class NewCard(Card):
    """The next training: what it would be, or where the one that runs stands."""

    def __init__(self) -> None:
        super().__init__(("new", 0))
        self._icon = IconLabel("plus")
        self._title, self._words = ElidedLabel("New training"), note(role="meta")
        set_role(self._title, "strong")
        row = QHBoxLayout()
        row.setSpacing(S)
        row.addWidget(self._icon)
        row.addWidget(self._title, 1)
        self.column.addLayout(row)
        self.column.addWidget(self._words)
        self.show_standing("")

    def show_standing(self, words: str) -> None:
        """Say where the training stands that runs; nothing while none does."""
        self._icon.show_icon("play" if words else "plus", "muted")
        self._title.setText("Teaching now" if words else "New training")
        self._words.setText(words)
        self._words.setVisible(bool(words))
        self.setAccessibleName(f"{self._title.text()} {words}".strip())


class TrainingCard(Card):
    """A finished training: before and after, and what that means."""

    def __init__(
        self, record: TrainingRecord, *, is_in_use: bool, now: datetime | None = None
    ) -> None:
        super().__init__(("training", record.id))
        self.record = record
        figures, score = record.figures, score_said(record.figures)
        self.add_head(record.name)
        if score:
            self.column.addWidget(note(score, role="body"))
        when = QLabel(when_said(record.made_at, now or datetime.now()))
        set_role(when, "meta")
        row = QHBoxLayout()
        row.setSpacing(S)
        row.addWidget(TagLabel(result_tag(figures)))
        if is_in_use:
            row.addWidget(TagLabel(IN_USE))
        row.addStretch(1)
        row.addWidget(when)
        self.column.addLayout(row)
        self.setAccessibleName(
            f"{record.name}. {score} {result_said(figures)}" + (" In use." if is_in_use else "")
        )


class InterruptedCard(Card):
    """A training that was cut off and can go on."""

    def __init__(self, interrupted: InterruptedTraining, *, now: datetime | None = None) -> None:
        super().__init__(("interrupted", interrupted.run))
        self.interrupted = interrupted
        self.add_head(interrupted.title or "A training")
        words = step_said(interrupted)
        self.column.addWidget(note(words, role="meta"))
        when = QLabel(when_said(interrupted.started, now or datetime.now()))
        set_role(when, "meta")
        row = QHBoxLayout()
        row.addWidget(TagLabel(_CUT_OFF))
        row.addStretch(1)
        row.addWidget(when)
        self.column.addLayout(row)
        self.setAccessibleName(f"Interrupted: {interrupted.title}, {words}")


class FirstCard(Card):
    """The encoder that all trainings began with."""

    def __init__(self, name: str, *, is_in_use: bool) -> None:
        super().__init__(("first", 0))
        self.add_head(name, tag=IN_USE if is_in_use else None)
        self.column.addWidget(note("Before anything was taught.", role="meta"))
        self.setAccessibleName(f"First encoder, {name}" + (", in use" if is_in_use else ""))


def step_said(interrupted: InterruptedTraining) -> str:
    """Where it was cut off."""
    if not interrupted.step:
        return "before its first checkpoint"
    of = f" of {count(interrupted.planned)}" if interrupted.planned else ""
    return f"at step {count(interrupted.step)}{of}"
