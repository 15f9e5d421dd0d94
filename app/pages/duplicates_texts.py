"""Both texts of a pair at full size, with all their columns."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from app.look.theme import set_role
from app.look.tokens import L, M
from app.pages.duplicates_card import card_content
from app.pages.duplicates_reads import Candidate
from app.widgets.column_compare import ColumnCompare
from app.widgets.elided import ElidedLabel
from app.widgets.overlay import Overlay
from app.widgets.pair_card import CardText
from app.widgets.text_view import TextView
from app.widgets.word_diff import word_diff
from core.store import Document

_WIDTH = 1160
_TEXT_SHARE = 0.5  # of the page's height


class TextsSheet(Overlay):
    """Shows the pair large; Space or Escape closes it."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, width=_WIDTH)
        self._page = parent
        self.setAccessibleName("The texts in full")
        self._heads = (ElidedLabel(), ElidedLabel())
        self._views = (TextView(name="Kept text"), TextView(name="Candidate text"))
        self._columns = ColumnCompare()
        self._area = QScrollArea()
        row = QHBoxLayout()
        row.setSpacing(0)
        for at, (head, view) in enumerate(zip(self._heads, self._views, strict=True)):
            set_role(head, "meta")
            head.setContentsMargins(L, 0, L, 0)
            side = QVBoxLayout()
            side.addWidget(head)
            side.addWidget(view, 1)
            if at:
                line = QFrame()
                set_role(line, "upright")
                row.addWidget(line)
            row.addLayout(side, 1)
        set_role(self._columns, "clear")
        self._area.setWidget(self._columns)
        self._area.setWidgetResizable(True)
        self._area.setMaximumHeight(200)
        self.body.setSpacing(M)
        self.body.addLayout(row, 1)
        self.body.addWidget(self._area)

    def show_pair(self, kept: Document, candidate: Candidate) -> None:
        """Open the sheet with a kept row and a candidate."""
        content = card_content(kept, candidate)
        sides: tuple[tuple[str, CardText], ...] = (
            ("KEPT", content.kept),
            ("CANDIDATE", content.candidate),
        )
        spans = word_diff(content.kept.text, content.candidate.text)
        for at, (name, side) in enumerate(sides):
            self._heads[at].setText("  ·  ".join((name, *side.facts)))
            self._views[at].show_text(side.text, spans[at])
            self._views[at].setMinimumHeight(round(self._page.height() * _TEXT_SHARE))
        self._columns.show_columns(content.columns)
        self._columns.set_folded(False)
        self._area.setVisible(bool(content.columns))
        self._area.setFixedHeight(min(self._columns.sizeHint().height() + 4, 200))
        self.open_sheet()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Space:
            self.close_sheet()
        else:
            super().keyPressEvent(event)
