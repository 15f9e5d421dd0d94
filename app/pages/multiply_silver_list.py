"""Silver pairs a page at a time; one is the current one, which the keys act on."""

from collections.abc import Mapping

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from app.look.theme import set_role
from app.look.tokens import S
from app.look.words import count
from app.pages.multiply_reads import PAGE, SilverPage
from app.pages.multiply_silver_row import SilverCard
from app.pages.teach_parts import note
from core.store import SilverRow

_NONE = "No pair has a label in this band."
_SIDE_BY_SIDE = 560


class SilverList(QWidget):
    """Cards of pairs; going past the last one asks for the next page."""

    page_wanted = Signal(int)  # the offset
    current_changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.page: SilverPage | None = None
        self.cards: list[SilverCard] = [SilverCard() for _ in range(PAGE)]
        self._at = 0
        self._lands_on_last = False  # of a page that is asked for
        self._narrow: bool | None = None
        self._none = note(_NONE)
        self.shown = note(role="meta")
        self.before, self.after = QPushButton("Pairs before"), QPushButton("More pairs")
        for button, step in ((self.before, -PAGE), (self.after, PAGE)):
            set_role(button, "quiet")
            button.clicked.connect(lambda _checked=False, step=step: self._turn(step))
        foot = QHBoxLayout()
        foot.setSpacing(S)
        foot.addWidget(self.shown, 1)
        foot.addWidget(self.before)
        foot.addWidget(self.after)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(S)
        column.addWidget(self._none)
        for at, card in enumerate(self.cards):
            column.addWidget(card)
            card.hide()
            card.chosen.connect(lambda at=at: self.choose(at))
        column.addLayout(foot)

    @property
    def current(self) -> SilverRow | None:
        """The pair that the keys act on."""
        rows = () if self.page is None else self.page.rows
        return rows[self._at] if self._at < len(rows) else None

    @property
    def card(self) -> SilverCard | None:
        """The card of the current pair."""
        return None if self.current is None else self.cards[self._at]

    def show_page(self, page: SilverPage | None, given: Mapping[int, SilverRow]) -> None:
        """Show a page; `given` are pairs whose change is still on its way, by their place."""
        is_other = (
            page is None or self.page is None
            or (page.augmentation, page.band, page.offset)
            != (self.page.augmentation, self.page.band, self.page.offset)
        )  # fmt: skip  # one question
        self.page = page
        rows = () if page is None else page.rows
        if is_other:
            self._at = max(0, len(rows) - 1) if self._lands_on_last else 0
            self._lands_on_last = False
        self._at = min(self._at, max(0, len(rows) - 1))
        for at, card in enumerate(self.cards):
            if at < len(rows):
                card.show_row(given.get(rows[at].place, rows[at]))
            card.setVisible(at < len(rows))
        self._none.setVisible(page is not None and not rows)
        self._say()
        self._mark()

    def show_row(self, row: SilverRow) -> None:
        """Show a pair that was just changed."""
        for card in self.cards:
            if card.row is not None and not card.isHidden() and card.row.place == row.place:
                card.show_row(row)

    def choose(self, at: int) -> None:
        """Make another pair the current one."""
        self._at = at
        self._mark()
        self.current_changed.emit()

    def go(self, step: int) -> None:
        """Go to the next pair or the one before, on another page too."""
        page = self.page
        if page is None:
            return
        at = self._at + step
        if 0 <= at < len(page.rows):
            self.choose(at)
        elif at >= len(page.rows) and page.has_more:
            self._turn(PAGE)
        elif at < 0 and page.offset:
            self._lands_on_last = True
            self._turn(-PAGE)

    def fit(self, width: int) -> None:
        """Put texts side by side where there is room."""
        narrow = width < _SIDE_BY_SIDE
        if narrow != self._narrow:
            self._narrow = narrow
            for card in self.cards:
                card.set_narrow(narrow)

    def _turn(self, step: int) -> None:
        if self.page is not None:
            self.page_wanted.emit(max(0, self.page.offset + step))

    def _mark(self) -> None:
        for at, card in enumerate(self.cards):
            card.set_chosen(at == self._at)

    def _say(self) -> None:
        page = self.page
        has_any = page is not None and bool(page.rows)
        self.shown.setVisible(has_any)
        self.before.setVisible(page is not None and page.offset > 0)
        self.after.setVisible(page is not None and page.has_more)
        if page is not None and has_any:
            first, last = page.offset + 1, page.offset + len(page.rows)
            self.shown.setText(f"Pairs {count(first)} to {count(last)}")
