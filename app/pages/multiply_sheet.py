"""Step 4: what the labels look like beside the gold, before they are trusted."""

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from app.look.theme import set_role
from app.look.tokens import XS, L, M, S
from app.pages.multiply_bands import BandBar
from app.pages.multiply_density import DensityPlot
from app.pages.multiply_foot import Foot
from app.pages.multiply_panel import StepPanel
from app.pages.multiply_scene import Scene
from app.pages.multiply_silver_list import SilverList
from app.pages.multiply_words import sheet_said
from app.pages.teach_parts import IconLine, emptied, heading, note
from app.widgets.verdict_button import VerdictButton

_ABOUT = (
    "Silver pairs are labelled from 0, quite different, to 1, the same. Look through some: what "
    "you correct counts as gold from then on, here and on the Teach page."
)
_EMPTY = "There are no labels to look at yet. Label new pairs first; that is step 3."


class SheetPanel(StepPanel):
    """Two curves, ten bands, what to look out for, and the pairs themselves."""

    given = Signal(str)  # same, different, take-back or leave-out, for the current pair
    all_wanted = Signal()  # take in again what was left out

    def __init__(self) -> None:
        super().__init__("sheet", _ABOUT)
        self.density, self.bands, self.list = DensityPlot(), BandBar(), SilverList()
        self.sum = note(role="body")
        self.warnings = QWidget()
        self._warnings = QVBoxLayout(self.warnings)
        self.said: tuple[str, ...] = ()
        self.all_in = QPushButton("Take all in again")
        self.all_bands = QPushButton("All bands")
        self.buttons = {
            "same": VerdictButton("Same", "S", "same"),
            "different": VerdictButton("Different", "D", "different"),
            "take-back": VerdictButton("Take back", "U", "plain", quiet=True),
            "leave-out": VerdictButton("Leave out", "X", "plain", quiet=True),
        }
        self.hand = QFrame()  # put below by whoever lays the page out, so that it stays in view
        self.heading = heading("Pairs")
        self._found, self._missing = QWidget(), note(_EMPTY)
        self.foot = Foot(
            ("accept", "Accept and go on"), ("rebalance", "Rebalance"), ("drop-all", "Drop all…")
        )
        self._lay_out()
        for key, button in self.buttons.items():
            button.clicked.connect(lambda _checked=False, key=key: self.given.emit(key))
        self.all_in.clicked.connect(self.all_wanted)
        self.all_bands.clicked.connect(lambda: self.bands.choose(None))

    def show_scene(self, scene: Scene) -> None:
        """Show the sheet of an augmentation, or what has to come before."""
        sheet = {} if scene.record is None else scene.record.sheet
        self._found.setVisible(bool(sheet))
        self._missing.setVisible(not sheet)
        if sheet:
            self.density.show_densities(
                sheet["grid"], sheet["gold_density"], sheet["silver_density"]
            )
            self.bands.show_bands(sheet["bands"])
            self.sum.setText(sheet_said(sheet))
            self._show_warnings(sheet)
        self.all_in.setVisible(bool(sheet) and int(sheet.get("dropped") or 0) > 0)
        self.all_in.setEnabled(scene.can_change)
        why = scene.why_not("sheet")
        self.foot.show_reason(why if why and not scene.has_sheet else "", "info", "")
        allowed = ["rebalance", "drop-all"] if scene.can_change else []
        if scene.record is not None and scene.writes and not scene.running:
            allowed = list({*allowed, "drop-all"})
        if scene.has_sheet:
            allowed.append("accept")
        self.foot.allow(allowed)
        self.show_current(scene)

    def show_current(self, scene: Scene) -> None:
        """Say what the current pair was given, and what it can be given."""
        row = None if self.list.card is None else self.list.card.row
        said = None if row is None else row.corrected
        low, high = self.bands.limits
        band = self.bands.band
        self.heading.setText("Pairs" if band is None else f"Pairs labelled {low:.1f} to {high:.1f}")
        self.all_bands.setVisible(band is not None)
        for button in self.buttons.values():
            button.setEnabled(scene.can_change and row is not None)
        self.buttons["same"].setChecked(said is not None and said >= 0.5)
        self.buttons["different"].setChecked(said is not None and said < 0.5)
        self.buttons["take-back"].setEnabled(scene.can_change and said is not None)
        is_out = row is not None and row.dropped
        self.buttons["leave-out"].setText("Take in again" if is_out else "Leave out")

    def reveal_current(self) -> None:
        """Scroll to the current pair."""
        card = self.list.card
        if card is not None:
            self.ensureWidgetVisible(card, 0, 24)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.list.fit(event.size().width())

    def _show_warnings(self, sheet: dict[str, object]) -> None:
        told = sheet.get("warnings")
        warnings = told if isinstance(told, list) else []
        said = tuple(f"{one['sentence']} {one['remedy']}" for one in warnings)
        if said != self.said:
            self.said = said
            emptied(self._warnings)
            for words in said:
                line = IconLine("warning", words)
                line.show_words("warning", words, "unsure")
                self._warnings.addWidget(line)
        self.warnings.setVisible(bool(said))

    def _lay_out(self) -> None:
        for button in (self.all_in, self.all_bands):
            set_role(button, "link")
        self._warnings.setContentsMargins(0, 0, 0, 0)
        self._warnings.setSpacing(S)
        card = QFrame()
        set_role(card, "card")
        drawn = QVBoxLayout(card)
        drawn.setContentsMargins(M, S, M, S)
        drawn.setSpacing(XS)
        drawn.addWidget(self.density)
        drawn.addWidget(self.bands)
        total = QHBoxLayout()
        total.setSpacing(S)
        total.addWidget(self.sum, 1)
        total.addWidget(self.all_in)
        head = QHBoxLayout()
        head.setSpacing(S)
        head.addWidget(self.heading)
        head.addWidget(self.all_bands)
        head.addStretch(1)
        set_role(self.hand, "strip")
        below = QHBoxLayout(self.hand)
        below.setContentsMargins(L, S, L, S)
        below.setSpacing(S)
        for given in self.buttons.values():
            below.addWidget(given)
        below.addStretch(1)
        inside = QVBoxLayout(self._found)
        inside.setContentsMargins(0, 0, 0, 0)
        inside.setSpacing(M)
        inside.addLayout(total)
        inside.addWidget(card)
        inside.addWidget(self.warnings)
        inside.addLayout(head)
        inside.addWidget(self.list)
        self.column.addWidget(self._missing)
        self.column.addWidget(self._found)
