"""One silver pair: both texts side by side, the teacher's label, and a person's word."""

from PySide6.QtCore import QEvent, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QBoxLayout, QFrame, QHBoxLayout, QLabel, QVBoxLayout

from app.look.theme import current_theme, set_role
from app.look.tokens import RADIUS, L, M, S
from app.pages.teach_parts import emptied
from app.widgets.marked_label import MarkedLabel
from app.widgets.tags import Tag, TagLabel, ToneName
from app.widgets.word_diff import word_diff
from core.store import SilverRow

_SAME_FROM = 0.5


class SilverCard(QFrame):
    """A pair that the keys act on while it is the chosen one."""

    chosen = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.row: SilverRow | None = None
        self._is_chosen = False
        self._tags = QHBoxLayout()
        self._tags.setSpacing(S)
        self._texts = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._texts.setSpacing(L)
        column = QVBoxLayout(self)
        column.setContentsMargins(M, S, M, M)
        column.setSpacing(S)
        column.addLayout(self._tags)
        column.addLayout(self._texts)

    def show_row(self, row: SilverRow) -> None:
        """Show a pair as it stands now."""
        before, self.row = self.row, row
        if before is None or (before.left, before.right) != (row.left, row.right):
            emptied(self._texts)
            first, second = word_diff(row.left, row.right)
            for text, spans in ((row.left, first), (row.right, second)):
                label = MarkedLabel(text, spans)
                label.setTextInteractionFlags(Qt.TextInteractionFlag.NoTextInteraction)
                self._texts.addWidget(label, 1, Qt.AlignmentFlag.AlignTop)
        emptied(self._tags)
        for tag in tags_of(row):
            self._tags.addWidget(TagLabel(tag))
        told = QLabel(f"labelled {row.score:.2f}")
        set_role(told, "meta")
        self._tags.addWidget(told)
        self._tags.addStretch(1)
        said = ", ".join(tag.words for tag in tags_of(row))
        self.setAccessibleName(f"{said}, labelled {row.score:.2f}: {row.left} | {row.right}")
        self.update()

    def set_chosen(self, chosen: bool) -> None:
        """Mark it as the one that the keys act on."""
        if chosen != self._is_chosen:
            self._is_chosen = chosen
            self.update()

    def set_narrow(self, narrow: bool) -> None:
        """Put the texts one below the other where there is little room."""
        way = QBoxLayout.Direction.TopToBottom if narrow else QBoxLayout.Direction.LeftToRight
        self._texts.setDirection(way)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.chosen.emit()
        super().mousePressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        colours = current_theme().colours
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        edge = colours.accent if self._is_chosen else colours.line
        painter.setPen(QPen(QColor(edge), 1.5 if self._is_chosen else 1.0))
        is_out = self.row is not None and self.row.dropped
        ground = colours.selection if self._is_chosen else colours.surface
        painter.setBrush(QColor(colours.sunken if is_out and not self._is_chosen else ground))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), RADIUS, RADIUS)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self.update()


def tags_of(row: SilverRow) -> tuple[Tag, ...]:
    """What is said of a pair: the label, or a person's word in its place, and what is left out."""
    if row.corrected is not None:
        words, tone, sign = _WORDS[row.corrected >= _SAME_FROM]
        tags = [Tag(f"{words}, by you", tone, sign)]
    else:
        words, tone, _ = _WORDS[row.score >= _SAME_FROM]
        tags = [Tag(f"likely {words.lower()}", tone)]
    if row.dropped:
        tags.append(Tag("left out", "plain", "×"))
    return tuple(tags)


_WORDS: dict[bool, tuple[str, ToneName, str]] = {
    True: ("Same", "same", "S"),
    False: ("Different", "different", "D"),
}
